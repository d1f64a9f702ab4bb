"""Sequences of symbols compared: matching statistics, tiles, equal runs, blocks, diagonals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence


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


Run = tuple[int, int, int]
"""Left place, right place, length."""


def maximal_runs(
    left: Sequence[int], right: Sequence[int], shortest: int, limit: int = 1 << 62, *, gap: int | None = 0
) -> list[Run]:
    """All equal runs that cannot be made longer, sorted. The symbol `gap` equals nothing (None: there is no such symbol).
    Beyond `limit` the shortest lengths are left out.
    """
    out = []
    for i in range(len(left)):
        for j in range(len(right)):
            if left[i] != right[j] or left[i] == gap or (i and j and left[i - 1] == right[j - 1] != gap):
                continue
            k = 1
            while i + k < len(left) and j + k < len(right) and left[i + k] == right[j + k] != gap:
                k += 1
            if k >= shortest:
                out.append((i, j, k))
    many = Counter(length for _, _, length in out)
    while sum(many.values()) > limit:
        del many[min(many)]
    return sorted(r for r in out if r[2] in many)


def split_runs(runs: Sequence[Run], left: Sequence[int], right: Sequence[int], shortest: int) -> list[Run]:
    """Runs cut where the check values differ; pieces shorter than `shortest` dropped."""
    out = []
    for i, j, length in runs:
        start = 0
        for t in range(length + 1):
            if t == length or left[i + t] != right[j + t]:
                if t - start >= shortest:
                    out.append((i + start, j + start, t - start))
                start = t + 1
    return sorted(out)


def placed(runs: Sequence[Run], shortest: int) -> list[Run]:
    """Runs made one-to-one: longest first, each in the places still free on both sides."""
    left: set[int] = set()
    right: set[int] = set()
    out = []
    for i, j, length in sorted(runs, key=lambda r: (-r[2], r[0], r[1])):
        start = 0
        for t in range(length + 1):
            if t == length or i + t in left or j + t in right:
                if t - start >= shortest:
                    out.append((i + start, j + start, t - start))
                start = t + 1
        for x, y, n in out:
            left.update(range(x, x + n))
            right.update(range(y, y + n))
    return sorted(out)


def matched_blocks(
    left: Sequence[int], right: Sequence[int], checks: tuple[Sequence[int], Sequence[int]], shortest: int
) -> list[Run]:
    """Equal blocks, one-to-one: all runs, split by the check values of both, longest first."""
    return placed(split_runs(maximal_runs(left, right, 1), *checks, shortest), shortest)


def value_matches(
    left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]], repeats: int
) -> list[tuple[int, int]]:
    """Places of equal values; documents are (value, place)."""
    found: set[tuple[int, int]] = set()
    places: list[dict[int, list[int]]] = [defaultdict(list), defaultdict(list)]
    for side, document in zip(places, (left, right), strict=True):
        for value, place in sorted(document):
            side[value].append(place)
    for value in places[0]:
        a, b = places[0][value], places[1].get(value, [])
        found.update((x, y) for x in a[:repeats] for y in b[:repeats])
        found.update(list(zip(a, b, strict=False))[repeats:])
    return sorted(found)


def diagonal_runs(matches: Sequence[tuple[int, int]], gap: int, drift: int) -> list[int]:
    """The run of each of the sorted matches."""
    ends: list[tuple[int, int]] = []
    last: dict[int, int] = {}  # the run that ended last on a diagonal
    out = []
    for i, j in matches:
        near = []
        for diagonal, run in last.items():
            x, y = ends[run]
            fits = x - y == diagonal and i > x and j > y and min(i - x, j - y) <= gap + 1
            if fits and abs(i - j - diagonal) <= drift:
                near.append((abs(i - j - diagonal), i - x, diagonal, run))
        run = min(near)[3] if near else len(ends)
        if not near:
            ends.append((i, j))
        ends[run] = (i, j)
        last[i - j] = run
        out.append(run)
    return out
