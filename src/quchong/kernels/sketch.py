"""Signatures: MinHash, SimHash, and the pairs within a Hamming distance.

The twins are in tests/twins/sketch.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, FeatureSets, Names, Ragged, name_columns, ragged_columns, text_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of
from quchong.kernels.text import Form

if TYPE_CHECKING:
    from quchong.kernels.checked import U32, U64, Ints

FeatureWeights = _quchong.FeatureWeights
"""Weights of features by hash; an opaque native type."""

MOST_TABLES = 10_000
"""Most block tables of one search, each of which is a pass over all signatures."""
WEIGHT_ONE = 1 << 16
"""Integer that represents a weight of 1.0, so that sums of weights do not depend on their order."""


def k_mins(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """Return (documents, num_perm) signatures: the least value of each of `num_perm` functions (Broder 1997a).

    An empty document is all 2**32 - 1. Standard error of the estimate sqrt(j * (1 - j) / num_perm).
    """
    how = checked.ngram_of(ngram), _values(num_perm), _seed(seed)
    return _quchong.k_mins(*ragged_columns(docs), *how, threads_of(workers)).reshape(-1, num_perm)


def one_permutation(docs: Ragged, ngram: int, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """Return (documents, num_perm) one-permutation signatures with optimal densification (Shrivastava 2017)."""
    how = checked.ngram_of(ngram), _values(num_perm), _seed(seed)
    flat = _quchong.one_permutation(*ragged_columns(docs), *how, threads_of(workers))
    return flat.reshape(-1, num_perm)


def band_keys(signatures: U32, bands: int, rows: int, workers: int | None = None) -> U64:
    """Return (documents, bands) keys; band b hashes values [b * rows, (b + 1) * rows) and its own number."""
    values = np.asarray(signatures)
    if values.ndim != 2:
        raise ValueError(f"signatures must have two dimensions, got shape {values.shape}")
    n, num_perm = values.shape
    if (
        min(checked.number(bands, 1, MOST_I32, "bands"), checked.number(rows, 1, MOST_I32, "rows")) * max(bands, rows)
        > num_perm
    ):
        raise ValueError(f"{bands} bands of {rows} rows need {bands * rows} values, the signature has {num_perm}")
    flat = checked.u32(values.reshape(-1), "signatures")
    return _quchong.band_keys(flat, num_perm, bands, rows, threads_of(workers)).reshape(n, bands)


def set_mins(sets: FeatureSets, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """Return (documents, num_perm) signatures of sets: the least value of each of `num_perm` functions (Broder 1997a).

    Values are taken as hashes: they must be well mixed. Weights do not count. An empty set is all 2**32 - 1: leave such out
    of any comparison. The functions are those of `k_mins`. Cost: O(values * num_perm).
    """
    values, offsets = checked.ragged64(sets.values, sets.offsets, "values")
    flat = _quchong.set_mins(values, offsets, _values(num_perm), _seed(seed), threads_of(workers))
    return flat.reshape(-1, num_perm)


@dataclass(frozen=True, slots=True)
class Signatures:
    """SimHash signatures of documents.

    Attributes:
        words: uint64 (documents, bits / 64), the low word first; those of `quchong.features.projection` have six.
        defined: bool, False for texts without a token: their words are 0 and they are near to nothing.
    """

    words: U64
    defined: np.ndarray

    @property
    def bits(self) -> int:
        """Number of bits of a signature: 64 or 128, or more."""
        return 64 * int(self.words.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def take(self, index: np.ndarray) -> Signatures:
        """Return some of the signatures, in the order of `index`."""
        return Signatures(self.words[index], self.defined[index])

    def distances(self, left: Ints, right: Ints, workers: int | None = None) -> U32:
        """Return the number of bits in which pairs differ, uint32; bits + 1 if either is undefined."""
        d = np.zeros(len(left), np.uint32)
        for word in range(0, self.words.shape[1], 2):
            d += hamming_distances(self.words[:, word : word + 2], left, right, workers)
        return np.where(self.defined[left] & self.defined[right], d, self.bits + 1).astype(np.uint32)


def feature_weights(features: U64, weights: U32, unknown: int) -> FeatureWeights:
    """Build a table of weights by feature hash, in units of 1/65536; other features weigh `unknown`."""
    f = checked.u64(features, "features")
    w, other = checked.u32(weights, "weights", len(f)), checked.number(unknown, 0, MOST_U32, "unknown")
    return FeatureWeights(f, w, other)


def simhash(
    docs: Ragged | Names, ngram: int, bits: int = 64, weights: FeatureWeights | None = None, workers: int | None = None
) -> U64:
    """Return (documents, bits / 64) SimHash signatures of shingles of `ngram` tokens, weighted by their frequency.

    Bit p is 1 where the shingles whose hash has it weigh more than the others; a tie is 0. A text shorter than a
    shingle is one feature; an empty one is 0. Without weights each counts 1.

    Cost: about 8 operations a shingle and word (counters as bit planes); with weights 64 sums and one look-up.
    """
    how = checked.ngram_of(ngram), _words_of(bits)
    if isinstance(docs, Names):
        flat = _quchong.simhash_named(*name_columns(docs), *how, weights, threads_of(workers))
    else:
        flat = _quchong.simhash(*ragged_columns(docs), *how, weights, threads_of(workers))
    return flat.reshape(-1, bits // 64)


def simhash_texts(
    form: Form,
    texts: AnyTexts,
    ngram: int,
    bits: int = 64,
    weights: FeatureWeights | None = None,
    workers: int | None = None,
) -> Signatures:
    """Return the SimHash signatures of texts in one pass, without keeping their tokens."""
    how = checked.ngram_of(ngram), _words_of(bits)
    words, defined = _quchong.simhash_texts(
        form.tables, *text_columns(texts), form.full, form.characters, *how, weights, threads_of(workers)
    )
    return Signatures(words.reshape(-1, bits // 64), defined.astype(bool))


def count_features(docs: Ragged | Names, ngram: int, workers: int | None = None) -> tuple[U64, U32]:
    """Return hashes of all shingles, ascending, and their document frequencies."""
    how = checked.ngram_of(ngram), threads_of(workers)
    if isinstance(docs, Names):
        return _quchong.count_features_named(*name_columns(docs), *how)
    return _quchong.count_features(*ragged_columns(docs), *how)


def hamming_distances(words: U64, left: Ints, right: Ints, workers: int | None = None) -> U32:
    """Return the number of bits in which signatures differ, pair by pair."""
    words = _words(words)
    a, b = checked.pairs(left, right, len(words), "signature")
    return _quchong.hamming_distances(words.reshape(-1), words.shape[1], a, b, threads_of(workers))


class HammingPairs(NamedTuple):
    """Pairs of signatures, left < right, sorted by right, then left, and counts of what was bounded.

    `distance` is uint32. `capped` signatures have more partners before them than the cap (or are in a group of equal ones larger than it).
    `led` is the size of the largest bucket of near-equal signatures whose members were paired only with leaders, `largest_group` the size
    of the largest group of equal signatures.
    """

    left: U32
    right: U32
    distance: U32
    capped: int
    led: int
    largest_group: int


def hamming_pairs(
    words: U64,
    distance: int,
    blocks: int,
    *,
    defined: np.ndarray | None = None,
    scope: U64 | None = None,
    cap: int = 0,
    references: int = 0,
    split: int = 256,
    leaders: int = 1024,
    workers: int | None = None,
) -> HammingPairs:
    """Return all pairs of signatures at most `distance` bits apart, by block tables; `blocks` 0 compares all pairs.

    Args:
        words: uint64 (n, 1 or 2).
        distance: bits that may differ.
        blocks: pieces the bits are cut into, more than `distance`; C(blocks, distance) tables are made.
        defined: False where a text has no signature: it is in no pair.
        scope: a number for each signature; only signatures with equal numbers are compared.
        cap: 0 gives every pair. Else each signature is paired with the first `cap` of its partners before it, a larger group of equal
            signatures is represented by its first member, and buckets of more than `split` that cannot be split are compared with at most
            `leaders` of their own.
        references: number of leading signatures that are not paired with each other.
        split: a bucket of more is split over the bits left.
        leaders: see `cap`.
        workers: threads.

    Cost: O(n) a table and the pairs compared; memory about 30 bytes a signature and thread, 16 a pair.
    """
    words = _words(words)
    n, width = words.shape
    distance = checked.number(distance, 0, 64 * width, "distance")
    if blocks and not distance < checked.number(blocks, 0, 63, "blocks"):
        raise ValueError(f"blocks must be 0 or {distance + 1} to 63, got {blocks}")
    if comb(blocks, distance) > MOST_TABLES:
        raise ValueError(
            f"{blocks} blocks for a distance of {distance} make {comb(blocks, distance)} tables: at most {MOST_TABLES}"
        )
    known = np.ones(n, np.uint8) if defined is None else checked.u8(defined, "defined", n)
    return HammingPairs(
        *_quchong.hamming_pairs(
            words.reshape(-1), known, checked.scope_of(scope, n), width, distance, blocks,
            checked.number(cap, 0, MOST_U32, "cap"), checked.number(split, 2, MOST_U32, "split"),
            checked.number(leaders, 1, MOST_U32, "leaders"), checked.number(references, 0, n, "references"),
            threads_of(workers),
        )
    )  # fmt: skip


def _words(words: U64) -> U64:
    given = np.asarray(words)
    if given.ndim != 2 or given.shape[1] not in (1, 2):
        raise ValueError(f"signatures must be (n, 1) or (n, 2) uint64, got shape {given.shape}")
    return checked.u64(given.reshape(-1), "signatures").reshape(given.shape)


def _words_of(bits: int) -> int:
    if bits not in (64, 128):
        raise ValueError(f"bits must be 64 or 128, got {bits}")
    return int(bits) // 64


def _values(num_perm: int) -> int:
    """Return the checked number of values of a MinHash signature."""
    return checked.number(num_perm, 1, 4096, "num_perm")


def _seed(seed: int) -> int:
    """Return the checked seed of hash functions."""
    return checked.number(seed, 0, 2**64 - 1, "seed")
