"""Native filters of exact repeats, with their arguments checked.

The twins, of the same names, are in tests/twins/filters.py. A filter answers a batch text by text: mask[i] is True if text i was seen
before; otherwise text i is added. `empty` marks texts that equal nothing (None: there are none). The GIL is released; one filter must not
be used by two threads at once.
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
"""Most bits of a filter: more than any machine has memory for."""
MOST_U64 = 2**64 - 1


def _marks(empty: U8 | None, n: int) -> U8:
    """Return the checked marks of texts that equal nothing; all 0 for None."""
    return np.zeros(n, np.uint8) if empty is None else checked.u8(empty, "empty", n)


def _digests(high: U64, low: U64, empty: U8 | None) -> tuple[U64, U64, U8]:
    first = checked.u64(high)
    return first, checked.u64(low, "values", len(first)), _marks(empty, len(first))


def _answers(mask: U8) -> Mask:
    return mask.view(np.bool_)


class PrintedBloom:
    """Bloom filter of Gao 2014: two bits for each text, modulo `bits`."""

    def __init__(self, bits: int) -> None:
        self._bits = checked.number(bits, 1, MOST_BITS, "bits")
        self._it = _quchong.PrintedBloom(self._bits)

    def seen_before(self, first: U32, second: U32, empty: U8 | None, any_bit: bool) -> Mask:
        """Return True for texts seen before: both bits set, or one of them with `any_bit`. Add the others by setting both."""
        hashes = checked.u32(first)
        other = checked.u32(second, "values", len(hashes))
        return _answers(self._it.seen(hashes, other, _marks(empty, len(hashes)), bool(any_bit)))

    @property
    def count(self) -> int:
        """Number of texts added."""
        return int(self._it.count())

    @property
    def bits_set(self) -> int:
        """Number of bits that are 1."""
        return int(self._it.bits_set())

    def words(self) -> U64:
        """Return a copy of the bits, 64 a word, the lowest first."""
        return self._it.words()

    def restore(self, words: U64, count: int, bits_set: int) -> None:
        """Restore the contents from the values of `words`, `count` and `bits_set`."""
        bits = checked.u64(words, f"words of {self._bits} bits", (self._bits + 63) // 64)
        self._it.restore(
            bits, checked.number(count, 0, MOST_U64, "count"), checked.number(bits_set, 0, self._bits, "bits_set")
        )


class BlockedBloom:
    """Slices of blocked Bloom filters; texts are given by digests of 128 bits."""

    def __init__(self) -> None:
        self._it = _quchong.BlockedBloom()
        self._sizes: list[tuple[int, int, int]] = []

    def add_slice(self, blocks: int, hashes: int, capacity: int) -> None:
        """Append a slice of `blocks` * 512 bits, `hashes` bits a text, for `capacity` texts."""
        sizes = (
            checked.number(blocks, 1, MOST_BITS // 512, "blocks"), checked.number(hashes, 1, 512, "hashes"),
            checked.number(capacity, 1, MOST_U64, "capacity"),
        )  # fmt: skip
        self._it.add_slice(*sizes)
        self._sizes.append(sizes)

    def seen_before(self, high: U64, low: U64, empty: U8 | None) -> tuple[int, Mask]:
        """Answer texts until the last slice is full and another text comes; return how many, and the answers."""
        if not self._sizes:
            raise ValueError("a filter needs a slice")
        done, mask = self._it.seen(*_digests(high, low, empty))
        return int(done), _answers(mask[:done])

    @property
    def counts(self) -> list[int]:
        """Number of texts in each slice."""
        return [int(n) for n in self._it.counts()]

    def words(self, i: int) -> U64:
        """Return a copy of a slice's bits, eight words a block."""
        return self._it.words(self._slice(i))

    def restore(self, i: int, words: U64, count: int) -> None:
        """Restore bits and count of a slice."""
        blocks = self._sizes[self._slice(i)][0]
        bits = checked.u64(words, f"words of {blocks} blocks", 8 * blocks)
        self._it.restore(i, bits, checked.number(count, 0, MOST_U64, "count"))

    def _slice(self, i: int) -> int:
        return checked.number(i, 0, len(self._sizes) - 1, "slice")

    def merge(self, other: BlockedBloom) -> None:
        """Combine all bits with those of `other` by OR, slice by slice; counts are added."""
        if self._sizes[: len(other._sizes)] != other._sizes:
            raise ValueError("slices differ in size")
        self._it.merge(other._it)


class DigestTable:
    """Set of 128-bit digests."""

    def __init__(self) -> None:
        self._it = _quchong.DigestTable()

    def seen_before(self, high: U64, low: U64, empty: U8 | None) -> Mask:
        """Return True for digests seen before, and add the others to the table."""
        return _answers(self._it.seen(*_digests(high, low, empty)))

    @property
    def count(self) -> int:
        """Number of digests in the set."""
        return int(self._it.count())

    @property
    def memory(self) -> int:
        """Size of the table in bytes."""
        return int(self._it.memory())

    def dump(self) -> U64:
        """Return all digests, high and low halves alternating."""
        return self._it.dump()


class DigitTrie:
    """Ten-way trie over the decimal digits of squares."""

    def __init__(self, end_mark: bool) -> None:
        self._it = _quchong.DigitTrie(end_mark)

    def seen_before(self, roots: Any, empty: U8 | None) -> Mask:
        """Return True for roots whose square was seen before, and add the others; roots are integers between -2**32 and 2**32."""
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
        """Number of different squares added to the filter."""
        return int(self._it.count())

    @property
    def nodes(self) -> int:
        """Number of nodes, including the root."""
        return int(self._it.nodes())

    @property
    def printed_nodes(self) -> int:
        """Number of nodes of a trie that spells out all digits, without the root."""
        return int(self._it.printed_nodes())

    @property
    def memory(self) -> int:
        """Size of nodes, leaves and end marks in bytes."""
        return int(self._it.memory())

    def dump(self) -> U32:
        """Return the roots added, in order of arrival."""
        return self._it.dump()
