"""Covers: the table of what tools remove, in both languages: the rows of quchong are what the code removes, those of others are the same on both pages.

Compared against: benchmarks/bench_other_tools.py. Run: pytest tests/docs/test_other_tools_page.py.
"""

import importlib.util
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "guide" / name for name in ("other-tools.md", "other-tools.zh-CN.md")]


def benchmark():
    spec = importlib.util.spec_from_file_location("bench_other_tools", ROOT / "benchmarks" / "bench_other_tools.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(page):
    """The figures of the table, row by row, without the names of tools."""
    table = page.read_text("utf-8").partition("<!-- table -->")[2].partition("\n\n")[0]
    return [re.findall(r"(?<=\| )\d+(?= \|)", line) for line in table.splitlines()[3:]]


def test_what_quchong_removes_is_what_the_table_says():
    bench = benchmark()
    made = bench.corpus()
    total = Counter(row["kind"] for row in made)
    kinds = (*bench.COPIES, *bench.OTHERS, "original")
    shown = rows(PAGES[0])
    assert shown[0] == [str(total[kind]) for kind in kinds]
    for told, options in zip(
        shown[2:5], ({}, {"preset": "training"}, {"method": "minhash", "threshold": 0.8}), strict=True
    ):
        found = Counter(made[row]["kind"] for row in bench.ours(made, **options))
        assert told == [str(found[kind]) for kind in kinds], options


def test_both_pages_have_the_same_figures():
    assert len(rows(PAGES[0])) > 12
    assert rows(PAGES[0]) == rows(PAGES[1])
