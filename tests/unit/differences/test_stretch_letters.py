"""Letters of many stretches at once. Compared against: the questions about one stretch."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong.differences.stretch_letters import letters_of
from quchong.differences.stretches import SMALL_NUMBERS, is_capitalised, is_numbered, is_scripted

_SOME = st.one_of(
    st.text("AaBbCcDIivVXxeten 29\n.é²中Ａİ", max_size=6),
    st.sampled_from([*SMALL_NUMBERS, "Two", "twos", "AAA", "iiiV", "AB", "CO₂", "McKay", "Ünal", ""]),
)


@given(stretches=st.lists(_SOME, max_size=20), cut=st.integers(0, 3))
def test_many_stretches_are_told_as_each_is(stretches, cut):
    found = letters_of(pa.array(stretches, pa.large_string()).slice(cut))
    told = [list(map(ask, stretches[cut:])) for ask in (is_numbered, is_scripted, is_capitalised)]
    assert [mask.tolist() for mask in found] == told


def test_a_stretch_ends_where_the_next_begins():
    found = letters_of(pa.array(["A", "b", "v", "2", "c", "ten", "t", "en"], pa.large_string()))
    assert not found.capitalised.any()
    assert found.numbered.tolist() == [True, True, True, True, True, True, True, False]
