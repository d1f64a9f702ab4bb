"""Hash functions of the core, in Python integers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

M64 = (1 << 64) - 1
M32 = (1 << 32) - 1
GOLDEN = 0x9E3779B97F4A7C15
MAX_NGRAM = 64


def mix64(x: int) -> int:
    """The splitmix64 finaliser."""
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & M64
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def mix32(h: int) -> int:
    """The murmur3 finaliser."""
    h ^= h >> 16
    h = h * 0x85EBCA6B & M32
    h ^= h >> 13
    h = h * 0xC2B2AE35 & M32
    return h ^ h >> 16


COEFFICIENTS = [mix64(GOLDEN * (j + 1) & M64) | 1 for j in range(MAX_NGRAM)]


def fold128(a: int, b: int) -> int:
    """Low and high half of a 128-bit product, xored."""
    p = a * b
    return (p & M64) ^ (p >> 64)


def sequence_hash(characters: Sequence[int], seed: int) -> int:
    """64-bit hash of 32-bit values, four at a time, the last group padded with zeros."""
    h = mix64((seed + GOLDEN) & M64)
    for i in range(0, len(characters), 4):
        four = [*characters[i : i + 4], 0, 0, 0][:4]
        w0, w1 = four[0] | four[1] << 32, four[2] | four[3] << 32
        h = (fold128(w0 ^ h ^ 0xA0761D6478BD642F, w1 ^ 0xE7037ED1A0B428DB) + GOLDEN * (i + 1) + (h >> 7)) & M64
    return mix64(h ^ len(characters))


def shingle_hashes(tokens: Sequence[int], ngram: int) -> list[int]:
    """One hash per run of `ngram` tokens; a shorter document is one shingle, an empty one none."""
    n = len(tokens)
    if n >= ngram:
        return [mix64(sum(tokens[i + j] * COEFFICIENTS[j] for j in range(ngram)) & M64) for i in range(n - ngram + 1)]
    if n == 0:
        return []
    short = (ngram - n) * COEFFICIENTS[MAX_NGRAM - 1]
    return [mix64((short + sum(t * COEFFICIENTS[j] for j, t in enumerate(tokens))) & M64)]


def winnow(hashes: Sequence[int], window: int) -> list[int]:
    """The least hash of every window in order, neighbours that repeat dropped; of all hashes if fewer than a window."""
    if not hashes:
        return []
    last = max(1, len(hashes) - window + 1)
    return [least for least, _ in groupby(min(hashes[i : i + window]) for i in range(last))]
