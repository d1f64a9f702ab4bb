"""The kernels that find shared passages; twins: `quchong.kernels.reference.matching`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of
from quchong.kernels.dispatch import Ragged, ragged_columns
from quchong.kernels.sets import FeatureSets

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, U64, Ints

STRUCTURES = ("automaton", "array")
"""What finds matches: a suffix automaton of either text, or one suffix array with LCP of both."""


class MatchingStatistics(NamedTuple):
    """Of each position the longest match that starts there and its first place in the other text (uint32, 0 and 0 for
    none); bytes the structure took.
    """

    lengths: U32
    places: U32
    memory: int


class SharedRuns(NamedTuple):
    """What pairs share: runs of pair i are runs[offsets[i]:offsets[i + 1]] (left place, right place, length in tokens), and
    the tokens of either document in such runs (uint32).
    """

    offsets: I64
    runs: U32
    covered_left: U32
    covered_right: U32


def matching_statistics(
    text: Ints, other: Ints, *, text_starts: U8 | None = None, other_starts: U8 | None = None, structure: str = "automaton"
) -> MatchingStatistics:  # fmt: skip
    """Matching statistics of `text` through `other` (Chang 1994), as MDR takes them.

    Args:
        text, other: tokens (uint32).
        text_starts, other_starts: 1 where a match may start (uint8); None: everywhere.
        structure: "automaton" (O(n) expected) or "array" (O(n log n)); the result is the same.

    Raises:
        ValueError: another structure, or starts of another length.
    """
    a, b = checked.u32(text, "text"), checked.u32(other, "other")
    starts = (
        checked.starts_of(text_starts, len(a), "text_starts"),
        checked.starts_of(other_starts, len(b), "other_starts"),
    )
    lengths, places, memory = _quchong.matching_statistics(a, b, *starts, _array(structure))
    return MatchingStatistics(lengths, places, int(memory))


def shared_runs(
    docs: Ragged, left: Ints, right: Ints, least: int, *, starts: U8 | None = None, structure: str = "automaton",
    workers: int | None = None,
) -> SharedRuns:  # fmt: skip
    """Maximal runs of at least `least` tokens that pairs share, and how much of either document such runs cover.

    A run is listed by its place in the left document, with its first place in the right one; none lies inside one before
    it. Coverage counts a token once, however many matches hold it. `starts` (uint8 a token of `docs`) says where a
    match may start on either side. Cost: O(tokens of both) a pair; memory of a thread about 85 bytes a token of the
    longest text (automaton), or 33 a token of both (array).

    Raises:
        ValueError: least below 1, another structure, or starts of another length.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    tokens, offsets = ragged_columns(docs)
    least, allowed = checked.number(least, 1, MOST_U32, "least"), checked.starts_of(starts, len(tokens))
    places, runs, covered_left, covered_right = _quchong.shared_runs(
        tokens, offsets, a, b, least, allowed, _array(structure), threads_of(workers)
    )
    return SharedRuns(places, runs.reshape(-1, 3), covered_left, covered_right)


PIECE = 1 << 20
"""Tokens of pairs tiled at once: between pieces a signal is heard, and repetitive texts take a second or so a piece."""


def tiles(
    docs: Ragged, left: Ints, right: Ints, shortest: Ints, *, start: int = 20, workers: int | None = None
) -> tuple[I64, U32]:
    """Greedy string tiles of pairs by running Karp-Rabin matching (YAP3, Wise 1996).

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
    for piece in np.split(np.arange(len(a)), np.flatnonzero(np.diff(np.cumsum(size) // PIECE)) + 1):
        offsets, tiled = _quchong.tiles(*columns, a[piece], b[piece], least[piece], start, threads_of(workers))
        counts.append(np.diff(offsets))
        found.append(tiled.reshape(-1, 3))
    return np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64), np.concatenate(found)


def window_minima(docs: Ragged, ngram: int, window: int, workers: int | None = None) -> tuple[U64, U32, I64]:
    """Winnowing with places (Schleimer 2003): the least hash of every window of `window` shingles.

    Returns hashes (uint64), the places of their shingles in the document (uint32, ascending) and int64 offsets. Of equal
    hashes the rightmost is taken. With fewer shingles than a window it is the least of all; a document of fewer than
    `ngram` tokens has none. Two documents that share a run of window + ngram - 1 tokens share a hash. Cost: O(tokens).
    """
    how = checked.ngram_of(ngram), checked.number(window, 1, MOST_I32, "window")
    values, places, offsets = _quchong.window_minima(*ragged_columns(docs), *how, threads_of(workers))
    return values, places, offsets


def least_by_key(values: U64, keys: U64, offsets: I64, count: int, workers: int | None = None) -> FeatureSets:
    """Of every document the `count` distinct values that come first by their keys, then by themselves; as sets.

    `keys` (uint64) has one for each value, the same for a value that is repeated in a document. Fewer where there are
    fewer. Cost: a sort a document.

    Raises:
        ValueError: keys of another length, offsets that do not rise from 0 to the number of values, or a count below 1.
    """
    v, o = checked.ragged(values, offsets, np.uint64, "values")
    k, count = checked.u64(keys, "keys", len(v)), checked.number(count, 1, MOST_I32, "count")
    kept, places = _quchong.least_by_key(v, k, o, count, threads_of(workers))
    return FeatureSets(kept, np.ones(len(kept), np.uint32), places)


def _array(structure: str) -> bool:
    if structure not in STRUCTURES:
        raise ValueError(f"unknown structure {structure!r}: use {' or '.join(STRUCTURES)}")
    return structure == "array"
