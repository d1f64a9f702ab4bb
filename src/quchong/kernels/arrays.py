"""Arrays shared by the families of kernels: texts, token sequences, sets of features; and their form as kernel arguments.

An array is NumPy, one-dimensional and contiguous. The values of documents are concatenated and separated by offsets. Texts are Arrow
large_string arrays without nulls, or views into such arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import string_at
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from quchong.kernels import checked
from quchong.kernels.offsets import prefix_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from quchong.kernels.checked import I64, U32, U64, Ints, Scalar


class Ragged(NamedTuple):
    """Concatenated token sequences: document i owns tokens[offsets[i]:offsets[i + 1]]."""

    tokens: U32
    offsets: I64

    @property
    def lengths(self) -> I64:
        """Number of tokens of each document, int64."""
        return self.offsets[1:] - self.offsets[:-1]  # a third of the time of np.diff on few documents


class Names(NamedTuple):
    """Concatenated names of tokens (`quchong.kernels.text.names`): document i owns tokens[offsets[i]:offsets[i + 1]]."""

    tokens: U64
    offsets: I64

    @property
    def lengths(self) -> I64:
        """Number of tokens of each document, int64."""
        return self.offsets[1:] - self.offsets[:-1]  # a third of the time of np.diff on few documents


class Texts(NamedTuple):
    """Views of UTF-8 texts in memory: address and length in bytes of each, and the Arrow arrays that own them.

    Only `texts_of` may make them, because it checks the arrays: kernels read memory at these addresses.
    """

    address: U64
    length: I64
    owners: tuple[pa.Array, ...]

    def __len__(self) -> int:
        return len(self.address)

    def take(self, index: Ints) -> Texts:
        """Return some of the texts, in the order of `index`, without copying."""
        return Texts(self.address[index], self.length[index], self.owners)

    def part_views(self, index: Ints, start: I64, length: I64) -> Texts:
        """Return views of parts of the texts, without copying.

        Args:
            index: text of each part.
            start, length: bytes of the part in its text; both ends are borders of characters.

        Raises:
            ValueError: a part is not inside its text.
        """
        if (start < 0).any() or (length < 0).any() or (start + length > self.length[index]).any():
            raise ValueError("a part of a text must be inside the text")
        return Texts(self.address[index] + start.astype(np.uint64), length.astype(np.int64), self.owners)

    def text(self, i: int) -> str:
        """Return a copy of one text."""
        return string_at(int(self.address[i]), int(self.length[i])).decode()

    def copied(self) -> pa.Array:
        """Return a copy of all texts as a large_string array."""
        whole = b"".join(map(string_at, self.address.tolist(), self.length.tolist()))
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(prefix_sums(self.length)), pa.py_buffer(whole))


AnyTexts: TypeAlias = "pa.Array | Texts"
"""Texts as a large_string array, or as views into several."""


_LARGE = pa.large_string()


def texts_of(arrays: Sequence[pa.Array]) -> Texts:
    """Return views of the texts of large_string arrays without nulls, one array after another."""
    address: list[U64] = []
    length: list[I64] = []
    for array in arrays:
        if not isinstance(array, pa.Array):
            raise TypeError(f"texts must be an Arrow array, got {type(array).__name__}")
        if array.type != _LARGE:
            raise TypeError(f"texts must be large_string, got {array.type}")
        if array.null_count:
            raise ValueError("texts must hold no nulls")
        if not len(array):
            continue
        _, places, data = array.buffers()
        offsets = np.frombuffer(places, np.int64)[array.offset : array.offset + len(array) + 1]
        size, base = (data.size, data.address) if data is not None else (0, 0)
        if len(array) == 1 and len(offsets) == 2:  # a question has one text
            first, last = offsets.tolist()
            if 0 <= first <= last <= size:
                address.append(np.array([base + first], np.uint64))
                length.append(np.array([last - first], np.int64))
                continue
        if (
            len(offsets) != len(array) + 1 or offsets[0] < 0 or offsets[-1] > size or np.count_nonzero(offsets[1:] < offsets[:-1])
        ):  # fmt: skip
            raise ValueError("a damaged array of texts: its offsets point outside its bytes")
        address.append((offsets[:-1] + base).astype(np.uint64))
        length.append(offsets[1:] - offsets[:-1])
    if not address:
        return Texts(np.zeros(0, np.uint64), np.zeros(0, np.int64), tuple(arrays))
    return Texts(_join_parts(address), _join_parts(length), tuple(arrays))


def _join_parts(parts: Sequence[NDArray[Scalar]]) -> NDArray[Scalar]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def text_columns(texts: AnyTexts) -> tuple[U64, I64]:
    """Return addresses and lengths of texts as kernel arguments. The caller keeps the texts alive while a kernel runs."""
    view = texts if isinstance(texts, Texts) else texts_of([texts])
    address = checked.u64(view.address, "addresses")
    lengths: I64 = checked.column(view.length, np.int64, "lengths", len(address))
    if len(lengths) and checked.least_of(lengths) < 0:
        raise ValueError("a text has no negative length")
    return address, lengths


def ragged_columns(docs: Ragged) -> tuple[U32, I64]:
    """Return tokens and offsets of documents as kernel arguments; the offsets may cover a part of the tokens."""
    return checked.ragged(docs.tokens, docs.offsets, whole=False)


def name_columns(docs: Names) -> tuple[U64, I64]:
    """Return names and offsets of documents as kernel arguments."""
    return checked.ragged64(docs.tokens, docs.offsets, "names")


def places_of(first: I64, lengths: I64) -> I64:
    """Concatenate the ranges of `lengths[i]` integers from `first[i]` on, int64. Cost: O(integers)."""
    ends: I64 = lengths.cumsum()
    shift: I64 = first - (ends - lengths)
    out: I64 = np.arange(int(ends[-1]) if len(ends) else 0) + shift.repeat(lengths)
    return out


class FeatureSets(NamedTuple):
    """Sets of features, one a document: document i owns values[offsets[i]:offsets[i + 1]], ascending and distinct.

    `weights` (uint32) is the weight of each value: 1 in a set, its frequency in a multiset.
    """

    values: U64
    weights: U32
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> I64:
        """Number of distinct features of each document, int64."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def sizes(self) -> U64:
        """Sum of the weights of each document, uint64."""
        total = np.concatenate([[0], np.cumsum(self.weights, dtype=np.uint64)]).astype(np.uint64)
        out: U64 = total[self.offsets[1:]] - total[self.offsets[:-1]]
        return out

    @property
    def document(self) -> I64:
        """Document of each value, int64."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def select_values(self, keep: np.ndarray) -> FeatureSets:
        """Return the sets without the values that the mask leaves out."""
        kept = prefix_sums(keep)
        return FeatureSets(self.values[keep], self.weights[keep], kept[self.offsets])

    def take(self, index: Ints) -> FeatureSets:
        """Return the sets of some documents, in the order of `index`. Cost: a copy."""
        lengths = self.lengths[index]
        offsets = prefix_sums(lengths)
        at = places_of(self.offsets[:-1][index], lengths)
        return FeatureSets(self.values[at], self.weights[at], offsets)

    def weighing(self, weights: np.ndarray) -> FeatureSets:
        """Return the sets with other weights."""
        return FeatureSets(self.values, checked.u32(weights, "weights"), self.offsets)


def set_columns(sets: FeatureSets) -> tuple[U64, U32, I64]:
    """Return values, weights and offsets of sets as kernel arguments."""
    values, offsets = checked.ragged64(sets.values, sets.offsets, "values")
    return values, checked.u32(sets.weights, "weights", len(values)), offsets
