"""Passages two token sequences share: matching statistics, runs, greedy tiles, winnowing with places. Quadratic and more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from quchong.kernels.reference.hashing import shingle_hashes


def matching_statistics(
    text: Sequence[int], other: Sequence[int], text_starts: Sequence[int] = (), other_starts: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """Of each position of `text` the longest match that starts there and at an allowed place of `other`, and its first place.

    (0, 0) where there is none, or where no match may start.
    """

    def match(i: int, j: int) -> int:
        k = 0
        while i + k < len(text) and j + k < len(other) and text[i + k] == other[j + k]:
            k += 1
        return k

    out = []
    for i in range(len(text)):
        best, place = 0, 0
        for j in range(len(other)):
            allowed = (not text_starts or text_starts[i]) and (not other_starts or other_starts[j])
            if allowed and (k := match(i, j)) > best:
                best, place = k, j
        out.append((best, place))
    return out


def shared_runs(
    text: Sequence[int], other: Sequence[int], least: int, text_starts: Sequence[int] = (), other_starts: Sequence[int] = ()
) -> tuple[list[tuple[int, int, int]], int, int]:  # fmt: skip
    """Runs (left place, right place, length) of at least `least` tokens none of which lies inside another one before it,
    and how many positions of either text such matches cover.
    """

    def covered(found: list[tuple[int, int]]) -> int:
        return len({p for i, (k, _) in enumerate(found) if k >= least for p in range(i, i + k)})

    here = matching_statistics(text, other, text_starts, other_starts)
    there = matching_statistics(other, text, other_starts, text_starts)
    runs: list[tuple[int, int, int]] = []
    for i, (k, place) in enumerate(here):
        if k >= least and not any(i + k <= left + length for left, _, length in runs):
            runs.append((i, place, k))
    return runs, covered(here), covered(there)


def tiles(a: Sequence[int], b: Sequence[int], shortest: int) -> list[tuple[int, int, int]]:
    """Greedy string tiling: the longest common run of free tokens, of equal ones the first in `a`, then in `b`, is marked;
    again and again. Tiles (left place, right place, length) by left place.
    """
    free_a, free_b = [True] * len(a), [True] * len(b)
    out: list[tuple[int, int, int]] = []
    while True:
        best = (0, 0, 0)
        for i in range(len(a)):
            for j in range(len(b)):
                k = 0
                while (
                    i + k < len(a) and j + k < len(b) and free_a[i + k] and free_b[j + k] and a[i + k] == b[j + k]
                ):  # fmt: skip
                    k += 1
                if k > best[2]:
                    best = (i, j, k)
        i, j, k = best
        if k < max(shortest, 1):
            return sorted(out)
        out.append(best)
        for p in range(k):
            free_a[i + p] = free_b[j + p] = False


def window_minima(tokens: Sequence[int], ngram: int, window: int) -> list[tuple[int, int]]:
    """The least hash of every window of shingles, the rightmost of equal ones, with its place; each place once."""
    if len(tokens) < ngram:
        return []
    hashes = shingle_hashes(tokens, ngram)
    last = max(1, len(hashes) - window + 1)
    places = [
        min(range(i, min(i + window, len(hashes))), key=lambda p: (hashes[p], -p)) for i in range(last)
    ]  # fmt: skip
    return [(hashes[p], p) for before, p in pairwise([-1, *places]) if p != before]
