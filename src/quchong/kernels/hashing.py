"""Hash functions of the core on NumPy arrays, for small numbers of features; twins: tests/twins/hashing.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, odd, so that its multiples are far apart."""
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mix64(values: U64) -> U64:
    """Return the splitmix64 finaliser of each value (uint64), a bijection."""
    x = np.asarray(values, np.uint64)
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return x ^ (x >> np.uint64(31))


COEFFICIENTS = mix64(np.arange(1, 65, dtype=np.uint64) * GOLDEN) | np.uint64(1)
"""Odd coefficients of the positions in a sequence."""
