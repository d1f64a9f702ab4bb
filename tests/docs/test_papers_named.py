"""Covers: every paper named in code, help or docs stands in docs/papers.md, and every `Source:` names one.

Compared against: docs/papers.md. Run: pytest tests/docs/test_papers_named.py.
"""

import calendar
import re
from pathlib import Path

import pytest

from quchong.plan.catalogue import METHODS

ROOT = Path(__file__).parents[2]
PAPERS = (ROOT / "docs" / "papers.md").read_text("utf-8")
KEYS = set(re.findall(r"^### (.+)$", PAPERS, re.MULTILINE))
KEY = re.compile(r"\b([A-Z][a-zł]+(?:-[A-Z][a-z]+)?) ((?:19[6-9]|20[0-2])\d[a-z]?)\b")
NO_AUTHORS = {*calendar.month_name, *calendar.month_abbr, "Corpus", "Bilkent"}
NO_AUTHORS |= {"After", "Before", "By", "From", "In", "On", "Since", "Until"}
PAGE = re.compile(r"docs/[\w/+.-]+\.md")
CODE = sorted(
    p
    for room, ends in (("src", ".py"), ("cpp", ".hpp"), ("cpp", ".cpp"), ("tests/quality", ".py"))
    for p in (ROOT / room).rglob(f"*{ends}")
)
PROSE = [p for p in sorted((ROOT / "docs").rglob("*.md")) if p.name != "papers.md"] + [
    ROOT / n for n in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
]
SOURCE = re.compile(r"Source: (.*?)(?:\n\s*\n|\n\s*\"\"\"|\"\"\"|\bCost: |\bTwin: )", re.DOTALL)


def named(text):
    """The keys a text names."""
    return {f"{name} {year}" for name, year in KEY.findall(re.sub(r"\s+", " ", text)) if name not in NO_AUTHORS}


def test_papers_are_in_order_and_each_has_an_entry():
    order = re.findall(r"^### (.+)$", PAPERS, re.MULTILINE)
    assert order == sorted(order) and len(order) == len(KEYS)
    entries = re.split(r"^### .+$", PAPERS, flags=re.MULTILINE)[1:]
    assert all(len(entry.strip()) > 40 for entry in entries)


def test_every_source_names_a_paper_or_a_page_that_is_there():
    sources = [(p.relative_to(ROOT), text) for p in CODE for text in SOURCE.findall(p.read_text("utf-8"))]
    assert len(sources) > 60
    assert [s for s in sources if not named(s[1]) and not PAGE.findall(s[1])] == []
    assert [s for s in sources if named(s[1]) - KEYS] == []
    assert [s for s in sources if not all((ROOT / page).is_file() for page in PAGE.findall(s[1]))] == []


@pytest.mark.parametrize("name", METHODS)
def test_the_source_of_a_method_resolves(name):
    paper = METHODS[name].traits.paper
    assert named(paper) or name == "exact"
    assert named(paper) <= KEYS
    assert all((ROOT / page).is_file() for page in PAGE.findall(paper))


def test_no_paper_is_named_that_is_not_listed():
    unknown = {p.relative_to(ROOT): named(p.read_text("utf-8")) - KEYS for p in [*CODE, *PROSE]}
    assert {path: names for path, names in unknown.items() if names} == {}


def test_nothing_is_known_by_a_number_of_our_own():
    ours = re.compile(r"[Pp]apers? 00\d|default_method\.md|[Ss]pecification,? (section )?[A-H]\d|experiment [A-Z]\d")
    assert [p.relative_to(ROOT) for p in [*CODE, *PROSE] if ours.search(p.read_text("utf-8"))] == []


def test_every_paper_listed_is_named_somewhere():
    used = set().union(*(named(p.read_text("utf-8")) for p in [*CODE, *PROSE]))
    assert KEYS - used == set()
