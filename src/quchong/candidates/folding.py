"""Hamming-LSH: each set is a column of bits, folded until it is neither sparse nor dense; the bits of sampled rows are keys.

Source: Cohen 2001.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import positions_in_items

ROW_BITS = 20
"""Logarithm of the number of rows before folding; nearly all documents have fewer features than 2**20."""
LEAST_BITS = 3
BLOCK = 1 << 24
"""Cells of columns held at once, one byte each."""
FEW = 1 << ROW_BITS
"""Features of a batch, fewer of which are folded themselves, instead of all rows: a question to an index has some hundred."""


@lru_cache(maxsize=2 * ROW_BITS)
def _order(row_bits: int, seed: int) -> np.ndarray:
    """Return a random permutation of 2 ** row_bits rows; one folding step merges the rows at an even position and the next odd one.

    The levels of a seed or two are kept, 16 MB a seed.
    """
    with np.errstate(over="ignore"):
        drawn = mix64(
            np.arange(1 << row_bits, dtype=np.uint64) * GOLDEN ^ mix64(np.array([seed ^ row_bits << 56], np.uint64))
        )
    places = np.empty(len(drawn), np.uint64)
    places[np.argsort(drawn, kind="stable")] = np.arange(len(drawn), dtype=np.uint64)
    return places


def fold(rows: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Fold the rows once: two rows at neighbouring positions in `order` become one; return the new number (uint64) of each row."""
    out: np.ndarray = order[rows] >> np.uint64(1)
    return out


@dataclass(frozen=True, slots=True)
class Folding:
    """Parameters by which columns of bits become keys. A level is the state of all columns after some folding steps.

    Args:
        rows: sampled rows whose bits make a key, 64 at most.
        bands: keys of a level.
        density: a column takes part in a level where more than this share of its bits, and less than 1 - this share, are 1.
        seed: seed of row permutations and samples.
        row_bits: logarithm of the number of rows before folding.
    """

    rows: int
    bands: int
    density: float
    seed: int
    row_bits: int = ROW_BITS

    def sampled(self, row_bits: int) -> np.ndarray:
        """Return the row numbers sampled for each key at a level of 2 ** row_bits rows: int64 (bands, rows), drawn with replacement."""
        with np.errstate(over="ignore"):
            start = mix64(np.array([self.seed ^ row_bits << 48], np.uint64))
            drawn = mix64(np.arange(1, self.bands * self.rows + 1, dtype=np.uint64) * GOLDEN ^ start)
        return (drawn & np.uint64((1 << row_bits) - 1)).astype(np.int64).reshape(self.bands, self.rows)

    def keys(self, sets: FeatureSets, workers: int | None = None) -> FeatureSets:
        """Return the keys (uint64) of each document at all levels in which it takes part; documents with an equal key are candidates.

        Bits that are all 0 or all 1 make no key.

        A set of n features takes part in one or two levels, of about n to 3 n rows. Cost: its features sorted at three or four
        levels, and `bands` * `rows` look-ups in those it takes part in; for a batch of `FEW` features and more twice the rows, and else
        each feature at each level.
        """
        whole = kernels.sets.feature_sets(sets.values >> np.uint64(64 - self.row_bits), sets.offsets, workers=workers)
        few = len(whole.values) < FEW
        # The row, at the level reached, of each feature of the batch; or of each row before folding.
        place = whole.values if few else np.arange(1 << self.row_bits, dtype=np.uint64)
        open_ = whole.lengths > 0
        owners, values = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
        for row_bits in range(self.row_bits, LEAST_BITS - 1, -1):
            if row_bits < self.row_bits:
                place = fold(place, _order(row_bits + 1, self.seed))
            looked = open_ & (whole.lengths > self.density * (1 << row_bits))  # folding adds no 1
            chosen = np.repeat(looked, whole.lengths)
            some = whole.select_values(chosen)
            rows = place[chosen] if few else place[some.values]
            columns = kernels.sets.feature_sets(rows, some.offsets, workers=workers)
            share = columns.lengths / (1 << row_bits)
            open_ &= share < 1 - self.density
            inside = np.flatnonzero(looked & (share > self.density) & open_)
            step = max(1, min(BLOCK >> row_bits, BLOCK // (8 * self.bands * self.rows)))
            for at in range(0, len(inside), step):
                docs = inside[at : at + step]
                owner, value = self._of_level(columns, docs, row_bits)
                owners.append(owner)
                values.append(value)
        owner, value = np.concatenate(owners), np.concatenate(values)
        order = np.argsort(owner, kind="stable")
        ends = np.searchsorted(owner[order], np.arange(len(sets) + 1))
        return kernels.sets.feature_sets(value[order], ends.astype(np.int64), workers=workers)

    def _of_level(self, columns: FeatureSets, docs: np.ndarray, row_bits: int) -> tuple[np.ndarray, np.ndarray]:
        """Return two aligned arrays for one level of folding (2 ** row_bits rows): the document (int64) and value (uint64) of each key.

        Keys of bits that are all 0 or all 1 are left out.

        Args:
            columns: for each document of the batch, the numbers of the rows whose bit is 1.
            docs: the documents that take part in this level, as indices into `columns`.
            row_bits: logarithm of the number of rows.
        """
        bits = np.zeros((len(docs), 1 << row_bits), bool)
        length = columns.lengths[docs]
        at = positions_in_items(length)
        which = np.repeat(np.arange(len(docs)), length)
        bits[which, columns.values[np.repeat(columns.offsets[docs], length) + at].astype(np.int64)] = True
        picked = bits[:, self.sampled(row_bits)]  # (documents, bands, rows)
        power = np.uint64(1) << np.arange(self.rows, dtype=np.uint64)
        key = np.where(picked, power, np.uint64(0)).sum(axis=2, dtype=np.uint64)
        mixed = picked.any(axis=2) & ~picked.all(axis=2)
        with np.errstate(over="ignore"):
            place = (np.arange(self.bands, dtype=np.uint64) + np.uint64(row_bits << 32) + np.uint64(1)) * GOLDEN
            key = mix64(mix64(key) ^ place)
        document, _ = np.nonzero(mixed)
        return docs[document], key[mixed]
