"""Filters of exact repeats in plain Python: what each answers, text by text."""

from __future__ import annotations

from collections.abc import Iterable

from twins.hashing import M64, mix64


class PrintedBloom:
    """Gao 2014: a text's two bits; "any" takes one set bit for a repeat, and then sets nothing."""

    def __init__(self, bits: int, filter_mode: str = "all") -> None:
        self.bits, self.filter_mode, self.set = bits, filter_mode, set[int]()

    def seen_before(self, first: int, second: int) -> bool:
        """Was the text there?"""
        marks = {first % self.bits, second % self.bits}
        there = marks <= self.set if self.filter_mode == "all" else bool(marks & self.set)
        if not there:
            self.set |= marks
        return there


def block_bits(high: int, low: int, hashes: int) -> set[int]:
    """The bits of a digest in its block of 512: nine bits of a word each, seven to a word."""
    out: set[int] = set()
    for i in range(hashes):
        word = low if i < 7 else mix64(low + i // 7 * (high | 1) & M64)
        out.add(word >> 9 * (i % 7) & 511)
    return out


class BlockedBloom:
    """Slices (blocks, hashes, capacity) given beforehand; a new text goes into the first that has room."""

    def __init__(self, slices: Iterable[tuple[int, int, int]]) -> None:
        self.sizes = list(slices)
        self.bits: list[set[tuple[int, int]]] = [set()]
        self.counts = [0]

    def marks(self, high: int, low: int, i: int) -> set[tuple[int, int]]:
        """Block and bit of a digest in slice i."""
        blocks, hashes, _ = self.sizes[i]
        return {(high * blocks >> 64, bit) for bit in block_bits(high, low, hashes)}

    def seen_before(self, high: int, low: int) -> bool:
        """Was the text there?"""
        if self.counts[-1] >= self.sizes[len(self.counts) - 1][2]:
            self.bits.append(set())
            self.counts.append(0)
        for i, known in enumerate(self.bits):
            if self.marks(high, low, i) <= known:
                return True
        self.bits[-1] |= self.marks(high, low, len(self.bits) - 1)
        self.counts[-1] += 1
        return False


class DigestTable:
    """A set."""

    def __init__(self) -> None:
        self.known: set[tuple[int, int]] = set()

    def seen_before(self, high: int, low: int) -> bool:
        """Was the digest there?"""
        there = (high, low) in self.known
        self.known.add((high, low))
        return there


class DigitTrie:
    """Every digit of k * k is a node. Literal mode: a fresh node means new; with an end mark, a fresh node or no mark."""

    def __init__(self, end_mark: bool) -> None:
        self.end_mark = end_mark
        self.root: dict[str, dict] = {}  # type: ignore[type-arg]
        self.nodes = 0

    def seen_before(self, k: int) -> bool:
        """Was the number there?"""
        at, fresh = self.root, False
        for digit in str(k * k):
            if digit not in at:
                at[digit] = {}
                self.nodes += 1
                fresh = True
            at = at[digit]
        if self.end_mark:
            fresh = "end" not in at
            at["end"] = {}
        return not fresh
