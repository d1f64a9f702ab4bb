"""Covers: the folder a run fills (`quchong.pipeline.folder.fresh_folder`) when it is stopped as it begins."""

from pathlib import Path

import pytest

from quchong.errors import OutputError
from quchong.pipeline.folder import fresh_folder


def test_an_interruption_before_the_first_file_leaves_nothing(tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", stopped)
    with pytest.raises(KeyboardInterrupt), fresh_folder(tmp_path / "run"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_of_a_killed_run_is_no_hindrance(tmp_path):
    (tmp_path / "run.partial").mkdir()
    with fresh_folder(tmp_path / "run") as partial:
        (partial / "ledger").write_text("all")
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_a_folder_another_run_made_meanwhile_is_left_to_it(tmp_path, monkeypatch):
    made = Path.mkdir

    def late(self, *args, **kwargs):
        made(self)
        (self / "theirs").touch()
        made(self, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", late)
    with pytest.raises(OutputError, match="cannot make"), fresh_folder(tmp_path / "run"):
        pass
    assert (tmp_path / "run.partial" / "theirs").exists()
