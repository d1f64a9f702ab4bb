"""Joins: documents with equal keys, and the exact join of sets by prefixes.

The twins are in tests/twins/join.py. Source: Xiao 2008 (PPJoin, PPJoin+).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import FeatureSets, set_columns
from quchong.kernels.checked import MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U8, U32, U64, Ints

WAVE = 1 << 24
"""Values sorted at once, 16 bytes each."""
STAGES = ("size", "prefix", "position", "suffix", "overlap", "similar")
"""Stages of `screen_pairs` that may reject a pair, by number; the last marks a pair of the result."""
NO_TOKEN = 2**32 - 1
"""Value of `Screened.first` if the prefixes share no token."""


class Candidates(NamedTuple):
    """Pairs of documents that share keys: left < right, sorted by right, then left."""

    left: Ints
    right: Ints
    shared: U32
    capped_keys: int
    largest_key: int
    bounded: int  # documents with more candidates than `most`, or in a crowd more than three times `few`
    crowded: U32  # bounded documents in a crowd, ascending


def join_keys(
    keys: U64,
    offsets: I64,
    order: I64 | None = None,
    *,
    size: U32 | None = None,
    window: U32 | None = None,
    time: F64 | None = None,
    cap: int = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    few: int = 0,
    crowd: int = 0,
    references: int = 0,
    within: float | None = None,
    wave: int = 32 << 20,
    workers: int | None = None,
) -> Candidates:
    """Return the pairs of documents that share enough keys.

    Document d of the join is number order[d] of the input, which owns keys[offsets[order[d]]:offsets[order[d] + 1]]; without `order` it is
    number d. `size`, `window`, `time` and the result speak of documents of the join. A document is compared with the first `cap` documents
    of each of its keys (no key is skipped). It forms a candidate pair with a document if both share `min_shared` keys and at least `share`
    of the keys expected of the shorter one, min(size) * 2 / (max(window) + 1), sizes scaled by the share of a document's keys that are
    distinct. Documents below `references` are compared, under a cap of their own, but not paired with each other. With `within`, documents
    further apart in `time` (ascending beyond the references) are not paired.

    With `most`, a document is paired with at most `most` earlier references and `most` other earlier documents: half of them the first in
    document order, half those that share most keys (the first of equals). The pairs of a family of near-equal documents then grow with its
    size, and all its documents are compared with the same first ones. With `crowd`, a document that has a key of more than `crowd`
    documents, and more than three times `few` candidates, is paired with `few`.

    Keys are sorted into lists about `wave` at a time, which changes nothing but time and memory: each wave reads them
    all once more.

    Cost: O(keys + sum over documents of postings met); memory 12 bytes a key of a wave, and 12 for each key of two documents or more.
    """
    flat, ends = checked.ragged64(keys, offsets, "keys", whole=False)
    chosen = (
        np.arange(len(ends) - 1) if order is None else checked.indices64(order, len(ends) - 1, "order", what="document")
    )
    n = len(chosen)
    if (share > 0 and (size is None or window is None)) or (within is not None and time is None):
        raise ValueError("share needs size and window; within needs time")
    return Candidates(
        *_quchong.join_keys(
            flat, ends, chosen,
            np.zeros(n, np.uint32) if size is None else checked.u32(size, "size", n),
            np.ones(n, np.uint32) if window is None else checked.u32(window, "window", n),
            np.zeros(n) if time is None else checked.finite(time, "time", n),
            checked.number(cap, 0, MOST_U32, "cap"), checked.number(min_shared, 0, MOST_U32, "min_shared"),
            checked.real(share, "share"), checked.number(most, 0, MOST_U32, "most"),
            checked.number(few, 0, MOST_U32 // 3, "few"), checked.number(crowd, 0, MOST_U32, "crowd"),
            checked.number(references, 0, n, "references"),
            -1.0 if within is None else checked.real(within, "within", 0), checked.number(wave, 1, 2**62, "wave"),
            threads_of(workers),
        )
    )  # fmt: skip


class OrderedSets(NamedTuple):
    """Sets whose tokens are numbered in one order, rare ones first, called records.

    Document i owns tokens[offsets[i]:offsets[i + 1]], uint32, ascending; there are `distinct` numbers.
    """

    tokens: U32
    offsets: I64
    distinct: int

    def __len__(self) -> int:
        return len(self.offsets) - 1


class SetJoin(NamedTuple):
    """Pairs whose sets reach the threshold: left < right (int64), sorted by right, then left; and counts of the filters.

    `candidates` are pairs that share a token of both prefixes and have compatible sizes; `by_position` and `by_suffix` of them were
    rejected by these filters, and `verified` were counted exactly.
    """

    left: I64
    right: I64
    candidates: int
    by_position: int
    by_suffix: int
    verified: int


class Screened(NamedTuple):
    """Results of `screen_pairs`: the stage that each pair reached, its shared tokens, and its first common prefix token.

    `stage` is the number in `STAGES` (uint8), `shared` the shared tokens of similar pairs, else 0 (uint32), `first` the position in the
    left record, from 0, of the first token the prefixes share, or `NO_TOKEN` (uint32).
    """

    stage: U8
    shared: U32
    first: U32


def count_tokens(sets: FeatureSets, least: int = 1, workers: int | None = None) -> tuple[U64, U32]:
    """Return distinct values ascending (uint64) and their document frequencies (uint32), if these are at least `least`.

    Cost: one sort of the values, distributed over threads; memory 16 bytes for each of 16 million at a time.
    """
    least = checked.number(least, 1, MOST_U32, "least")
    values, counts = _quchong.count_tokens(set_columns(sets)[0], least, WAVE, threads_of(workers))
    return values, counts


def order_sets(
    sets: FeatureSets, known: tuple[U64, U32] | None = None, workers: int | None = None, *, wave: int = WAVE
) -> OrderedSets:
    """Convert sets to records: tokens numbered by increasing document frequency, ties by value. Weights are left out.

    Args:
        known: frozen frequencies: values (ascending, distinct) and their document frequencies; a value not listed has 1. None counts them
            here. Numbers depend on these sets, but their order follows the frozen frequencies everywhere.

    Raises:
        ValueError: frequencies that do not ascend.

    Cost: O(values log values); memory 4 bytes a value for good, 12 a distinct value and 16 a value of a wave on the way.
    """
    values, _, offsets = set_columns(sets)
    features, counts = (np.zeros(0, np.uint64), np.zeros(0, np.uint32)) if known is None else known
    features = checked.u64(features, "known values")
    counts = checked.u32(counts, "known counts", len(features))
    if (features[1:] <= features[:-1]).any():
        raise ValueError("known frequencies need distinct values in ascending order")
    wave = checked.number(wave, 1, 2**62, "wave")
    tokens, distinct = _quchong.order_sets(
        values, offsets, features, counts, known is not None, wave, threads_of(workers)
    )
    return OrderedSets(tokens, offsets, distinct)


def join_sets(
    records: OrderedSets,
    threshold: float,
    *,
    suffix_depth: int = 0,
    min_size: int = 1,
    scope: U64 | None = None,
    references: int = 0,
    workers: int | None = None,
) -> SetJoin:
    """Return all pairs of records whose Jaccard, as a float64, is at least `threshold`. Exact, without a cap.

    Similar records share a token of their prefixes, the first |x| - ceil(t |x|) + 1 of a record, and of a record no longer than its partner
    already the first |x| - ceil(2t / (1 + t) |x|) + 1. A pair is rejected if too few tokens remain after the positions of a common token
    (positional filter), and with `suffix_depth` if the parts after the first common token differ too much by recursive halving (suffix
    filter of PPJoin+; published depth 2).

    Args:
        suffix_depth: 0 is PPJoin.
        min_size: smaller records take no part.
        scope: uint64 for each record; only records with equal numbers are compared, and others are no candidates.
        references: number of leading records that are not paired with each other.

    Cost: output-sensitive; memory 8 bytes a token of the shorter prefixes, 4 a distinct token, 4 a record and thread.
    Deterministic, counters included; none of it depends on threads.
    """
    tokens, offsets, distinct = _columns(records)
    checked.rising(tokens, offsets, "tokens")
    n = len(offsets) - 1
    left, right, *counted = _quchong.join_sets(
        tokens, offsets, distinct, checked.scope_of(scope, n), *_how(threshold, suffix_depth, min_size),
        checked.number(references, 0, n, "references"), threads_of(workers),
    )  # fmt: skip
    return SetJoin(left.astype(np.int64), right.astype(np.int64), *counted)


def screen_pairs(
    records: OrderedSets,
    left: Ints,
    right: Ints,
    threshold: float,
    *,
    suffix_depth: int = 0,
    min_size: int = 1,
    workers: int | None = None,
) -> Screened:
    """Apply the filters and the exact count of `join_sets` to given pairs, each as if it were a candidate there.

    A join on many machines applies it to the pairs that share a token: a pair whose `first` common token is another one is produced under
    that token. Cost: O(both prefixes), and both records if the pair is counted.
    """
    tokens, offsets, _ = _columns(records)
    checked.rising(tokens, offsets, "tokens")
    a, b = checked.pairs(left, right, len(offsets) - 1, "record")
    how = _how(threshold, suffix_depth, min_size)
    return Screened(*_quchong.screen_pairs(tokens, offsets, a, b, *how, threads_of(workers)))


def _columns(records: OrderedSets) -> tuple[U32, I64, int]:
    tokens, offsets = checked.ragged(records.tokens, records.offsets)
    distinct = checked.number(records.distinct, 0, MOST_U32, "distinct")
    tokens, used = checked.numbered(checked.indices(tokens, distinct, "tokens", what="number"))
    return tokens, offsets, used


def _how(threshold: float, suffix_depth: int, min_size: int) -> tuple[float, int, int]:
    return (
        checked.share(threshold), checked.number(suffix_depth, 0, 32, "suffix_depth"),
        checked.number(min_size, 1, MOST_U32, "min_size"),
    )  # fmt: skip
