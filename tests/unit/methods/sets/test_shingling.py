"""Covers: shingle sets, their samples and super-shingles, the method shingling.

Compared against: worked examples, plain Python sets, binomial theory. Run: pytest tests/unit/methods.
"""

import re
from math import comb

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import concatenate_sets
from quchong.features.samples import SuperShingles, bottom_resemblance, bottom_s, mod_m
from quchong.features.shingles import shingle_sets
from quchong.methods.sets.shingling import Shingling
from quchong.seam import Documents
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form


def texts(*given):
    return pa.array(given, pa.large_string())


def evidence(left, right, **how):
    method = Shingling(min_features=1, **how)
    return method, method.score(
        Documents.from_texts(texts(left, right)), np.array([0], np.uint32), np.array([1], np.uint32), 1
    )


def test_a_rose_is_a_rose():
    words = "a rose is a rose is a rose"
    docs = kernels.text.names(form(), texts(words)).docs
    _, offsets = kernels.features.ragged_shingles(docs, 4)
    assert offsets.tolist() == [0, 5]
    assert shingle_sets(form(), Documents.from_texts(texts(words)), 4).lengths.tolist() == [3]


def test_the_examples_of_resemblance_and_containment():
    _, found = evidence("a b c d e f g", "a b c d e f h", ngram_size=3)
    assert found["evidence"][0] == pytest.approx(2 / 3)
    method, found = evidence("b c d e", "a b c d e f g", ngram_size=3)
    assert found["evidence"][0] == pytest.approx(0.4)
    size = found["features_left"][0], found["features_right"][0]
    assert size == (2, 5)
    assert method.rule.decide(found) == (["contained_in"], ["shingling"])
    assert method.rule.floor(found).all()
    _, swapped = evidence("a b c d e f g", "b c d e", ngram_size=3)
    assert method.rule.decide(swapped)[0] == ["contains"]


def test_a_text_shorter_than_a_shingle_is_one_shingle_and_an_empty_one_none():
    assert shingle_sets(form(), Documents.from_texts(texts("今天", "", "。", "天气很好")), 3).lengths.tolist() == [
        1,
        0,
        0,
        2,
    ]


bags = st.lists(st.sets(st.integers(0, 40), max_size=25), min_size=2, max_size=6)


def mixed(documents):
    values = [[int(kernels.text.shingle_hashes(np.array([v], np.uint32), 1)[0]) for v in sorted(d)] for d in documents]
    offsets = np.cumsum([0, *map(len, values)]).astype(np.int64)
    return kernels.sets.feature_sets(np.array([v for d in values for v in d], np.uint64), offsets), [
        set(v) for v in values
    ]


@settings(max_examples=200, deadline=None)
@given(bags, st.integers(1, 12))
def test_bottom_s_is_broders_estimator(documents, s):
    sets, twins = mixed(documents)
    sketches = bottom_s(sets, s)
    assert [set(x.tolist()) for x in np.split(sketches.values, sketches.offsets[1:-1])] == [
        set(sorted(t)[:s]) for t in twins
    ]
    left, right = np.triu_indices(len(twins), 1)
    found = bottom_resemblance(sketches, left, right, s)
    for i, j, estimate in zip(left, right, found, strict=True):
        a, b = set(sorted(twins[i])[:s]), set(sorted(twins[j])[:s])
        least = set(sorted(a | b)[:s])
        assert estimate == (len(least & a & b) / len(least) if a and b else 0)


@settings(max_examples=100, deadline=None)
@given(bags, st.integers(1, 7))
def test_mod_m_keeps_what_m_divides_and_batches_can_be_joined(documents, m):
    sets, twins = mixed(documents)
    kept = mod_m(sets, m)
    assert [set(x.tolist()) for x in np.split(kept.values, kept.offsets[1:-1])] == [
        {v for v in t if v % m == 0} for t in twins
    ]
    parts = concatenate_sets([mixed(documents[:1])[0], mixed(documents[1:])[0]])
    assert all((a == b).all() for a, b in zip(parts, sets, strict=True))


