"""Covers: progress on a terminal and elsewhere. Run: pytest tests/cli/test_progress.py."""

import pytest

from quchong.cli.progress import Bars, Further, Lines, Quiet


@pytest.mark.parametrize("kind", [Bars, Lines])
@pytest.mark.parametrize("expected", [20_033, 7_000, None])
def test_what_was_done_is_told_not_what_was_expected(kind, expected, capsys, monkeypatch):
    """How many records a file has is an estimate by its first lines."""
    monkeypatch.setenv("COLUMNS", "120")
    watch = kind()
    watch.stage("read", expected, "documents")
    for _ in range(12):
        watch.advance(1000)
    watch.stage("measure recall", None, "documents")
    watch.stage("verify", 0, "pairs")
    watch.close()
    read, recall, verify = capsys.readouterr().err.strip().splitlines()
    assert "12,000 documents" in read and "20,033" not in read and "7,000" not in read
    assert not any(said in line for line in (recall, verify) for said in ("0/0", "/1", "documents", "pairs"))


def test_a_bar_shows_what_is_expected_while_it_moves():
    bars = Bars()
    try:
        bars.stage("read", 100, "documents")
        bars.advance(40)
        assert bars.bars.tasks[0].fields["count"] == "40/100 documents"
        bars.advance(70)
        assert bars.bars.tasks[0].fields["count"] == "110 documents"
    finally:
        bars.close()


def test_a_stage_that_works_piece_by_piece_is_told_once(capsys):
    lines = Lines()
    for amount in (2, 3):
        lines.stage("passages", amount, "documents")
        lines.advance(amount)
    lines.stage("write", None, "documents")
    lines.close()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 and "passages" in told[0] and "5 documents" in told[0]
    bars = Bars()
    for amount in (2, 3):
        bars.stage("passages", amount, "documents")
    assert (bars.total, len(bars.bars.tasks)) == (5, 1)
    bars.close()


@pytest.mark.parametrize("kind", [Bars, Lines])
def test_of_many_runs_the_first_is_told_by_its_stages_and_the_others_are_counted(kind, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    watch = Further(kind())
    for _ in range(4):
        for stage in ("read", "read", "verify", "verify"):  # a stage may come piece by piece
            watch.stage(stage, 5, "documents")
            watch.advance(5)
            watch.memory(2_000_000, None, 0)
        watch.remark("say it once")
    watch.close()
    told = [" ".join(line.replace(",", "").split()) for line in capsys.readouterr().err.strip().splitlines()]
    assert sum("say it once" in line for line in told) == 1
    read, verify, further = [line for line in told if "say it" not in line]
    assert read.startswith("read") and "10 documents" in read
    assert verify.startswith("verify") and "10 documents" in verify
    assert further.startswith("further runs") and "3 runs" in further


def test_runs_after_one_that_was_shown_are_all_counted(capsys):
    for shown in (Lines(), Quiet()):
        watch = Further(shown, first=False)
        for stage in ("read", "verify", "read", "verify"):
            watch.stage(stage, None, "documents")
            watch.advance(1)
            watch.memory(1, None, 0)
        watch.close()
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("further runs: 2 runs in ")
