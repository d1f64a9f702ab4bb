"""Partitions of set sizes: similar sets are in the same partition or the next.

Source: Theobald 2008 (SpotSigs), step 1.
"""

from __future__ import annotations

LAST = 2**64 - 1


def length_partitions(threshold: float, shortest: int, longest: int = 1000) -> list[tuple[int, int]]:
    """Return the (first, last) size of each partition, ascending from `shortest`; the last one is open, to 2**64 - 1.

    Two multisets of sizes m <= n can reach `threshold` only where m >= threshold * n. A partition [a, b] closes as soon as a < threshold *
    b, so that a size before it has no partner after it. Sizes up to `longest` are partitioned.
    """
    out, first = [], shortest
    for size in range(shortest, longest + 1):
        if size - first > (1 - threshold) * size:
            out.append((first, size))
            first = size + 1
    return [*out, (first, LAST)]
