"""Covers: `quchong dedup --unit`: what is written and said, `explain` and `restore` of such a folder, and options that do not belong."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.tables import UNIT_DOCUMENTS, UNITS

FOOTER = "版权所有，转载请注明出处"


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "in.jsonl"
    texts = [
        f"第一篇文章写的是春天的事\n{FOOTER}",
        f"第二篇文章写的是秋天的事\n{FOOTER}\n",
        FOOTER,
        "没有重复内容的一篇文章",
    ]
    path.write_text("".join(json.dumps({"id": k, "text": t}) + "\n" for k, t in enumerate(texts)), encoding="utf-8")
    return path


def test_a_run_by_lines(command, rows, tmp_path):
    out = tmp_path / "run"
    ran = command("dedup", rows, "--unit", "line", "-o", out)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("4 documents: 2 unchanged, 1 cut, 1 removed entirely\nlines: 2 of 6 cut")
    kept = [json.loads(line) for line in (out / "kept.jsonl").read_text().splitlines()]
    assert [row["id"] for row in kept] == [0, 1, 3]
    assert kept[1]["text"] == "第二篇文章写的是秋天的事\n"
    assert len((out / "removed.jsonl").read_text().splitlines()) == 2
    table = pq.read_table(out / "units.parquet")
    assert table.column_names == UNITS.names
    assert table["kept_id"].to_pylist() == [0, 0]
    assert pq.read_table(out / "documents.parquet").column_names == UNIT_DOCUMENTS.names
    manifest = json.loads((out / "run.json").read_text())
    assert manifest["mode"] == "units"
    assert manifest["units"] == {"unit": "line", "words": 4, "common": None, "repeats": "keep", "floor": 1.0}


def test_a_run_is_explained(command, rows, tmp_path):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    ran = command("explain", out, "1", "2", "3")
    assert ran.code == 0, ran.err
    assert f"cut: 3 documents have this unit; kept in document 0, unit 2\n       {FOOTER}" in ran.out
    assert "2 was removed because too little of its text was left" in ran.out
    assert "3 was left unchanged" in ran.out
    told = json.loads(command("explain", out, "2", "--json").out)
    assert [(one["unit"], one["kept_id"], one["kept_unit"], one["text"]) for one in told["lost"]] == [(1, 0, 2, FOOTER)]
    assert command("explain", out, "9").code == 2
    assert command("explain", out, "1", "--with", "2").code == 2


def test_rows_are_put_back(command, rows, tmp_path):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    assert command("restore", out, "3").code == 2
    assert command("restore", out, "--rule", "exact").code == 2
    assert command("restore", out, "2").out.startswith("put back 1 row")
    ran = command("restore", out, "--all")
    assert ran.code == 0, ran.err
    assert (out / "kept.jsonl").read_bytes() == rows.read_bytes()
    assert (out / "removed.jsonl").read_bytes() == b""
    assert [json.loads(line)["id"] for line in (out / "restored.jsonl").read_text().splitlines()] == [2, 1]
    counts = json.loads((out / "run.json").read_text())["counts"]
    assert [counts[name] for name in ("kept", "removed", "changed", "cut", "cut_words")] == [4, 0, 0, 0, 0]
    assert "1 was left unchanged" in command("explain", out, "1").out


def test_a_folder_is_replaced_only_when_asked(command, rows, tmp_path):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code != 0
    assert command("dedup", rows, "--unit", "paragraph", "-o", out, "-q", "--overwrite").code == 0
    assert json.loads((out / "run.json").read_text())["units"]["unit"] == "paragraph"


def test_nothing_is_written_by_a_dry_run(command, rows, tmp_path):
    ran = command("dedup", rows, "--unit", "line", "--dry-run", "--json")
    assert json.loads(ran.out)["counts"]["cut"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--unit", "word"], "unknown --unit word: use document, line, paragraph"),
        (["--unit-words", "3"], "--unit-words is for a run that compares lines or paragraphs"),
        (["--unit", "line", "--threshold", "0.5"], "--threshold is for a run that compares whole documents"),
        (
            ["--unit", "line", "--method", "minhash"],
            "--method is for a run that compares whole documents: leave out this option, or --unit",
        ),
        (["--unit", "line", "--unit-floor", "1.5", "--dry-run"], "a share below 1 or a whole number of words, got 1.5"),
        (["--unit", "line", "--keep", "longest", "--dry-run"], "equal lines have equal lengths"),
        (["--unit", "line", "-q"], "no output folder"),
    ],
)
def test_options_that_do_not_belong(command, rows, options, said):
    ran = command("dedup", rows, *options)
    assert ran.code == 2
    assert said in ran.err


def test_methods_keep_their_own_unit(command, rows):
    ran = command("dedup", rows, "--dry-run", "--json", "--method", "block-digest", "--unit", "chunk")
    assert json.loads(ran.out)["config"]["parameters"]["unit"] == "chunk"


@pytest.mark.parametrize("file", ["units.parquet", "run.json"])
def test_a_damaged_folder_is_told(command, rows, tmp_path, file):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    if file == "run.json":
        manifest = json.loads((out / file).read_text())
        manifest["files"]["in.jsonl"]["removed"] = "../in.jsonl"
        (out / file).write_text(json.dumps(manifest))
    else:
        (out / file).write_bytes(b"PAR1")
    for call in (("explain", out, "1"), ("restore", out, "--all")):
        ran = command(*call)
        assert ran.code != 0
        assert "Traceback" not in ran.err
        assert file in ran.err


@pytest.mark.parametrize(
    ("table", "changed"),
    [
        *[("units", {name: None}) for name in UNITS.names],
        *[("units", {name: -1}) for name in ("unit", "start", "documents", "id", "kept_id")],
        ("units", {"reason": "other"}),
        *[("documents", {name: None}) for name in UNIT_DOCUMENTS.names],
        ("documents", {"source": "other"}),
        ("documents", {"cut_units": -1}),
        ("documents", None),
    ],
)
def test_a_folder_made_by_hand_is_refused(command, rows, tmp_path, table, changed):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    found = pq.read_table(out / f"{table}.parquet")
    there = found.to_pylist()
    schema = pa.schema([field.with_nullable(True) for field in found.schema])
    there = [] if changed is None else [there[0] | changed, *there[1:]]
    pq.write_table(pa.Table.from_pylist(there, schema=schema), out / f"{table}.parquet")
    for call in (("explain", out, "1"), ("restore", out, "--all")):
        ran = command(*call)
        assert ran.code == 5 and f"{table if changed else 'units'}.parquet differs from what a run writes" in ran.err


@pytest.mark.parametrize(
    "changed",
    [{"units": []}, {"units": {"unit": "word"}}, {"format": "1"}, {"restored": 1}, {"inputs": [{"encoding": 1}]}],
)
def test_a_manifest_made_by_hand_is_refused(command, rows, tmp_path, changed):
    out = tmp_path / "run"
    assert command("dedup", rows, "--unit", "line", "-o", out, "-q").code == 0
    told = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(told | changed))
    for call in (("explain", out, "1"), ("restore", out, "--all")):
        ran = command(*call)
        assert ran.code == 5 and "run.json differs from what a run writes" in ran.err


def test_a_row_whose_text_is_in_a_string_of_json_is_kept_as_it_is(command, rows, tmp_path):
    listed = {"id": 9, "m": json.dumps({"text": f"前言里也有一句\n{FOOTER}"}, ensure_ascii=False)}
    plain = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    with rows.open("w", encoding="utf-8") as file:
        for row in plain:
            file.write(json.dumps({"id": row["id"], "m": {"text": row["text"]}}, ensure_ascii=False) + "\n")
        file.write(json.dumps(listed, ensure_ascii=False) + "\n")
    out = tmp_path / "run"
    ran = command("dedup", rows, "--unit", "line", "--text-key", "m.text", "-o", out)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("5 documents: 3 unchanged, 1 cut, 1 removed entirely\nlines: 2 of 8 cut")
    assert "1 document was kept unchanged, because its text is inside a JSON string" in ran.out
    kept = [json.loads(line) for line in (out / "kept.jsonl").read_text("utf-8").splitlines()]
    assert kept[-1] == listed and [row["id"] for row in kept] == [0, 1, 3, 9]
    assert 9 not in pq.read_table(out / "units.parquet")["id"].to_pylist()
    assert json.loads((out / "run.json").read_text())["counts"]["nested"] == 1
    assert command("explain", out, "9").out.startswith("9 was left unchanged")
    given = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert command("restore", out, "--all").code == 0
    assert [json.loads(line) for line in (out / "kept.jsonl").read_text("utf-8").splitlines()] == given
