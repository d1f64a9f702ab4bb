"""Covers: orders of several keys, distinct values, values among others. Compared against: `np.lexsort`, `np.unique`, `np.isin`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from quchong.kernels.sorting import among, distinct, ordered

KINDS = [np.int64, np.uint64, np.uint32, np.uint8, np.bool_, np.float64]


def values(kind, n):
    small = {"b": st.booleans(), "f": st.sampled_from([-1.5, 0.0, 0.25, 3.0])}.get(np.dtype(kind).kind)
    whole = st.sampled_from([0, 1, 2, 255 if np.dtype(kind).itemsize == 1 else (1 << 32) - 1])
    if np.dtype(kind).itemsize == 8 and small is None:
        whole = st.one_of(
            whole, st.sampled_from([1 << 32, (1 << 63) - 1, *([-4, -(1 << 63)] if kind is np.int64 else [])])
        )
    return arrays(kind, n, elements=whole if small is None else small)


@given(st.data())
def test_it_is_lexsort(data):
    n, kinds = data.draw(st.integers(0, 40)), data.draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    keys = [data.draw(values(kind, n)) for kind in kinds]
    assert ordered(*keys).tolist() == np.lexsort(keys[::-1]).tolist()


@pytest.mark.parametrize("few", [3, 1000, 10**6])
def test_it_is_lexsort_of_many(few):
    rng = np.random.default_rng(few)
    keys = [rng.integers(0, few, 50_000), rng.integers(0, few, 50_000), rng.random(50_000)]
    for some in (keys, keys[:2], keys[:1], keys[::-1]):
        assert (ordered(*some) == np.lexsort(some[::-1])).all()


@given(st.data())
def test_different_values_are_those_of_unique(data):
    kind = data.draw(st.sampled_from([*KINDS, np.int8, np.int32]))
    some = data.draw(values(kind, data.draw(st.integers(0, 60)))) if kind not in (np.int8, np.int32) else None
    if some is None:
        some = data.draw(arrays(kind, st.integers(0, 60)))
    found = distinct(some)
    assert found.dtype == some.dtype
    assert found.tolist() == np.unique(some).tolist()


@pytest.mark.parametrize("kind", [np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
@pytest.mark.parametrize("width", [1, 40, 250, 5000])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_distinct_of_many_values_in_a_narrow_range_at_each_end_of_the_type(kind, width, is_sorted):
    """Values in a narrow range are marked in place of sorted; of the narrowest types the range may be all of the type."""
    dice, info = np.random.default_rng(width), np.iinfo(kind)
    for least in {int(info.min), 0, int(info.max) - width}:
        some = np.array([least + int(k) for k in dice.integers(0, width + 1, 200)], kind)
        some = np.sort(some) if is_sorted else some
        before = some.copy()
        found = distinct(some)
        assert found.dtype == some.dtype
        assert found.tolist() == np.unique(some).tolist()
        assert np.array_equal(some, before)


def test_distinct_of_values_over_the_whole_of_a_type():
    some = np.array([-(1 << 15), (1 << 15) - 1, 0] * 16000, np.int16)
    assert distinct(some).tolist() == [-(1 << 15), 0, (1 << 15) - 1]


@pytest.mark.parametrize("kind", [*KINDS, np.int32])
def test_an_order_of_ascending_keys_is_that_of_lexsort(kind):
    """They are not sorted again; ties are still told apart by the other keys."""
    dice = np.random.default_rng(9)
    lead = np.sort(dice.integers(0, 2 if kind is np.bool_ else 40, 300)).astype(kind)
    for others in ([], [dice.integers(0, 3, 300)], [dice.integers(0, 3, 300), dice.random(300)]):
        keys = [lead, *others]
        assert ordered(*keys).tolist() == np.lexsort(keys[::-1]).tolist()
        assert ordered(*others, lead).tolist() == np.lexsort([lead, *others[::-1]]).tolist()


@given(st.data())
def test_values_among_others_are_those_of_isin(data):
    kind = data.draw(st.sampled_from(KINDS))
    some, known = (data.draw(values(kind, data.draw(st.integers(0, 30)))) for _ in range(2))
    assert among(some, np.sort(known)).tolist() == np.isin(some, known).tolist()


@pytest.mark.parametrize("known", [1 << 10, 1 << 17])
@pytest.mark.parametrize("ascending", [False, True])
def test_many_values_among_many_others_are_those_of_isin(known, ascending):
    """So many are searched in ascending order."""
    dice = np.random.default_rng(5)
    some, others = dice.integers(0, 1 << 19, 1 << 17), np.sort(dice.integers(0, 1 << 19, known))
    some = np.sort(some) if ascending else some
    before = some.copy()
    assert np.array_equal(among(some, others), np.isin(some, others))
    assert np.array_equal(some, before)


def test_many_digests_that_agree_in_their_first_bits_are_those_of_isin():
    """With their places beside them the last bits have no room, so that they are not in their own order after one sort."""
    dice = np.random.default_rng(6)
    some, others = (dice.integers(0, 1 << 18, 1 << 17, np.uint64) << np.uint64(46) | dice.integers(0, 1 << 9, 1 << 17, np.uint64)
                    for _ in range(2))  # fmt: skip
    assert np.array_equal(among(some, np.sort(others)), np.isin(some, others))
