"""Covers: quchong.policy.policy, how policies are written and how they rank."""

from datetime import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from quchong.errors import UsageError
from quchong.policy.criteria import CRITERIA
from quchong.policy.policy import Policy


def ranked(text, documents, tokens):
    order = np.argsort([i.encode() for i in documents["id"].to_pylist()])
    return Policy.parse(text).ranked(documents, np.asarray(tokens, dtype=np.uint32), np.argsort(order))


def ranking(text, ids, tokens=None, **columns):
    """The ids, best first."""
    documents = pa.table({"id": pa.array(ids, pa.large_string()), **columns})
    tokens = np.ones(len(ids)) if tokens is None else tokens
    priority, _ = ranked(text, documents, tokens)
    assert priority.dtype == np.int64
    assert sorted(priority) == list(range(len(ids)))
    return [ids[i] for i in np.argsort(priority)]


def test_longest_and_shortest_then_id():
    assert ranking("longest", list("bac"), [5, 5, 2**32 - 1]) == ["c", "a", "b"]
    assert ranking("shortest", list("bac"), [5, 5, 9]) == ["a", "b", "c"]


def test_the_id_is_compared_by_bytes():
    in_order = ["", "Z", "b10", "b9", "z", "é", "中", "\uffee", "𠀀"]
    assert ranking("longest", in_order[::-1]) == in_order


def test_first_and_last_are_input_order():
    assert ranking("first", list("bca")) == ["b", "c", "a"]
    assert ranking("last", list("bca")) == ["a", "c", "b"]


def test_earliest_and_latest_put_the_unknown_last():
    column = ["2020年3月31日", None, "2020-3-30 23:37:00", "soon"]
    assert ranking("earliest", list("abcd"), time=column) == ["c", "a", "b", "d"]
    assert ranking("latest", list("abcd"), time=column) == ["a", "c", "b", "d"]
    assert ranking("earliest:published", list("abcd"), published=column) == ["c", "a", "b", "d"]
    stamps = pa.array([datetime(2020, 1, 2), datetime(2020, 1, 1)])
    assert ranking("earliest", list("ab"), time=stamps) == ["b", "a"]


def test_the_default_passes_over_an_absent_time_column():
    assert ranking("longest,earliest", list("bac"), [1, 1, 2]) == ["c", "a", "b"]
    assert Policy.parse() == Policy.parse("longest,earliest")


def test_rules_break_ties_in_order():
    time = ["2020-01-02", "2020-01-01", "2020-01-01", "2019-01-01"]
    assert ranking("longest,earliest", list("dcba"), [7, 7, 7, 3], time=time) == ["b", "c", "d", "a"]
    assert ranking("earliest,longest", list("dcba"), [7, 7, 7, 3], time=time) == ["a", "b", "c", "d"]


def test_source_puts_listed_ones_first_and_all_others_alike():
    source = pa.array(["新浪", "新华网", None, "人民网", "其他"])
    assert ranking("source:人民网>新华网", list("edcba"), source=source) == ["b", "d", "a", "c", "e"]
    assert ranking("source:人民网 > 新华网", list("edcba"), source=source.dictionary_encode())[:2] == ["b", "d"]
    assert ranking("source:2>1", list("abc"), source=[1, 2, 3]) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("values", "ascending"),
    [
        ([10, 9, None, -1], "dbac"),
        ([10.0, 9.5, float("nan"), -1.0], "dbac"),
        (["10", " 9.5", "", "-1"], "dbac"),
        (["10", "9007199254740993", None, "9007199254740992"], "adbc"),  # beyond a float's precision
        (["10", "9", None, "x"], "abdc"),  # not all numbers: as strings
        (["b", "c", "", "a"], "dabc"),
        ([True, True, None, False], "dabc"),
        ([datetime(2020, 1, 2), datetime(2020, 1, 3), None, datetime(2020, 1, 1)], "dabc"),
        ([Decimal("1.5"), Decimal("1.7"), None, Decimal("1.0")], "dabc"),
        ([None, None, None, None], "abcd"),
    ],
)
def test_column(values, ascending):
    ids = list("abcd")
    values = pa.array(values)
    assert ranking("column:q asc", ids, q=values) == ranking("column:q", ids, q=values) == list(ascending)
    assert ranking("column:q", ids, q=pa.chunked_array([values[:1], values[1:]])) == list(ascending)
    worst_first = ranking("column:q desc", ids, q=values)
    known = [i for i, v in zip(ids, values.to_pylist(), strict=True) if v not in (None, "") and v == v]
    assert worst_first[len(known) :] == [i for i in ids if i not in known]
    if len(set(values.to_pylist())) == 4:
        assert worst_first[: len(known)] == list(reversed(ascending[: len(known)]))


@pytest.mark.parametrize(
    ("values", "criterion"),
    [
        (["x", "yes", None, "no"], "prefer:p=yes"),
        ([1, 5, None, 2], "prefer:p=5"),
        ([1.0, 5.0, None, 2.0], "prefer:p=5"),
        ([False, True, None, False], "prefer:p=True"),
        (["a", "b=c", None, "b"], "prefer:p=b=c"),
    ],
)
def test_prefer(values, criterion):
    assert ranking(criterion, list("abcd"), p=pa.array(values)) == ["b", "a", "c", "d"]
    assert ranking("prefer:p=nothing such", list("abcd"), p=pa.array(values)) == list("abcd")


