"""Covers: lists of differences as narrow arrays: packed and taken again, empty, null, in any order, in the narrowest types; damage is refused.

Compared against: the Arrow lists that were packed (hypothesis).
"""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.decision.difference_lists import ChosenLists, DifferenceLists, narrowed
from quchong.tables import DIFFERENCE, DIFFERENCES

OFFSET = st.one_of(st.integers(0, 3), st.integers(250, 260), st.integers(65_530, 65_540), st.integers(2**32 - 2, 2**40))
ONE = st.fixed_dictionaries({
    "kind": st.sampled_from(DIFFERENCES), "conflict": st.booleans(), "left": st.text(max_size=3), "right": st.sampled_from(["", "去", "去重"]),
    **{name: OFFSET for name in ("left_start", "left_end", "right_start", "right_end")},
})  # fmt: skip
LISTS = st.lists(st.none() | st.lists(ONE, max_size=4), max_size=6)


def arrow(lists):
    return pa.array(lists, pa.list_(DIFFERENCE))


@given(LISTS, st.data())
def test_lists_are_taken_as_they_were_packed(lists, data):
    packed = DifferenceLists.of_arrays(DifferenceLists.packed(arrow(lists)).arrays())
    packed.check()
    assert len(packed) == len(lists)
    index = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8)) if lists else []
    assert packed.take(np.array(index, np.int64)).to_pylist() == [lists[i] for i in index]


@given(LISTS, LISTS)
def test_lists_of_several_parts_are_a_column(one, other):
    parts = [DifferenceLists.packed(arrow(one)), DifferenceLists.packed(arrow(other))]
    index = np.arange(len(one) + len(other))[::-1].copy()
    found = ChosenLists(parts, index, np.zeros(len(index), bool)).column()
    assert found.to_pylist() == [*one, *other][::-1]


def test_short_lists_take_ten_bytes_a_difference_and_equal_words_are_stored_once():
    a = dict(zip(DIFFERENCE.names, ("wording", True, "左" * 90, "右" * 90, 7, 97, 8, 98), strict=True))
    packed = DifferenceLists.packed(arrow([[a] * 100] * 10))
    assert sum(one.nbytes for one in packed.arrays()) < 10 * 1_000
    assert packed.places.dtype == packed.left.dtype == packed.kind.dtype == np.uint8


@pytest.mark.parametrize(
    ("values", "signed", "dtype"),
    [([], False, "uint8"), ([0, 255], False, "uint8"), ([256], False, "uint16"), ([65_535], False, "uint16"), ([1 << 16], False, "uint32"),
     ([1 << 32], False, "int64"), ([], True, "int8"), ([-1, 127], True, "int8"), ([-1, 128], True, "int16"), ([1 << 15], True, "int32"),
     ([1 << 31], True, "int64")],
)  # fmt: skip
def test_numbers_have_the_narrowest_type_that_holds_them(values, signed, dtype):
    found = narrowed(np.array(values, np.int64), signed=signed)
    assert found.dtype == dtype
    assert found.tolist() == values


def damaged(which, change):
    one = {"kind": "code", "conflict": False, "left": "a", "right": "b", **dict.fromkeys(DIFFERENCE.names[4:], 1)}
    arrays = DifferenceLists.packed(arrow([[one], None, [one, one]])).arrays()
    arrays[which] = change(arrays[which])
    return DifferenceLists.of_arrays(arrays)


@pytest.mark.parametrize(
    ("which", "change"),
    [(0, lambda a: a + np.int8(1)), (0, lambda a: a - np.int8(1)), (0, lambda a: a.astype(np.uint8)), (1, lambda a: a[1:]),
     (1, lambda a: a | np.uint8(127)), (2, lambda a: a[:, :3]), (2, lambda a: a.astype(np.float64)), (3, lambda a: a + np.uint8(2)),
     (4, lambda a: a[:-1]), (4, lambda a: a.astype(np.int8)), (5, lambda a: a + 1), (5, lambda a: a[::-1].copy()), (5, lambda a: a[:0]),
     (6, lambda a: a[:-1]), (6, lambda a: a | np.uint8(128))],
)  # fmt: skip
def test_damaged_lists_are_refused(which, change):
    with pytest.raises(ValueError):
        damaged(which, change).check()
