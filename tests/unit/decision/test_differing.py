"""Covers: what pairs differ in as columns: lists from the step's answer, exchanged sides, kinds as bits, places in originals.

Compared against: the same said row by row in Python; answers of a made-up step, and of random ones (hypothesis).
"""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from quchong.decision.differing import (
    LONGEST,
    difference_lists,
    fact_bits,
    fact_names,
    gather_lists,
    of_ledger,
    plain_differences,
    turned,
)
from quchong.seam import Differences
from quchong.tables import DIFFERENCE, DIFFERENCES, FACTS, LEDGER_DIFFERENCE, variants
from quchong.text import Preparer

ONE = st.tuples(st.integers(0, len(DIFFERENCES) - 1), st.booleans(), st.text(max_size=3), st.text(max_size=3))
PAIRS = st.lists(st.lists(ONE, max_size=4), max_size=6)


def step(pairs):
    """The answer of a step, as `DifferenceSteps.find` gives it; places are made up."""
    flat = [one for pair in pairs for one in pair]
    n = len(flat)
    places = np.arange(4 * n).reshape(n, 4)
    return Differences(
        np.cumsum([0, *map(len, pairs)]), np.array([o[0] for o in flat], np.uint8), np.array([o[1] for o in flat], bool),
        places, pa.array([o[2] for o in flat], pa.large_string()), pa.array([o[3] for o in flat], pa.large_string()),
        np.zeros(len(pairs)), np.zeros(len(pairs)), np.zeros(len(pairs), np.uint32), np.ones(len(pairs), bool),
    )  # fmt: skip


def lists_of(pairs, kept=None):
    n = len(pairs)
    return difference_lists(
        step(pairs), np.ones(n, bool) if kept is None else np.array(kept, bool), {}, *(np.arange(n),) * 2
    )


def plainly(pairs, kept):
    number, out = 0, []
    for pair, wanted in zip(pairs, kept, strict=True):
        rows = []
        for kind, conflict, left, right in pair:
            a = 4 * number
            rows.append({"kind": DIFFERENCES[kind], "conflict": conflict, "left": left, "right": right, "left_start": a,
                         "left_end": a + 1, "right_start": a + 2, "right_end": a + 3})  # fmt: skip
            number += 1
        out.append(rows if wanted else None)
    return out


def rows_of(lists):
    names = [field.name for field in DIFFERENCE]
    return [None if rows is None else [dict(zip(names, row, strict=True)) for row in rows] for rows in lists]


@given(PAIRS, st.data())
def test_plain_lists_are_those_of_the_column(pairs, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    numbers = np.arange(len(pairs))
    assert rows_of(plain_differences(step(pairs), np.array(kept, bool), {}, numbers, numbers)) == plainly(pairs, kept)


def test_plain_lists_cut_long_words_as_the_column_does():
    pairs = [[(0, True, "数" * (LONGEST + 1), "𠀀" * LONGEST)]]
    one = np.zeros(1, np.int64)
    found = rows_of(plain_differences(step(pairs), np.ones(1, bool), {}, one, one))
    assert found == lists_of(pairs).to_pylist()
    assert len(found[0][0]["left"]) == LONGEST


def exchanged(row):
    other = {"left": "right", "right": "left"}
    return {k.replace(s, other[s]) if (s := k.partition("_")[0]) in other else k: v for k, v in row.items()}


@given(PAIRS, st.data())
def test_lists_and_their_mirror_image(pairs, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    lists = lists_of(pairs, kept)
    assert lists.type.equals(pa.list_(DIFFERENCE)) and lists.to_pylist() == plainly(pairs, kept)
    lists.validate(full=True)
    flip = np.array(data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs))), bool)
    want = [
        rows if rows is None or not f else [exchanged(r) for r in rows]
        for rows, f in zip(plainly(pairs, kept), flip, strict=True)
    ]
    there = turned(lists, flip)
    there.validate(full=True)
    assert there.to_pylist() == want
    assert turned(there, flip).equals(lists)
    cut = data.draw(st.integers(0, len(pairs)))
    index = np.array(data.draw(st.lists(st.integers(-1, len(pairs) - 1), max_size=12)), np.int64)
    turn = np.array(data.draw(st.lists(st.booleans(), min_size=len(index), max_size=len(index))), bool)
    some = gather_lists([lists.slice(0, cut), lists.slice(cut)], index, turn)
    some.validate(full=True)
    mine = [*lists.to_pylist(), None]
    assert some.type.equals(lists.type)
    assert some.to_pylist() == [
        [exchanged(r) for r in mine[i]] if f and mine[i] is not None else mine[i]
        for i, f in zip(index, turn, strict=True)
    ]


