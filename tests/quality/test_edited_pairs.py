"""Covers: pairs of real texts that one edit parts or does not part, a small pinned part of `python tools/edits`; docs/results/facts.md, which
is all of it.

Run: pytest tests/quality/test_edited_pairs.py (about a minute). Floors stand in edit_floors.json, one line a kind; `python tools/edits --pin`
measures again and raises them, `--allow-lower` lets them fall.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLOORS = json.loads(Path(__file__).with_name("edit_floors.json").read_text("utf-8"))
MEASURED = """
import json, sys
sys.path.insert(0, sys.argv[1])
from bases import data_folder
from floors import measured
print(json.dumps(measured(data_folder())))
"""
pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def measured(shared):
    """In a process of its own: modules of tools/edits have plain names."""
    command = [sys.executable, "-c", MEASURED, str(ROOT / "tools" / "edits")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", FLOORS)
def test_edits_are_judged_no_worse_than_their_floors(measured, kind):
    if kind not in measured:
        pytest.skip("opencc is not installed: pip install --group test")
    assert measured[kind].keys() == FLOORS[kind].keys()
    behind = {n: (right, FLOORS[kind][n]) for n, right in measured[kind].items() if right < FLOORS[kind][n]}
    assert not behind, "right of 20 pairs, and the floor, by length"


def test_every_kind_has_a_floor(measured):
    assert set(measured) <= set(FLOORS)


def tables_of(page):
    """The sections of a page that have a table."""
    return [section for section in page.split("\n## ") if "|" in section]


@pytest.mark.parametrize("kind", FLOORS)
def test_the_page_of_facts_is_not_older_than_the_code(measured, kind):
    """Where more of the small part is right than when it was pinned, the page has other cells too."""
    assert measured.get(kind, FLOORS[kind]) == FLOORS[kind], (
        "python tools/edits --pin, then python tools/edits --out docs/results/facts.md, and look at what changed"
    )


@pytest.mark.campaign
def test_the_page_of_facts_is_what_the_code_gives(shared, tmp_path):
    """Every cell, by the command that writes the page: one that is older than the code fails."""
    pytest.importorskip("opencc", reason="opencc is not installed: pip install --group test")
    made = tmp_path / "facts.md"
    command = [sys.executable, "tools/edits", "--out", str(made)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "results" / "facts.md").read_text("utf-8")
    told, now = tables_of(page), tables_of(made.read_text("utf-8"))
    assert len(told) == 2
    assert told == now, (
        "facts.md is older than the code it measures: python tools/edits --out docs/results/facts.md, and look at what changed"
    )
