"""The peer text-dedup: the steps of its `minhash` command, in memory and without its files and processes.

Its command draws permutations, hashes every document, chooses bands by the threshold, and unites the documents that share a band; it
looks at no estimate of a pair. So all pairs of a cluster are the pairs it calls copies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

MOST = 2_000_000
"""Pairs at most: clusters with more (no set here has 3,000 copies) are no answer, and the setting is left out."""
MAX_HASH, PRIME = (1 << 32) - 1, (1 << 61) - 1

Pairs = Callable[[float], Iterator[tuple[int, int]]]


class Characters:
    """Stands for its pattern of what parts tokens, by which a Chinese clause would be one token."""

    @staticmethod
    def split(text: str) -> list[str]:
        """Every character."""
        return list(text)


def signed(texts: list[str], n: int, english: bool, values: int) -> Pairs:
    """Its pairs at a threshold; the texts are hashed once, as the values do not depend on the threshold."""
    import numpy as np
    from text_dedup import minhash as its

    its.NON_ALPHA = its.NON_ALPHA if english else Characters()
    least = its.MinHashArgs().min_length
    drawn = tuple(its.RNG.randint(low, PRIME, size=(values,), dtype=np.uint64) for low in (1, 0))

    def signature(text: str, i: int) -> list[bytes]:
        told = its.embed_func(
            text, i, num_perm=values, ngram_size=n, min_length=least, hashranges=[(k, k + 1) for k in range(values)],
            permutations=drawn, hash_func=lambda token: its.sha1_hash(token, d=32), dtype=np.uint64,
            max_hash=np.uint32(MAX_HASH), modulo_prime=np.uint64(PRIME),
        )  # fmt: skip
        found: list[bytes] = told[its.SIGNATURE_COLUMN]
        return found

    known = {i: signature(t, i) for i, t in enumerate(texts) if len(its.NON_ALPHA.split(t.lower())) >= least}
    return lambda at: united(known, *its.optimal_param(at, values), its.UnionFind())


def united(known: dict[int, list[bytes]], bands: int, rows: int, union: Any) -> Iterator[tuple[int, int]]:
    """All pairs of what shares bands, directly or through others."""
    for band in range(bands):
        tables: dict[bytes, list[int]] = defaultdict(list)
        for i, one in known.items():
            tables[b"".join(one[band * rows : (band + 1) * rows])].append(i)
        for group in tables.values():
            for i in group[1:]:
                union.union(i, group[0])
    clusters: dict[int, list[int]] = defaultdict(list)
    for i in known:
        clusters[union.find(i)].append(i)
    yield from within(list(clusters.values()))


def within(clusters: list[list[int]]) -> Iterator[tuple[int, int]]:
    """All pairs of each cluster; none at all where there are more than `MOST`."""
    if sum(len(c) * (len(c) - 1) // 2 for c in clusters) <= MOST:
        for cluster in clusters:
            yield from combinations(cluster, 2)
