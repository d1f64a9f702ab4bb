"""Documents that share keys: signatures, super-shingles, bands of MinHash values."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels import Met
from quchong.kernels.hashing import GOLDEN


def meet_keys(
    keys: np.ndarray, offsets: np.ndarray, *, least: int = 1, cap: int = 1000, scope: np.ndarray | None = None,
    references: int = 0, workers: int | None = None,
) -> Met:  # fmt: skip
    """Pairs of documents with at least `least` keys in common.

    Args:
        keys, offsets: document i has keys[offsets[i]:offsets[i + 1]] (uint64), in the order in which documents are met.
        least: keys that must be shared.
        cap: documents of one key that are met, the first ones; those behind meet these only.
        scope: uint64 a document; only equal ones meet.
        references: the first so many documents are not paired with each other.
        workers: threads.

    Cost: as `kernels.join_keys`.
    """
    values = np.ascontiguousarray(keys, np.uint64)
    if scope is not None:
        values = scoped(values, offsets, scope)
    met = kernels.join_keys(values, offsets, cap=cap, min_shared=least, references=references, workers=workers)
    return Met(met.left.astype(np.int64), met.right.astype(np.int64), met.capped_keys, met.largest_key)


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
