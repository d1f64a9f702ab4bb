"""The hash functions of the core on NumPy arrays, for features that are few; twins: tests/twins/hashing.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio, odd: multiples of it lie far apart."""
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mix64(values: U64) -> U64:
    """The splitmix64 finaliser of each value (uint64); a bijection."""
    x = np.asarray(values, np.uint64)
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return x ^ (x >> np.uint64(31))


COEFFICIENTS = mix64(np.arange(1, 65, dtype=np.uint64) * GOLDEN) | np.uint64(1)
"""Of the positions in a sequence, odd."""
