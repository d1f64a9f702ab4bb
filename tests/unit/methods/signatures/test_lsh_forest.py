"""Covers: lsh-forest: labels, the nearest of each document, what is found.

Compared against: prefixes in plain Python, ((1 + s) / 2)^x. Run: pytest tests/unit/methods/signatures/test_lsh_forest.py
"""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrices import each_once

import quchong as qc
from quchong import kernels
from quchong.candidates.forest import Forest, equal_beginning
from quchong.errors import UsageError
from quchong.methods.signatures.lsh_forest import LshForest
from quchong.seam import Documents

words = st.integers(0, 2**64 - 1)


@settings(max_examples=200)
@given(words, st.integers(0, 63), words)
def test_equal_beginnings(a, bit, noise):
    """Two numbers that differ first in a bit."""
    b = a ^ (1 << bit) ^ (noise & (1 << bit) - 1)
    found = equal_beginning(np.array([a, a, b], np.uint64), np.array([b, a, a], np.uint64))
    assert found.tolist() == [63 - bit, 64, 63 - bit]


def nearest_by_hand(labels, defined, most, scope, depth):
    """Going up in all trees in step: the others of the deepest levels, until there are `most`; then all of that level."""
    out = set()
    for d in range(len(labels)):
        if not defined[d]:
            continue
        deep = {}
        for o in range(len(labels)):
            if o == d or not defined[o] or scope[o] != scope[d]:
                continue
            prefixes = (64 - (int(a) ^ int(b)).bit_length() for a, b in zip(labels[d], labels[o], strict=True))
            if best := min(depth, max(prefixes)):
                deep[o] = best
        for level in range(depth, 0, -1):
            at = {o for o, x in deep.items() if x >= level}
            if len(at) >= most or level == 1:
                out |= {(d, o) for o in at}
                break
    return out


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.sampled_from([4, 64]), st.booleans())
def test_the_nearest_are_those_of_the_trees(seed, most, depth, scoped):
    """Where no level has more than `most` on one side of a document; else some of that level."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2**64, (25, 3), dtype=np.uint64)
    labels[15:] = labels[:10] ^ (np.uint64(1) << rng.integers(0, 60, (10, 3)).astype(np.uint64))
    defined, scope = rng.random(25) < 0.9, rng.integers(0, 2 if scoped else 1, 25).astype(np.uint64)
    found = set(zip(*(x.tolist() for x in Forest(3, depth, 1).nearest(labels, defined, most, scope)), strict=True))
    wanted = nearest_by_hand(labels, defined, most, scope, depth)
    assert found <= wanted
    for d in range(25):
        mine, true = ([p for p in pairs if p[0] == d] for pairs in (found, wanted))
        assert len(mine) >= min(most, len(true))
    whole = set(zip(*(x.tolist() for x in Forest(3, depth, 1).nearest(labels, defined, 25, scope)), strict=True))
    assert whole == nearest_by_hand(labels, defined, 25, scope, depth)


def test_more_wanted_never_means_fewer_found():
    labels = np.random.default_rng(2).integers(0, 2**64, (200, 5), dtype=np.uint64)
    found = [set(zip(*Forest(5, 64, 1).nearest(labels, np.ones(200, bool), m), strict=True)) for m in (1, 3, 9, 30)]
    assert all(a <= b for a, b in pairwise(found)) and len(found[0]) >= 200


def test_a_copy_is_the_first_that_is_found():
    labels = np.random.default_rng(4).integers(0, 2**64, (300, 4), dtype=np.uint64)
    labels[299] = labels[7]
    document, other = Forest(4, 64, 1).nearest(labels, np.ones(300, bool), 1)
    assert other[document == 7].tolist() == [299] and other[document == 299].tolist() == [7]


@pytest.mark.parametrize("jaccard", [0.5, 0.8])
def test_beginnings_are_as_long_as_the_theory_says(jaccard):
    """Two sets of Jaccard s agree in the first x bits of a label with probability ((1 + s) / 2) ** x."""
    rng, pairs, shared = np.random.default_rng(3), 400, 80
    own = round((shared / jaccard - shared) / 2)
    draws = rng.integers(0, 2**63, (pairs, shared + 2 * own), dtype=np.uint64)
    sets = [s for d in draws for s in (d[: shared + own], np.concatenate([d[:shared], d[shared + own :]]))]
    offsets = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    labels = Forest(4, 32, 1).labels(kernels.sets.feature_sets(np.concatenate(sets), offsets))
    lengths = equal_beginning(labels[::2].ravel(), labels[1::2].ravel())
    for x in (1, 3, 8):
        p = ((1 + shared / (shared + 2 * own)) / 2) ** x
        assert abs((lengths >= x).mean() - p) < 4 * math.sqrt(p * (1 - p) / pairs / 4)


TREES, UNRELATED = (20, 10, 5, 3, 2, 1), (0, 1_000, 10_000)


@pytest.mark.parametrize(("trees", "unrelated"), each_once(TREES, UNRELATED))
def test_at_least_the_promised_share_of_pairs_is_compared(trees, unrelated):
    """200 pairs of Jaccard .8, each alone or among unrelated labels; four standard errors below the promise are allowed."""
    rng, jaccard, nearest, pairs = np.random.default_rng(7), 0.8, 30, 200
    forest = Forest(trees, 64, 1)
    one = rng.integers(0, 2**64, (pairs, trees), dtype=np.uint64)
    differs = rng.random((pairs, trees, 64)) > (1 + jaccard) / 2
    other = one ^ (differs.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(axis=2, dtype=np.uint64)
    found = 0
    if unrelated:  # all pairs at once: of 10,000 others 400 more change little
        labels = np.concatenate([one, other, rng.integers(0, 2**64, (unrelated - 2 * pairs, trees), dtype=np.uint64)])
        document, met = forest.nearest(labels, np.ones(len(labels), bool), nearest)
        here = document < pairs
        found = len({int(d) for d, o in zip(document[here], met[here], strict=True) if o == d + pairs})
    else:
        for a, b in zip(one, other, strict=True):
            found += len(forest.nearest(np.stack([a, b]), np.ones(2, bool), nearest)[0]) > 0
    promised = forest.least_chance(jaccard, unrelated, nearest)
    assert found / pairs >= promised - 4 * math.sqrt(promised * (1 - promised) / pairs)
    if not unrelated:
        assert promised == pytest.approx(1 - 0.1**trees)


def test_the_page_states_the_promise_of_each_number_of_trees():
    page = (Path(__file__).parents[4] / "docs" / "methods" / "lsh-forest.md").read_text("utf-8")
    for trees in TREES:
        row = [Forest(trees, 64, 1).least_chance(0.8, n, 30) for n in (*UNRELATED, 100_000)]
        assert f"| {trees} | " + " | ".join(f"{x:.3f}" for x in row) + " |" in page


def test_light_edits_are_found_and_nothing_else(edited):
    found = qc.dedup(edited, method="lsh-forest", recall_sample=0, nearest=3)
    near = {(p["left_id"], p["right_id"]) for p in found.pairs.to_pylist() if p["relation"] == "duplicate"}
    assert near == {(f"a{i:02}", f"b{i:02}") for i in range(20)}


def test_the_method_meets_as_many_as_it_is_told():
    """Twelve copies of each other: the nearest one of each, or all."""
    rng = np.random.default_rng(6)
    words = [f"w{k}" for k in rng.integers(0, 10**6, 80)]
    texts = [" ".join([*words[:i], f"own{i}", *words[i:]]) for i in range(0, 72, 6)]
    documents = Documents.from_texts(pa.array(texts, pa.large_string()))
    met = [len(LshForest(nearest=m).meet(documents, None, 0).left) for m in (1, 3, 30)]
    assert 6 <= met[0] < met[1] < met[2] == 66


@pytest.mark.parametrize(
    "wrong", [{"trees": 0}, {"depth": 65}, {"nearest": 0}, {"most": 5}, {"cap": 7}, {"threshold": 0}, {"seed": -1}]
)
def test_what_cannot_be_used_is_refused(wrong):
    with pytest.raises(UsageError):
        LshForest(**wrong)
