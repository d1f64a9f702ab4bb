"""Covers: a few pairs, which are measured and decided over plain values, get the measures, relations and rules that the columns of many
pairs get.

Compared against: the same pairs several times over, which are too many for plain values.

Run: pytest tests/properties/test_few_relations.py
"""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong.seam import Documents
from quchong.similarity import BIGRAM, PRESETS, decide_codes, measure, worth_aligning
from quchong.similarity.few_relations import few_codes
from quchong.similarity.relations import EVERY_FACT, USUAL_FACTS
from quchong.similarity.thresholds import FEW
from quchong.tables import FACTS, FIELD, SAME_FIELDS, SAME_PAYLOAD, TERM
from quchong.text import form

FIGURE = 1 << FACTS.index("figure")
THRESHOLDS = [*PRESETS.values(), BIGRAM, PRESETS["balanced"].at(0.7), PRESETS["balanced"].at(0.5, 0.8)]
LIMITS = sorted(
    {getattr(one, name) for one in THRESHOLDS for name in type(one).__slots__} | {0.3, 0.6, 0.72, 0.83, 0.999}
)
"""Shares at which something is decided."""
shares = st.one_of(st.sampled_from(LIMITS), st.floats(0, 1))
lengths = st.one_of(st.sampled_from([20, 25, 26, 59, 60, 79, 80, 120, 149, 150, 199, 200]), st.integers(1, 600))
TYPES = {
    "tokens_left": np.uint32, "tokens_right": np.uint32, "han": bool, "ngram_size": np.uint8, "shared_numbers": np.uint32,
    "conflicting_numbers": np.uint32, "name_swap": np.int8, "edits_only_added": bool, "told": bool, "unexplained": np.uint32,
    "facts": np.uint16,
}  # fmt: skip


@st.composite
def rows(draw):
    """All measures of one pair; those that a pair may lack are left out by `columns`."""
    return {
        "tokens_left": draw(lengths), "tokens_right": draw(lengths), "han": draw(st.booleans()), "jaccard": draw(shares),
        "containment_left": draw(shares), "containment_right": draw(shares), "ngram_size": draw(st.integers(2, 7)),
        "shared_numbers": draw(st.integers(0, 30)), "conflicting_numbers": draw(st.integers(0, 4)), "number_overlap": draw(shares),
        "name_swap": draw(st.integers(-1, 1)), "edits_only_added": draw(st.booleans()), "told": draw(st.booleans()),
        "unexplained": draw(st.one_of(st.just(0), st.integers(0, 60))),
        "facts": draw(st.one_of(st.just(0), st.sampled_from([1, FIELD, SAME_FIELDS, SAME_PAYLOAD, TERM]), st.integers(0, 2**16 - 1))),
        "aligned_left": draw(st.one_of(st.just(0.0), st.just(np.nan), shares)), "aligned_right": draw(st.one_of(st.just(0.0), shares)),
        "rest_left": draw(st.one_of(st.just(np.nan), shares)), "rest_right": draw(st.one_of(st.just(np.nan), shares)),
    }  # fmt: skip


def columns(found, lacking):
    return {
        name: np.array([row[name] for row in found], TYPES.get(name, np.float64))
        for name in found[0]
        if name not in lacking
    }


LACKING = [
    (), ("rest_left", "rest_right"), ("facts", "told", "unexplained", "aligned_left", "aligned_right"), ("told",),
    ("aligned_left", "aligned_right", "unexplained"),
]  # fmt: skip


