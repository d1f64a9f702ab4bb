"""Covers: hamming-lsh: folded columns, keys of sampled rows, what is found.

Compared against: the worked example, columns folded in plain Python, 1 - (1 - s^r)^l. Run: pytest tests/unit/methods.
"""

import math
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong import kernels
from quchong.candidates import folding
from quchong.candidates.folding import ROW_BITS, Folding, _order, fold
from quchong.errors import UsageError
from quchong.methods.signatures.hamming_lsh import HammingLsh
from quchong.seam import Documents

CAUGHT = partial(Folding, 8, 4, 0.25)


def ragged(documents):
    offsets = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    return kernels.sets.feature_sets(np.array([v for d in documents for v in d], np.uint64), offsets)


def at_rows(*columns, row_bits=ROW_BITS):
    """Sets whose columns at the first level have these rows."""
    return ragged([[r << 64 - row_bits | 12345 for r in c] for c in columns])


def test_the_worked_example():
    """10001000 and 10001001, rows put together (0, 3) (1, 5) (2, 4) (6, 7): 1010 and 1011."""
    order = np.array([0, 2, 4, 1, 5, 3, 6, 7], np.uint64)
    assert sorted(set(fold(np.array([0, 4], np.uint64), order).tolist())) == [0, 2]
    assert sorted(set(fold(np.array([0, 4, 7], np.uint64), order).tolist())) == [0, 2, 3]


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(0, 255), max_size=40), st.sets(st.integers(0, 255), max_size=40), st.integers(0, 2**64 - 1))
def test_folding_loses_no_one(a, b, seed):
    """What is a part stays a part, and every row of the folded column comes from one."""
    order = _order(8, seed)
    assert sorted(order.tolist()) == list(range(256))
    folded = [set(fold(np.array(sorted(s), np.uint64), order).tolist()) for s in (a, a | b)]
    assert folded[0] <= folded[1] and bool(a) == bool(folded[0])
    assert (len(a) + 1) // 2 <= len(folded[0]) <= min(len(a), 128)


def test_rows_and_features_fold_alike(monkeypatch):
    """A batch of many features has all rows folded, one of few its features alone."""
    rng = np.random.default_rng(5)
    some = ragged([[], *(np.unique(rng.integers(0, 2**63, n, np.uint64)).tolist() for n in (1, 5, 40, 300, 3000))])
    few = CAUGHT(7).keys(some)
    monkeypatch.setattr(folding, "FEW", 0)
    many = CAUGHT(7).keys(some)
    assert few.offsets.tolist() == many.offsets.tolist() and few.values.tolist() == many.values.tolist()
    assert (few.lengths[3:] > 0).all()


def by_hand(how, column):
    """The levels a column takes part in, and its bits in the sampled rows of each key there."""
    rows, out = set(column), {}
    for row_bits in range(ROW_BITS, 2, -1):
        share = len(rows) / 2**row_bits
        if how.density < share < 1 - how.density:
            for band, sample in enumerate(how.sampled(row_bits).tolist()):
                bits = tuple(r in rows for r in sample)
                if len(set(bits)) == 2:
                    out[row_bits, band] = bits
        rows = {int(_order(row_bits, how.seed)[r]) >> 1 for r in rows}
    return out


