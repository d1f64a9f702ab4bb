"""Covers: `tools/memory`. Compared against: budgets, and runs that are made up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "memory"
sys.path.insert(0, str(TOOL))
try:
    import campaign
    import report
    import shapes
    import watching
finally:
    sys.path.remove(str(TOOL))

NO = watching.reason_not_to_run()


@pytest.mark.skipif(NO is not None, reason=str(NO))
@pytest.mark.parametrize("name", ["endless-gz", "one-id", "passages"])
def test_quick_runs_keep_to_their_budget(name, tmp_path):
    (trial,) = campaign.trials([name], ["240M"], quick=True, seconds=120, folder=tmp_path)
    assert trial.wrong == () and trial.took.code == 0 and 0 < trial.took.peak < trial.given
    assert trial.took.highest > trial.took.peak / 2
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(NO is not None, reason=str(NO))
def test_what_a_child_holds_and_writes_is_seen(tmp_path):
    script = (
        "import sys\n"
        "held = b'x' * 100_000_000\n"
        f"open({str(tmp_path / 'out')!r}, 'wb').write(held[:5_000_000])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"ready\n"
        private, highest = watching._memory(child.pid)
        assert highest > private > 100_000_000 and watching._written(child.pid) >= 5_000_000
        assert child.pid in list(watching._tree(os.getpid()))
        child.communicate()


@pytest.mark.skipif(NO is not None, reason=str(NO))
def test_a_run_that_takes_too_much_is_ended():
    took = watching.watch([sys.executable, "-c", "held = b'x' * 300_000_000\nwhile True: pass"], 60, 100_000_000)
    assert took.code is None and took.peak > 100_000_000
    assert took.seconds < 60


def test_what_is_wrong_is_said():
    fine = watching.Watched(0, 100, 200, 9.0, 8.0, 10, "")
    assert campaign.wrong_of(fine, 100, 10, 1.1) == ()
    from dataclasses import replace

    wrong = replace(fine, code=3, peak=130, written=1 << 30, said="quchong: no")
    said = "; ".join(campaign.wrong_of(wrong, 100, 10, 1.5))
    assert "exit code 3" in said and "1.30 times its budget" in said and "n^1.50" in said and "times its input" in said
    assert "ended after 8 processor seconds" in campaign.wrong_of(replace(fine, code=None), 100, 10, None)[0]


def test_growth_is_told_by_the_bytes_of_the_input():
    assert campaign.growth((1000, 10.0), (2000, 20.0)) == pytest.approx(1)
    assert campaign.growth((1000, 10.0), (4000, 40.0)) == pytest.approx(1)  # twice the rows, each twice as long
    assert campaign.growth((1000, 10.0), (2000, 40.0)) == pytest.approx(2)
    assert campaign.growth((1000, 4.9), (2000, 40.0)) is None  # mostly beginning and ending
    assert campaign.growth((0, 9.0), (0, 9.0)) is None and campaign.growth((10, 9.0), (10, 9.0)) is None


@pytest.mark.skipif(NO is not None, reason=str(NO))
def test_a_sparse_file_is_as_long_as_it_says(tmp_path):
    made = shapes.SHAPES["sparse-txt"].make(tmp_path, 3)
    trial = campaign.run("sparse-txt", 3, "240M", made, tmp_path / "out", 60, None)
    assert trial.length == 3_000_000 > trial.read


def test_every_shape_is_made_and_named(tmp_path):
    """The smallest of each; at least 24 of them, and a page of the findings."""
    assert len(shapes.SHAPES) >= 24
    few = {"rows": 3, "files": 3, "characters": 100, "MB": 1}
    found = []
    for name, shape in shapes.SHAPES.items():
        (place := tmp_path / name).mkdir()
        made = shape.make(place, few[shape.unit])
        assert made.exists() and made.is_relative_to(place)
        took = watching.Watched(0, 1, 2, 3.0, 4.0, 5, "")
        found.append(campaign.Trial(name, 3, shape.unit, "240M", 1, 1, 1, took, None, ()))
    report.write(tmp_path / "page.md", found, quick=True)
    page = (tmp_path / "page.md").read_text("utf-8")
    assert all(f"| {name} |" in page for name in shapes.SHAPES)