@settings(deadline=None, max_examples=1500)
@given(
    st.lists(rows(), min_size=1, max_size=FEW), st.sampled_from(LACKING), st.sampled_from(THRESHOLDS), st.booleans(), st.booleans(),
    st.sampled_from([USUAL_FACTS, EVERY_FACT, FIGURE, FIGURE | FIELD]), st.sampled_from([0, TERM]), st.booleans(),
)  # fmt: skip
def test_few_pairs_are_decided_as_many(found, lacking, thresholds, guards, strict, facts, brief, removes):
    how = {"guards": guards, "strict": strict, "facts": facts, "brief_facts": brief, "removes_variants": removes}
    few = columns(found, lacking)
    many = {name: np.tile(values, FEW + 1) for name, values in few.items()}
    for one, other in zip(decide_codes(few, thresholds, **how), decide_codes(many, thresholds, **how), strict=True):
        assert one.dtype == other.dtype == np.uint8
        assert one.tolist() == other[: len(found)].tolist()
    for one, other in zip(worth_aligning(few, thresholds), worth_aligning(many, thresholds), strict=True):
        assert one.dtype == other.dtype == bool
        assert one.tolist() == other[: len(found)].tolist()


HAN = [chr(0x4E00 + 7 * k) for k in range(400)]
SPOKEN = "the council met on monday 3 new lines 45 of 2026 guests was opened for all people in town hall 12.5".split()


@st.composite
def texts(draw):
    """Texts of one or two scripts, and copies of them with words put in, taken out or replaced, or a part of them."""
    out = []
    for _ in range(draw(st.integers(1, 3))):
        words = draw(st.sampled_from([HAN, SPOKEN, HAN + SPOKEN]))
        size = draw(st.sampled_from([3, 24, 26, 70, 190, 210, 320]))
        text = [words[(draw(st.integers(0, 9)) + k * k) % len(words)] for k in range(size)]
        other = list(text)
        for _ in range(draw(st.integers(0, 5))):
            at = draw(st.integers(0, len(other)))
            other[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(words), max_size=3))
        if draw(st.booleans()):
            other = other[: draw(st.integers(1, len(other) + 1))]
        out += [" ".join(text), " ".join(other)]
    return out


@settings(deadline=None, max_examples=200)
@given(texts(), st.sampled_from(THRESHOLDS), st.sampled_from([None, 2, 4]), st.booleans(), st.data())
def test_few_pairs_are_measured_as_many(given_texts, thresholds, ngram, words, data):
    documents = Documents.from_texts(pa.array(given_texts, pa.large_string()))
    numbers = st.integers(0, len(given_texts) - 1)
    pairs = [(0, 1), *data.draw(st.lists(st.tuples(numbers, numbers), max_size=FEW - 1))]
    left, right = (np.array(side, np.uint32) for side in zip(*pairs, strict=True))
    few = measure(form(), documents, left, right, thresholds, ngram, 1, words=words)
    many = measure(
        form(), documents, *(np.tile(side, FEW + 1) for side in (left, right)), thresholds, ngram, 1, words=words
    )
    assert few.keys() == many.keys()
    for name, values in few.items():
        assert values.dtype == many[name].dtype
        np.testing.assert_array_equal(values, many[name][: len(pairs)], name)


@pytest.mark.parametrize(
    ("name", "values"), [("tokens_left", [24]), ("jaccard", [np.nan]), ("containment_right", [np.nan])]
)
def test_what_is_rare_is_left_to_the_columns(name, values):
    usual = {
        "tokens_left": 300, "tokens_right": 310, "han": True, "jaccard": 0.9, "containment_left": 0.95, "containment_right": 0.93,
        "ngram_size": 5, "shared_numbers": 0, "conflicting_numbers": 0, "number_overlap": 1.0, "name_swap": 0, "edits_only_added": False,
        "told": True, "unexplained": 0, "facts": 0, "aligned_left": 0.97, "aligned_right": 0.96,
    }  # fmt: skip
    how = {"guards": True, "strict": False, "facts": USUAL_FACTS, "brief_facts": 0, "removes_variants": False}
    some = columns([usual], ())
    assert few_codes(some, PRESETS["balanced"], **how) is not None
    assert few_codes({**some, name: np.array(values, some[name].dtype)}, PRESETS["balanced"], **how) is None
    assert few_codes({**some, "jaccard": some["jaccard"].astype(np.float32)}, PRESETS["balanced"], **how) is None
