"""Sparse vectors as mappings: scalar products and single-pass clustering."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

SLACK = 1e-9


def unit_vector(weights: Mapping[int, float]) -> dict[int, float]:
    """The vector of length 1 of the same direction."""
    length = math.sqrt(sum(w * w for w in weights.values()))
    return {term: w / length for term, w in weights.items()} if length else dict.fromkeys(weights, 0.0)


def dot(a: Mapping[int, float], b: Mapping[int, float]) -> float:
    """Scalar product, terms in ascending order."""
    total = 0.0
    for term in sorted(a.keys() & b.keys()):
        total += a[term] * b[term]
    return total


def single_pass(
    vectors: Sequence[Mapping[int, float]], threshold: float, scope: Sequence[int] | None = None
) -> tuple[list[int], list[float]]:
    """The founder of each vector's cluster, and its cosine with the centroid it joined."""
    clusters: list[tuple[int, dict[int, float]]] = []
    founders: list[int] = []
    similarities: list[float] = []
    for i, v in enumerate(vectors):
        best, chosen = -1.0, None
        for founder, sums in clusters:
            if (scope is None or scope[founder] == scope[i]) and v.keys() & sums.keys():
                square = 0.0
                for t in sorted(sums):
                    square += sums[t] * sums[t]
                cosine = dot(v, sums) / (math.sqrt(square) if founders.count(founder) > 1 else 1.0)
                if cosine >= threshold - SLACK and cosine > best:
                    best, chosen = cosine, (founder, sums)
        if chosen is None:
            chosen = (i, {})
            clusters.append(chosen)
        founders.append(chosen[0])
        similarities.append(best if chosen[0] != i else 1.0)
        for term, weight in v.items():
            chosen[1][term] = chosen[1].get(term, 0.0) + weight
    return founders, similarities
