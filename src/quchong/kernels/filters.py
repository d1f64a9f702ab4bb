"""The native filters of exact repeats, with their arguments checked.

The twins, of the same names, stand in `quchong.kernels.reference.filters`. A filter answers a batch text by text: mask[i]
is True where text i was there before, and text i is taken in otherwise. `empty` marks texts that equal nothing (None:
no such). The GIL is released; one filter must not be used by two threads at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import _quchong
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from quchong.kernels.dispatch import U8, U32, U64

    Mask = NDArray[np.bool_]


def _column(values: Any, dtype: Any) -> Any:
    return np.ascontiguousarray(values, dtype)


def _checked(values: list[Any], empty: Any) -> list[Any]:
    """The columns, with the marks of empty texts last; all of one length."""
    marks = np.zeros(len(values[0]), np.uint8) if empty is None else _column(empty, np.uint8)
    if any(len(v) != len(marks) for v in values):
        raise ValueError("columns differ in length: " + ", ".join(str(len(v)) for v in (*values, marks)))
    return [*values, marks]


def _answers(mask: Any) -> Mask:
    return mask.view(np.bool_)  # type: ignore[no-any-return]


class PrintedBloom:
    """Two bits a text, modulo `bits`: paper 003's filter."""

    def __init__(self, bits: int) -> None:
        if bits < 1:
            raise ValueError("a filter has at least 1 bit")
        self._bits = bits
        self._it = _quchong.PrintedBloom(bits)

    def seen(self, first: U32, second: U32, empty: U8 | None, any_bit: bool) -> Mask:
        """There before: both bits set, or one of them with `any_bit`; both are set otherwise."""
        columns = _checked([_column(first, np.uint32), _column(second, np.uint32)], empty)
        return _answers(self._it.seen(*columns, any_bit))

    @property
    def count(self) -> int:
        """Texts taken in."""
        return int(self._it.count())

    @property
    def bits_set(self) -> int:
        """Bits that are 1."""
        return int(self._it.bits_set())

    def words(self) -> U64:
        """A copy of the bits, 64 a word, the lowest first."""
        return self._it.words()  # type: ignore[no-any-return]

    def restore(self, words: U64, count: int, bits_set: int) -> None:
        """Takes up what `words`, `count` and `bits_set` told."""
        if len(words) != (self._bits + 63) // 64:
            raise ValueError(f"{len(words)} words are not {self._bits} bits")
        self._it.restore(_column(words, np.uint64), count, bits_set)


class BlockedBloom:
    """Slices of blocked Bloom filters; texts are known by digests of 128 bits."""

    def __init__(self) -> None:
        self._it = _quchong.BlockedBloom()
        self._sizes: list[tuple[int, int, int]] = []

    def add_slice(self, blocks: int, hashes: int, capacity: int) -> None:
        """A new last slice of `blocks` * 512 bits, `hashes` bits a text, for `capacity` texts."""
        if min(blocks, hashes, capacity) < 1:
            raise ValueError("a slice has at least one block, one hash and room for one text")
        self._it.add_slice(blocks, hashes, capacity)
        self._sizes.append((blocks, hashes, capacity))

    def seen(self, high: U64, low: U64, empty: U8 | None) -> tuple[int, Mask]:
        """Answers until the last slice is full and another text comes: how many, and their answers."""
        if not self._sizes:
            raise ValueError("a filter needs a slice")
        columns = _checked([_column(high, np.uint64), _column(low, np.uint64)], empty)
        done, mask = self._it.seen(*columns)
        return int(done), _answers(mask[:done])

    @property
    def counts(self) -> list[int]:
        """Texts in each slice."""
        return self._it.counts().tolist()  # type: ignore[no-any-return]

    def words(self, i: int) -> U64:
        """A copy of a slice's bits, eight words a block."""
        return self._it.words(i)  # type: ignore[no-any-return]

    def restore(self, i: int, words: U64, count: int) -> None:
        """Takes up a slice's bits and count."""
        if len(words) != 8 * self._sizes[i][0]:
            raise ValueError(f"{len(words)} words are not {self._sizes[i][0]} blocks")
        self._it.restore(i, _column(words, np.uint64), count)

    def merge(self, other: BlockedBloom) -> None:
        """Or of all bits, slice by slice; counts add up."""
        if self._sizes[: len(other._sizes)] != other._sizes:
            raise ValueError("slices differ in size")
        self._it.merge(other._it)


class DigestTable:
    """A set of 128-bit digests."""

    def __init__(self) -> None:
        self._it = _quchong.DigestTable()

    def seen(self, high: U64, low: U64, empty: U8 | None) -> Mask:
        """There before; taken in otherwise."""
        return _answers(self._it.seen(*_checked([_column(high, np.uint64), _column(low, np.uint64)], empty)))

    @property
    def count(self) -> int:
        """Digests in the set."""
        return int(self._it.count())

    @property
    def memory(self) -> int:
        """Bytes of the table."""
        return int(self._it.memory())

    def dump(self) -> U64:
        """All digests, high and low in turn."""
        return self._it.dump()  # type: ignore[no-any-return]


class DigitTrie:
    """A ten-way trie over the decimal digits of squares."""

    def __init__(self, end_mark: bool) -> None:
        self._it = _quchong.DigitTrie(end_mark)

    def seen(self, roots: Any, empty: U8 | None) -> Mask:
        """Was the square of each root there before? Roots are integers between -2**32 and 2**32."""
        numbers = np.asarray(roots)
        if len(numbers) and (
            numbers.dtype.kind not in "iu" or int(numbers.max()) >= 2**32 or int(numbers.min()) <= -(2**32)
        ):
            raise ValueError("numbers must be integers between -2**32 and 2**32, both left out")
        sizes = numbers if numbers.dtype == np.uint32 else np.abs(numbers.astype(np.int64))
        return _answers(self._it.seen(*_checked([_column(sizes, np.uint32)], empty)))

    @property
    def count(self) -> int:
        """Numbers taken in."""
        return int(self._it.count())

    @property
    def nodes(self) -> int:
        """Nodes, the root included."""
        return int(self._it.nodes())

    @property
    def printed_nodes(self) -> int:
        """Nodes of the trie that spells out all digits, the root left out."""
        return int(self._it.printed_nodes())

    @property
    def memory(self) -> int:
        """Bytes of nodes, leaves and end marks."""
        return int(self._it.memory())

    def dump(self) -> U32:
        """The roots taken in, in the order they came."""
        return self._it.dump()  # type: ignore[no-any-return]
