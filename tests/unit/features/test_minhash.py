"""Covers: sketches and bands against their theory (fixed seeds, four standard errors)."""

import numpy as np
import pytest

from quchong import kernels
from quchong.candidates import Bands, choose_bands
from quchong.errors import UsageError
from quchong.features.minhash import MinHash


def planted(jaccard, size, pairs, rng):
    """Pairs of token sequences whose 1-shingle sets have this Jaccard; returns docs and the exact value."""
    shared = round(2 * size * jaccard / (1 + jaccard))
    docs = []
    for _ in range(pairs):
        fresh = rng.choice(2**31, 2 * size - shared, replace=False)
        docs += [fresh[:size], np.concatenate([fresh[:shared], fresh[size:]])]
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in docs])]).astype(np.int64)
    return kernels.arrays.Ragged(np.concatenate(docs).astype(np.uint32), offsets), shared / (2 * size - shared)


@pytest.mark.parametrize("kind", ["k-mins", "one-permutation"])
@pytest.mark.parametrize("size", [40, 100, 1000])
@pytest.mark.parametrize("jaccard", [0.3, 0.6, 0.9])
def test_error_is_the_theory_s_and_there_is_no_bias(kind, size, jaccard):
    pairs, num_perm = 1500, 128
    docs, exact = planted(jaccard, size, pairs, np.random.default_rng(7))
    signatures = MinHash(num_perm, kind, ngram=1).sign(docs)
    error = (signatures[::2] == signatures[1::2]).mean(axis=1) - exact
    sigma = np.sqrt(exact * (1 - exact) / num_perm)
    # Densified bins repeat values: on few shingles one permutation spreads more (Shrivastava 2017, theorem 2).
    allowed = 1.08 if kind == "k-mins" or size == 1000 else 1.65
    assert abs(error.mean()) < 4 * sigma * allowed / np.sqrt(pairs)
    assert np.sqrt((error**2).mean()) < sigma * allowed


@pytest.mark.parametrize("kind", ["k-mins", "one-permutation"])
def test_catch_rate_of_bands_is_the_s_curve(kind):
    bands = Bands(32, 4)
    for jaccard in (0.4, 0.5, 0.6, 0.7):
        docs, exact = planted(jaccard, 600, 1500, np.random.default_rng(11))
        keys = bands.keys(MinHash(128, kind, ngram=1).sign(docs))
        caught = (keys[::2] == keys[1::2]).any(axis=1).mean()
        theory = bands.recall(exact)
        assert abs(caught - theory) < 4 * np.sqrt(theory * (1 - theory) / 1500) + 0.01


def test_bands_are_chosen_for_the_recall_stated():
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        for recall in (0.9, 0.99, 0.999):
            chosen = choose_bands(128, threshold, recall)
            assert chosen.recall(threshold) >= recall
            assert chosen.bands * chosen.rows <= 128
            assert Bands(128 // (chosen.rows + 1), chosen.rows + 1).recall(threshold) < recall
    assert choose_bands(128, 0.7, 0.99) == Bands(32, 4)
    assert choose_bands(128, 0.7, 0.98) == Bands(25, 5)


def test_what_cannot_be_reached_or_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="cannot reach"):
        choose_bands(8, 0.1, 0.999)
    for wrong in ({"num_perm": 4}, {"kind": "b-bit"}, {"seed": -1}):
        with pytest.raises(UsageError):
            MinHash(**wrong)


def test_same_seed_same_signature_and_empty_documents_are_marked():
    docs, _ = planted(0.5, 50, 3, np.random.default_rng(3))
    empty = kernels.arrays.Ragged(np.zeros(0, np.uint32), np.array([0, 0], np.int64))
    for kind in ("k-mins", "one-permutation"):
        a = MinHash(64, kind, seed=5)
        assert (a.sign(docs, 1) == a.sign(docs, 2)).all()
        assert (a.sign(docs) != MinHash(64, kind, seed=6).sign(docs)).any()
        assert (a.sign(empty) == 2**32 - 1).all()
