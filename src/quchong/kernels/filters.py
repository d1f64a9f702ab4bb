"""The native filters of exact repeats, with their arguments checked.

The twins, of the same names, stand in tests/twins/filters.py. A filter answers a batch text by text: mask[i]
is True where text i was there before, and text i is taken in otherwise. `empty` marks texts that equal nothing (None:
no such). The GIL is released; one filter must not be used by two threads at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import _quchong
import numpy as np
from numpy.typing import NDArray

from quchong.kernels import checked

if TYPE_CHECKING:
    from quchong.kernels.checked import U8, U32, U64

    Mask = NDArray[np.bool_]


MOST_BITS = 2**60
"""Bits of a filter: what memory can be asked for at all."""
MOST_U64 = 2**64 - 1


def _marks(empty: U8 | None, n: int) -> U8:
    """1 for texts that equal nothing."""
    return np.zeros(n, np.uint8) if empty is None else checked.u8(empty, "empty", n)


def _digests(high: U64, low: U64, empty: U8 | None) -> tuple[U64, U64, U8]:
    first = checked.u64(high)
    return first, checked.u64(low, "values", len(first)), _marks(empty, len(first))


def _answers(mask: U8) -> Mask:
    return mask.view(np.bool_)


class PrintedBloom:
    """Two bits a text, modulo `bits`: Gao 2014's filter."""

    def __init__(self, bits: int) -> None:
        self._bits = checked.number(bits, 1, MOST_BITS, "bits")
        self._it = _quchong.PrintedBloom(self._bits)

    def seen(self, first: U32, second: U32, empty: U8 | None, any_bit: bool) -> Mask:
        """There before: both bits set, or one of them with `any_bit`; both are set otherwise."""
        hashes = checked.u32(first)
        other = checked.u32(second, "values", len(hashes))
        return _answers(self._it.seen(hashes, other, _marks(empty, len(hashes)), bool(any_bit)))

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
        return self._it.words()

    def restore(self, words: U64, count: int, bits_set: int) -> None:
        """Takes up what `words`, `count` and `bits_set` told."""
        bits = checked.u64(words, f"words of {self._bits} bits", (self._bits + 63) // 64)
        self._it.restore(
            bits, checked.number(count, 0, MOST_U64, "count"), checked.number(bits_set, 0, self._bits, "bits_set")
        )


class BlockedBloom:
    """Slices of blocked Bloom filters; texts are known by digests of 128 bits."""

    def __init__(self) -> None:
        self._it = _quchong.BlockedBloom()
        self._sizes: list[tuple[int, int, int]] = []

    def add_slice(self, blocks: int, hashes: int, capacity: int) -> None:
        """A new last slice of `blocks` * 512 bits, `hashes` bits a text, for `capacity` texts."""
        sizes = (
            checked.number(blocks, 1, MOST_BITS // 512, "blocks"), checked.number(hashes, 1, 512, "hashes"),
            checked.number(capacity, 1, MOST_U64, "capacity"),
        )  # fmt: skip
        self._it.add_slice(*sizes)
        self._sizes.append(sizes)

    def seen(self, high: U64, low: U64, empty: U8 | None) -> tuple[int, Mask]:
        """Answers until the last slice is full and another text comes: how many, and their answers."""
        if not self._sizes:
            raise ValueError("a filter needs a slice")
        done, mask = self._it.seen(*_digests(high, low, empty))
        return int(done), _answers(mask[:done])

    @property
    def counts(self) -> list[int]:
        """Texts in each slice."""
        return [int(n) for n in self._it.counts()]

    def words(self, i: int) -> U64:
        """A copy of a slice's bits, eight words a block."""
        return self._it.words(self._slice(i))

    def restore(self, i: int, words: U64, count: int) -> None:
        """Takes up a slice's bits and count."""
        blocks = self._sizes[self._slice(i)][0]
        bits = checked.u64(words, f"words of {blocks} blocks", 8 * blocks)
        self._it.restore(i, bits, checked.number(count, 0, MOST_U64, "count"))

    def _slice(self, i: int) -> int:
        return checked.number(i, 0, len(self._sizes) - 1, "slice")

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
        return _answers(self._it.seen(*_digests(high, low, empty)))

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
        return self._it.dump()


class DigitTrie:
    """A ten-way trie over the decimal digits of squares."""

    def __init__(self, end_mark: bool) -> None:
        self._it = _quchong.DigitTrie(end_mark)

    def seen(self, roots: Any, empty: U8 | None) -> Mask:
        """Was the square of each root there before? Roots are integers between -2**32 and 2**32."""
        numbers = np.asarray(roots)
        numbers = numbers if numbers.size else np.zeros(0, np.uint32)
        if numbers.size and (
            numbers.dtype.kind not in "iu" or int(numbers.max()) >= 2**32 or int(numbers.min()) <= -(2**32)
        ):
            raise ValueError("numbers must be integers between -2**32 and 2**32, both left out")
        sizes = numbers if numbers.dtype == np.uint32 else np.abs(numbers.astype(np.int64))
        squares = checked.u32(sizes)
        return _answers(self._it.seen(squares, _marks(empty, len(squares))))

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
        return self._it.dump()
