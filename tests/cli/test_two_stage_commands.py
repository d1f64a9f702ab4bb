"""Covers: two-stage and statistics on the command line. Run: pytest tests/cli/test_two_stage_commands.py."""

import pytest


@pytest.fixture
def posts(jsonl, article):
    rows = [{"id": f"a{i}", "text": article(i, 400)} for i in range(6)]
    rows += [{"id": f"b{i}", "text": article(i, 400) + "了"} for i in range(6)]
    return jsonl("posts.jsonl", rows)


def test_a_run_a_restore_and_an_explanation(command, dedup, posts):
    run = dedup(posts, "--method", "two-stage", "--bits", "128", "--distance", 12)
    assert run.removed == {f"a{i}": f"b{i}" for i in range(6)}
    assert {r["rule"] for r in run.ledger} == {"hamming"} and all(0 < r["evidence"] <= 12 for r in run.ledger)
    assert "rule: hamming (" in command("explain", run.folder, "a0").out
    assert command("restore", run.folder, "a0").code == 0
    assert "a0" in {r["id"] for r in type(run)(run.folder).documents if not r["removed"]}
    other = dedup(
        posts, "--method", "two-stage", "--distance", 12, "--all-pairs", "--tokens", "auto", "--ngram-size", 1
    )
    assert other.manifest["config"]["parameters"]["all_pairs"] is True


def test_statistics_are_counted_and_used(command, dedup, posts, tmp_path):
    path = tmp_path / "idf.parquet"
    ran = command("statistics", posts, "-o", path)
    assert ran.code == 0 and ran.out.startswith("12 documents")
    run = dedup(posts, "--method", "two-stage", "--weights", "idf", "--statistics", path, "--distance", 8)
    assert run.manifest["config"]["parameters"]["statistics"] in ran.out
    assert len(run.removed) == 6


def test_what_does_not_go_together_is_told_in_one_line(command, posts, tmp_path):
    for argv, text in (
        (["--statistics", "x"], "--weights idf"),
        (["--threshold", "0.8"], "--verify exact"),
        (["--within", "7d"], "no time window"),
        (["--weights", "idf", "--statistics", str(posts)], "quchong statistics"),
        (["--distance", "60"], "--all-pairs"),
    ):
        ran = command("dedup", posts, "--method", "two-stage", "--dry-run", *argv)
        assert ran.code in (2, 3) and text in ran.line
    assert command("statistics", posts, "-o", tmp_path / "no" / "x.parquet", "-q").code == 4
    assert command("statistics", tmp_path / "none.jsonl", "-o", tmp_path / "x").code == 3


def test_statistics_replace_nothing_but_statistics(command, posts, tmp_path):
    before = posts.read_bytes()
    ran = command("statistics", posts, "-o", posts, "-q")
    assert ran.code == 4 and "choose another output" in ran.err
    ran = command("statistics", posts, "-o", posts, "-q", "--overwrite")
    assert ran.code != 0
    assert posts.read_bytes() == before
    path = tmp_path / "idf.parquet"
    assert command("statistics", posts, "-o", path, "-q").code == 0
    assert command("statistics", posts, "-o", path, "-q").code == 4
    assert command("statistics", posts, "-o", path, "-q", "--overwrite").code == 0
