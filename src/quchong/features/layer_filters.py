"""Bloom filters of the layers of structure trees, each built once and kept (特征串, 布隆过滤器).

Source: Ya 2013, chapter 4. The same figures as `quchong.kernels.tree.match_layers` gives with "whole", which fills both filters anew
for every pair.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items
from quchong.kernels.sorting import distinct
from quchong.kernels.tree import Layer, LayerMatches

PAIRS = 1 << 16
"""Pairs compared at once, two filters each."""
_ONES = np.array([bin(k).count("1") for k in range(256)], np.uint8)


class LayerFilters:
    """Bloom filters of one layer of every document; larger ones are built on request.

    Memory: `bits` / 8 bytes a document with values in the layer.
    """

    def __init__(self, layer: Layer, workers: int | None = None) -> None:
        self.sets: FeatureSets = kernels.sets.feature_sets(layer.values, layer.nodes[layer.documents], workers=workers)
        self._known: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def rows(self, bits: int, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the filters of these documents as rows of bytes (uint8), and the number of set bits of each (int64)."""
        place, packed, count = self._known.get(bits) or (
            np.full(len(self.sets), -1, np.int64), np.zeros((0, bits // 8), np.uint8), np.zeros(0, np.int64),
        )  # fmt: skip
        new = distinct(documents[place[documents] < 0])
        if len(new):
            made = _filled(self.sets, new, bits)
            place[new] = len(packed) + np.arange(len(new))
            packed = np.concatenate([packed, made])
            count = np.concatenate([count, _ones(made)])
            self._known[bits] = place, packed, count
        return packed[place[documents]], count[place[documents]]


def match_filters(a: LayerFilters, b: LayerFilters, left: np.ndarray, right: np.ndarray, bits: int) -> LayerMatches:
    """Estimate from Bloom filters how much the layers of pairs share and contain (`quchong.kernels.tree.match_layers`).

    Cost: `bits` / 8 bytes of either filter a pair.
    """
    x, y = (f.sets.lengths[side].astype(np.float64) for f, side in ((a, left), (b, right)))
    some = (x > 0) & (y > 0)
    common, of_left, of_right = np.zeros(len(left)), np.where(some, 0.0, x), np.where(some, 0.0, y)
    rest = np.flatnonzero(some)
    while len(rest):
        full = [np.zeros(0, np.int64)]
        for part in np.array_split(rest, -(-len(rest) // PAIRS)):
            one, first = a.rows(bits, left[part])
            other, second = b.rows(bits, right[part])
            clear = (2 * first < bits) & (2 * second < bits)  # a filter half full says nothing
            full.append(part[~clear])
            at = part[clear]
            holds = _expected_counts(bits)
            of_left[at], of_right[at] = holds[first[clear]], holds[second[clear]]
            both = holds[_ones(one[clear] | other[clear])]
            common[at] = np.clip(of_left[at] + of_right[at] - both, 0.0, np.minimum(of_left[at], of_right[at]))
        rest, bits = np.concatenate(full), 2 * bits
    return LayerMatches(common, common.copy(), of_left, of_right)


def _filled(sets: FeatureSets, documents: np.ndarray, bits: int) -> np.ndarray:
    """Return a filter with two bits set for each value: its upper and its lower half modulo `bits`."""
    size = sets.lengths[documents]
    at = positions_in_items(size) + np.repeat(sets.offsets[documents], size)
    row, mask = np.repeat(np.arange(len(documents)), size), np.uint64(bits - 1)
    out = np.zeros((len(documents), bits // 8), np.uint8)
    for half in (sets.values[at] >> np.uint64(32), sets.values[at] & np.uint64(0xFFFFFFFF)):
        bit = (half & mask).astype(np.int64)
        np.bitwise_or.at(out, (row, bit // 8), np.left_shift(1, bit % 8).astype(np.uint8))
    return out


def _ones(rows: np.ndarray) -> np.ndarray:
    """Return the number of set bits of each row, int64."""
    count = np.bitwise_count(rows.view(np.uint64)) if hasattr(np, "bitwise_count") else _ONES[rows]
    out: np.ndarray = count.sum(axis=1, dtype=np.int64)
    return out


@cache
def _expected_counts(bits: int) -> np.ndarray:
    """Return for each number of set bits the expected number of values in the filter: -(m / 2) ln(1 - set / m)."""
    return np.array([-(bits / 2) * math.log(1 - k / bits) for k in range(bits)])
