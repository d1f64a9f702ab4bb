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
from quchong.kernels.offsets import prefix_sums
from quchong.tables import DIFFERENCE, DIFFERENCES

_CONFLICT = 1 << 7
"""Bit of the code of a kind that says that the difference is a conflict of facts."""


@dataclass(frozen=True, slots=True)
class DifferenceLists:
    """Lists of DIFFERENCE of some pairs as arrays; null for a pair whose differences were not determined.

    Arrow's own memory cannot be moved to files during a run. These arrays can. Each has the narrowest type that suffices, and equal
    words are stored once, so that they take about a tenth of Arrow's size for short texts (docs/decisions/0125).

    Attributes:
        counts: signed, number of differences of each list; -1 for a null one. The lists are stored one after another.
        kind: uint8 for each difference: index in DIFFERENCES, plus 128 for a conflict.
        places: unsigned or int64, (differences, 4): offsets in the texts.
        left, right: unsigned: number of the text of the difference on either side among `words`.
        words: the different texts, one after another: their ends (int64, one more than there are texts), and bytes (uint8).
    """

    counts: np.ndarray
    kind: np.ndarray
    places: np.ndarray
    left: np.ndarray
    right: np.ndarray
    words: tuple[np.ndarray, np.ndarray]

    def __len__(self) -> int:
        return len(self.counts)

    def arrays(self) -> list[np.ndarray]:
        """Return all arrays of the lists, in the order that `of_arrays` takes."""
        return [self.counts, self.kind, self.places, self.left, self.right, *self.words]

    @staticmethod
    def of_arrays(arrays: Sequence[np.ndarray]) -> DifferenceLists:
        """Build the lists from the arrays that `arrays` returned."""
        counts, kind, places, left, right, ends, letters = arrays
        return DifferenceLists(counts, kind, places, left, right, (ends, letters))

    @staticmethod
    def packed(lists: pa.Array) -> DifferenceLists:
        """Convert Arrow lists to arrays that share no memory with Arrow. O(differences)."""
        offsets, values, null = split_lists(lists)
        kind, conflict, left, right, *places = values.flatten()
        code = pc.index_in(kind, pa.array(DIFFERENCES, pa.string())).to_numpy(zero_copy_only=False)
        told = conflict.to_numpy(zero_copy_only=False)
        # Number the words of both sides together: pairs of one family differ in the same words again and again.
        words = pa.concat_arrays([left, right]).dictionary_encode()
        number = narrowed(words.indices.to_numpy(zero_copy_only=False))
        stacked = np.stack([one.to_numpy() for one in places], 1) if len(kind) else np.zeros((0, 4), np.int64)
        counts = np.where(null, -1, np.diff(offsets))
        return DifferenceLists(
            narrowed(counts, signed=True), (code + _CONFLICT * told).astype(np.uint8), narrowed(stacked),
            number[: len(kind)], number[len(kind) :], _packed(words.dictionary),
        )  # fmt: skip

    def take(self, index: np.ndarray) -> pa.Array:
        """Return the difference lists of the pairs `index` as an Arrow array, in that order. O(lists, and differences in them)."""
        ends = np.cumsum(np.maximum(self.counts, 0), dtype=np.int64)
        counts = np.maximum(self.counts[index], 0).astype(np.int64)
        at = places_of(ends[index] - counts, counts)
        kind = self.kind[at]
        columns = [
            pa.array(DIFFERENCES, pa.string()).take(pa.array(kind & (_CONFLICT - 1))),
            pa.array(kind >= _CONFLICT),
            *(self._texts().take(pa.array(side[at])) for side in (self.left, self.right)),
            *(pa.array(self.places[at, k].astype(np.int64)) for k in range(4)),
        ]
        values = pa.StructArray.from_arrays(columns, fields=list(DIFFERENCE))
        return lists_of(prefix_sums(counts), values, self.counts[index] < 0)

    def check(self) -> None:
        """Raise ValueError if the arrays of lists that were read from a file do not fit together.

        Raises:
            ValueError: an array has another type or length, or a number points outside of what it refers to.
        """
        count, (ends, letters) = int(np.maximum(self.counts, 0).sum(dtype=np.int64)), self.words
        for one, types in (
            (self.counts, _SIGNED), (self.kind, (np.uint8,)), (self.left, _UNSIGNED), (self.right, _UNSIGNED), (ends, (np.int64,)),
            (letters, (np.uint8,)),
        ):  # fmt: skip
            if one.dtype not in types or one.ndim != 1:
                raise ValueError(f"an array of {one.dtype}")
        if self.places.dtype not in _UNSIGNED or self.places.shape != (count, 4):
            raise ValueError("places that are none")
        if not len(self.kind) == len(self.left) == len(self.right) == count or self.counts.min(initial=0) < -1:
            raise ValueError("lists of other differences")
        if (self.kind & (_CONFLICT - 1)).max(initial=0) >= len(DIFFERENCES):
            raise ValueError("an unknown kind")
        if max(int(side.max(initial=0)) for side in (self.left, self.right)) >= max(len(ends) - 1, 1):
            raise ValueError("words that are not there")
        if ends[:1].tolist() != [0] or ends[-1] != len(letters) or (ends[1:] < ends[:-1]).any():
            raise ValueError("words that end elsewhere")
        self._texts().validate(full=True)

    def _texts(self) -> pa.Array:
        """Return the distinct words of all differences as an Arrow array, without copying them."""
        ends, letters = (pa.py_buffer(np.ascontiguousarray(one)) for one in self.words)
        return pa.LargeStringArray.from_buffers(len(self.words[0]) - 1, ends, letters)


_UNSIGNED = (np.uint8, np.uint16, np.uint32, np.int64)
_SIGNED = (np.int8, np.int16, np.int32, np.int64)


def narrowed(values: np.ndarray, *, signed: bool = False) -> np.ndarray:
    """Return whole numbers in the narrowest type that holds them: uint8, uint16, uint32, int64; or int8, int16, int32, int64.

    Args:
        values: integers of any shape; none is negative unless `signed`.

    Returns:
        A new array. An empty one has the first of the types.
    """
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    types = _SIGNED if signed else _UNSIGNED
    return values.astype(next(kind for kind in types if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))


def _packed(column: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Convert a column of large strings to arrays of its own: ends and bytes."""
    n = len(column)
    if not n:
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int64, n + 1, 8 * column.offset)
    some = slice(int(offsets[0]), int(offsets[-1]))
    letters = np.frombuffer(data, np.uint8)[some].copy() if data is not None else np.zeros(0, np.uint8)
    return offsets - offsets[0], letters


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
        """Return the lists of the pairs `which` (indices, mask or slice), without copying differences."""
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
