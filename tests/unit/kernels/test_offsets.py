"""Covers: offsets of ragged arrays, positions within items, batches by cost, and beginnings of runs (`quchong.kernels.offsets`)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.kernels.offsets import batches_by_cost, first_of_runs, positions_in_items, prefix_sums

COUNTS = st.lists(st.integers(0, 9), max_size=30)


@given(COUNTS)
def test_sums_of_beginnings(counts):
    assert prefix_sums(counts).tolist() == [sum(counts[:i]) for i in range(len(counts) + 1)]


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int32, np.uint32, np.uint64, np.int64])
def test_sums_are_int64_for_every_kind_of_count(kind):
    found = prefix_sums(np.ones(300, kind))
    assert found.dtype == np.int64
    assert found.tolist() == list(range(301))


@given(COUNTS)
def test_positions_begin_anew_in_each_item(counts):
    assert positions_in_items(counts).tolist() == [i for count in counts for i in range(count)]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=30))
def test_a_row_begins_a_run_where_it_differs_from_the_row_before(rows):
    one, two = np.array([a for a, _ in rows], np.uint8), np.array([b for _, b in rows], np.uint64)
    assert first_of_runs(one, two).tolist() == [i == 0 or rows[i] != rows[i - 1] for i in range(len(rows))]


@given(COUNTS, st.integers(1, 20))
def test_batches_by_cost_have_every_position_once_and_end_where_a_multiple_is_passed(costs, most):
    batches, sums = batches_by_cost(np.array(costs, np.int64), most), np.cumsum(costs)
    assert [at for batch in batches for at in batch.tolist()] == list(range(len(costs)))
    assert all(len({int(sums[at]) // most for at in batch}) == 1 for batch in batches)
    assert len(batches) == len({int(one) // most for one in sums})