def test_keys_are_equal_where_the_bits_are():
    """Against folding in plain Python: a key for every level and band whose bits are not all alike, equal where these are."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2**ROW_BITS, n).tolist() for n in (0, 1, 4, 9, 30, 200)]
    columns += [columns[4][:-1], columns[5][5:], [r ^ 1 for r in columns[5][:10]] + columns[5][10:]]
    how = CAUGHT(7)
    found = how.keys(at_rows(*columns))
    own = [set(found.values[a:b].tolist()) for a, b in zip(found.offsets, found.offsets[1:], strict=False)]
    wanted = [by_hand(how, c) for c in columns]
    assert [len(k) for k in own] == [len(w) for w in wanted] and not own[0] and len(own[5]) > 3
    for i in range(len(columns)):
        for j in range(len(columns)):
            assert len(own[i] & own[j]) == len(wanted[i].items() & wanted[j].items())


def test_keys_are_shared_as_often_as_the_theory_says():
    """Two columns at one level, a share s of whose rows is equal, z both 0 and o both 1: 1 - (1 - (s^r - z^r - o^r))^l.

    Of 2^14 rows to begin with, as orders of 2^20 take a hundred times as long to draw and the sets fold to the same levels.
    """
    rows, bands, kinds, first = 8, 4, (12, 30, 60), 14
    caught, expected = {own: [] for own in kinds}, {own: [] for own in kinds}
    rng = np.random.default_rng(5)
    for seed in range(100):
        for own in kinds:
            both = rng.choice(2**first, 100 + 2 * own, replace=False)
            pair = [both[: 100 + own].tolist(), np.concatenate([both[:100], both[100 + own :]]).tolist()]
            found = Folding(rows, bands, 0.25, seed, first).keys(at_rows(*pair, row_bits=first))
            keys = [set(found.values[a:b].tolist()) for a, b in zip(found.offsets, found.offsets[1:], strict=False)]
            missed = 1.0
            folded = [set(c) for c in pair]
            for row_bits in range(first, 2, -1):
                m = 2**row_bits
                if all(0.25 < len(c) / m < 0.75 for c in folded):
                    one = len(folded[0] & folded[1]) / m
                    none = 1 - len(folded[0] | folded[1]) / m
                    missed *= (1 - ((one + none) ** rows - none**rows - one**rows)) ** bands
                order = _order(row_bits, seed)
                folded = [set((order[np.array(sorted(c))] >> np.uint64(1)).tolist()) for c in folded]
            caught[own].append(bool(keys[0] & keys[1]))
            expected[own].append(1 - missed)
    for own in kinds:
        spread = math.sqrt(sum(p * (1 - p) for p in expected[own])) / len(expected[own])
        assert 0.05 < np.mean(expected[own]) < 0.999
        assert abs(np.mean(caught[own]) - np.mean(expected[own])) < 4 * spread, own


def test_light_edits_are_found_and_nothing_else(edited):
    found = qc.dedup(edited, method="hamming-lsh", recall_sample=0)
    near = {(p["left_id"], p["right_id"]) for p in found.pairs.to_pylist() if p["relation"] == "duplicate"}
    assert near == {(f"a{i:02}", f"b{i:02}") for i in range(20)}


def test_the_evidence_is_the_jaccard_of_shingles():
    """Against sets in plain Python: a text within a longer one is not like it."""
    words = [f"w{i}" for i in range(40)]
    texts = [" ".join(words), " ".join(words[:20]), " ".join([*words[:30], *(f"v{i}" for i in range(10))])]
    sets = [{tuple(t.split()[i : i + 8]) for i in range(len(t.split()) - 7)} for t in texts]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    found = HammingLsh().evidence_of(documents, np.array([0, 0, 1]), np.array([1, 2, 2]))["evidence"]
    wanted = [len(sets[i] & sets[j]) / len(sets[i] | sets[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert found.tolist() == pytest.approx(wanted)


def test_one_document_has_the_keys_it_has_among_others():
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 2**ROW_BITS, n).tolist() for n in (5, 700, 40, 0, 3000, 150_000)]
    together = CAUGHT(1).keys(at_rows(*columns))
    for i, column in enumerate(columns):
        assert np.array_equal(
            CAUGHT(1).keys(at_rows(column)).values, together.values[together.offsets[i] : together.offsets[i + 1]]
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"sampled": 65},
        {"sampled": 0},
        {"bands": 5000},
        {"density": 0.5},
        {"density": 0},
        {"seed": -1},
        {"threshold": 0},
    ],
)
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        HammingLsh(**wrong)
