"""Keys of short documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from quchong.kernels.reference.hashing import COEFFICIENTS, M64, mix64, shingle_hashes
from quchong.kernels.reference.text import NUMBER_TOKEN


def pair_keys(tokens: Sequence[int], common: Collection[int], longest: int, lacking: int) -> set[int]:
    """The rarest bigrams of a document, each with each."""
    if not 0 < len(tokens) <= longest:
        return set()
    usual = [t >= NUMBER_TOKEN or (t < 65536 and t in common) for t in tokens]
    ranked = sorted({(sum(usual[i : i + 2]), h) for i, h in enumerate(shingle_hashes(tokens, 2))})
    order = [h for _, h in ranked]
    if len(order) == 1:
        return {mix64(order[0])}
    prefix = order[: min(len(order) // 2, lacking) + 2]
    return {mix64((a * COEFFICIENTS[0] + b * COEFFICIENTS[1]) & M64) for a, b in combinations(prefix, 2)}
