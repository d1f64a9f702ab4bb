"""Covers: what is looked up for many edits at once, or remembered from edits before: names, words, furniture, effects on words.

Compared against: the same asked edit by edit, with nothing remembered; random texts of Chinese, English, lines and marks (hypothesis).
"""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong.differences import names as names_of
from quchong.differences import remembered
from quchong.differences import terms as terms_of
from quchong.differences.definitions import BEFORE, _defining, other_definitions
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.framing import LONGEST, _Framed, _FramedTexts
from quchong.differences.hinted_documents import HintedDocuments, hints_of
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged, texts_of
from quchong.kernels.differences import LINED
from quchong.seam import Documents
from quchong.similarity.notices import _FREQUENT_PATTERN, _FREQUENT_WORDS, _has_frequent
from quchong.similarity.thresholds import PRESETS
from quchong.text.normalise import tables

WORDS = [
    "市长",
    "李建国",
    "王",
    "在北京",
    "昨天",
    "表示",
    "货款",
    "3月5日",
    "，",
    "。",
    "\n",
    " ",
    "Smith",
    "said",
    "阅读 12",
    "责任编辑：张三",
    "人民法院",
]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map("".join)


@st.composite
def windows(draw):
    text = draw(TEXT)
    start = draw(st.integers(0, len(text)))
    return Window(text, start, draw(st.integers(start, min(len(text), start + 6))))


@given(st.lists(windows(), max_size=8))
def test_names_of_windows_are_those_of_each_alone(some):
    names_of._remembered._known.clear()
    alone = [names_of._names([w.with_margin(names_of.NEAR)])[0] for w in some]
    for _ in range(2):  # once found, once remembered
        assert names_of.names(some) == alone


@given(st.lists(windows(), max_size=8))
def test_words_of_windows_are_those_of_each_alone(some):
    terms_of._remembered._known.clear()
    alone = [terms_of._cut_words([w.with_margin(terms_of.NEAR)])[0] for w in some]
    for _ in range(2):
        assert terms_of._words(some) == alone


def test_what_is_remembered_has_a_bound(monkeypatch):
    monkeypatch.setattr(remembered, "MOST", 3)
    for module, find in ((names_of, names_of.names), (terms_of, terms_of._words)):
        module._remembered._known.clear()
        some = [Window(f"市长李{c}国出席", 2, 5) for c in "建卫爱立新"]
        for w in some:
            assert find([w]) == find([w])
            assert len(module._remembered._known) <= 3
        assert find(some) == [find([w])[0] for w in some]
        assert len(module._remembered._known) <= 3
        module._remembered._known.clear()


LONG = st.lists(st.sampled_from([*WORDS, "文" * 90, "字" * LONGEST, "阅读 88 "]), min_size=1, max_size=6).map("".join)


@given(st.lists(LONG, min_size=1, max_size=3), st.data())
def test_ranges_without_furniture_are_told_as_one_by_one(texts, data):
    framed = [_Framed(text) for text in texts]
    known = _FramedTexts(
        HintedDocuments(Documents.from_texts(pa.array(texts, pa.large_string()))), np.arange(len(texts))
    )
    ranges = []
    for _ in range(data.draw(st.integers(1, 8))):
        k = data.draw(st.integers(0, len(texts) - 1))
        begin = data.draw(st.integers(0, len(texts[k])))
        ranges.append((k, begin, data.draw(st.integers(begin, len(texts[k])))))
    told, _ = known.may_be_furniture(*(np.array(column, np.int64) for column in zip(*ranges, strict=True)))
    lined = (hints_of(texts_of([pa.array(texts, pa.large_string())])).hints & LINED) != 0
    for (k, begin, end), may in zip(ranges, told.tolist(), strict=True):
        one = framed[k]
        at_end = len(one.text) - end <= LONGEST and end >= one.foot
        at_begin = begin <= LONGEST and begin <= one.head
        assert may == (bool(lined[k]) or at_end or at_begin)
        if not may:
            assert not one.in_furniture(begin, end)


TOKENS = st.sampled_from(["class", "def", "Lamp", "Chair", "return", "x", "文"])


@given(st.lists(TOKENS, min_size=1, max_size=12), st.lists(TOKENS, min_size=1, max_size=12), st.data())
def test_edits_beside_words_that_define_are_found_as_by_a_look_at_all_tokens(one, other, data):
    marks, _ = _defining(tables())
    token = {w: int(WORD_TOKEN) + 7 * k + 1 for k, w in enumerate(["Lamp", "Chair", "return", "x"])}
    token |= {"class": int(marks[0]), "def": int(marks[1]), "文": ord("文")}
    sides = [[token[w] for w in side] for side in (one, other)]
    hashed = Ragged(np.array(sides[0] + sides[1], np.uint32), np.array([0, len(one), len(one) + len(other)], np.int64))
    # The texts define different names, so that what their tokens say decides.
    documents = Documents.from_texts(pa.array(["class Lamp(Thing):\n", "class Chair(Thing):\n"], pa.large_string()))
    places = []
    for side in (one, other):
        first = data.draw(st.integers(0, len(side) - 1))
        places += [first, data.draw(st.integers(first + 1, len(side)))]
    a, b = places[1] - places[0], places[3] - places[2]
    edits = Edits(
        *(np.array([v], np.int64) for v in (0,)), np.array([places], np.int64), *(np.array([v]) for v in (a, b, 1, 1))
    )
    ends = np.array([0], np.uint32), np.array([1], np.uint32)
    found = other_definitions(documents, hashed, *ends, edits, np.zeros(1, np.uint8), tables())
    near = sides[0][max(0, places[0] - BEFORE) : places[1]] + sides[1][max(0, places[2] - BEFORE) : places[3]]
    assert found.tolist() == [any(t in marks for t in near)]


PIECES = st.sampled_from([*_FREQUENT_WORDS, "ſ", "ı", "İ", "K", "ß", " ", "文"])


@given(st.lists(st.tuples(PIECES, st.booleans(), st.integers(0, 12)), max_size=4))
def test_frequent_words_of_notices_are_found_as_by_their_pattern(parts):
    text = "".join((word.upper() if upper else word)[: size or None] for word, upper, size in parts)
    assert _has_frequent(text) == (_FREQUENT_PATTERN.search(text) is not None)


def test_thresholds_by_length_are_those_between_the_levels():
    tokens = np.arange(400)
    for limits in PRESETS.values():
        levels = (limits.brief_jaccard, limits.short_jaccard, limits.short_jaccard, limits.mid_jaccard)
        by_length = np.where(tokens >= 200, limits.jaccard, np.interp(tokens, (60, 80, 120, 200), levels))
        assert np.array_equal(limits.jaccard_for(tokens, np.ones(400, bool)), by_length)
