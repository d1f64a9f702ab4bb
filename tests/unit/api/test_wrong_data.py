"""Covers: data of other kinds than documents, and values of other types than a parameter has: each answer says how that kind is given."""

import datetime

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.io.data_advice import advice_on_data, advice_on_items
from quchong.results.chains import zone_of

KINDS = [
    (None, "data is missing: give a path"), (b"text", r"\[data.decode\(\)\]"), (5.0, "give a path, a list of texts"),
    ([b"a", b"b"], r"\[one.decode\(\) for one in data\]"), ([1, 2], r"\[str\(one\) for one in data\]"),
    ([("n1", "a"), ("n2", "b")], r"\[\{'id': id, 'text': text\} for id, text in data\]"),
    ([["a", "b", "c"]], "join each item into one text"),
    ([{"text": "a"}, "b"], "give texts alone, or dicts alone"), (["a", {"text": "b"}], "give texts alone, or dicts alone"),
    (sorted, r"call the function, and give its return value: sorted\(\)"),
    (lambda: ["a"], r"call the function, and give its return value: data\(\)"),
    ({"text": ["a", "b"]}, "pyarrow.table"), (np.array([[1, 2], [3, 4]]), "you can give a path"),
]  # fmt: skip


@pytest.mark.parametrize("call", [qc.dedup, qc.passages, qc.fit_statistics, qc.estimate])
@pytest.mark.parametrize(("data", "advice"), KINDS, ids=[advice for _, advice in KINDS])
def test_data_of_another_kind_is_answered_with_how_that_kind_is_given(call, data, advice):
    with pytest.raises(qc.UsageError, match=advice):
        call(data)


def test_a_result_is_given_by_its_rows(tmp_path):
    result = qc.dedup(["one text", "one text"])
    with pytest.raises(qc.UsageError, match=r"give the kept rows of the result: result\.kept"):
        qc.dedup(result)
    assert qc.dedup(result.kept).counts["read"] == 1


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ([b"a", b"a"], "[one.decode() for one in data]"), ([1, 1], "[str(one) for one in data]"),
        ([("n1", "a"), ("n2", "a")], "[{'id': id, 'text': text} for id, text in data]"),
        (["a", {"text": "a"}], "[one if isinstance(one, dict) else {'text': one} for one in data]"),
        ([["a", "b"], ["a", "b", "c"]], "[' '.join(one) for one in data]"),
    ],
)  # fmt: skip
def test_the_code_that_is_shown_makes_documents(made, code):
    assert str(advice_on_items(made, 0)).endswith(code)
    assert qc.dedup(eval(code, {"data": made})).counts["read"] == 2
    assert "data.decode()" in str(advice_on_data(b"a"))


def test_a_span_of_time_may_be_meant_by_a_timedelta():
    with pytest.raises(qc.UsageError, match="write it as a text: '7d'"):
        qc.dedup(["a"], within=datetime.timedelta(days=7))


@pytest.mark.parametrize("add", ["add", "query"])
@pytest.mark.parametrize("data", [pa.table({"content": ["a"]}), [{"content": "a"}], {"content": "a"}])
def test_an_index_never_advises_an_argument_that_it_does_not_have(tmp_path, add, data):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add("one text")
        with pytest.raises(qc.InputError, match=r"Rename 'content' to 'text', or make another index.*text='content'"):
            getattr(index, add)(data)


@pytest.mark.parametrize(("name", "value"), [("engine", "spark"), ("sep", ","), ("nrows", 5), ("shuffle", True)])
def test_parameters_of_other_libraries_are_answered_with_what_is_done_here(name, value):
    with pytest.raises(qc.UsageError, match=f"there is no '{name}': "):
        qc.dedup(["a"], **{name: value})


def test_a_parameter_that_nothing_has_is_told_with_those_of_the_call():
    with pytest.raises(qc.UsageError, match=r"the call itself are in help\(qc\.dedup\): leave out 'frobnicate'"):
        qc.dedup(["a"], frobnicate=1)
    with pytest.raises(qc.UsageError, match=r"the call itself takes .*boilerplate.*leave out 'frobnicate'"):
        qc.compare("a", "b", frobnicate=1)


@pytest.mark.parametrize(
    ("call", "written"),
    [
        (lambda: qc.dedup(path="news.jsonl"), r"qc\.dedup\('news\.jsonl'\)"),
        (lambda: qc.dedup_part("news.jsonl"), r"qc\.dedup_part\(data, part=\.\.\., out=\.\.\.\)"),
        (lambda: qc.compare("a"), r"qc\.compare\(left, right\)"),
    ],
)
def test_what_a_call_lacks_is_written_with_the_values_of_the_caller(call, written):
    with pytest.raises(TypeError, match=written):
        call()


def test_ids_to_protect_are_answered_with_ids():
    data = [{"id": "n001", "text": "a b c"}, {"id": "n002", "text": "d e f"}]
    with pytest.raises(qc.UsageError, match=r"these are several ids; write them separately: \['n001', 'n002'\]"):
        qc.dedup(data, protect="n001,n002")
    with pytest.raises(qc.UsageError, match=r"did you mean n001\?"):
        qc.dedup(data, protect=["N001"])


def test_a_long_id_may_be_misspelt():
    data = {"https://news.example/2026/03/846029.html": "a b c", "https://news.example/2026/04/900001.html": "d e f"}
    with pytest.raises(qc.UsageError, match=r"did you mean https://news\.example/2026/03/846029\.html\?"):
        qc.dedup(data).explain("https://news.example/2026/03/846092.html")


def test_objects_in_brackets_name_their_attributes():
    found = qc.distinct(["one text", "one text"])
    with pytest.raises(TypeError, match=r"use found\.kept, found\.removed"):
        found[0]
    with pytest.raises(TypeError, match="use its attributes: position, relation, survivor"):
        found.removed[0]["id"]


def test_a_zone_that_there_is_needs_no_advice():
    assert str(zone_of("Asia/Shanghai")) == "Asia/Shanghai"
