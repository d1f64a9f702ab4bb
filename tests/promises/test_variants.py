"""Covers: promise 5, one answer for every method whatever the order, files, formats, workers, instruction set, zone, locale.

Run: pytest tests/promises/test_variants.py. The same with more of them: make variants.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.campaign
def test_every_method_gives_one_answer():
    """Of five variants; two of them are tried with the page of variants, tests/docs/test_campaign_pages.py."""
    argv = [sys.executable, "tools/variants", "--variants", "5", "--seed", "3"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert "5 variants of 80 documents" in done.stdout


def test_another_answer_is_noticed():
    """The tool itself: a corpus without its first row is told as different."""
    source = "import sys; sys.path.insert(0, 'tools/variants'); import runpy; main = runpy.run_path('tools/variants/__main__.py'); " \
        "print(main['differing']({'hybrid': {'ledger': '1', 'pairs': '2'}}, {'hybrid': {'ledger': '1', 'pairs': '3'}}))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "['hybrid: pairs']", done.stderr
