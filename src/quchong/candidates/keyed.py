"""Keys from signatures: bands and super-shingles, within a scope."""

from __future__ import annotations

import numpy as np

from quchong.kernels.hashing import GOLDEN
from quchong.kernels.offsets import prefix_sums


def scoped(keys: np.ndarray, offsets: np.ndarray, scope: np.ndarray) -> np.ndarray:
    """Mix keys (uint64) with the scope number of their document, so that keys of different scopes differ."""
    owner = np.repeat(scope.astype(np.uint64), np.diff(offsets))
    with np.errstate(over="ignore"):
        out: np.ndarray = keys ^ (owner + np.uint64(1)) * GOLDEN
    return out


def rows_as_keys(keys: np.ndarray, defined: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Convert a table (documents, keys) to keys and offsets; undefined rows have no keys."""
    offsets = prefix_sums(defined * keys.shape[1])
    return keys[defined].reshape(-1), offsets
