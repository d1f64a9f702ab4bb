"""Covers: Ctrl-C while a staging folder is cleared away. Run: pytest tests/unit/outputs/test_interrupted.py."""

import pytest

import quchong.outputs.staging as module
from quchong.outputs import placed_here, staged_file


@pytest.fixture(params=[1, 3])
def impatient(request, monkeypatch):
    """Ctrl-C comes so many times while folders are removed."""
    left, remove = [request.param], module._remove

    def stopped(folder):
        if left[0]:
            left[0] -= 1
            raise KeyboardInterrupt
        remove(folder)

    monkeypatch.setattr(module, "_remove", stopped)


def test_what_is_in_place_is_written_and_nothing_is_left_beside_it(tmp_path, impatient):
    with staged_file(tmp_path / "out") as new:
        new.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "whole"
    assert placed_here()[-1] == (tmp_path / "out").resolve()


def test_a_run_that_is_stopped_leaves_nothing(tmp_path, impatient):
    before = placed_here()
    with pytest.raises(KeyboardInterrupt), staged_file(tmp_path / "out") as new:
        new.write_text("half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())
    assert placed_here() == before
