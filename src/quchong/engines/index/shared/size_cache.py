"""Sizes and signatures of documents that were seen in posting lists, kept in memory: they never change."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from quchong.candidates.postings import SIZE_TYPES
from quchong.kernels.postings import DocumentSizes

_UNKNOWN, _KNOWN, _PENDING = 0, 1, 2
_LEAST = 1 << 16


class SizeCache:
    """Cache of document sizes and signatures by number. Thread-safe.

    Memory: 29 bytes a document that was met and its signature; pages of the arrays that nobody wrote take no room.

    Args:
        words: words of a signature; 0 for none.
    """

    def __init__(self, words: int) -> None:
        self._words = words
        self._changing = threading.Lock()
        self._arrays = self._made(_LEAST)
        self._state = np.zeros(_LEAST, np.uint8)

    def _made(self, rows: int) -> list[np.ndarray[Any, Any]]:
        return [*(np.zeros(rows, kind) for kind in SIZE_TYPES), np.zeros((rows, self._words), np.uint64)]

    def missing(self, numbers: np.ndarray, *, own: bool) -> np.ndarray:
        """Return the numbers whose rows are not known.

        Args:
            own: True for the caller in a transaction, who may read the rows that it has added itself.
        """
        with self._changing:
            there = numbers[numbers < len(self._state)]
            state = self._state[there]
            known = there[(state == _KNOWN) | (own & (state == _PENDING))]
        return numbers if not len(known) else np.setdiff1d(numbers, known, assume_unique=True)

    def fill(self, numbers: np.ndarray, columns: Sequence[np.ndarray], *, pending: bool) -> None:
        """Store rows in the cache; `pending` marks rows of a transaction that may still be rolled back."""
        if not len(numbers):
            return
        with self._changing:
            self._grow(int(numbers.max()) + 1)
            for array, values in zip(self._arrays, columns, strict=True):
                array[numbers] = values
            self._state[numbers] = _PENDING if pending else _KNOWN

    def settle(self, first: int, end: int, *, committed: bool) -> None:
        """Keep the pending rows from `first` to `end` - 1 if their transaction was committed, else drop them."""
        with self._changing:
            state = self._state[first:end]
            state[state == _PENDING] = _KNOWN if committed else _UNKNOWN

    def clear(self) -> None:
        """Forget all rows, so that they are read again."""
        with self._changing:
            self._state[:] = _UNKNOWN

    def rows(self, count: int) -> tuple[DocumentSizes, np.ndarray]:
        """Return the rows of the first `count` documents as views, zeros where they are not known."""
        with self._changing:
            self._grow(count)
            views = [array[:count] for array in self._arrays]
        return DocumentSizes(*views[:4]), views[4]

    def _grow(self, count: int) -> None:
        if count <= len(self._state):
            return
        older, state = self._arrays, self._state
        rows = max(count, 2 * len(state))
        self._arrays, self._state = self._made(rows), np.zeros(rows, np.uint8)
        for new, array in zip([*self._arrays, self._state], [*older, state], strict=True):
            new[: len(array)] = array
