"""Covers: docs/results/passages.md is not older than the code: every row that its command prints stands there.

Run: pytest tests/quality/test_passages_page.py (half a minute).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "passages.md"
PARTS = ("copied_answers", "pairs_read", "grown_pages", "laws", "shared_passages", "cuts")


@pytest.mark.shared
@pytest.mark.parametrize("part", PARTS)
def test_the_page_of_passages_is_what_the_code_gives(shared, part):
    command = [sys.executable, "tools/passage_tables.py", part]
    known = os.environ | {"QUCHONG_SHARED": str(shared.folder.parent)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=known)
    assert done.returncode == 0, done.stderr
    made = [line for line in done.stdout.splitlines() if line.startswith(("|", "- "))]
    told = PAGE.read_text("utf-8").splitlines()
    assert len(made) > 3
    assert [line for line in made if line not in told] == [], (
        f"passages.md is older than the code it measures. Run\n    python tools/passage_tables.py {part}\n"
        "put its table on the page, and look at what changed."
    )
    first = told.index(made[0])
    rows = [line for line in made if line.startswith("|")]
    assert told[first : first + len(rows)] == rows  # nothing else stands in the table
    assert told[first + len(rows)] == ""
