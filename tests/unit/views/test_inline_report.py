"""Covers: quchong.views.inline: what `result.report()` shows in a notebook.

Run: pytest tests/unit/views/test_inline_report.py. In a browser: tests/browser.
"""

import html
import re
from html.parser import HTMLParser

import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong.views.inline import LARGEST


def frame(report):
    """The attributes of the only element there is."""
    found = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append((tag, dict(attrs)))

    Parser().feed(report._repr_html_())
    ((tag, attributes),) = found
    assert tag == "iframe"
    return attributes


def test_a_frame_holds_the_whole_page_and_may_do_nothing_else(result):
    report = result.report(lang="zh")
    attributes = frame(report)
    assert attributes["srcdoc"] == report.html and 'lang="zh-Hans"' in report.html
    assert "allow-same-origin" not in attributes["sandbox"] and attributes["sandbox"].startswith("allow-scripts")
    assert re.search(r'http-equiv="Content-Security-Policy" content="default-src \'none\';', report.html)
    assert repr(report) == f"<quchong report: a page of {len(report.html.encode()):,} bytes, which a notebook shows>"


def test_texts_of_strangers_stay_in_the_frame():
    text = "</iframe><script>alert('\"1&quot;')</script> " * 4
    report = qc.dedup([{"id": "'\"<b>", "text": text}, {"id": "b", "text": text}]).report()
    assert frame(report)["srcdoc"] == report.html
    assert "<script>alert" not in html.unescape(report._repr_html_()).replace(report.html, "")


def test_a_loaded_run_shows_the_same_page(result, saved):
    assert qc.load(saved.folder).report(lang="en").html.count("<li") == result.report(lang="en").html.count("<li")


def test_a_page_in_a_notebook_is_small():
    rows = [
        {"id": f"{k}-{c}", "text": f"第{k}篇：" + chr(0x4E00 + k) * 40 + "今天天气很好，" * 900}
        for k in range(300)
        for c in range(2)
    ]
    assert len(qc.dedup(rows, recall_sample=0).report().html.encode()) <= LARGEST


def test_nothing_is_written_without_a_path(result, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result.report()
    assert not list(tmp_path.iterdir())
    with pytest.raises(UsageError, match="overwrite needs an output: name it with path"):
        result.report(overwrite=True)
    assert result.report("a.html") == tmp_path.joinpath("a.html").relative_to(tmp_path)
    with pytest.raises(OutputError, match=r"a\.html exists"):
        result.report("a.html")


def test_progress_is_told(result):
    told = []

    class Watch:
        def stage(self, name, total, unit):
            told.append(name)

        def advance(self, amount):
            assert amount > 0

    result.report(progress=Watch())
    assert told == ["open the run", "decide again at other thresholds", "find who copied whom", "choose and read texts"]
