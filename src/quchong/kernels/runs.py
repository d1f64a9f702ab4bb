"""Comparison of sequences of symbols: matching statistics, tiles, equal passages (named runs here), blocks, diagonals.

The twins are in tests/twins/runs.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import Ragged, ragged_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of
from quchong.kernels.offsets import batches_by_cost, prefix_sums

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64, Ints

STRUCTURES = ("automaton", "array", "vector")
"""Structures that find matches: a suffix automaton of either text, one suffix array with LCP of both, or a suffix vector of either."""
MOST_RUNS = 1 << 20
"""Most runs of one pair held in memory: 12 MB."""
ROADS = ("size", "suffixes", "places")
"""Ways to find maximal runs."""
PIECE = 1 << 20
"""Tokens of pairs tiled at once; signals are handled between batches, and repetitive texts take about a second a batch."""


class MatchingStatistics(NamedTuple):
    """Longest match that starts at each position, and its first position in the other text (uint32; 0 and 0 for none).

    `memory` is the size of the structure in bytes.
    """

    lengths: U32
    places: U32
    memory: int


class SharedRuns(NamedTuple):
    """Passages that pairs share: those of pair i are runs[offsets[i]:offsets[i + 1]] (left position, right position, length in tokens).

    `covered_left` and `covered_right` are the numbers of tokens of either document in such passages (uint32).
    """

    offsets: I64
    runs: U32
    covered_left: U32
    covered_right: U32


class Sequences(NamedTuple):
    """Sequences of symbols: document i owns symbols[offsets[i]:offsets[i + 1]]. Symbol 0 equals nothing, itself included."""

    symbols: U64
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> I64:
        """Number of symbols of each document, int64."""
        return np.diff(self.offsets)


class Blocks(NamedTuple):
    """One-to-one blocks that pairs of sequences share: blocks of pair p are blocks[offsets[p]:offsets[p + 1]].

    `blocks` is (n, 3) uint32: left position, right position, length; sorted by left position in a pair. `bounded` (uint8 for each pair) is
    1 if there were too many runs and the shortest were left out.
    """

    offsets: I64
    blocks: U32
    bounded: U8

    @property
    def pair(self) -> I64:
        """Pair of each block, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


class Matches(NamedTuple):
    """Positions (uint32) of equal values in pairs of documents, ragged by `offsets`; sorted in a pair, without duplicates."""

    left: U32
    right: U32
    offsets: I64

    @property
    def pair(self) -> I64:
        """Pair of each match, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def matching_statistics(
    text: Ints, other: Ints, *, text_starts: U8 | None = None, other_starts: U8 | None = None, structure: str = "automaton"
) -> MatchingStatistics:  # fmt: skip
    """Return the matching statistics of `text` through `other` (Chang 1994), as MDR uses them.

    Args:
        text, other: tokens (uint32).
        text_starts, other_starts: 1 where a match may start (uint8); None: everywhere.
        structure: "automaton" (O(n) expected), "array" (O(n log n)) or "vector" (Monostori 2002; O(n) expected, and the
            logarithm of the letters that follow one string); the result is the same.

    Raises:
        ValueError: another structure, or starts of another length.
    """
    a, b = checked.u32(text, "text"), checked.u32(other, "other")
    starts = (
        checked.starts_of(text_starts, len(a), "text_starts"),
        checked.starts_of(other_starts, len(b), "other_starts"),
    )
    lengths, places, memory = _quchong.matching_statistics(a, b, *starts, _structure(structure))
    return MatchingStatistics(lengths, places, int(memory))


def shared_runs(
    docs: Ragged, left: Ints, right: Ints, least: int, *, starts: U8 | None = None, structure: str = "automaton",
    workers: int | None = None,
) -> SharedRuns:  # fmt: skip
    """Return the maximal passages of at least `least` tokens that pairs share, and the number of tokens of either document that they cover.

    A passage is listed in the order of the left document, with its first position in the right one; none is inside a previous one. Coverage
    counts a token once, however many matches contain it. `starts` (uint8 a token of `docs`) marks the tokens at which a match may start on
    either side. Cost: O(tokens of both) a pair; memory of a thread about 85 bytes a token of the longest text (automaton), 33 a token of
    both (array), or 25 a token of the longest text (vector, while the tree is built it is written from three times that).

    Raises:
        ValueError: least below 1, another structure, or starts of another length.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    tokens, offsets = ragged_columns(docs)
    least, allowed = checked.number(least, 1, MOST_U32, "least"), checked.starts_of(starts, len(tokens))
    places, runs, covered_left, covered_right = _quchong.shared_runs(
        tokens, offsets, a, b, least, allowed, _structure(structure), threads_of(workers)
    )
    return SharedRuns(places, runs.reshape(-1, 3), covered_left, covered_right)