def test_ranking_does_not_depend_on_the_order_of_rows():
    ids = [f"d{i}" for i in range(40)]
    table = {"time": [str(2000 + i % 3) + "-01-01" for i in range(40)], "q": [str(i % 5) for i in range(40)]}
    tokens = [i % 4 for i in range(40)]
    order = np.random.default_rng(1).permutation(40)
    shuffled = {k: [v[i] for i in order] for k, v in table.items()}
    for text in ("longest,earliest", "column:q desc,latest", "shortest", "prefer:q=3,longest"):
        here = ranking(text, ids, tokens, **table)
        assert here == ranking(text, [ids[i] for i in order], [tokens[i] for i in order], **shuffled)


def test_columns_and_keys():
    policy = Policy.parse("source:a>b,earliest,column:my score desc,prefer:lang=zh,latest:seen,column:lang,column:id")
    assert policy.columns == ("source", "time", "my score", "lang", "seen")
    assert Policy.parse("longest,first").columns == ()
    assert Policy.parse("earliest,source:x", time_key="date", source_key="site").columns == ("date", "site")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (" longest , earliest:published", "longest,earliest:published"),
        ("source: a > b ,latest", "source:a>b,latest"),
        ("column:my score desc,column:x", "column:my score desc,column:x asc"),
        ("column:desc", "column:desc asc"),
        ("prefer: a = b=c,first,last,shortest", "prefer:a=b=c,first,last,shortest"),
    ],
)
def test_a_policy_is_written_plainly(text, plain):
    assert str(Policy.parse(text)) == plain
    assert Policy.parse(plain) == Policy.parse(text)


def test_an_unknown_criterion_lists_the_criteria():
    with pytest.raises(UsageError) as caught:
        Policy.parse("longest,biggest")
    assert "keep='longest,biggest': unknown criterion 'biggest'" in str(caught.value)
    assert all(form in str(caught.value) for form in CRITERIA.values())
    with pytest.raises(UsageError, match=r"did you mean longest"):
        Policy.parse("longst")


@pytest.mark.parametrize(
    "text",
    ["", ",", "longest,", "Longest", "longest:5", "first:", "source", "source:", "source:a>", "source:a>a", "column",
     "column:", "prefer", "prefer:a", "prefer:=a", "prefer:a=", "earliest:", "latest:", "longest;earliest"],
)  # fmt: skip
def test_what_cannot_be_read(text):
    with pytest.raises(UsageError, match=r"^keep="):
        Policy.parse(text)


@pytest.mark.parametrize("text", ["source:a", "column:q", "prefer:q=1", "earliest:published"])
def test_a_named_column_has_to_be_there(text):
    with pytest.raises(UsageError, match="the documents have the columns id, x"):
        ranking(text, ["a"], x=[1])


@pytest.mark.parametrize("text", ["source:a", "column:source", "prefer:source=1", "earliest:source"])
def test_values_without_order_are_refused(text):
    with pytest.raises(UsageError):
        ranking(text, ["a"], source=pa.array([{"x": 1}]))


def test_no_documents():
    assert ranking("longest,earliest,column:q", [], time=pa.array([], pa.string()), q=pa.array([], pa.string())) == []


# --- what a criterion could not go by


def doubts(policy, *parts):
    policy = Policy.parse(policy)
    return policy.doubts(count for part in parts for count in policy.counted(pa.table(part)))


def test_doubts_of_parts_are_those_of_the_whole():
    times = ["2020-03-30", "昨天", None, "03/04/2020", "", "1585611420"]
    whole = doubts("earliest,longest", {"time": times})
    assert whole == doubts("earliest,longest", {"time": times[:2]}, {"time": times[2:]})
    assert [(d.criterion, d.column, d.values, d.unread, d.example) for d in whole] == [
        ("earliest", "time", 4, 2, "03/04/2020")
    ]


def test_no_time_at_all_is_a_doubt_and_times_that_can_be_read_are_none():
    for absent in ({"id": ["a"]}, {"time": [None]}, {"time": ["  "]}):
        assert [(d.values, d.unread) for d in doubts("latest", absent)] == [(0, 0)]
    assert doubts("latest", {"time": ["2020-03-30", None]}) == []
    assert doubts("longest,first", {"id": ["a"]}) == []


def test_values_a_rule_names_and_nobody_has_are_told():
    rows = {"source": ["甲", "丙"], "n": [1, 2]}
    assert [d.unknown for d in doubts("source:甲>乙>丁", rows)] == [("乙", "丁")]
    assert [d.unknown for d in doubts("source:甲>乙", rows, {"source": ["乙"], "n": [3]})] == []
    assert [d.unknown for d in doubts("prefer:n=3", rows)] == [("3",)]
    assert doubts("prefer:n=2", rows) == []


def test_the_preference_ranks_by_the_rules_alone():
    table = pa.table({"id": ["b", "a", "c", "d"], "time": ["2020-01-02", "2020-01-01", None, "2020-01-01"]})
    tokens = np.array([5, 5, 5, 5], np.uint32)
    earliest = ranked("earliest", table, tokens)[1]
    assert earliest.rank.tolist() == [1, 0, 2, 0]
    assert earliest.published is not None and np.isinf(earliest.published[2])
    assert ranked("longest,earliest", table, tokens)[1].published is None
    assert ranked("shortest", table, tokens)[1].rank.tolist() == [0, 0, 0, 0]
