"""Stretches of edits told by their characters: numbered, scripted, capitalised, as Arrow's regular expressions tell them."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.differences.stretches import is_capitalised, is_numbered, is_scripted

_NUMBERED = r"\p{Nd}|\p{Nl}|\p{No}|(?i)^(?:[A-ZＡ-Ｚ]|A+|B+|C+|[IVX]+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$"
_PATTERNS = [
    (is_numbered, _NUMBERED),
    (is_scripted, "[\u00b2\u00b3\u00b9\u2070-\u208c]"),
    (is_capitalised, r"[A-Z\x{c0}-\x{de}]\pL|\pL[A-Z]"),
]
_SOME = st.one_of(
    st.text("AabBİıſKivxIVXſ two3²\n. ÀéЖ中一〇Ⅳ１Ａａ", max_size=4),
    st.sampled_from(
        ["two", "TWO", "ſix", "six\n", "ten", "AaA", "VI", "vı", "twelve", "elevene", "CO₂", "x²", "McKay"]
    ),
)


@pytest.mark.parametrize(("told", "pattern"), _PATTERNS)
@given(stretches=st.lists(_SOME, min_size=1, max_size=20))
def test_a_stretch_is_told_as_by_one_regular_expression(told, pattern, stretches):
    found = pc.match_substring_regex(pa.array(stretches, pa.large_string()), pattern)
    assert [told(stretch) for stretch in stretches] == found.to_pylist()


@pytest.mark.parametrize(
    ("told", "stretch", "expected"),
    [
        (is_numbered, "V", True),
        (is_numbered, "三", False),
        (is_numbered, "３", True),
        (is_numbered, "v1", True),
        (is_numbered, "vix.", False),
        (is_scripted, "CO₂", True),
        (is_scripted, "CO2", False),
        (is_capitalised, "McKay", True),
        (is_capitalised, "Ža", False),
        (is_capitalised, "Ünal", True),
        (is_capitalised, "A", False),
    ],
)
def test_examples(told, stretch, expected):
    assert told(stretch) is expected
