"""Offsets of ragged arrays, positions within their items, and beginnings of runs of equal values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def prefix_sums(counts: npt.ArrayLike) -> I64:
    """Return the sums of the first 0, 1, ... n values, int64 (n + 1,): the offsets of items with these counts.

    >>> prefix_sums([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    values = np.asarray(counts)
    out = np.zeros(len(values) + 1, np.int64)
    values.cumsum(dtype=np.int64, out=out[1:])
    return out


def positions_in_items(counts: npt.ArrayLike) -> I64:
    """Return the position of each element within its item, for items with these counts that follow each other: int64 (sum,).

    >>> positions_in_items([2, 0, 3]).tolist()
    [0, 1, 0, 1, 2]
    """
    ends = prefix_sums(counts)
    return np.arange(ends[-1]) - ends[:-1].repeat(np.asarray(counts, np.int64))


def batches_by_cost(cost: np.ndarray, most: int) -> list[I64]:
    """Return the positions of costs (n,) in consecutive batches of about `most` total cost each; no batch for no costs.

    >>> [batch.tolist() for batch in batches_by_cost(np.array([3, 3, 3, 9]), 5)]
    [[0], [1, 2], [3]]
    """
    if not len(cost):
        return []
    return np.split(np.arange(len(cost)), np.flatnonzero(np.diff(np.cumsum(cost) // most)) + 1)


def first_of_runs(*columns: np.ndarray) -> Mask:
    """Return a mask of the rows that differ in any column from the row before; the first row always does.

    Args:
        columns: arrays of one length n; equal rows stand beside each other if the rows are sorted.

    >>> first_of_runs(np.array([4, 4, 7]), np.array([1, 1, 1])).tolist()
    [True, False, True]
    """
    out = np.ones(len(columns[0]), bool)
    out[1:] = False
    for column in columns:
        out[1:] |= column[1:] != column[:-1]
    return out
