"""Sentence ends, paths of words inside sentences, and weighted sets that lie in others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

from quchong.kernels.reference.hashing import COEFFICIENTS, M64, MAX_NGRAM, mix64
from quchong.kernels.reference.sets import shared_sets

BREAK = re.compile(r"[。！？!?…\n]|\.[”’\"')\]]*(?=\s)")


def sentence_breaks(text: str) -> list[int]:
    """Places behind which another sentence begins."""
    return [m.end() for m in BREAK.finditer(text)]


def path_hash(tokens: Sequence[int]) -> int:
    """Of one path; paths of other lengths are other paths."""
    total = sum(t * COEFFICIENTS[j] for j, t in enumerate(tokens)) + len(tokens) * COEFFICIENTS[MAX_NGRAM - 1]
    return mix64(total & M64)


def path_sets(tokens: Sequence[int], sentence: Sequence[int], weight: Sequence[int], depth: int) -> dict[int, int]:
    """Hash and weight of every distinct path of one document, by hash."""
    out: dict[int, int] = {}
    for i in range(len(tokens)):
        for j in range(i + 1, min(i + depth, len(tokens)) + 1):
            if any(s != sentence[i] for s in sentence[i:j]):
                break
            value, total = path_hash(tokens[i:j]), sum(weight[i:j])
            out[value] = min(total, out.get(value, total))
    return dict(sorted(out.items()))


def meet_contained(
    sets: Sequence[Mapping[int, int]], threshold: float, scope: Sequence[int], references: int
) -> list[tuple[int, int]]:
    """All such pairs, by comparing every two documents; without a cap."""
    found = []
    for i, j in combinations(range(len(sets)), 2):
        weight, common = shared_sets(sets[i], sets[j])
        smaller = min(sum(sets[i].values()), sum(sets[j].values()))
        if scope[i] == scope[j] and j >= references and common and weight >= threshold * smaller - 1e-9 * smaller:
            found.append((i, j))
    return sorted(found, key=lambda p: (p[1], p[0]))
