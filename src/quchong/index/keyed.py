"""Makes keys from signatures: bands and super-shingles, within a scope."""

from __future__ import annotations

import numpy as np

from quchong.kernels.hashing import GOLDEN


def scoped(keys: np.ndarray, offsets: np.ndarray, scope: np.ndarray) -> np.ndarray:
    """Keys (uint64) mixed with the scope of their document, a whole number each: another scope, another key."""
    owner = np.repeat(scope.astype(np.uint64), np.diff(offsets))
    with np.errstate(over="ignore"):
        out: np.ndarray = keys ^ (owner + np.uint64(1)) * GOLDEN
    return out


def rows_as_keys(keys: np.ndarray, defined: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keys and offsets of a table (documents, keys) whose undefined rows have none."""
    offsets = np.concatenate([[0], np.cumsum(defined * keys.shape[1])]).astype(np.int64)
    return keys[defined].reshape(-1), offsets
