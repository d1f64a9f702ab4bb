"""Covers: `quchong eval`: one run and several, every form of truth, the picture, what is refused.

Run: pytest tests/cli/test_eval_command.py.
"""

import json

import pytest


@pytest.fixture
def folder(dedup, jsonl, rows):
    return dedup(jsonl("rows.jsonl", rows)).folder


@pytest.fixture
def truth(tmp_path, gone):
    """All that the run finds is right, but for one pair that is different."""
    path = tmp_path / "truth.jsonl"
    found = [{"left_id": a, "right_id": b, "label": "same"} for a, b in gone.items()]
    found[0]["label"] = "different"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    return path


def test_a_run_is_told_with_what_was_counted(command, folder, truth, gone):
    ran = command("eval", folder, "--truth", truth)
    assert (ran.code, ran.err) == (0, "")
    assert f"{len(gone) - 1} of {len(gone)}" in ran.out and "wrongly removed" in ran.out
    assert next(iter(gone)) in ran.out.partition("wrongly removed")[2].splitlines()[0]
    assert "note: the truth is read as a sample" in ran.out


def test_json_holds_the_same_figures_and_several_runs_are_a_list(command, folder, truth, gone):
    one = json.loads(command("eval", folder, "--truth", truth, "--json").out)
    assert (one["pairs"]["precision"]["hits"], one["pairs"]["precision"]["of"]) == (len(gone) - 1, len(gone))
    two = json.loads(command("eval", folder, folder, "--truth", truth, "--json").out)
    assert two == [one, one]


def test_several_runs_stand_in_one_table(command, dedup, jsonl, rows, folder, truth):
    other = dedup(jsonl("rows.jsonl", rows), "--method", "exact").folder
    lines = command("eval", folder, other, "--truth", truth).out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split() == ["run", "precision", "recall", "F1"])
    assert lines[head + 1].startswith(folder.name) and lines[head + 2].startswith(other.name)
    assert f"truth  {truth}" in lines and lines[-1].endswith("--all")


def test_several_runs_are_told_apart_by_relation_length_and_site_too(command, dedup, jsonl, rows, truth, monkeypatch):
    sited = [row | {"site": "x" if row["n"] % 2 else "y"} for row in rows]
    one = dedup(jsonl("sited.jsonl", sited)).folder
    other = dedup(jsonl("rows.jsonl", rows), "--method", "exact").folder  # has no site
    wide = command("eval", one, other, "--truth", truth, "--all").out.splitlines()
    for group in (
        "pairs by relation in the run; ",
        "pairs by label in the truth; ",
        "by length of the shorter document; ",
        "by site; ",
    ):
        at = next(i for i, line in enumerate(wide) if line.startswith(group))
        assert wide[at + 1].split() == [one.name, other.name]
    told = json.loads(command("eval", one, other, "--truth", truth, "--json").out)
    assert [row["relation"] for row in told[0]["relations"]] == [row["relation"] for row in told[1]["relations"]]
    assert told[0]["sites"] and told[1]["sites"] == []
    monkeypatch.setenv("COLUMNS", "40")
    narrow = command("eval", one, other, "--truth", truth, "--all")
    at = narrow.out.splitlines().index("  duplicate")
    assert narrow.out.splitlines()[at + 2] == f"    {other.name}  -"
    ran = command("eval", one, other, "--truth", truth, "--by", "nowhere")
    assert ran.code == 2 and "--by nowhere: the rows do not have this column" in ran.line


def test_a_run_without_a_curve_is_a_point_in_the_picture_of_others(
    command, dedup, jsonl, rows, folder, truth, tmp_path
):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra plot)")
    other = dedup(jsonl("rows.jsonl", rows), "--method", "exact").folder
    ran = command("eval", folder, other, "--truth", truth, "--complete", "--curve", tmp_path / "both.svg")
    assert (
        ran.code == 0
        and f"note: {other.name}: no curve can be drawn, only the point of the run: method exact" in ran.out
    )
    assert "the run itself" in (tmp_path / "both.svg").read_text("utf-8")
    alone = command("eval", other, "--truth", truth, "--curve", tmp_path / "one.svg")
    assert alone.code == 2 and not (tmp_path / "one.svg").exists()


def test_a_complete_truth_has_clusters(command, folder, truth):
    assert "B-cubed" not in command("eval", folder, "--truth", truth).out
    assert "B-cubed" in command("eval", folder, "--truth", truth, "--complete").out


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_curve_is_drawn_the_same_every_time_and_nothing_is_written_over(command, folder, truth, tmp_path, suffix):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra plot)")
    made = []
    for name in ("a", "b"):
        picture = tmp_path / f"{name}{suffix}"
        assert command("eval", folder, "--truth", truth, "--complete", "--curve", picture).code == 0
        made.append(picture.read_bytes())
    assert made[0] == made[1] and len(made[0]) > 2000
    again = command("eval", folder, "--truth", truth, "--curve", tmp_path / f"a{suffix}")
    assert again.code == 4 and "exists: choose another file" in again.line
    assert (tmp_path / f"a{suffix}").read_bytes() == made[0]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--labels", "different"], 2, "--labels must be same, contained or both"),
        (["--truth-keys", "left"], 2, "--truth-keys must be ROLE=COLUMN pairs"),
        (["--truth-keys", "lft=a"], 2, "--truth-keys cannot have 'lft'"),
        (["--truth-words", "same=smae"], 2, "--truth-words maps 'same' to 'smae'"),
        (["--by", "nowhere"], 2, "--by nowhere: the rows do not have this column"),
        (["--curve", "curve.gif"], 2, "--curve curve.gif must end in .png"),
        (["--truth", "gone.jsonl"], 3, "gone.jsonl: no such file; check the spelling"),
        (["--truth", "truth.doc"], 3, "truth.doc: no such file; check the spelling"),
        (["--truth", __file__], 2, "test_eval_command.py must end in .jsonl"),
        (["--truth-keys", "left=x"], 3, "is not a label file: it has neither x and right_id"),
    ],
)
def test_calls_that_cannot_be_meant_name_the_option(command, folder, truth, options, code, said):
    ran = command("eval", folder, "--truth", truth, *options)
    assert ran.code == code and said in ran.line


def test_what_is_no_run_and_no_truth(command, folder, truth, tmp_path):
    assert command("eval", tmp_path, "--truth", truth).code == 5
    assert command("eval", tmp_path / "gone", "--truth", truth).code == 5
    assert command("eval", folder).code == 2
    assert command("eval", "--truth", truth).code == 2


def test_nothing_is_written_into_a_run_or_over_a_truth(command, folder, truth):
    before = truth.read_bytes(), sorted(p.name for p in folder.iterdir())
    for place in (folder / "curve.png", truth.with_suffix(".jsonl")):
        assert command("eval", folder, "--truth", truth, "--curve", place).code in (2, 4)
    assert (truth.read_bytes(), sorted(p.name for p in folder.iterdir())) == before
