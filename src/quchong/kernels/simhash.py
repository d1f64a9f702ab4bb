"""Argument checks in front of the SimHash kernels.

Twins: `quchong.kernels.reference.simhash`. All release the GIL and give the same result for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import dispatch
from quchong.kernels.dispatch import AnyTexts, Form, Ragged, _check_ngram, threads_of

if TYPE_CHECKING:
    from quchong.kernels.dispatch import U32, U64, Ints

    class FeatureWeights:
        """Weights of features by hash, opaque to Python."""
else:
    FeatureWeights = _quchong.FeatureWeights

WEIGHT_ONE = 1 << 16
"""A weight of 1.0: weights are whole numbers of 1/65536, so that sums do not depend on their order."""
WEIGHT_FLOOR = 64
"""Added once for each distinct feature of a text (about 0.001)."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """SimHash signatures of documents.

    Attributes:
        words: uint64 (documents, bits / 64), the low word first.
        defined: bool, False for texts without a token: their words are 0 and they are near to nothing.
    """

    words: U64
    defined: np.ndarray

    @property
    def bits(self) -> int:
        """Bits of a signature: 64 or 128."""
        return 64 * int(self.words.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def take(self, index: np.ndarray) -> Signatures:
        """Some of them in another order."""
        return Signatures(self.words[index], self.defined[index])

    def distances(self, left: Ints, right: Ints, workers: int | None = None) -> U32:
        """Bits in which pairs differ, uint32; bits + 1 where either is undefined."""
        d = hamming_distances(self.words, left, right, workers)
        return np.where(self.defined[left] & self.defined[right], d, self.bits + 1).astype(np.uint32)


def feature_weights(features: U64, weights: U32, unknown: int) -> FeatureWeights:
    """A table of weights by feature hash, in units of 1/65536; what is not in it weighs `unknown`."""
    f, w = np.ascontiguousarray(features, np.uint64), np.ascontiguousarray(weights, np.uint32)
    if len(f) != len(w):
        raise ValueError(f"features and weights differ in length: {len(f)} and {len(w)}")
    built: FeatureWeights = _quchong.FeatureWeights(f, w, unknown)
    return built


def simhash(
    docs: Ragged, ngram: int, bits: int = 64, weights: FeatureWeights | None = None, workers: int | None = None
) -> U64:
    """(documents, bits / 64) signatures of shingles of `ngram` tokens, each counted as often as it stands there.

    Bit p is 1 where the shingles whose hash has it weigh more than the others; a tie is 0. A text shorter than a
    shingle is one feature; an empty one is 0. Without weights each counts 1.

    Cost: about 8 operations a shingle and word (counters as bit planes); with weights 64 sums and one look-up.
    """
    _check_ngram(ngram)
    _check_bits(bits)
    flat = _quchong.simhash(*dispatch._ragged(docs), ngram, bits // 64, weights, threads_of(workers))
    return flat.reshape(-1, bits // 64)  # type: ignore[no-any-return]


def simhash_texts(
    form: Form,
    texts: AnyTexts,
    ngram: int,
    bits: int = 64,
    weights: FeatureWeights | None = None,
    workers: int | None = None,
) -> Signatures:
    """Signatures of texts in one pass: as `simhash` of `tokenise`, without keeping tokens."""
    _check_ngram(ngram)
    _check_bits(bits)
    words, defined = _quchong.simhash_texts(
        form.tables, *dispatch._text(texts), form.full, form.characters, ngram, bits // 64, weights, threads_of(workers)
    )
    return Signatures(words.reshape(-1, bits // 64), defined.astype(bool))


def count_features(docs: Ragged, ngram: int, workers: int | None = None) -> tuple[U64, U32]:
    """Hashes of all shingles, ascending, and in how many documents each stands."""
    _check_ngram(ngram)
    return _quchong.count_features(*dispatch._ragged(docs), ngram, threads_of(workers))  # type: ignore[no-any-return]


def hamming_distances(words: U64, left: Ints, right: Ints, workers: int | None = None) -> U32:
    """Bits in which signatures differ, pair by pair."""
    words = _words(words)
    a, b = dispatch._pairs(left, right, len(words))
    return _quchong.hamming_distances(words.reshape(-1), words.shape[1], a, b, threads_of(workers))  # type: ignore[no-any-return]


class HammingPairs(NamedTuple):
    """Pairs of signatures, left < right, sorted by right, then left, and what was bounded.

    `distance` is uint32. `capped` signatures have more partners before them than the cap (or stand in a group of equal
    ones larger than it). `led` is the size of the largest bucket of near-equal signatures whose members met chosen ones
    only, `largest_group` the most signatures that are equal.
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
    """All pairs of signatures at most `distance` bits apart, by block tables; `blocks` 0 compares all with all.

    Args:
        words: uint64 (n, 1 or 2).
        distance: bits that may differ.
        blocks: pieces the bits are cut into, more than `distance`; C(blocks, distance) tables are made.
        defined: False where a text has no signature: it is in no pair.
        scope: a number per signature; only equal ones meet.
        cap: 0 gives every pair. Else each signature is paired with the first `cap` of its partners before it, a group of
            more equal signatures than that is met in its first member only, and buckets of more than `split` that
            cannot be split are compared with at most `leaders` of their own.
        references: the first so many signatures are not paired with each other.
        split: a bucket of more is split over the bits left.
        leaders: see `cap`.
        workers: threads.

    Cost: O(n) a table and the pairs met; memory about 30 bytes a signature and thread, 16 a pair.
    """
    words = _words(words)
    n, width = words.shape
    if not 0 <= distance <= 64 * width:
        raise ValueError(f"distance must be 0 to {64 * width}, got {distance}")
    if blocks and not distance < blocks <= min(63, 64 * width):
        raise ValueError(f"blocks must be 0 or {distance + 1} to {min(63, 64 * width)}, got {blocks}")
    if cap < 0 or split < 2 or leaders < 1:
        raise ValueError("cap must be 0 or more, split 2 or more, leaders 1 or more")
    known = np.ones(n, np.uint8) if defined is None else np.ascontiguousarray(defined, np.uint8)
    codes = np.zeros(0, np.uint64) if scope is None else np.ascontiguousarray(scope, np.uint64)
    if len(known) != n or (scope is not None and len(codes) != n):
        raise ValueError("defined and scope need one entry a signature")
    return HammingPairs(
        *_quchong.hamming_pairs(
            words.reshape(-1),
            known,
            codes,
            width,
            distance,
            blocks,
            cap,
            split,
            leaders,
            references,
            threads_of(workers),
        )
    )


def _words(words: U64) -> U64:
    out = np.ascontiguousarray(words, np.uint64)
    if out.ndim != 2 or out.shape[1] not in (1, 2):
        raise ValueError(f"signatures must be (n, 1) or (n, 2) uint64, got shape {out.shape}")
    return out


def _check_bits(bits: int) -> None:
    if bits not in (64, 128):
        raise ValueError(f"bits must be 64 or 128, got {bits}")
