"""Covers: pages of times are not older than the code that was timed: their sections have the answers the code gives on small corpora.

Times are not tested. Where answers differ, the section is measured anew by the command the failure names, or says of which day's code it is.
Run: pytest tests/unit/benchmarks/test_small_answers.py (half a minute).
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from quchong_lab.gather import answers_of

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results"
PAGES = [RESULTS / "adversarial.md", RESULTS / "speed.md", RESULTS / "large-runs.md", ROOT / "benchmarks" / "README.md"]
TOLD = [
    (page, name, told)
    for page in PAGES
    for name, told in re.findall(r"answers of ([a-z/-]+): (\w+)", page.read_text("utf-8"))
]
FIGURES = re.compile(r"^\|---|[0-9] (s|us|ms|MB|MB/s|GB)\b", re.MULTILINE)
OF_A_DAY = re.compile(r"[Oo]f the code of \d+ November 2026 \(commit [0-9a-f]{7}\)")
OF_OLDER_CODE = {"On the machine of 22 November", "Ten million posts", "Ends of passages"}
"""Sections that say so: no other may."""


@pytest.fixture(scope="module")
def now():
    """Name -> digest, and the command that measures."""
    pytest.importorskip("resiliparse", reason="resiliparse is not installed: pip install --group test")
    command = [sys.executable, "benchmarks/small_answers.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {
        name: (digest, again)
        for name, digest, again in re.findall(r"^<!-- answers of (\S+): (\w+) --> (.*)$", done.stdout, re.M)
    }


@pytest.mark.parametrize(("page", "name", "told"), TOLD, ids=[f"{page.stem}-{name}" for page, name, _ in TOLD])
def test_a_page_of_times_has_the_answers_the_code_gives(page, name, told, now):
    digest, again = now[name]
    assert told == digest, (
        f"{page.relative_to(ROOT)} is older than the code it measures: {name} gives other answers now. Run\n    {again}\n"
        f"put its figures on the page, and beside them what python benchmarks/small_answers.py {name} prints."
    )


def test_every_answer_stands_on_a_page(now):
    assert {name for _, name, _ in TOLD} == set(now)


def sections(page):
    """Heading -> text; what stands before the first heading of the second order is the page's own."""
    for part in re.split(r"^(?=##+ )", page.read_text("utf-8"), flags=re.MULTILINE):
        yield part.partition("\n")[0].strip("# "), part


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.stem)
def test_every_section_with_figures_has_answers_or_says_whose_they_are(page):
    without = {name for name, text in sections(page) if FIGURES.search(text) and not answers_of(text)}
    assert without <= OF_OLDER_CODE
    assert all(OF_A_DAY.search(text) for name, text in sections(page) if name in without)
    found = [name for name, text in sections(page) if FIGURES.search(text)]
    assert len(found) >= 3


def test_the_page_of_texts_made_to_hurt_has_every_method_on_every_shape():
    from quchong.plan.catalogue import METHODS

    text = PAGES[0].read_text("utf-8")
    shapes = re.findall(
        r'^    "([a-z-]+)": \(\w+, \d+\),$', (ROOT / "benchmarks" / "bench_adversarial.py").read_text("utf-8"), re.M
    )
    told = {name: re.findall(r"^\| ([^ |]+) \|", part, re.M)[1:] for name, part in sections(PAGES[0]) if name in shapes}
    assert len(shapes) == 10 and list(told) == shapes
    assert told == {name: list(METHODS) for name in shapes}, (
        "Run python benchmarks/bench_adversarial.py --out runs.jsonl --limit 10, then --report runs.jsonl"
    )
    assert f"All {len(METHODS)} methods" in text
