"""Covers: docs/decisions has an index with one line for each record, records are short and name files that exist, others name records that exist.

Compared against: the records, the files of the repository. Run: pytest tests/docs/test_decisions.py.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
RECORDS = {path.name[:4]: path for path in sorted(FOLDER.glob("[0-9]*.md"))}
INDEX = (FOLDER / "README.md").read_text("utf-8")
EARLIER = set(re.findall(r"\b0\d{3}\b", re.sub(r"\[0\d{3}\]\([^)]*\)", "", INDEX.partition("## Earlier numbers")[2])))
PAGE = 600
"""Words of the longest record: one page."""

PLACES = ("", "src/quchong", "src", "packages/lab/src", "packages/lab")
"""Folders in which the names of files in records may begin."""

NAMED = re.compile(r"(?:\b[Dd]ecisions? |decisions/|决策 ?)\[?(0\d{3})\b((?:(?:,| and|, and|、| 和) ?\[?0\d{3}\b)*)")
FILE = re.compile(r"`((?:[a-z_-]+/)+[a-z0-9_-]+\.(?:py|hpp|cpp|js))`")
ROOMS = (
    *((room, ".py") for room in ("src", "tests", "tools", "benchmarks", "packages")),
    ("cpp", ".hpp"),
    ("cpp", ".cpp"),
    ("docs", ".md"),
)
NAMING = [path for room, ending in ROOMS for path in sorted((ROOT / room).rglob(f"*{ending}"))] + sorted(
    ROOT.glob("*.md")
)


def named_numbers(text):
    """Return the numbers of decisions that a text names."""
    return {number for first, more in NAMED.findall(text) for number in [first, *re.findall(r"0\d{3}", more)]}


def is_history(path):
    """Return True if a page says of which day's code its figures or changes are: it may name earlier numbers."""
    page = path.relative_to(ROOT).as_posix()
    return page.startswith(("docs/results", "benchmarks/")) or page == "docs/changes-in-detail.md"


def test_the_index_has_one_line_for_each_record():
    lines = re.findall(r"^- \[(\d{4})\]\(([^)]+)\): (.+)$", INDEX, re.MULTILINE)
    assert sorted((number, name) for number, name, _ in lines) == [
        (number, path.name) for number, path in RECORDS.items()
    ]
    assert [text for _, _, text in lines if len(text) > 150] == []


def test_an_earlier_number_is_no_record():
    assert EARLIER & RECORDS.keys() == set()
    assert EARLIER


@pytest.mark.parametrize("number", RECORDS)
def test_a_record_is_at_most_one_page_and_names_files_that_exist(number):
    text = RECORDS[number].read_text("utf-8")
    assert text.startswith(f"# {number}")
    assert len(text.split()) <= PAGE
    gone = [file for file in FILE.findall(text) if not any((ROOT / top / file).is_file() for top in PLACES)]
    assert gone == []


def test_decisions_that_are_named_are_records():
    unknown = {
        f"{path.relative_to(ROOT)}: {number}"
        for path in NAMING
        for number in named_numbers(path.read_text("utf-8")) - RECORDS.keys() - (EARLIER if is_history(path) else set())
    }
    assert unknown == set()
    assert named_numbers("decisions 0074, 0075 and 0151; docs/decisions/0108") == {"0074", "0075", "0151", "0108"}
