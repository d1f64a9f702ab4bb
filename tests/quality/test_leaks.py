"""Covers: test items planted in training texts, by kind and rule, and clean texts like them; docs/results/decontamination.md, whose tables
are what the code gives.

Run: pytest tests/quality/test_leaks.py (a minute).
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "decontamination.md"
LEAST = {  # leaks that containment finds, of 30
    "verbatim": 30, "question without answer": 30, "translated marks, full width": 30, "split over lines": 30, "traditional characters": 30,
    "reworded by hand": 26, "5% of characters exchanged": 30, "10% of characters exchanged": 30, "20% of characters exchanged": 18,
}  # fmt: skip
MOST = {  # false alarms of containment
    "same topic, quoted laws and verses": 0, "question of the same kind": 1, "answer alone": 0, "common phrases, prompts, formulae": 0,
    "news, nothing planted": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def made():
    """Lines of the tables, from a process of its own: modules of tools/leaks have plain names."""
    done = subprocess.run([sys.executable, "tools/leaks"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("|")]


def test_containment_is_above_its_floors(made):
    cells = dict(line.removeprefix("| ").split(" | ")[:2] for line in made if " of " in line)
    found = {kind: int(cell.split()[0]) for kind, cell in cells.items()}
    assert set(found) == {*LEAST, *MOST}
    assert {kind: found[kind] for kind, least in LEAST.items() if found[kind] < least} == {}
    assert {kind: found[kind] for kind, most in MOST.items() if found[kind] > most} == {}


def test_the_page_is_what_the_code_gives(made):
    told = PAGE.read_text("utf-8").splitlines()
    assert len(made) > 15 and [line for line in made if line not in told] == [], (
        "decontamination.md is older than the code: python tools/leaks --out docs/results/decontamination.md"
    )
