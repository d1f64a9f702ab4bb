"""Log of digests of blocks, in order, to which later blocks are added without sorting the earlier ones again.

Source: Kathpal 2011.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.kernels.offsets import first_of_runs


@dataclass(frozen=True, slots=True)
class BlockLog:
    """Log of blocks, sorted by digest.

    Attributes:
        high, low: uint64: digests, ascending.
        block: int64: number of each block; ascending among equal digests, so that the oldest is first.
    """

    high: np.ndarray
    low: np.ndarray
    block: np.ndarray

    @staticmethod
    def from_blocks(high: np.ndarray, low: np.ndarray, first: int = 0) -> BlockLog:
        """Build the log of new blocks, numbered from `first` on. Cost: sorting them."""
        order = np.lexsort((low, high))
        return BlockLog(high[order], low[order], first + order.astype(np.int64))

    def merged(self, later: BlockLog) -> BlockLog:
        """Merge the log with a later one: all rows of both, sorted by digest; of equal digests the older block is first.

        Cost: linear in both. Digests that agree in their first 64 bits alone, which chance does not make, cost a sort.
        """
        at = np.searchsorted(self.high, later.high, side="right")
        high, low, block = (
            np.insert(one, at, other)
            for one, other in ((self.high, later.high), (self.low, later.low), (self.block, later.block))
        )
        if ((high[1:] == high[:-1]) & (low[1:] < low[:-1])).any():
            order = np.lexsort((block, low, high))
            return BlockLog(high[order], low[order], block[order])
        return BlockLog(high, low, block)

    def partitioned(self, count: int) -> list[BlockLog]:
        """Split the log into `count` ranges of digests, which can be merged separately; concatenated they are the log."""
        edges = [(i << 64) // count for i in range(1, count)]
        cuts = np.searchsorted(self.high, np.array(edges, np.uint64))
        columns = (np.split(column, cuts) for column in (self.high, self.low, self.block))
        return [BlockLog(*part) for part in zip(*columns, strict=True)]

    @property
    def group(self) -> np.ndarray:
        """Number of each row's digest, int64: 0, 1, 2, ... in the order of the log."""
        out: np.ndarray = np.cumsum(first_of_runs(self.high, self.low)) - 1
        return out

    def canonical(self) -> tuple[np.ndarray, np.ndarray]:
        """Return for every block the oldest equal block, itself if it is the oldest, and the number of equal ones (int64).

        Both arrays are indexed by the number of the block; the numbers must be 0, 1, 2, ...
        """
        group = self.group
        size = np.bincount(group)
        first = np.cumsum(size) - size
        oldest, count = np.empty(len(group), np.int64), np.empty(len(group), np.int64)
        oldest[self.block], count[self.block] = self.block[first[group]], size[group]
        return oldest, count
