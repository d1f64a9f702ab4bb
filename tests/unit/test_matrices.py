"""Covers: matrices of tests that are dealt out: the suite meets each value of each axis, wherever the longest axis stands."""

from itertools import permutations

import pytest
from matrices import each_once


@pytest.mark.parametrize("lengths", [*permutations((6, 2, 3)), (2, 5), (3, 3, 2), (4, 1)])
def test_each_value_of_each_axis_is_met(lengths):
    cases = each_once(*(range(length) for length in lengths))
    tried = [case.values for case in cases if not case.marks]
    assert len(tried) == max(lengths)
    assert [set(values) for values in zip(*tried, strict=True)] == [set(range(length)) for length in lengths]
