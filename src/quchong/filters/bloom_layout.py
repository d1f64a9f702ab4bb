"""Size of a blocked Bloom filter for a required error rate.

Source: Putze 2007. A block of 512 bits gets more
texts or fewer than its share, and the fuller ones err more: the rate is a mean over the Poisson law of that number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log2

import numpy as np

BLOCK_BITS = 512
MAX_HASHES = 32
_POINTS = 129


def block_error(load: np.ndarray, hashes: int) -> np.ndarray:
    """Return the probability that a new text is taken for known in a block of `load` texts, all its bits being set already.

    To second order about the mean number of bits set, whose variance is that of occupied boxes.
    """
    throws, m = load * hashes, BLOCK_BITS
    free, free2 = (1 - 1 / m) ** throws, (1 - 2 / m) ** throws
    mean = 1 - free
    variance = np.maximum(free / m + (1 - 1 / m) * free2 - free**2, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = mean**hashes + hashes * (hashes - 1) / 2 * mean ** (hashes - 2.0) * variance
    return np.where(load > 0, np.minimum(error, 1), 0.0)


def error_rate(texts_per_block: float, hashes: int) -> float:
    """Return the probability that a new text is taken for known, with this mean number of texts in a block and bits for each text."""
    if texts_per_block <= 0:
        return 0.0
    top = int(texts_per_block + 12 * texts_per_block**0.5 + 30)
    load = np.arange(top + 1, dtype=np.float64)
    steps = np.concatenate([[-texts_per_block], np.log(texts_per_block / np.maximum(load[1:], 1))])
    poisson = np.exp(np.cumsum(steps))
    return float(min(1.0, (poisson * block_error(load, hashes)).sum()))


@dataclass(frozen=True, slots=True)
class Layout:
    """Layout of one slice of a filter: its number of 64-byte blocks, the bits set for each text, and its capacity in texts."""

    blocks: int
    hashes: int
    capacity: int

    @property
    def bytes(self) -> int:
        """Memory of the slice in bytes."""
        return self.blocks * BLOCK_BITS // 8

    def tries(self, count: int) -> tuple[float, float]:
        """Return how many new texts arrive until the slice has `count` texts, and the error rate at that moment.

        More came than were added, because some were taken for known. The bits set depend on all that came, because a text wrongly found
        sets no bit that was not set.
        """
        came = float(count)
        for _ in range(100):
            rates = np.array([error_rate(n / self.blocks, self.hashes) for n in np.linspace(0, came, _POINTS)])
            wrong = integral(rates, came)
            if abs(count + wrong - came) <= 1e-12 * came:
                break
            came = count + wrong
        return came, error_rate(came / self.blocks, self.hashes)


def integral(values: np.ndarray, width: float) -> float:
    """Return the area under equally spaced values over an interval of this width (trapezoids)."""
    return float((values.sum() - (values[0] + values[-1]) / 2) * width / (len(values) - 1))


@lru_cache(maxsize=256)
def densest(error: float) -> tuple[float, int]:
    """Return the average number of texts a 512-bit block may have for the given error rate, and the number of bits per text."""
    classic = max(1, round(-log2(error)))
    best = (0.0, 1)
    for hashes in range(max(1, min(classic - 8, MAX_HASHES)), min(classic + 2, MAX_HASHES) + 1):
        low, high = 0.0, 2.0 * BLOCK_BITS / hashes
        for _ in range(24):
            middle = (low + high) / 2
            low, high = (middle, high) if error_rate(middle, hashes) <= error else (low, middle)
        best = max(best, (low, hashes))
    return best


@lru_cache(maxsize=256)
def layout(capacity: int, error: float) -> Layout:
    """Return the smallest slice that holds `capacity` texts at an error rate of at most `error`."""
    load, hashes = densest(error)
    return Layout(max(1, ceil(capacity / (1 - error) / load)), hashes, capacity)  # texts that come until it is full
