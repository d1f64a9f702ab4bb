"""Covers: a title or words of a text in place of an id: the error names the documents that have them."""

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.results import quoted_document

TEXTS = {
    1: "因供水主管改造施工，本市供水公司定于三月五日夜间对文渡街一带停止供水，请居民提前储水，停水期间关好水龙头。",
    2: "市图书馆新馆本周六开放，设有儿童阅览区和地方文献室，读者凭身份证即可办理借书证，开放时间为每天九时至二十一时。",
}


def article(number):
    return TEXTS[number]


@pytest.fixture
def run(tmp_path):
    rows = [{"id": f"d{n}", "title": f"第{n}号通知", "source": "日报", "text": article(n)} for n in (1, 2)]
    return qc.dedup([*rows, {"id": "d3", "title": "转载", "source": "日报", "text": article(1)}], out=tmp_path / "run")


def told(run, words):
    with pytest.raises(UsageError) as raised:
        run.explain(words)
    return str(raised.value)


def test_a_title_or_part_of_a_text_leads_to_the_id(run, tmp_path):
    for each in (run, qc.load(tmp_path / "run")):
        assert "but d2 contains these words: give that id" in told(each, "第2号通知")
        assert "but d3 contains these words: give that id" in told(each, "转载")
        assert "d1" in told(each, article(1)[5:30]) and "3 documents contain these words, such as d1, d2, d3" in told(
            each, "日报"
        )


def test_other_words_are_an_unknown_id(run):
    for words in ("d9", "通", "no such words", ""):
        assert "no document has the id" in told(run, words)


def test_a_large_run_is_not_searched(run, monkeypatch):
    monkeypatch.setattr(quoted_document, "LOOKED_AT", 2)
    assert "no document has the id" in told(run, "第2号通知")