def tiles(
    docs: Ragged, left: Ints, right: Ints, shortest: Ints, *, start: int = 20, workers: int | None = None
) -> tuple[I64, U32]:
    """Return greedy string tiles of pairs by running Karp-Rabin matching (YAP3, Wise 1996).

    Args:
        shortest: tokens a tile of each pair has at least (mml), 1 or more.
        start: length the search begins with (s); it changes time only.

    Returns:
        Offsets a pair, and (n, 3) tiles: left place, right place, length in tokens; by left place. A token is in one tile
        at most. The longest match is marked first, of equal ones the first in the left document, then in the right.

    Cost: near linear; O(n^1.5 log n) where a text repeats itself.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    least, start = checked.u32(shortest, "shortest", len(a)), checked.number(start, 1, MOST_I32, "start")
    if len(least) and not least.min():
        raise ValueError("shortest must be at least 1 for each pair")
    columns = ragged_columns(docs)
    lengths = np.diff(columns[1])
    size = lengths[a] + lengths[b]
    counts, found = [np.zeros(0, np.int64)], [np.zeros((0, 3), np.uint32)]
    for piece in batches_by_cost(size, PIECE):
        offsets, tiled = _quchong.tiles(*columns, a[piece], b[piece], least[piece], start, threads_of(workers))
        counts.append(np.diff(offsets))
        found.append(tiled.reshape(-1, 3))
    return prefix_sums(np.concatenate(counts)), np.concatenate(found)


def maximal_runs(
    left: U64, right: U64, shortest: int = 1, *, limit: int = MOST_RUNS, road: str = "size"
) -> tuple[U32, bool]:
    """Return all maximal equal passages of two sequences, (n, 3) uint32, and True if the shortest were left out because of `limit`.

    A passage is equal at every place and cannot be made longer on either side. Passages of every length of at least `shortest` that fits
    are found: if there are more than `limit`, as many of the shortest lengths as necessary are left out.

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
    """Return equal blocks of pairs of sequences, one-to-one.

    All maximal runs (`maximal_runs`) in the order of length, longest first, then left place, right place: each takes the
    places that are free on both sides, in pieces of at least `shortest`; the rest is dropped.

    Args:
        checks: uint64 a symbol: runs of equal symbols are split where these differ, pieces shorter than `shortest` dropped (match, then
            split). Unless runs are bounded, the result is the same as for runs of symbols combined with their checks.
        limit: most runs of a pair held in memory.

    Cost: that of `maximal_runs`, and with `checks` the sum of the lengths of runs.
    """
    shortest, limit = _bounds(shortest, limit)
    symbols, offsets = checked.ragged64(documents.symbols, documents.offsets, "symbols")
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
    """Return the positions of equal values in pairs of documents.

    Args:
        values: uint64, in any order; document i owns values[offsets[i]:offsets[i + 1]].
        places: uint32 for each value: its position; several values may share one.
        repeats: the first `repeats` positions of one value on either side match each with each, further ones the k-th with the k-th: a
            value that occurs m and n times gives at most min(m, n) + repeats**2 matches.

    Cost: a sort of the values; for a pair the values of both and the matches.
    """
    v, o = checked.ragged64(values, offsets, "values")
    p, repeats = checked.u32(places, "places", len(v)), checked.number(repeats, 1, MOST_I32, "repeats")
    a, b = checked.pairs(left, right, len(o) - 1)
    order = np.lexsort((p, v, np.repeat(np.arange(len(o) - 1), np.diff(o))))
    at, x, y = _quchong.value_matches(v[order], p[order], o, a, b, repeats, threads_of(workers))
    return Matches(x, y, at)


def diagonal_runs(matches: Matches, gap: int = 1, drift: int = 0, workers: int | None = None) -> U32:
    """Return the run of every match (uint32) within its pair; a run is a sequence of matches that advance on both sides.

    A match continues a run that ends before it on both sides, if at most `gap` positions are skipped on the side that skips fewer, and the
    distance between the sides changes by at most `drift`. The least change is preferred, then the nearest on the left, then the lesser left
    - right. Of runs that end at one distance the latest counts.

    Source: Zhang 2010, step 2. Cost: O(matches * (drift + log)) a pair.
    """
    left, offsets = checked.ragged(matches.left, matches.offsets, name="left")
    right = checked.u32(matches.right, "right", len(left))
    how = checked.number(gap, 0, MOST_I32, "gap"), checked.number(drift, 0, MOST_I32, "drift")
    run: U32 = _quchong.diagonal_runs(left, right, offsets, *how, threads_of(workers))
    return run


def _structure(structure: str) -> int:
    if structure not in STRUCTURES:
        raise ValueError(f"unknown structure {structure!r}: use {', '.join(STRUCTURES)}")
    return STRUCTURES.index(structure)


def _bounds(shortest: int, limit: int) -> tuple[int, int]:
    return checked.number(shortest, 1, MOST_I32, "shortest"), checked.number(limit, 1, 2**62, "limit")
