"""Covers: quchong.decision.same_records: slips, told from other words and from what both texts have more. Compared against: cases by hand.

Run: pytest tests/unit/decision/test_same_records.py
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong.decision.same_records import CERTAIN, SLIPS, differ_in_slips
from quchong.kernels.arrays import texts_of
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.text.normalise import tables

RECORD = (
    "Write a short riddle about bridges for readers aged twelve, and end it with a question that a child can answer."
)


def in_slips(one, other, seldom=lambda pairs, words: np.ones(len(pairs), bool)):
    documents = Documents(texts_of([pa.array([one, other], pa.large_string())]), {})
    both = [differ_in_slips(Form(tables()), documents, np.array([a]), np.array([1 - a]), seldom) for a in (0, 1)]
    assert both[0] == both[1], "either text may be the left one"
    return bool(both[0][0])


@pytest.mark.parametrize(
    ("edit", "slips"),
    [
        ([("readers", "raaders")], True),
        ([("readers", "raaders"), ("with", "wich"), ("question", "questiok")], True),
        ([("readers", "parents")], False),  # another word
        ([("twelve", "eleven")], False),
        ([("readers", "raaders"), ("that", "than")], False),  # one letter, and another word all the same
        ([("readers", "leaders")], False),
        ([("readers", "raaders"), ("riddle", "sermon")], False),
        ([("readers", "young raaders")], False),  # something is put in
        ([(" short", "")], False),
        ([("riddle", "RIDDLE")], False),  # equal in the normal form: no slip
        ([("readers", "raaders"), ("answer.", "answer.\n(Source: our own desk)")], True),
        ([("readers", "raaders"), ("Write", "Seen today\nWrite")], True),
        ([("answer.", "answer.\n(Source: our own desk)")], False),  # no slip: other rules decide
        ([("answer.", "answex.\nVia the community board")], True),
        ([("Write", "FYI\nWxite")], True),
    ],
)  # fmt: skip
def test_slips_are_told_from_other_words(edit, slips):
    other = RECORD
    for before, after in edit:
        assert before in other
        other = other.replace(before, after, 1)
    assert in_slips(RECORD, other) == slips


def test_two_texts_that_each_have_a_line_more_may_say_different_things():
    noisy = RECORD.replace("readers", "raaders")
    assert in_slips(f"{RECORD}\nPlease answer in French.", noisy)
    assert not in_slips(f"{RECORD}\nPlease answer in French.", f"{noisy}\nUse no more than forty words.")
    assert not in_slips(f"For the school paper:\n{RECORD}", f"{noisy}\nUse no more than forty words.")


def test_a_letter_alone_is_a_slip_among_others_only():
    lines = "1 x lamp and 1 x tent, paid in full, may be returned within the month of May if unused and in their box, with this receipt"
    other = lines.replace("1 x tent", "1 y tent")
    assert not in_slips(lines, other)
    assert in_slips(lines, other.replace("receipt", "recaipt").replace("returned", "reterned")) == (CERTAIN <= 2)
    assert not in_slips(lines, other.replace("receipt", "recaipt"))


def test_a_word_that_many_records_have_is_no_slip():
    assert not in_slips(RECORD, RECORD.replace("readers", "raaders"), lambda pairs, words: np.zeros(len(pairs), bool))


def test_too_many_slips_are_another_text():
    words = RECORD.split()
    long = [k for k, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    most = int(SLIPS * len(words))
    assert len(long) > most

    def slipped(some):
        return " ".join(word[0] + "q" + word[2:] if k in some else word for k, word in enumerate(words))

    assert in_slips(RECORD, slipped(long[:most])) and not in_slips(RECORD, slipped(long[: most + 1]))


def test_chinese_and_equal_texts_have_none():
    assert not in_slips("请于本周内把公文格式规范的意见发给教务处", "请于本周内把公文格式规范的意见发到教务处")
    assert not in_slips(RECORD, RECORD)
