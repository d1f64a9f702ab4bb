"""Covers: kernels/composing.py and its callers. Compared against: reference/text.py, which is unicodedata. Run: pytest tests/properties/test_nfkc.py."""

import random
import sys
import unicodedata
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import elements as ref_elements
from twins import text as ref
from twins.elements import digest

from quchong import kernels
from quchong.kernels import composing
from quchong.kernels.composing import LONG, is_mark, nfkc
from quchong.text import Preparer
from quchong.text.element import strict_digest
from quchong.text.prepare import _merge

ALL = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF]
MARKS = [c for c in ALL if is_mark(c)]
# Starters that compose with marks, are marks' look-alikes (class 0), or decompose into both kinds.
STARTERS = [
    *"aeioAÅéｶかΩ한",
    "\u1112",
    "\u1161",
    "\u11ab",
    "\u09be",
    "\u0f71",
    "\u200d",
    "\ufe0f",
    "\ufb1d",
    "\u1e69",
    "中",
    " ",
]

stretches = st.tuples(
    st.sampled_from(STARTERS), st.integers(0, 3 * LONG), st.lists(st.sampled_from(MARKS), min_size=1, max_size=6), st.integers(0, 999)
).map(lambda t: t[0] + "".join(random.Random(t[3]).choices(t[2], k=t[1])))  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(stretches, max_size=4).map("".join))
def test_any_text_has_the_normal_form_of_unicodedata(text):
    assert nfkc(text) == ref.nfkc(text)


@pytest.mark.parametrize("seed", range(8))
def test_runs_of_every_mark_there_is_keep_their_canonical_order(seed):
    dice = random.Random(seed)
    text = "a" + "".join(dice.choices(MARKS, k=2000)) + "e" + "".join(dice.sample(MARKS, len(MARKS)))
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


def test_no_mark_stands_beyond_the_planes_looked_at():
    assert max(map(ord, MARKS)) < composing._PLANES
    assert min(map(ord, MARKS)) == 0x300


def moved_by_the_library(text: str) -> int:
    """Marks out of order in the longest run that is left for the library to sort, by insertion."""
    ordered = composing._long_runs().sub(composing._in_order, text)
    classes = list(map(unicodedata.combining, ordered))
    return sum(a > b > 0 for a, b in pairwise(classes))


def test_nothing_of_a_long_run_is_left_for_the_library_to_move():
    text = "a" + "\u0301\u0323" * 10_000
    assert moved_by_the_library(text) == 0
    assert moved_by_the_library("a" + "\u0301\u0323" * (LONG // 2 - 1)) == LONG // 2 - 1


def test_every_reader_of_a_text_composes_in_linear_time():
    # 600,000 marks take the library itself nine minutes; a test that hangs here has found a caller of it.
    marks = "".join(random.Random(1).choices("\u0301\u0323\u0327\u05b0\u064b", k=600_000))
    texts = pa.array(["a" + marks], pa.large_string())
    ordered = nfkc("a" + marks)
    assert Preparer().prepare(texts).texts[0].as_py() == ordered
    digests = kernels.elements.element_digests(kernels.elements.STRICT, texts)
    assert (int(digests.high[0]), int(digests.low[0])) == digest(ref_elements.strict_form(ordered).encode())
    assert strict_digest(marks, "0") == strict_digest(nfkc(marks), "0")


spans = st.lists(st.integers(0, 60), unique=True, max_size=20).map(sorted).map(
    lambda e: [(a, b, "x") for a, b in zip(e[::2], e[1::2], strict=False)]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(spans, spans)
def test_changes_are_merged_where_they_do_not_meet_earlier_ones(first, second):
    free = [c for c in second if not any(a < c[1] and c[0] < b for a, b, _ in first)]
    assert _merge(first, second) == sorted([*first, *free])
