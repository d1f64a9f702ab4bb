"""Layers of structure trees beside each other by Bloom filters that are kept, and by filters filled anew for every pair.

Covers: tree-feature-string, `filters="layer"`: microseconds a pair for layers of several sizes, one thread, medians of the repeats.
Compared against: `quchong.kernels.tree.match_layers`, which fills both filters; the answers are held to each other. Run:

    .venv/bin/python benchmarks/bench_layer_filters.py
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from quchong import kernels
from quchong.features.layer_filters import LayerFilters, match_filters
from quchong.kernels.tree import Layer

SIZES = (20, 100, 300)
"""Features of a layer."""
DOCUMENTS, BITS = 2_000, 1024


def layer_of(size: int, seed: int) -> Layer:
    """A layer of every document: one node of so many features."""
    rng = np.random.default_rng(seed)
    values = np.sort(rng.integers(1, 2**64 - 1, (DOCUMENTS, size), np.uint64), axis=1)
    return Layer(values.ravel(), np.arange(DOCUMENTS + 1) * size, np.arange(DOCUMENTS + 1))


def microseconds(what: Callable[[], object], pairs: int, repeats: int) -> float:
    """Of one pair, the median of the repeats."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        what()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times) / pairs


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    left, right = rng.integers(0, DOCUMENTS, given.pairs), rng.integers(0, DOCUMENTS, given.pairs)
    print("| features of a layer | kept, µs | filled anew, µs | times |\n|---|---|---|---|")
    for size in SIZES:
        layer = layer_of(size, 2)
        filters = LayerFilters(layer, 1)

        def kept(filters: LayerFilters = filters) -> object:
            return match_filters(filters, filters, left, right, BITS)

        def anew(layer: Layer = layer) -> object:
            return kernels.tree.match_layers(layer, layer, left, right, how="whole", bits=BITS, workers=1)

        for one, other in zip(kept(), anew(), strict=True):  # type: ignore[call-overload]
            np.testing.assert_allclose(one, other, rtol=1e-9)
        a, b = (microseconds(what, given.pairs, given.repeats) for what in (kept, anew))
        print(f"| {size} | {a:.2f} | {b:.2f} | {b / a:.1f} |")


if __name__ == "__main__":
    main()
