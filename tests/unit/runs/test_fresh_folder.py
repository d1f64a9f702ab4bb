"""Covers: the folder a run fills (`quchong.runs.layout.fresh_folder`) when it is stopped as it begins."""

import os

import pytest

from quchong.errors import OutputError
from quchong.runs.layout import fresh_folder


@pytest.mark.parametrize("call", ["mkdir", "open", "write"])
def test_an_interruption_before_the_first_file_leaves_nothing(tmp_path, monkeypatch, call):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    real = getattr(os, call)
    monkeypatch.setattr(
        os,
        call,
        lambda path, *args, **kw: (stopped if call == "write" or "owner" in str(path) or call == "mkdir" else real)(
            path, *args, **kw
        ),
    )
    with pytest.raises(KeyboardInterrupt), fresh_folder(tmp_path / "deep" / "run"):
        pass
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_of_a_killed_run_is_no_hindrance(tmp_path):
    (tmp_path / ".run.quchong-00000000").mkdir()
    with fresh_folder(tmp_path / "run") as fresh:
        (fresh / "ledger").write_text("all")
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_a_place_that_was_taken_meanwhile_is_left_alone(tmp_path):
    with pytest.raises(OutputError, match="exists"), fresh_folder(tmp_path / "run"):
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "theirs").touch()
    assert [p.name for p in tmp_path.rglob("*")] == ["run", "theirs"]


@pytest.mark.parametrize("name", ["work/notes.txt", "work/00000-00000.value/in", "work"])
def test_a_folder_of_others_named_work_is_left_alone(tmp_path, name):
    run = tmp_path / "run"
    (run / "work").mkdir(parents=True)
    (run / "run.json").write_text('{"format": 1}')
    (run / "ledger.parquet").touch()
    (run / "work" / "00000-00000.value").touch()
    with fresh_folder(run, overwrite=True):  # as a run writes it
        pass
    (run / "run.json").write_text('{"format": 1}')
    (run / "ledger.parquet").touch()
    strange = run / name
    strange.parent.mkdir(parents=True, exist_ok=True)
    strange.touch()
    with pytest.raises(OutputError, match="quchong did not write"), fresh_folder(run, overwrite=True):
        pass
    assert strange.exists()
