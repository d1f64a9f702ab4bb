"""Lists of DIFFERENCE as plain arrays, which can be stored in files if memory is short, and as table columns built part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.differing import gather_lists, lists_of, no_lists, split_lists
from quchong.kernels.arrays import places_of
from quchong.tables import DIFFERENCE, DIFFERENCES

Words = tuple[np.ndarray, np.ndarray]
"""Strings stored one after another: their ends (int64, one more than there are strings), and their bytes (uint8)."""


@dataclass(frozen=True, slots=True)
class DifferenceLists:
    """Lists of DIFFERENCE of some pairs as arrays; null for a pair whose differences were not determined.

    Arrow's own memory cannot be moved to files during a run. These arrays can, and take a third of its size.

    Attributes:
        offsets: int64, one more than there are pairs: list i is rows offsets[i]:offsets[i + 1] of the other arrays.
        null: bool for each pair.
        kind: uint8 for each difference. conflict: bool. places: offsets in the texts, (differences, 4), int32 if that suffices.
        left, right: text of the difference on either side.
    """

    offsets: np.ndarray
    null: np.ndarray
    kind: np.ndarray
    conflict: np.ndarray
    places: np.ndarray
    left: Words
    right: Words

    def __len__(self) -> int:
        return len(self.null)

    def arrays(self) -> list[np.ndarray]:
        """Return all arrays of the lists, in the order that `of_arrays` takes."""
        return [self.offsets, self.null, self.kind, self.conflict, self.places, *self.left, *self.right]

    @staticmethod
    def of_arrays(arrays: Sequence[np.ndarray]) -> DifferenceLists:
        """Build the lists from the arrays that `arrays` returned."""
        offsets, null, kind, conflict, places, *words = arrays
        return DifferenceLists(offsets, null, kind, conflict, places, (words[0], words[1]), (words[2], words[3]))

    @staticmethod
    def packed(lists: pa.Array) -> DifferenceLists:
        """Convert Arrow lists to arrays that share no memory with Arrow. O(differences)."""
        offsets, values, null = split_lists(lists)
        kind, conflict, left, right, *places = values.flatten()
        code = pc.index_in(kind, pa.array(DIFFERENCES, pa.string())).to_numpy(zero_copy_only=False)
        stacked = np.stack([one.to_numpy() for one in places], 1) if len(kind) else np.zeros((0, 4), np.int64)
        small = stacked.max(initial=0) < 1 << 31
        return DifferenceLists(
            offsets.astype(np.int64), null, code.astype(np.uint8), conflict.to_numpy(zero_copy_only=False),
            stacked.astype(np.int32 if small else np.int64), _packed(left), _packed(right),
        )  # fmt: skip

    def take(self, index: np.ndarray) -> pa.Array:
        """Return some of the lists as an Arrow array, in the order given. O(differences in them)."""
        counts = np.diff(self.offsets)[index]
        at = places_of(self.offsets[:-1][index], counts)
        columns = [
            pa.array(DIFFERENCES, pa.string()).take(pa.array(self.kind[at])),
            pa.array(self.conflict[at]),
            _take_words(self.left, at),
            _take_words(self.right, at),
            *(pa.array(self.places[at, k].astype(np.int64)) for k in range(4)),
        ]
        values = pa.StructArray.from_arrays(columns, fields=list(DIFFERENCE))
        return lists_of(np.concatenate([[0], np.cumsum(counts)]), values, self.null[index])


def _packed(column: pa.Array) -> Words:
    """Convert a column of large strings to arrays of its own."""
    n = len(column)
    if not n:
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int64, n + 1, 8 * column.offset)
    some = slice(int(offsets[0]), int(offsets[-1]))
    letters = np.frombuffer(data, np.uint8)[some].copy() if data is not None else np.zeros(0, np.uint8)
    return offsets - offsets[0], letters


def _take_words(words: Words, at: np.ndarray) -> pa.Array:
    ends, letters = (pa.py_buffer(np.ascontiguousarray(one)) for one in words)
    return pa.LargeStringArray.from_buffers(len(words[0]) - 1, ends, letters).take(pa.array(at))


Part: TypeAlias = "pa.Array | DifferenceLists"
"""Lists of DIFFERENCE, as arrays or as an Arrow array."""


@dataclass(frozen=True, slots=True)
class ChosenLists:
    """Lists of DIFFERENCE chosen from several parts; they are copied only on request, because a whole run's would not fit memory.

    Attributes:
        parts: lists, numbered over all parts.
        index: int64, number of the list of each pair; -1 for none.
        flip: bool, True if left and right are to be exchanged.
    """

    parts: Sequence[Part]
    index: np.ndarray
    flip: np.ndarray

    def __len__(self) -> int:
        return len(self.index)

    @staticmethod
    def from_arrow(lists: pa.Array) -> ChosenLists:
        """Wrap an Arrow array of lists unchanged."""
        return ChosenLists([lists], np.arange(len(lists)), np.zeros(len(lists), bool))

    def at(self, which: np.ndarray | slice) -> ChosenLists:
        """Return the lists of some pairs, chosen by index, mask or slice, without copying differences."""
        return ChosenLists(self.parts, self.index[which], self.flip[which])

    def replaced(self, which: np.ndarray, lists: pa.Array) -> ChosenLists:
        """Return the lists with those at positions `which` replaced (int64, one for each new list), without copying the others."""
        index, flip = self.index.copy(), self.flip.copy()
        index[which] = sum(map(len, self.parts)) + np.arange(len(which))
        flip[which] = False
        return ChosenLists([*self.parts, DifferenceLists.packed(lists)], index, flip)

    def column(self) -> pa.Array:
        """Return all lists as a column of PAIRS. O(differences)."""
        first = np.cumsum([0, *(len(part) for part in self.parts)])
        # Gather part by part, then bring the lists into the order of the pairs.
        owner = np.searchsorted(first, self.index, "right") - 1
        place, before = np.full(len(self.index), -1), 0
        taken: list[pa.Array] = []
        for number, part in enumerate(self.parts):
            mine = np.flatnonzero(owner == number)
            if len(mine):
                local = self.index[mine] - first[number]
                taken.append(part.take(local) if isinstance(part, DifferenceLists) else part.take(pa.array(local)))
                place[mine] = before + np.arange(len(mine))
                before += len(mine)
        return gather_lists(taken or [no_lists(0)], place, self.flip)
