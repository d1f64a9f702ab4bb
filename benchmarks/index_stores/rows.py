"""Rows of a catalogue of documents, made from a seed: ids in random order, digests of 128 bits, blobs of a compressed page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

POOL_BYTES = 1 << 24


class Row(NamedTuple):
    """One document of the catalogue."""

    number: int
    id: str
    high: int
    low: int
    tokens: int
    singles: int
    time: float
    added: float
    state: int
    kind: int
    text: bytes


def _mixed(values: np.ndarray, seed: int) -> np.ndarray:
    """Return well-mixed 64-bit words of numbers (splitmix64), so that any row can be made anew from its number."""
    with np.errstate(over="ignore"):
        x = values.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed) * np.uint64(0xD1B54A32D192ED03)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: np.ndarray = x ^ (x >> np.uint64(31))
    return mixed


def ids_of(numbers: np.ndarray) -> list[str]:
    """Return the ids of documents: 24 characters, in random order."""
    return [f"zh/news/{word:016x}" for word in _mixed(numbers, 1).tolist()]


def digests_of(numbers: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the digests of documents as two signed 64-bit words."""
    return _mixed(numbers, 2).view(np.int64).tolist(), _mixed(numbers, 3).view(np.int64).tolist()


def batches(count: int, size: int, text_bytes: int) -> Iterator[list[Row]]:
    """Yield batches of `size` rows; texts are 70% to 130% of `text_bytes` long and do not compress; 0 makes them empty."""
    pool = np.random.default_rng(1).bytes(POOL_BYTES)
    for first in range(0, count, size):
        numbers = np.arange(first, min(first + size, count))
        high, low = digests_of(numbers)
        words = _mixed(numbers, 4)
        starts = (words % np.uint64(POOL_BYTES - 2 * text_bytes - 1)).tolist()
        lengths = (
            (text_bytes * (0.7 + 0.6 * ((words >> np.uint64(40)) % np.uint64(1000)).astype(float) / 1000))
            .astype(int)
            .tolist()
        )
        yield [
            Row(n, i, h, w, 600, 500, 1.79e9 + n, 1.79e9 + n, 0, 0, pool[s : s + z])
            for n, i, h, w, s, z in zip(numbers.tolist(), ids_of(numbers), high, low, starts, lengths, strict=True)
        ]
