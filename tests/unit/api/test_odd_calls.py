"""Every public function refuses what it cannot use, in the caller's words, before it reads anything."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quchong as qc
from quchong.api import fit_statistics

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"

TEXT = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五。"
ROWS: list[dict[str, Any]] = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT}]

ODD_IN_DEDUP: list[tuple[dict[str, Any], str]] = [
    ({"keep": 3}, "keep must be criteria"),
    ({"keep": [3]}, "keep must be criteria"),
    ({"keep": {"longest": 1}}, "keep must be criteria"),
    ({"keep": "longst"}, "unknown criterion 'longst'"),
    ({"progress": 1}, "progress must be True, or an object with the methods stage"),
    ({"progress": print}, "progress must be"),
    ({"progress": "bar"}, "progress must be"),
    ({"within": 7}, "within must be a span of time such as '7d'"),
    ({"within": "7"}, "within='7' is not a time span"),
    ({"within": "-1d"}, "within='-1d' is not a time span"),
    ({"within": ["7d"]}, "within must be a span of time"),
    ({"workers": "2"}, "workers must be a whole number from 1"),
    ({"workers": 0}, "workers must be a whole number from 1"),
    ({"workers": -1}, "workers must be a whole number from 1"),
    ({"workers": 1.5}, "workers must be a whole number from 1"),
    ({"workers": True}, "workers must be a whole number from 1"),
    ({"workers": 2**63}, "workers must be a whole number from 1"),
    ({"recall_sample": "all"}, "recall_sample must be 0 for none, or a whole number above 0"),
    ({"recall_sample": -1}, "recall_sample must be 0 for none, or a whole number above 0"),
    ({"recall_sample": None}, "recall_sample must be 0 for none, or a whole number above 0"),
    ({"recall_sample": 10.0}, "recall_sample must be 0 for none, or a whole number above 0"),
    ({"per": ["source"]}, "per must be the name of a column, or None, got ['source']"),
    ({"per": 1}, "per must be the name of a column"),
    ({"per": "row"}, "per='row': documents cannot be grouped by this column"),
    ({"per": "nowhere"}, "per='nowhere': no record has this column"),
    ({"text": 3}, "text must be names of columns"),
    ({"text": None}, "text must be names of columns"),
    ({"text": b"text"}, "text must be names of columns"),
    ({"text": [1]}, "text must be names of columns"),
    ({"text": {"text": 1}}, "text must be names of columns"),
    ({"text": ""}, "text needs at least one column"),
    ({"text": "body"}, "has no column 'body'; it has these columns: 'id', 'text'. Name the column of the text with text='text'"),
    ({"id": 3}, "id must be the name of a column"),
    ({"id": ["id"]}, "id must be the name of a column"),
    ({"id": "key"}, "has no column 'key'; its columns are: 'id', 'text'. Name one with id='id'"),
    ({"time": None}, "time must be the name of a column, got None"),
    ({"time": 5}, "time must be the name of a column"),
    ({"source": None}, "source must be the name of a column"),
    ({"source": ["a"]}, "source must be the name of a column"),
    ({"html": 5}, "html must be the name of a column"),
    ({"html": True}, "html must be the name of a column"),
    ({"html": "id"}, "html='id': that column is the id"),
    ({"body": "best"}, "body must be main, all or accurate, got 'best'"),
    ({"body": "mian"}, "did you mean main"),
    ({"body": None}, "body must be"),
    ({"same_site": "no"}, "same_site must be True or False, got 'no'"),
    ({"same_site": 1}, "same_site must be True or False"),
    ({"same_site": None}, "same_site must be True or False"),
    ({"same_site": True}, "same_site needs a column site or url"),
    ({"only_against": "yes"}, "only_against must be True or False"),
    ({"only_against": True}, "only_against needs a corpus to compare with: name it with against"),
    ({"facts": "drop"}, "unknown facts='drop': use keep, remove, any, or figure, date, person"),
    ({"facts": "dates"}, "did you mean date"),
    ({"facts": "keep,date"}, "keep, remove and any must be used alone"),
    ({"facts": "date,,figure"}, "unknown facts='date,,figure'"),
    ({"facts": True}, "facts must be"),
    ({"facts": "keep", "method": "minhash"}, "minhash does not take facts"),
    ({"relations": 1}, "relations must be one or more of"),
    ({"relations": None}, "relations must be one or more of"),
    ({"relations": "exact,duplicat"}, "relations must be one or more of"),
    ({"relations": ["exact", 2]}, "relations must be one or more of"),
    ({"relations": ()}, "relations does not name a value"),
    ({"strip": "datelines"}, "strip must be one or more of dateline, source, editor, comments, licences, got 'datelines'; did you mean dateline"),
    ({"strip": 1}, "strip must be one or more of"),
    ({"strip": None}, "strip must be one or more of"),
    ({"social": "hashtag"}, "did you mean hashtags"),
    ({"social": True}, "social must be one or more of"),
    ({"boilerplate": 3}, "boilerplate must be the path of a file, or several"),
    ({"boilerplate": [3]}, "boilerplate must be"),
    ({"boilerplate": None}, "boilerplate must be"),
    ({"boilerplate": "foot.txt"}, "boilerplate file foot.txt cannot be read"),
    ({"protect": 1.5}, "protect must be ids"),
    ({"protect": [None]}, "protect must be ids"),
    ({"protect": [True]}, "protect must be ids"),
    ({"protect": b"a"}, "protect must be ids"),
    ({"protect": "zzz"}, "protect has 1 id that no document has, such as 'zzz'"),
    ({"format": 5}, "format must be a format such as 'jsonl'"),
    ({"method": None}, "method must be the name of a method"),
    ({"method": 3}, "method must be the name of a method"),
    ({"method": ["hybrid"]}, "method must be the name of a method"),
    ({"method": "hybird"}, "did you mean hybrid"),
    ({"treshold": 0.7}, "did you mean threshold"),
    ({"kep": "longest"}, "did you mean keep"),
    ({"realtions": "exact"}, "did you mean relations"),
    ({"num_perm": 64}, "does not take num_perm: leave it out, or choose a method that takes it"),
    ({"threshold": "0.7"}, "threshold must be a number, got '0.7'"),
    ({"threshold": 1.5}, "threshold must be above 0 and at most 1, got 1.5"),
    ({"threshold": float("nan")}, "threshold must be a number"),
    ({"threshold": float("inf")}, "threshold must be a number"),
    ({"threshold": True}, "threshold must be a number"),
    ({"threshold": [0.7]}, "threshold must be a number"),
    ({"containment": -0.1}, "containment must be above 0 and at most 1, got -0.1"),
    ({"ngram_size": 2.5}, "ngram_size must be a whole number, got 2.5"),
    ({"ngram_size": "3"}, "ngram_size must be a whole number"),
    ({"ngram_size": 0}, "ngram_size must be 1 to"),
    ({"ngram_size": 10**30}, "ngram_size must be a whole number"),
    ({"guards": "no"}, "guards must be True or False"),
    ({"guards": 0}, "guards must be True or False"),
    ({"duplicates_only": "yes"}, "duplicates_only must be True or False"),
    ({"cap": 0}, "cap must be 1 to 2**31 - 1, got 0"),
    ({"cap": 2**40}, "cap must be 1 to 2**31 - 1, got"),
    ({"share": 2}, "share must be 0 to 1, got 2"),
    ({"preset": "stricter"}, "unknown preset"),
    ({"preset": 1}, "preset must be a word"),
    ({"tokens": "words"}, "unknown tokens"),
    ({"normalise": "none"}, "unknown normalise='none': use standard or plain"),
    ({"method": "minhash", "bands": 4}, "give bands and rows together"),
    ({"method": "minhash", "sketch": "mod-m"}, "unknown sketch"),
    ({"method": "minhash", "seed": -1}, "seed must be 0 to 2**64 - 1, got -1"),
    ({"method": "minhash", "recall": 1.0}, "recall must be above 0 and below 1, got 1"),
    ({"method": "two-stage", "bits": 32}, "bits must be 64 or 128"),
    ({"method": "two-stage", "distance": 65}, "distance must be 0 to 64"),
    ({"method": "two-stage", "stage1": "blom"}, "unknown stage1='blom'"),
    ({"method": "two-stage", "threshold": 0.5}, "threshold and containment have an effect only with verify='exact'"),
    ({"method": "two-stage", "confirm": True}, "leave out confirm"),
    ({"method": "two-stage", "statistics": "f"}, "statistics needs weights='idf'"),
    ({"method": "two-stage", "weights": "idf", "statistics": "nowhere"}, "statistics='nowhere' cannot be read"),
    ({"method": "shingling", "sketch": "k-mins"}, "unknown sketch='k-mins'"),
    ({"method": "ccdet", "verify": "maybe"}, "unknown verify='maybe'"),
    ({"method": "ccdet", "tail": 0}, "tail must be 1 to 1000"),
    ({"method": "url", "within": "7d"}, "within: method url finds candidates itself"),
    ({"against": 5}, "cannot read documents from int"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "said"), ODD_IN_DEDUP, ids=[str(n) for n in range(len(ODD_IN_DEDUP))])
def test_dedup_refuses_what_it_cannot_use(given: dict[str, Any], said: str) -> None:
    with pytest.raises(qc.QuchongError, match=re.escape(said)) as caught:
        qc.dedup(ROWS, **given)
    assert not re.search(r"(^|\s)--[a-z]", str(caught.value)), (
        "an option of the command line, told to a caller in Python"
    )


ODD_ELSEWHERE: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    (qc.dedup, (None,), {}, "cannot read documents from NoneType"),
    (qc.dedup, (5,), {}, "cannot read documents from int"),
    (qc.dedup, (b"text",), {}, "cannot read documents from bytes"),
    (qc.dedup, ({"text": "a"},), {}, "cannot read documents from dict"),
    (qc.dedup, ([1, 2],), {}, "the items have the type int"),
    (qc.dedup, ([],), {"format": 1}, "format must be"),
    (qc.compare, (None, "a"), {}, "left must be a text (str), a record (dict) or a pathlib.Path, got None"),
    (qc.compare, ("a", 5), {}, "right must be a text (str), a record (dict) or a pathlib.Path, got 5"),
    (qc.compare, ("a", b"a"), {}, "right must be a text (str)"),
    (qc.compare, ("a", "\ud800"), {}, "half a character"),
    (qc.compare, ("a", "b"), {"method": None}, "method must be"),
    (qc.compare, ("a", "b"), {"metod": "exact"}, "did you mean method"),
    (qc.compare, ("a", "b"), {"ngram_size": 2.5}, "ngram_size must be a whole number"),
    (qc.compare, ("a", "b"), {"social": 5}, "social must be one or more of"),
    (qc.align, (None, "a"), {}, "left must be a text (str), got None"),
    (qc.align, ("a", 3), {}, "right must be a text (str), got 3"),
    (qc.align, ("a", "\udfff"), {}, "half a character"),
    (qc.align, ("a", "b"), {"min_chars": 0}, "min_chars must be a whole number of at least 1, or None"),
    (qc.align, ("a", "b"), {"min_chars": "9"}, "min_chars must be a whole number of at least 1, or None"),
    (qc.align, ("a", "b"), {"min_char": 9}, "did you mean min_chars"),
    (qc.align, ("a", "b"), {"method": 4}, "method must be"),
    (qc.align, ("a", "b"), {"method": "yap33"}, "did you mean yap3"),
    (qc.passages, (ROWS,), {"min_chars": "60"}, "min_chars must be a whole number"),
    (qc.passages, (ROWS,), {"min_chars": 1}, "min_chars must be at least 2"),
    (qc.passages, (ROWS,), {"common": 1}, "common must be a whole number of at least 2"),
    (qc.passages, (ROWS,), {"partners": 0}, "partners must be a whole number of at least 1"),
    (qc.passages, (ROWS,), {"text": 3}, "text must be names of columns"),
    (qc.passages, (ROWS,), {"html": 5}, "html must be the name of a column"),
    (qc.passages, (ROWS,), {"progress": 1}, "progress must be"),
    (qc.passages, (None,), {}, "cannot read documents from NoneType"),
    (qc.load, (None,), {}, "folder must be a path, got None"),
    (qc.load, (5,), {}, "folder must be a path, got 5"),
    (qc.load, ("nowhere",), {}, "nowhere is not a folder"),
    (fit_statistics, (ROWS,), {"text": 3}, "text must be names of columns"),
    (fit_statistics, (ROWS,), {"method": "fictional"}, "unknown method"),
    (fit_statistics, (ROWS,), {"workers": "all"}, "workers must be"),
    (fit_statistics, (ROWS,), {"ngram_size": 2.5}, "ngram_size must be a whole number"),
]


@pytest.mark.parametrize(
    ("call", "args", "given", "said"), ODD_ELSEWHERE, ids=[str(n) for n in range(len(ODD_ELSEWHERE))]
)
def test_other_functions_refuse_what_they_cannot_use(
    call: Any, args: tuple[Any, ...], given: dict[str, Any], said: str
) -> None:
    with pytest.raises(qc.QuchongError, match=re.escape(said)):
        call(*args, **given)


def test_a_method_of_the_wrong_sort_of_number_is_taken_in_its_plain_form() -> None:
    result = qc.dedup(
        ROWS,
        threshold=np.float64(0.7),
        ngram_size=np.int64(3),
        workers=np.int32(1),
        guards=np.bool_(False),
        recall_sample=0,
    )
    settings = result.manifest["config"]["parameters"]
    assert (settings["threshold"], settings["ngram_size"], settings["guards"]) == (0.7, 3, False)


def test_a_policy_may_be_a_list_and_boilerplate_one_path(tmp_path: Path) -> None:
    foot = tmp_path / "foot.txt"
    foot.write_text("本文来源：新华社\n", encoding="utf-8")
    rows = [{"id": "a", "text": TEXT}, {"id": "b", "text": f"{TEXT}\n本文来源：新华社"}]
    listed = qc.dedup(rows, keep=["shortest", "first"], boilerplate=foot, recall_sample=0)
    assert listed.manifest["config"]["keep"] == "shortest,first"
    assert listed.ledger["relation"].to_pylist() == ["exact"]
    assert qc.dedup(rows, boilerplate=str(foot), recall_sample=0).ledger["relation"].to_pylist() == ["exact"]


def test_a_list_of_file_names_is_not_taken_for_texts(tmp_path: Path) -> None:
    """Whoever writes ["a.jsonl"] means the file; compared as a text it would be kept without a word."""
    with pytest.raises(qc.UsageError, match=r"names of files, such as 'a\.jsonl'.*pathlib\.Path"):
        qc.dedup(["a.jsonl", "b.jsonl"])
    plain = tmp_path / "plain"
    plain.write_text("x")
    with pytest.raises(qc.UsageError, match="names of files"):
        qc.dedup([str(plain)])
    assert qc.dedup(["见 a.jsonl", "b.jsonl"], recall_sample=0).counts["kept"] == 2, "not all of them name files"
    assert qc.dedup([{"text": "a.jsonl"}], recall_sample=0).counts["kept"] == 1


def test_an_error_keeps_its_words_when_it_is_pickled() -> None:
    import pickle

    with pytest.raises(qc.UsageError) as caught:
        qc.dedup(ROWS, workers=0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.parameters == ("workers",)


@pytest.mark.parametrize(
    "call",
    [
        lambda: qc.compare(None, "a"),
        lambda: qc.dedup([{"id": 1, "text": "\ud800"}]),
        lambda: qc.dedup([{"id": 1, "text": SPRING, "tags": ["a"]}], per="tags"),
        lambda: qc.dedup([SPRING], threshold="0.5"),
        lambda: qc.dedup([SPRING], only_against=True),
        lambda: qc.dedup([SPRING], workers=0),
        lambda: qc.dedup([SPRING], relations=""),
    ],
)
def test_wrong_use_is_a_usage_error(call):
    with pytest.raises(qc.UsageError):
        call()
