"""Covers: messages that count one thing name one, in every template of the program; stored ones are known again."""

import ast
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.languages import Message, filled, retold, speaking
from quchong.languages.singular import NOUNS, in_singular, variants

SOURCES = Path(__file__).resolve().parents[3] / "src" / "quchong"
NO_NOUNS = set(
    "accepts allows already applies answers appends asks begins belongs claims comes compares counts calls contains cuts decides differs divides does ends existed exists finds gives has holds keeps "
    "knows lacks leaves lies lists looks makes maps needs overlaps puts registers removes runs says searches sees series sets stores takes unpacks wants was works writes".split()
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
        ("{:,} lines of {} were skipped because of damage", (1, "a.jsonl"), "1 line of a.jsonl was skipped because of damage"),
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


@given(st.lists(st.sampled_from(["{:,} documents have ", "{} rows ", " of ", " lines of ", " are torn, ", "{:,} lines, ", ": x ", "{{ ", "}} ", "{:.1f}% "]), max_size=6),
       st.lists(st.integers(0, 3), min_size=6, max_size=6))  # fmt: skip
def test_only_nouns_and_verbs_change(pieces, values):
    template = "".join(pieces)
    assert in_singular(template, [2] * 6) == template
    said, plain = in_singular(template, values), template
    assert len(list(string.Formatter().parse(said))) == len(list(string.Formatter().parse(plain)))
    for (now, *field), (then, *same) in zip(
        string.Formatter().parse(said), string.Formatter().parse(plain), strict=True
    ):
        assert field == same and (now == then or now in variants(then))


def test_a_stored_message_about_one_is_translated():
    template = "{:,} of {:,} documents have no text. Such documents are kept and not compared: check the name of the text column"
    for one, other, words in (
        (1, 1, "document has"),
        (1, 30, "documents has"),
        (0, 1, "document have"),
        (2, 3, "documents have"),
    ):
        told = str.__str__(Message(template, one, other))
        assert told.startswith(f"{one} of {other} {words} no text")
        with speaking("zh"):
            assert retold(told) == f"{other} 篇文档中有 {one} 篇没有正文：已保留，未作比较。请检查正文列的名称"
    with speaking("zh"):
        torn = str.__str__(
            Message("{:,} lines of {} were skipped because of damage, perhaps after a crash", 1, "a.jsonl")
        )
        assert (
            torn.startswith("1 line of a.jsonl was skipped")
            and "a.jsonl" in retold(torn)
            and "damage" not in retold(torn)
        )


def test_no_verb_is_too_far_from_its_noun():
    """A verb behind a noun that is counted stands next to it, or behind words that the rule knows, or the message has both forms."""
    verbs = "|".join(("have", "are", "were"))
    far = re.compile(
        rf"\{{\d*(?::,)?\}} (?:{'|'.join(NOUNS)})\b(?! (?:that )?(?:{verbs})\b)[^{{}};:,.()]*? (?:{verbs})\b"
    )
    known = re.compile(
        r"\} \w+ (?:of the truth|of the run|that the run calls copies|of exact copies) (?:are|have|were)\b"
    )
    found = [
        one
        for path, one in templates()
        if far.search(one) and not known.search(one) and not path.startswith(("views/", "serve/"))
    ]
    assert not [one for one in found if "documents contain was" not in one]
