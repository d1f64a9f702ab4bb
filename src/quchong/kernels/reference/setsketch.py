"""Shingles of documents, and MinHash values of sets of hashes."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.kernels.reference.hashing import GOLDEN, M32, M64, mix64, shingle_hashes


def ragged_shingles(documents: Sequence[Sequence[int]], ngram: int) -> list[list[int]]:
    """Hashes of the shingles of each document, in order."""
    return [shingle_hashes(tokens, ngram) for tokens in documents]


def set_mins(values: Sequence[int], num_perm: int, seed: int) -> list[int]:
    """The least of each of num_perm functions over the values of one set."""
    out = []
    for p in range(num_perm):
        a, b, c = (mix64((seed + GOLDEN * (3 * p + k)) & M64) & M32 | 1 for k in (1, 2, 3))
        mixed = [((h & M32) * a + (h >> 32) * b) & M32 for h in values]
        out.append(min([(y ^ y >> 15) * c & M32 for y in mixed], default=M32))
    return out
