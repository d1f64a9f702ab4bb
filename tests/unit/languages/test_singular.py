"""Covers: messages that count one thing name one, in every template of the program; stored ones are known again."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.languages import Message, filled, retold, speaking
from quchong.languages.singular import NOUNS, in_plural, in_singular

SOURCES = Path(__file__).resolve().parents[3] / "src" / "quchong"
NO_NOUNS = set(
    "accepts answers appends asks begins belongs claims compares counts cuts decides divides does ends exists finds gives has holds keeps "
    "knows lacks leaves lies lists makes needs registers removes runs says searches sees series takes unpacks wants was writes".split()
)
"""Words in s behind a value that is no number but a name, and one noun that has no other singular."""


def templates():
    """Every string constant of the sources that has a place for a value."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{" in node.value:
                yield path.relative_to(SOURCES).as_posix(), node.value


def test_every_noun_that_a_message_counts_is_known():
    """A new noun behind a number must have its singular, or be listed here as no noun."""
    counted = {
        (word, path)
        for path, template in templates()
        for word in re.findall(r"\{\d*(?::,|:,d)?\} ([a-z]{2,}s)\b", template)
    }
    assert not {one for one in counted if one[0] not in NOUNS and one[0] not in NO_NOUNS}


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("{:,} documents have no text", (1,), "1 document has no text"),
        ("{:,} of {:,} documents have no text", (1, 1), "1 of 1 document has no text"),
        ("{:,} of {:,} documents have no text", (1, 30), "1 of 30 documents has no text"),
        ("{:,} of {:,} documents have no text", (3, 1), "3 of 1 document have no text"),
        ("{:,} lines of {} are torn", (1, "a.jsonl"), "1 line of a.jsonl is torn"),
        ("{:,} bad records were skipped", (1,), "1 bad record was skipped"),
        ("{1:,} rows in {0}", ("x", 1), "1 row in x"),
        ("{} rows {{a}}", (1,), "1 row {a}"),
        ("{} rows", (True,), "True rows"),
        ("{} rows", ("1",), "1 rows"),
        ("{:,} rows", (1001,), "1,001 rows"),
        ("{:,} exact copies, {:,} queries", (1, 1), "1 exact copy, 1 query"),
    ],
)  # fmt: skip
def test_what_is_one_is_said_so(template, values, expected):
    assert filled(template, values) == expected == str(Message(template, *values))


@given(st.lists(st.sampled_from(["{:,} documents have ", "{} rows ", "of ", "{:,} lines, ", ": x ", "{{ ", "}} ", "{:.1f}% "]), max_size=6),
       st.lists(st.integers(0, 3), min_size=6, max_size=6))  # fmt: skip
def test_only_nouns_and_verbs_change(pieces, values):
    template = "".join(pieces)
    assert in_singular(template, [2] * 6) == template
    said = in_singular(template, values).format(*values)
    assert in_plural(said) == in_plural(template.format(*values))


def test_a_stored_message_about_one_is_translated():
    told = str.__str__(Message("{:,} of {:,} documents have no text: they are kept, and compared with nothing; check the column of the text",
                               1, 1))  # fmt: skip
    assert told.startswith("1 of 1 document has no text")
    with speaking("zh"):
        assert retold(told) == "1 篇文档中有 1 篇没有文本：都保留，不参与比较；请检查文本列是否写对"
