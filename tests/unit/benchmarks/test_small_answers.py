"""Covers: pages of times are not older than the code that was timed: their sections have the answers the code gives on small corpora.

Times are not tested. Where answers differ, the section is measured anew by the command the failure names, or says of which day's code it is.
Run: pytest tests/unit/benchmarks/test_small_answers.py (half a minute).
"""

import importlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import quchong as qc
from quchong_lab.gather import answers_of

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "docs" / "results"
PAGES = [
    RESULTS / "adversarial.md",
    RESULTS / "speed.md",
    RESULTS / "large-runs.md",
    RESULTS / "index.md",
    RESULTS / "short-lists.md",
    ROOT / "benchmarks" / "README.md",
]
TOLD = [
    (page, name, told)
    for page in PAGES
    for name, told in re.findall(r"answers of ([a-z/-]+): (\w+)", page.read_text("utf-8"))
]
FIGURES = re.compile(r"^\|---|[0-9] (s|us|ms|MB|MB/s|GB)\b", re.MULTILINE)
OF_A_DAY = re.compile(r"[Oo]f the code of \d+ November 2026 \(commit [0-9a-f]{7}\)")
OF_OLDER_CODE = {"On the machine of 22 November", "Ten million posts", "Ends of passages", "Lines and paragraphs"}
"""Sections that say so: no other may."""


LONG = "adversarial"
"""45 methods on ten shapes; a campaign makes all of them, the suite each method on one shape."""
PART = Path(__file__).with_name("adversarial_answers.json")


@cache
def measured(*names):
    """Name -> digest, and the command that measures."""
    pytest.importorskip("resiliparse", reason="resiliparse is not installed: pip install --group test")
    command = [sys.executable, "benchmarks/small_answers.py", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {
        name: (digest, again)
        for name, digest, again in re.findall(r"^<!-- answers of (\S+): (\w+) --> (.*)$", done.stdout, re.M)
    }


SHORT = sorted({name for _, name, _ in TOLD} - {LONG})


@pytest.mark.parametrize(
    ("page", "name", "told"),
    [pytest.param(*one, marks=[pytest.mark.campaign] * (one[1] == LONG), id=f"{one[0].stem}-{one[1]}") for one in TOLD],
)
def test_a_page_of_times_has_the_answers_the_code_gives(page, name, told):
    digest, again = (measured(LONG) if name == LONG else measured(*SHORT))[name]
    assert told == digest, (
        f"{page.relative_to(ROOT)} is older than the code it measures: {name} gives other answers now. Run\n    {again}\n"
        f"put its figures on the page, and beside them what python benchmarks/small_answers.py {name} prints."
    )


def test_every_answer_stands_on_a_page(small_answers):
    assert {name for _, name, _ in TOLD} == set(small_answers.ANSWERS)
    assert set(measured(*SHORT)) == set(SHORT)


@pytest.fixture(scope="module")
def small_answers():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield importlib.import_module("small_answers")
        for name in ("small_answers", "bench_adversarial"):
            sys.modules.pop(name, None)


def test_texts_made_to_hurt_have_the_answers_of_the_page(small_answers):
    """Each method on one of the shapes: pairs and removals."""
    from quchong.plan.catalogue import METHODS

    bench = importlib.import_module("bench_adversarial")
    shapes = list(bench.SHAPES)
    now = {}
    for number, method in enumerate(METHODS):
        shape = shapes[number % len(shapes)]
        rows = bench.SHAPES[shape][0]({"family": 140, "long-text": 2}.get(shape, 30))
        found = qc.dedup(rows, method=method, recall_sample=0)
        now[f"{shape} {method}"] = [len(found.pairs), len(found.ledger)]
    assert now == json.loads(PART.read_text("utf-8")), (
        "docs/results/adversarial.md is older than the code it measures: python benchmarks/bench_adversarial.py --out runs.jsonl --limit 10, "
        f"then --report runs.jsonl; and put {json.dumps(now)} into {PART.name}"
    )


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
