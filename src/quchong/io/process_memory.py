"""Readable memory ranges of this process."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

_MAPS = Path("/proc/self/maps")
_LOOKED_AT = 16 << 20
"""Bytes of ranges that are checked before the system's list is read again, so that many small ranges cost few reads."""


class ProcessMemory:
    """The memory of this process that can be read, as the system lists it (Linux; elsewhere every address counts as readable).

    A range inside it can be read without ending the process. That says nothing about whose memory it is.
    """

    def __init__(self) -> None:
        self._starts: list[int] | None = None
        self._ends: list[int] = []
        self._answered = 0

    def holds(self, address: int, size: int) -> bool:
        """Return True if all of `size` bytes from `address` on can be read; an empty range always can.

        Cost: a search in a list; the system's list is read again after 16 MB of ranges, and before the answer is False.
        """
        if size <= 0:
            return size == 0
        self._answered += size
        if self._starts is None or self._answered > _LOOKED_AT:
            self._look()
        if not self._inside(address, size):
            self._look()
            return self._inside(address, size)
        return True

    def _inside(self, address: int, size: int) -> bool:
        if not self._ends:  # a system that lists nothing
            return True
        at = bisect_right(self._starts or [], address) - 1
        return at >= 0 and address + size <= self._ends[at]

    def _look(self) -> None:
        """Read the list of memory ranges again; neighbouring ranges are merged."""
        self._starts, self._ends, self._answered = [], [], 0
        try:
            lines = _MAPS.read_bytes().splitlines()
        except OSError:
            return
        for line in lines:
            span, mode = line.split(b" ", 2)[:2]
            if not mode.startswith(b"r"):
                continue
            start, end = (int(one, 16) for one in span.split(b"-"))
            if self._ends and self._ends[-1] == start:
                self._ends[-1] = end
            else:
                self._starts.append(start)
                self._ends.append(end)
