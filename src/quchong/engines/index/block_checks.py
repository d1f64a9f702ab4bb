"""Blocks of segments whose bytes are known to be those that were written; each is looked at once, when something hangs on it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from quchong.engines.index.segment_file import BLOCK, Segment
from quchong.kernels.hashing import mix64

_FOOTER, _ENTRY, _TABLE = 64, 5, slice(24, 32)
"""Bytes of the footer of packed postings and of an entry of the table before it, and where the footer has the place of the table."""
_MANY = 1_000
"""Number of keys at or above which all blocks are compared, because so many keys are in most of the blocks."""


class BlockChecks:
    """Blocks of one segment file, each checked against its checksum on first use.

    A lookup trusts the bytes that it reads, because a sum of 64 KiB would cost more than the lookup. Where a key that is not found decides
    on something (an id that may be given anew), the blocks are compared in which it would be.

    Memory: a byte for each 64 KiB of the segment. Threads may ask at once: at worst a block is compared twice.
    """

    def __init__(self, segment: Segment) -> None:
        self._packed, self._sums = segment.packed, segment.sums.tolist()
        self._unknown = len(self._sums)
        self._whole = bytearray(self._unknown)

    def are_whole(self, keys: np.ndarray) -> bool:
        """Return True if the checksums of all blocks needed to look up the keys (uint64) are right.

        Cost: reads 64 KiB for each block that was not asked for before, 8 us for a key in others, and nothing once all blocks are known.
        """
        if not self._unknown:
            return True
        if len(keys) >= _MANY:
            return self._compare(range(len(self._sums)))
        # The footer says where the table of buckets begins, and so is compared before it is believed.
        size = len(self._packed)
        if not self._compare(_blocks(size - _FOOTER, size)):
            return False
        table = int.from_bytes(self._packed[-_FOOTER:].tobytes()[_TABLE], "little")
        width = ((size - _FOOTER - table) // _ENTRY).bit_length() - 1
        for mixed in mix64(np.asarray(keys, np.uint64)).tolist():
            # The first bits of a mixed key are the number of its bucket, as in cpp/segments/format.hpp.
            entry = table + _ENTRY * (mixed >> (64 - width))
            before = max(table, entry - _ENTRY)
            if not self._compare(_blocks(before, entry + _ENTRY)):
                return False
            start = self._end_in(before) if before < entry else 0
            if not self._compare(_blocks(start, self._end_in(entry))):
                return False
        return True

    def _end_in(self, entry: int) -> int:
        """Return the offset where a bucket ends, read from its entry in the table of buckets."""
        return int.from_bytes(self._packed[entry : entry + _ENTRY].tobytes(), "little")

    def _compare(self, blocks: Iterable[int]) -> bool:
        """Check the given blocks that were not checked yet against their checksums; return False at the first that differs."""
        for k in blocks:
            if self._whole[k]:
                continue
            if zlib.crc32(self._packed[k * BLOCK : (k + 1) * BLOCK].data) != self._sums[k]:
                return False
            self._whole[k] = 1
            self._unknown = self._whole.count(0)
        return True


def _blocks(begin: int, end: int) -> range:
    """Return the blocks of a range of bytes; of an empty one the block in which it begins."""
    return range(begin // BLOCK, max(begin, end - 1) // BLOCK + 1)