def test_the_ledger_sees_them_from_the_document_that_went():
    mine = of_ledger(lists_of([[(0, True, "2", "3")], [(9, False, "", "x")]], [True, False]))
    assert mine.type.equals(pa.list_(LEDGER_DIFFERENCE))
    assert mine.to_pylist() == [
        [{"kind": "figure", "conflict": True, "text": "2", "survivor_text": "3", "start": 0, "end": 1, "survivor_start": 2,
          "survivor_end": 3}],
        [],
    ]  # fmt: skip


@given(st.lists(st.integers(0, 2 ** len(FACTS) - 1), max_size=20))
def test_kinds_of_facts_as_bits_and_as_names(masks):
    bits = np.array(masks, np.uint16)
    names = fact_names(bits)
    assert names.to_pylist() == [[kind for k, kind in enumerate(FACTS) if m >> k & 1] for m in masks]
    assert fact_bits(names).tolist() == masks
    ids = pa.array([f"{i}" for i in range(len(masks))], pa.large_string())
    relation = pa.array(["variant"] * len(masks), pa.string())
    rest = pa.nulls(len(masks), pa.float64())
    pairs = pa.table(
        {
            "left_id": ids,
            "right_id": ids,
            "relation": relation,
            "rule": relation,
            "facts": names,
            "rest_left": rest,
            "rest_right": rest,
        }
    )
    ledger = pa.table({"id": ids, "relation": pairs["relation"], "rule": relation, "facts": names}).slice(0, 3)
    told = variants(ledger, pairs)
    said = names.to_pylist()
    for rows, by_fact in ((said[3:], told["kept_by_fact"]), (said[:3], told["removed_by_fact"])):
        assert by_fact == {k: n for k in FACTS if (n := sum(k in one for one in rows))}
        assert list(by_fact.values()) == sorted(by_fact.values(), reverse=True)
    assert told["kept_pairs"] == len(said[3:])


def test_places_are_led_back_to_the_originals():
    text = "本报讯（记者李大海）共2人参加"
    prepared = Preparer(("dateline",)).prepare(pa.array([text, text.replace("2", "3")], pa.large_string()), 1)
    assert prepared.edits, "nothing was taken out: the text is no test"
    seen = prepared.texts[0].as_py()
    at = seen.index("2")
    found = step([[(0, True, "2", "3"), (9, False, "", "")]])
    found.places[:] = [(at, at + 1, at, at + 1), (at, at, len(seen), len(seen))]
    (rows,) = difference_lists(found, np.ones(1, bool), prepared.edits, np.array([0]), np.array([1])).to_pylist()
    assert text[rows[0]["left_start"] : rows[0]["left_end"]] == "2"
    assert rows[0]["right_start"] == text.index("2")
    assert (rows[1]["left_start"], rows[1]["left_end"]) == (text.index("2"),) * 2
    assert (rows[1]["right_start"], rows[1]["right_end"]) == (len(text),) * 2
    assert rows_of(plain_differences(found, np.ones(1, bool), prepared.edits, np.array([0]), np.array([1]))) == [rows]
