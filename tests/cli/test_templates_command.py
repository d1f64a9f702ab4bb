"""Covers: `quchong templates`: the list, one template in full, JSON, languages, frames taken out as boilerplate, and wrong calls.

Run: pytest tests/cli/test_templates_command.py
"""

import json

import pytest

GOODS = ("砂锅", "背包", "台灯", "毛毯", "茶壶", "书架", "雨伞", "耳机")
CITIES = ("济南", "成都", "郑州", "苏州", "长春", "沈阳", "重庆", "福州")
ADVERT = "本店新到一批{}，做工讲究，用料扎实，支持七天内退换，全国联保，{}仓当天发货，凡下单者均附赠小礼物一份，存货不多，欲购从速。"


@pytest.fixture
def adverts(tmp_path):
    """A file of eight adverts on one template, of which the last has a copy."""
    texts = [ADVERT.format(*two) for two in zip(GOODS, CITIES, strict=True)]
    path = tmp_path / "adverts.jsonl"
    rows = [{"id": f"ad{k}", "text": text} for k, text in enumerate([*texts, texts[-1].replace("。", "！")])]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_template_is_listed_with_its_slots_and_their_fillers(command, dedup, adverts):
    run = dedup(adverts)
    assert run.counts["templates"] == {"templates": 1, "records": 9, "told_apart": 35, "without_evidence": 0}
    assert run.counts["removed"] == 1
    ran = command("templates", run.folder)
    out = ran.out.splitlines()
    assert ran.code == 0 and not ran.err and out[0] == "1 template, with 9 records" and out[2] == "1. 9 records"
    listed = ran.out.replace("\n   ", "")  # lines end where the terminal does
    assert "本店新到一批‹1›，做工讲究" in listed and "‹2›仓当天发货" in listed
    slots = [line for line in out if line.startswith("   ‹")]
    assert slots[0].startswith("   ‹1› 8 different: 耳机 (2), ") and slots[0].endswith(", …") and "福州 (2)" in slots[1]


def test_one_template_in_full_has_every_listed_filler(command, dedup, adverts):
    ran = command("templates", dedup(adverts).folder, "--template", "1")
    assert all(f"{name} (" in ran.out.replace("\n   ", "") for name in (*GOODS, *CITIES)) and "…" not in ran.out
    assert "the text is taken from ad" in ran.out and "with 9 records" not in ran.out


def test_chinese_is_all_chinese(command, dedup, adverts, monkeypatch):
    folder = dedup(adverts).folder
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    out = command("templates", folder).out + command("templates", folder, "--template", "1").out
    assert "1个模板，共9条记录" in out and "‹1› 8种：耳机 (2)、" in out
    assert not any(word in out for word in ("record", "different", "template", "text"))
    assert "没有第 3 号模板" in command("templates", folder, "--template", "3").err


def test_lines_are_no_wider_than_the_terminal(command, dedup, adverts, monkeypatch):
    from quchong.cli.printing import width

    folder = dedup(adverts).folder
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(width, command("templates", folder).out.splitlines())) <= 60


def test_json_is_one_object_a_line(command, dedup, adverts):
    folder = dedup(adverts).folder
    (row,) = map(json.loads, command("templates", folder, "--json").out.splitlines())
    first, second = row["slots"]
    assert (row["template"], row["records"], first["different"]) == (1, 9, 8)
    assert (
        row["text"][first["start"] : first["end"]] in GOODS and row["text"][second["start"] : second["end"]] in CITIES
    )
    assert (
        command("templates", folder, "--json", "--template", "1", "--limit", "5").out
        == command("templates", folder, "--json").out
    )


def test_frames_are_exported_as_boilerplate_that_dedup_takes(command, dedup, adverts, tmp_path):
    out = tmp_path / "frames.txt"
    ran = command("templates", dedup(adverts).folder, "--boilerplate", out)
    assert ran.code == 0 and ran.out == f"2 lines written to {out}\n"
    assert out.read_text(encoding="utf-8").splitlines() == [
        "仓当天发货，凡下单者均附赠小礼物一份，存货不多，欲购从速", "做工讲究，用料扎实，支持七天内退换，全国联保",
    ]  # fmt: skip
    # What is compared then is what filled the slots, and a short rest.
    again = dedup(adverts, "--boilerplate", out)
    assert {row["id"] for row in again.ledger} <= {"ad7", "ad8"} and again.counts["removed"] == 1
    assert "做工讲究" not in command("templates", again.folder).out
    assert "exists: choose another file" in command("templates", dedup(adverts).folder, "--boilerplate", out).line


def test_a_run_without_templates_says_why(command, dedup, adverts, tmp_path):
    run = dedup(adverts, "--templates", "remove", "--facts", "remove")
    assert "templates" not in run.counts and run.counts["removed"] > 1
    assert "--templates remove" in command("templates", run.folder).out
    told = command("templates", run.folder, "--boilerplate", tmp_path / "f.txt").line
    assert "has no templates to export" in told and not (tmp_path / "f.txt").exists()
    # A run of a version that knew no templates.
    manifest = json.loads((run.folder / "run.json").read_text(encoding="utf-8"))
    del manifest["config"]["templates"]
    (run.folder / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    (run.folder / "templates.parquet").unlink()
    ran = command("templates", run.folder)
    assert ran.code == 0 and "earlier version" in ran.out
    # It is decided again as it was.
    assert "ad0" in command("explain", run.folder, "ad0").out
    from quchong import load

    again = load(run.folder).rethreshold(facts="remove")
    assert again.counts["removed"] >= run.counts["removed"] and "templates" not in again.counts


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--template", "2"), 2, "has no template 2: they are numbered from 1 to 1"),
        (("--template", "0"), 2, "--template"),
        (("--limit", "0"), 2, "--limit"),
        (("--boilerplate", "there/is/none.txt"), 4, "there/is"),
    ],
)
def test_wrong_calls_say_what_is_wrong(command, dedup, adverts, tmp_path, monkeypatch, words, code, told):
    monkeypatch.chdir(tmp_path)
    ran = command("templates", dedup(adverts).folder, *words)
    assert ran.code == code and told in ran.err and "Traceback" not in ran.err


def test_a_folder_that_is_no_run_is_refused(command, tmp_path):
    assert command("templates", tmp_path).code == 5