def planted(jaccard, size, pairs, seed):
    """Sets of random hashes, two by two with this Jaccard (as near as their size allows); returns it."""
    rng = np.random.default_rng(seed)
    shared = round(2 * size * jaccard / (1 + jaccard))
    draws = rng.integers(0, 2**63, (pairs, 2 * size - shared), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    both = np.concatenate([draws[:, :size], draws[:, :shared], draws[:, size:]], axis=1).reshape(-1)
    offsets = np.arange(2 * pairs + 1) * size
    return kernels.sets.feature_sets(both, offsets), shared / (2 * size - shared)


@pytest.mark.parametrize(("sketch", "sample"), [("mod-m", 60), ("bottom-s", 100)])
@pytest.mark.parametrize("jaccard", [0.3, 0.6, 0.9])
def test_estimates_have_the_theory_s_error(sketch, sample, jaccard):
    pairs, size = 400, 1500
    sets, exact = planted(jaccard, size, pairs, 5)
    left, right = np.arange(0, 2 * pairs, 2), np.arange(1, 2 * pairs, 2)
    if sketch == "bottom-s":
        found = bottom_resemblance(bottom_s(sets, sample), left, right, sample)
        sigma = np.sqrt(exact * (1 - exact) / sample)
    else:
        found = set_evidence(mod_m(sets, size // sample), left, right, jaccard=True)["evidence"]
        sigma = np.sqrt(exact * (1 - exact) / (sample * 2 / (1 + exact)))
    assert abs((found - exact).mean()) < 4 * sigma / np.sqrt(pairs)
    assert np.sqrt(((found - exact) ** 2).mean()) < 1.25 * sigma


@pytest.mark.parametrize(("jaccard", "theory"), [(0.80, 0.026), (0.90, 0.415), (0.95, 0.879), (0.97, 0.979)])
def test_two_of_six_super_shingles_are_a_steep_step(jaccard, theory):
    pairs = 1000
    sets, exact = planted(jaccard, 1170, pairs, 8)
    signed = SuperShingles().sign(sets)
    caught = ((signed[::2] == signed[1::2]).sum(axis=1) >= 2).mean()

    def step(similarity):
        one = similarity**14
        return 1 - sum(comb(6, k) * one**k * (1 - one) ** (6 - k) for k in (0, 1))

    assert step(jaccard) == pytest.approx(theory, abs=0.0006)
    expected = step(exact)
    assert abs(caught - expected) < 4 * np.sqrt(expected * (1 - expected) / pairs)


def test_super_shingles_decide_by_their_number(edited):
    result = qc.dedup(edited, method="shingling", sketch="super", rows=4, agree=3, recall_sample=0)
    near = [p for p in result.pairs.to_pylist() if p["relation"] == "duplicate"]
    assert len(near) > 10 and {p["evidence"] for p in near} <= {3.0, 4.0, 5.0, 6.0}
    assert {r["threshold"] for r in result.ledger.to_pylist() if r["relation"] == "duplicate"} == {3.0}
    stricter = result.rethreshold(agree=5)
    assert {p["evidence"] for p in stricter.pairs.to_pylist() if p["relation"] == "duplicate"} == {5.0, 6.0}
    assert len(stricter.ledger) < len(result.ledger)
    with pytest.raises(UsageError, match="the run required 3 super-shingles in common: to require 2, run again"):
        result.rethreshold(agree=2)


def test_thresholds_can_be_raised_without_a_new_run_and_not_lowered(edited):
    wide = qc.dedup(edited, method="shingling", threshold=0.4, containment=0.7, recall_sample=0)
    narrow = qc.dedup(edited, method="shingling", threshold=0.6, containment=0.95, recall_sample=0)
    again = wide.rethreshold(0.6, containment=0.95)
    assert again.ledger.drop_columns(["passages", "config_hash"]).equals(
        narrow.ledger.drop_columns(["passages", "config_hash"])
    )
    for lower, said in (
        ({"threshold": 0.5}, "candidates with a measure of at least 0.6: for 0.5, run again"),
        ({"containment": 0.9}, "pairs with a containment of at least 0.95: for 0.9, run again"),
    ):
        with pytest.raises(UsageError, match=re.escape(said)):
            narrow.rethreshold(**lower)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sketch": "half"}, {"ngram_size": 0}, {"ngram_size": 99}, {"min_features": 0}, {"modulus": 0}, {"sample": 0},
        {"sketch": "super", "threshold": 0.5}, {"sketch": "super", "agree": 7}, {"sketch": "bottom-s", "containment": 0.9},
        {"containment": 1.5}, {"seed": -1}, {"sketch": "super", "groups": 100, "rows": 100}, {"tokens": "words"},
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        Shingling(**wrong)
