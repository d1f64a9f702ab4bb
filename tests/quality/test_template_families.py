"""Covers: what the default loses of different records on a template, and what it leaves of copies; docs/results/decisions.md has all of it.

Floors stand in template_floors.json: `python benchmarks/decisions pin` measures again and writes better ones, `--allow-worse` others too. Goals: of
different records 1% lost in families of 10 and more and 5% in those of 3, of copies 5% present. Run: pytest tests/quality/test_template_families.py.
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PINNED = json.loads(Path(__file__).with_name("template_floors.json").read_text("utf-8"))
MEASURED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pinning import measured, missed
counts = measured()
print(json.dumps([counts, missed(counts)]))
"""
AGAIN = "python benchmarks/decisions pin, then run and results for docs/results/decisions.md (see docs/guide/decisions-benchmark.md)"


@pytest.fixture(scope="module")
def measured():
    """In a process of its own: modules of benchmarks/decisions have plain names."""
    command = [sys.executable, "-c", MEASURED, str(ROOT / "benchmarks" / "decisions")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("part", PINNED["counts"])
def test_families_fare_no_worse_than_pinned(measured, part):
    pinned, now = PINNED["counts"][part], measured[0][part]
    assert now.keys() == pinned.keys()
    assert {name: one[2:] for name, one in now.items()} == {name: one[2:] for name, one in pinned.items()}, (
        "other corpora"
    )
    worse = {
        name: (one[:2], pinned[name][:2])
        for name, one in now.items()
        if one[0] > pinned[name][0] or one[1] > pinned[name][1]
    }
    assert not worse, "[lost, present] now, and as pinned"


@pytest.mark.parametrize("part", PINNED["counts"])
def test_what_is_pinned_is_not_older_than_the_code(measured, part):
    assert measured[0][part] == PINNED["counts"][part], AGAIN


def test_goals_that_are_missed_are_those_that_are_told(measured):
    """The list becomes shorter by `pin`; it is empty where every goal is reached."""
    assert measured[1] == PINNED["missed"], AGAIN


def test_the_page_has_the_figures_that_are_pinned():
    """Families of 100 records, under one of the names quchong has there."""
    with (ROOT / "docs/results/decisions.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if row["tool"].startswith("quchong") and (row["part"], row["size"]) == ("families", "100")
        ]
    told = {}
    for row in rows:
        told.setdefault(row["tool"], {})[row["family"]] = [
            int(row[name]) for name in ("lost", "present", "records", "surplus")
        ]
    assert PINNED["counts"]["families-100"] in told.values(), AGAIN
