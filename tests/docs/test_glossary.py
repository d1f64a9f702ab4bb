"""Covers: docs/glossary.md has each word once, in two languages, and every relation the tables know.

Compared against: quchong.tables, quchong.seam. Run: pytest tests/docs/test_glossary.py.
"""

import re
from pathlib import Path

from quchong.relations import LEADING

GLOSSARY = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| word"))
]


def test_every_word_stands_once_in_both_languages_with_one_meaning():
    words, chinese = [row[0] for row in ROWS], [row[1] for row in ROWS]
    assert 40 <= len(ROWS) <= 100
    assert len(set(words)) == len(words) and len(set(chinese)) == len(chinese)
    assert all(re.search(r"[\u4e00-\u9fff]", word) for word in chinese)
    assert all(len(row) == 4 and len(row[2]) > 10 for row in ROWS)


def test_the_relations_of_the_tables_are_explained():
    words = {row[0] for row in ROWS}
    assert {name.replace("_", " ") for name in LEADING} <= words
