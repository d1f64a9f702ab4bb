"""Covers: Bloom filters of layers that are made once.

Compared against: the kernel, which fills them for every pair. Run: pytest tests/unit/features/test_layer_filters.py
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quchong import kernels
from quchong.features.layer_filters import LayerFilters, match_filters
from quchong.features.trees import distinct_nodes
from quchong.kernels.hashing import mix64

node = st.sets(st.integers(1, 60), max_size=25)
tree = st.lists(node, max_size=4)


def layer_of(trees):
    nodes = [sorted(n) for t in trees for n in t]
    values = mix64(np.array([v for n in nodes for v in n], np.uint64))
    offsets = np.cumsum([0, *map(len, nodes)]).astype(np.int64)
    return distinct_nodes(values, offsets, np.repeat(np.arange(len(trees)), [len(t) for t in trees]), len(trees))


def hold_equal(one, other, left, right, bits):
    kernel = kernels.tree.match_layers(one, other, left, right, how="whole", bits=bits)
    kept = match_filters(LayerFilters(one), LayerFilters(other), left, right, bits)
    for mine, theirs in zip(kept, kernel, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    return kept


@settings(max_examples=150, deadline=None)
@given(st.lists(tree, min_size=2, max_size=6), st.sampled_from([64, 128, 1024]))
def test_kept_filters_say_what_new_ones_say(trees, bits):
    """Small filters fill up: then larger ones are compared."""
    layer = layer_of(trees)
    left, right = (x.ravel() for x in np.meshgrid(np.arange(len(trees)), np.arange(len(trees))))
    hold_equal(layer, layer, left, right, bits)
    hold_equal(layer, layer_of(trees[::-1]), left, right, bits)


def test_many_pairs_in_pieces(monkeypatch):
    rng = np.random.default_rng(2)
    layer = layer_of([[set(rng.integers(1, 500, rng.integers(0, 200)).tolist())] for _ in range(30)])
    left, right = rng.integers(0, 30, 2000), rng.integers(0, 30, 2000)
    whole = hold_equal(layer, layer, left, right, 256)
    monkeypatch.setattr("quchong.features.layer_filters.PAIRS", 37)
    again = hold_equal(layer, layer, left, right, 256)
    assert all(np.array_equal(a, b) for a, b in zip(whole, again, strict=True)) and whole.left.max() > 50


def test_each_filter_is_filled_once(monkeypatch):
    from quchong.features import layer_filters

    filled = []
    real = layer_filters._filled
    monkeypatch.setattr(layer_filters, "_filled", lambda s, d, b: filled.extend(d.tolist()) or real(s, d, b))
    layer = layer_of([[{1, 2, 3}], [{2, 3}], [{4}], []])
    filters = LayerFilters(layer)
    left, right = (x.ravel() for x in np.meshgrid(np.arange(4), np.arange(4)))
    for _ in range(3):
        match_filters(filters, filters, left, right, 1024)
    assert sorted(filled) == [0, 1, 2]


@pytest.mark.parametrize("without", [False, True])
def test_bits_are_counted_with_and_without_numpy_2(without, monkeypatch):
    from quchong.features.layer_filters import _ones

    if without:
        monkeypatch.delattr(np, "bitwise_count", raising=False)
    rows = np.array([[255] * 8, [1, 0, 0, 0, 0, 0, 0, 128]], np.uint8)
    assert _ones(rows).tolist() == [64, 2]
