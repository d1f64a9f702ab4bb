"""Shares of the parts of a run: which blocks of which inputs each of several processes reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from quchong.errors import Param, UsageError
from quchong.io.source import Chosen

MOST = 4096
"""Most parts of a run."""
_STEP, _BITS = 2654435769, 32
"""The golden ratio in 32 bits: blocks spread by it are even over any share of a file, however many there are."""
_SMALL = 4
"""A file that is smaller than a part by this factor is read whole by one part."""


@dataclass(frozen=True, slots=True)
class PartNumber:
    """Part of a run: its number from 1, and the number of parts."""

    number: int
    count: int

    @classmethod
    def from_text(cls, text: object) -> PartNumber:
        """Return the part that a text such as "3/32" names.

        Raises:
            UsageError: it names none.
        """
        found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text) if isinstance(text, str) else None
        number, count = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= count:
            raise UsageError(
                "{}: write a part as its number and the number of all parts, such as 3/32", Param("part", text)
            )
        return cls(number, check_count("part", count))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def check_count(name: str, count: object) -> int:
    """Return the number of parts of a run; raise UsageError if the value is not a valid number of parts."""
    if type(count) is not int or not 1 <= count <= MOST:
        raise UsageError("{}: a run can have 1 to {:,} parts", Param(name, count), MOST)
    return count


@dataclass(frozen=True, slots=True)
class Shares:
    """Division of a run's inputs between its parts, by the sizes of their files alone.

    A small file is read by the part in which its middle lies, a larger one by all parts that its bytes reach, which take turns: block by
    block, spread evenly. So each block of each file belongs to exactly one part.

    Attributes:
        sizes: bytes of each input, in order.
        count: number of parts.
    """

    sizes: Sequence[int]
    count: int

    def blocks_of_part(self, part: int) -> dict[int, Chosen]:
        """Return by index of the input which of its blocks a part (from 0) reads; inputs of which it reads nothing are left out."""
        total, out, start = sum(self.sizes), dict[int, Chosen](), 0
        for index, size in enumerate(self.sizes):
            if size * self.count * _SMALL <= total:
                only = self._part_at(start + size // 2, total)
                if only == part:
                    out[index] = _every
            elif self._part_at(start, total) <= part <= self._part_at(start + size - 1, total):
                out[index] = self._turns(part, start, size, total)
            start += size
        return out

    def _part_at(self, place: int, total: int) -> int:
        return min(place * self.count // max(total, 1), self.count - 1)

    def _turns(self, part: int, start: int, size: int, total: int) -> Chosen:
        """Return the blocks that a part reads of an input which spans bytes start to start + size of `total`."""

        def is_turn(number: int) -> bool:
            turn = (number * _STEP + (1 << (_BITS - 1))) % (1 << _BITS)
            return self._part_at(start + (turn * size >> _BITS), total) == part

        return is_turn


def _every(_number: int) -> bool:
    return True
