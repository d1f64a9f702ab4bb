"""Lists of DIFFERENCE as plain arrays, which lie in files where memory is short, and as columns of a table piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.differing import apart, chosen, lists_of, no_lists
from quchong.kernels.arrays import places_of
from quchong.tables import DIFFERENCE, DIFFERENCES

Words = tuple[np.ndarray, np.ndarray]
"""Strings one after another: where each ends (int64, one more than there are), and their bytes (uint8)."""


@dataclass(frozen=True, slots=True)
class DifferenceLists:
    """A list of DIFFERENCE for each of some pairs, null of those nobody told of.

    Arrow's own memory cannot be put into files while a run goes on; these arrays can, and take a third of its room.

    Attributes:
        offsets: int64, one more than there are pairs: list i is offsets[i]:offsets[i + 1] of what follows.
        null: bool a pair.
        kind: uint8 a difference. conflict: bool. places: (differences, 4), int32 where that is enough.
        left, right: what stands there.
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
        """All its arrays, in an order of their own."""
        return [self.offsets, self.null, self.kind, self.conflict, self.places, *self.left, *self.right]

    @staticmethod
    def of_arrays(arrays: Sequence[np.ndarray]) -> DifferenceLists:
        """The lists of `arrays`."""
        offsets, null, kind, conflict, places, *words = arrays
        return DifferenceLists(offsets, null, kind, conflict, places, (words[0], words[1]), (words[2], words[3]))

    @staticmethod
    def packed(lists: pa.Array) -> DifferenceLists:
        """The same lists as arrays; nothing of Arrow's is held. O(differences)."""
        offsets, values, null = apart(lists)
        kind, conflict, left, right, *places = values.flatten()
        code = pc.index_in(kind, pa.array(DIFFERENCES, pa.string())).to_numpy(zero_copy_only=False)
        stacked = np.stack([one.to_numpy() for one in places], 1) if len(kind) else np.zeros((0, 4), np.int64)
        small = stacked.max(initial=0) < 1 << 31
        return DifferenceLists(
            offsets.astype(np.int64), null, code.astype(np.uint8), conflict.to_numpy(zero_copy_only=False),
            stacked.astype(np.int32 if small else np.int64), _packed(left), _packed(right),
        )  # fmt: skip

    def take(self, index: np.ndarray) -> pa.Array:
        """Some of the lists as Arrow has them, in the order given. O(differences taken)."""
        counts = np.diff(self.offsets)[index]
        at = places_of(self.offsets[:-1][index], counts)
        columns = [
            pa.array(DIFFERENCES, pa.string()).take(pa.array(self.kind[at])),
            pa.array(self.conflict[at]),
            _taken(self.left, at),
            _taken(self.right, at),
            *(pa.array(self.places[at, k].astype(np.int64)) for k in range(4)),
        ]
        values = pa.StructArray.from_arrays(columns, fields=list(DIFFERENCE))
        return lists_of(np.concatenate([[0], np.cumsum(counts)]), values, self.null[index])


def _packed(column: pa.Array) -> Words:
    """A column of large strings as arrays of its own."""
    n = len(column)
    if not n:
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int64, n + 1, 8 * column.offset)
    some = slice(int(offsets[0]), int(offsets[-1]))
    letters = np.frombuffer(data, np.uint8)[some].copy() if data is not None else np.zeros(0, np.uint8)
    return offsets - offsets[0], letters


def _taken(words: Words, at: np.ndarray) -> pa.Array:
    ends, letters = (pa.py_buffer(np.ascontiguousarray(one)) for one in words)
    return pa.LargeStringArray.from_buffers(len(words[0]) - 1, ends, letters).take(pa.array(at))


Part: TypeAlias = "pa.Array | DifferenceLists"
"""Lists as arrays, or as Arrow has them."""


@dataclass(frozen=True, slots=True)
class ChosenLists:
    """Lists of DIFFERENCE out of parts, put together when they are asked for: a whole run's would not fit memory.

    Attributes:
        parts: lists, counted one after another.
        index: int64, which list each pair has; -1 for none.
        flip: bool: left and right are exchanged in it.
    """

    parts: Sequence[Part]
    index: np.ndarray
    flip: np.ndarray

    def __len__(self) -> int:
        return len(self.index)

    @staticmethod
    def of(lists: pa.Array) -> ChosenLists:
        """Lists as they are."""
        return ChosenLists([lists], np.arange(len(lists)), np.zeros(len(lists), bool))

    def at(self, which: np.ndarray | slice) -> ChosenLists:
        """Those of some pairs, by place, mask or slice; nothing is put together yet."""
        return ChosenLists(self.parts, self.index[which], self.flip[which])

    def replaced(self, which: np.ndarray, lists: pa.Array) -> ChosenLists:
        """The lists with others at some places (int64, as many as there are lists); nothing is put together yet."""
        index, flip = self.index.copy(), self.flip.copy()
        index[which] = sum(map(len, self.parts)) + np.arange(len(which))
        flip[which] = False
        return ChosenLists([*self.parts, DifferenceLists.packed(lists)], index, flip)

    def column(self) -> pa.Array:
        """All of them as a column of PAIRS. O(differences)."""
        first = np.cumsum([0, *(len(part) for part in self.parts)])
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
        return chosen(taken or [no_lists(0)], place, self.flip)
