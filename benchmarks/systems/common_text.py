"""How much of the shorter of two texts stands in the other, counted over all pairs and by no method of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

MOST = 60
"""A shingle of more texts is a phrase of the language, and not counted."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)


def shingles(text: str, n: int) -> np.ndarray:
    """Hashes of the distinct shingles of n characters, ascending; white space counts as one space."""
    letters = np.frombuffer(" ".join(text.split()).encode("utf-32-le"), np.uint32).astype(np.uint64)
    count = max(len(letters) - n + 1, 0)
    hashes = np.zeros(count, np.uint64)
    for i in range(n):
        hashes = hashes * FACTOR + letters[i : count + i]
    hashes.sort()
    return hashes[np.diff(hashes, prepend=hashes[:1] - 1) > 0]


def shares(texts: Sequence[str], n: int, least: float) -> Iterator[tuple[int, int, float]]:
    """Pairs of places, the first less than the second, and the share of the one with fewer shingles, from `least` on.

    Cost: sorting all shingles; the square of the texts in memory.
    """
    sets = [shingles(text, n) for text in texts]
    size = np.array([len(one) for one in sets])
    value, place = np.concatenate(sets), np.repeat(np.arange(len(sets)), size)
    order = np.lexsort((place, value))
    value, place = value[order], place[order]
    start = np.flatnonzero(np.diff(value, prepend=value[:1] - 1) != 0)
    in_texts = np.diff(np.append(start, len(value)))
    common = np.zeros((len(sets), len(sets)), np.int64)
    for count in range(2, MOST + 1):
        first = start[in_texts == count]
        for a, b in combinations(range(count), 2):
            np.add.at(common, (place[first + a], place[first + b]), 1)
    part = common / np.maximum(np.minimum.outer(size, size), 1)
    for i, j in np.argwhere(part >= least):
        yield int(i), int(j), float(part[i, j])
