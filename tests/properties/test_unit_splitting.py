"""Covers: lines and paragraphs: how texts are split, and what documents lose. Compared against: tests/twins/units.py.

Run: pytest tests/properties/test_unit_splitting.py
"""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import units as ref

import quchong as qc
from quchong.decision.units import UnitRows, UnitRule, unit_classes
from quchong.text.units import UNITS, bytes_of, split_units

signs = st.sampled_from(
    ["a", "b c", "字", "\n", "\r", "\r\n", " ", "\u3000", "\xa0", "\t", "é", "\n\n", "\x85", "\u2003", "\U0001f600"]
)
texts = st.lists(signs, max_size=12).map("".join)
words = st.sampled_from(
    [
        "one line",
        "two more words",
        "three of these words",
        "four and its words here",
        "x",
        "",
        "five is the last of them all",
    ]
)
documents = st.lists(
    st.lists(words, max_size=6).map("\n".join) | st.lists(words, max_size=4).map("\n\n".join), min_size=1, max_size=6
)


@given(st.lists(texts, max_size=5), st.sampled_from(UNITS), st.integers(0, 2))
def test_a_batch_is_split_as_each_text_is(given_texts, unit, skipped):
    batch = pa.array(given_texts, pa.large_string()).slice(skipped)
    units = split_units(batch, unit)
    held, offsets = bytes_of(batch)
    assert len(units.first) == len(batch) + 1
    for k, text in enumerate(batch.to_pylist()):
        mine = range(int(units.first[k]), int(units.first[k + 1]))
        raw = text.encode()
        assert raw == held[offsets[k] : offsets[k + 1]].tobytes()
        expected = [tuple(len(text[:at].encode()) for at in one) for one in ref.SPLIT[unit](text)]
        assert [
            tuple(int(x[n]) - int(offsets[k]) for x in (units.start, units.end, units.stop)) for n in mine
        ] == expected
        assert all(units.text[n] == k for n in mine)


@settings(deadline=None)
@given(
    documents, st.sampled_from(UNITS), st.integers(1, 4), st.none() | st.integers(2, 3), st.sampled_from(["keep", "cut"]),
    st.sampled_from([0, 0.3, 0.6, 0.9, 1, 4, 9]),
)  # fmt: skip
def test_a_corpus_loses_what_the_twin_says(given_texts, unit, least, common, repeats, floor):
    rule = UnitRule(unit, least, common, repeats, floor)
    rows = [{"id": f"d{k}", "text": text} for k, text in enumerate(given_texts)]
    found = qc.dedup_units(
        rows, unit=unit, unit_words=least, unit_common=common, unit_repeats=repeats, unit_floor=floor, keep="first"
    )
    expected, listed = ref.decide([(row["id"], row["text"]) for row in rows], rule)
    kept = {row["id"]: row["text"] for row in found.kept.to_pylist()}
    assert kept == {name: text for name, text in expected.items() if text is not None}
    names = ("id", "unit", "start", "end", "copies", "documents", "reason", "cut", "kept_id", "kept_unit")
    assert [tuple(row[name] for name in names) for row in found.units.to_pylist()] == listed
    lost = {row["id"] for row in found.documents.to_pylist() if row["removed"] or row["cut_units"]}
    assert lost == {row["id"] for row in rows if expected[row["id"]] != row["text"]}


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_letters_decide_where_digests_are_equal(letters, digests):
    """Units of one digest and other letters are other units, however many there are."""
    n = len(letters)
    high = np.array(digests[:n], np.uint64)
    number = np.arange(n)
    rows = UnitRows(high, np.zeros(n, np.uint64), number, number, number, number, np.ones(n, np.int64))
    said = np.array(letters)
    found = unit_classes(rows, number, lambda some, a, b: said[some.number[a]] == said[some.number[b]])
    classes = {}
    for one, unit in zip(found.one.tolist(), found.number.tolist(), strict=True):
        classes.setdefault(one, []).append(unit)
    expected = {}
    for k in range(n):
        expected.setdefault((digests[k], letters[k]), []).append(k)
    assert sorted(classes.values()) == sorted(units for units in expected.values() if len(units) > 1)
