"""The kernels on sentences and on sequences of symbols; twins: `quchong.kernels.reference.runs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MOST_I32, threads_of
from quchong.kernels.dispatch import AnyTexts, text_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64, Ints

MOST_RUNS = 1 << 20
"""Runs of one pair that are held: 12 MB."""
ROADS = ("size", "suffixes", "places")
"""How maximal runs are found."""


class Sequences(NamedTuple):
    """Sequences of symbols: document i owns symbols[offsets[i]:offsets[i + 1]]. Symbol 0 equals nothing, itself included."""

    symbols: U64
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> I64:
        """Symbols of each document, int64."""
        return np.diff(self.offsets)


class Blocks(NamedTuple):
    """What pairs of sequences have in common, one-to-one: blocks of pair p are blocks[offsets[p]:offsets[p + 1]].

    `blocks` is (n, 3) uint32: left place, right place, length; sorted by left place in a pair. `bounded` (uint8 a pair) is 1
    where there were too many runs and the shortest were left out.
    """

    offsets: I64
    blocks: U32
    bounded: U8

    @property
    def pair(self) -> I64:
        """The pair of each block, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Matches(NamedTuple):
    """Places (uint32) of equal values in pairs of documents, ragged by `offsets`; sorted in a pair, no two alike."""

    left: U32
    right: U32
    offsets: I64

    @property
    def pair(self) -> I64:
        """The pair of each match, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def sentence_places(texts: AnyTexts, workers: int | None = None) -> tuple[U32, U32, I64]:
    """Where the sentences of texts stand: start and end in characters (uint32), int64 offsets a text.

    The same as `quchong.text.sentences` says for each text. Cost: O(characters).
    """
    start, end, offsets = _quchong.sentence_places(*text_columns(texts), threads_of(workers))
    return start, end, offsets


def maximal_runs(
    left: U64, right: U64, shortest: int = 1, *, limit: int = MOST_RUNS, road: str = "size"
) -> tuple[U32, bool]:
    """All maximal equal runs of two sequences: (n, 3) uint32 (i, j, length) sorted, and whether they were bounded.

    A run is equal at every place and cannot be made longer on either side. Runs of every length of at least `shortest` that
    fits are found: where there are more than `limit`, as many of the shortest lengths are left out as it takes.

    Args:
        road: "suffixes": by a suffix array; "places": every place is compared with every place, diagonal by diagonal;
            "size": short sequences by places, others by suffixes. The result is the same.

    Raises:
        ValueError: another road, or bounds below 1.

    Cost: O(N log N + runs) for N symbols in both, memory 40 bytes a symbol and 12 a run; by places O(product of both lengths),
    and memory for all runs whatever the limit.
    Source: Feng 2015a (SL+ST), with a suffix array and LCP intervals for its generalised suffix tree; maximal pairs: Gusfield 1997.
    """
    shortest, limit = _bounds(shortest, limit)
    a, b = checked.u64(left, "left"), checked.u64(right, "right")
    if road not in ROADS:
        raise ValueError(f"unknown road {road!r}: use {', '.join(ROADS)}")
    flat, bounded = _quchong.maximal_runs(a, b, shortest, limit, ROADS.index(road))
    return flat.reshape(-1, 3), bool(bounded)


def matched_blocks(
    documents: Sequences,
    left: Ints,
    right: Ints,
    *,
    checks: U64 | None = None,
    shortest: int = 2,
    limit: int = MOST_RUNS,
    workers: int | None = None,
) -> Blocks:
    """Equal blocks of pairs of sequences, one-to-one.

    All maximal runs (`maximal_runs`) in the order of length, longest first, then left place, right place: each takes the
    places that are free on both sides, in pieces of at least `shortest`; the rest is dropped.

    Args:
        checks: uint64 a symbol: runs of equal symbols are split where these differ, pieces shorter than `shortest`
            dropped (match, then split). The same as runs of symbols put together with their checks, where nothing is
            bounded.
        limit: runs of a pair that are held.

    Cost: that of `maximal_runs`, and with `checks` the sum of the lengths of runs.
    """
    shortest, limit = _bounds(shortest, limit)
    symbols, offsets = checked.ragged(documents.symbols, documents.offsets, np.uint64, "symbols")
    a, b = checked.pairs(left, right, len(offsets) - 1)
    values = np.zeros(0, np.uint64) if checks is None else checked.u64(checks, "checks", len(symbols))
    found, blocks, bounded = _quchong.matched_blocks(
        symbols, values, offsets, a, b, shortest, limit, threads_of(workers)
    )
    return Blocks(found, blocks.reshape(-1, 3), bounded)


def value_matches(
    values: U64,
    places: U32,
    offsets: I64,
    left: Ints,
    right: Ints,
    *,
    repeats: int = 32,
    workers: int | None = None,
) -> Matches:
    """Places of equal values in pairs of documents.

    Args:
        values: uint64, in any order; document i owns values[offsets[i]:offsets[i + 1]].
        places: uint32 a value: where it stands; several values may stand at one place.
        repeats: the first so many places of one value on either side match each with each, further ones the k-th with the
            k-th: a value that stands m and n times gives at most min(m, n) + repeats**2 matches.

    Cost: a sort of the values; for a pair the values of both and the matches.
    """
    v, o = checked.ragged(values, offsets, np.uint64, "values")
    p, repeats = checked.u32(places, "places", len(v)), checked.number(repeats, 1, MOST_I32, "repeats")
    a, b = checked.pairs(left, right, len(o) - 1)
    order = np.lexsort((p, v, np.repeat(np.arange(len(o) - 1), np.diff(o))))
    at, x, y = _quchong.value_matches(v[order], p[order], o, a, b, repeats, threads_of(workers))
    return Matches(x, y, at)


def diagonal_runs(matches: Matches, gap: int = 1, drift: int = 0, workers: int | None = None) -> U32:
    """The run of every match (uint32), numbered within its pair in the order of first matches.

    A match continues the run whose end lies before it on both sides, with at most `gap` places left out on the side that has
    fewer left out, and the distance of the sides changed by at most `drift`: the least change first, then the nearest on the left,
    then the lesser left - right. Of runs that end at one distance the last to do so counts.

    Source: Zhang 2010, step 2. Cost: O(matches * (drift + log)) a pair.
    """
    left, offsets = checked.ragged(matches.left, matches.offsets, name="left")
    right = checked.u32(matches.right, "right", len(left))
    how = checked.number(gap, 0, MOST_I32, "gap"), checked.number(drift, 0, MOST_I32, "drift")
    run: U32 = _quchong.diagonal_runs(left, right, offsets, *how, threads_of(workers))
    return run


def _bounds(shortest: int, limit: int) -> tuple[int, int]:
    return checked.number(shortest, 1, MOST_I32, "shortest"), checked.number(limit, 1, 2**62, "limit")
