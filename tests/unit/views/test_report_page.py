"""Covers: quchong.views.page, .words and .written: one file, its policy, its words, where it is written.

Run: pytest tests/unit/views/test_report_page.py.
"""

import base64
import hashlib
import json
import re
import string
from pathlib import Path

import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong.relations import RELATIONS
from quchong.tables import DIFFERENCES
from quchong.views.page import SCRIPTS, asset, data_block
from quchong.views.words import default_language, words

ASSETS = Path(qc.__file__).parent / "views" / "assets"
OURS = {name: asset(name) for name in SCRIPTS if not name.startswith("chart.umd")}


@pytest.fixture(scope="module")
def text(saved, tmp_path_factory):
    return saved.report(tmp_path_factory.mktemp("page") / "news.html", lang="zh").read_text("utf-8")


def test_the_page_asks_for_nothing_else(text):
    assert not re.findall(r"<(?:link|img|iframe|object|embed|base|form)\b", text.partition("<script>")[0])
    assert not re.findall(r"<script[^>]+src", text)
    for source in OURS.values():
        assert not re.search(
            r"\b(fetch|XMLHttpRequest|WebSocket|sendBeacon|importScripts|EventSource)\b|https?://(?!www\.w3\.org)",
            source,
        )
    assert "url(" not in asset("page.css") and "@import" not in asset("page.css")


def test_the_policy_allows_what_is_in_the_page_and_nothing_else(text):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert set(rules) == {"default-src", "script-src", "style-src", "base-uri", "form-action"}

    def digest(part):
        return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"

    assert rules["script-src"].split() == [digest(s) for s in re.findall(r"<script>(.*?)</script>", text, re.DOTALL)]
    assert rules["style-src"].split() == [digest(s) for s in re.findall(r"<style>(.*?)</style>", text, re.DOTALL)]
    assert len(rules["script-src"].split()) == len(SCRIPTS)


def test_scripts_set_text_never_html():
    for name, source in OURS.items():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setTimeout\(['\"]", source
        ), name
        assert not re.search(r"setAttribute\(\s*['\"](?:style|on\w+)", source), name
    assert not re.search(r"\son\w+=|style=|javascript:", asset("page.html"))


def test_data_of_a_run_cannot_end_its_block():
    value = {"a": "</script><!--&\u2028", "b": float("inf"), "c": [float("nan"), 1.5]}
    block = data_block(value)
    assert not set("<>&\u2028\u2029") & set(block)
    assert json.loads(block) == {"a": value["a"], "b": None, "c": [None, 1.5]}


def test_every_word_is_said_in_both_languages():
    for key, said in words().items():
        assert set(said) == {"en", "zh"} and all(said.values()), key
        fields = [sorted(name for _, name, _, _ in string.Formatter().parse(said[tag]) if name) for tag in ("en", "zh")]
        assert fields[0] == fields[1], key
        assert not re.search(r"[\u4e00-\u9fff]", said["en"]), key
    latin = {key for key, said in words().items() if not re.search(r"[\u4e00-\u9fff]", said["zh"])}
    assert latin == {"pair.of", "list", "csv.id", "xlsx.id", "counted", "labelled"}


def test_every_word_that_is_asked_for_is_there_and_every_one_is_asked_for():
    asked = set()
    for source in [*OURS.values(), (ASSETS.parent / "workbook.py").read_text("utf-8")]:
        asked |= set(re.findall(r"""["'`]([a-z_]+(?:\.[a-zA-Z_ ,]+)*)["'`]""", source))
    prefixes = {
        "relation.": RELATIONS, "kind.": DIFFERENCES, "rule.": None, "alarm.": None, "message.": None, "xlsx.": None, "count.": None, "unit.": None,
        "theme.": None, "nav.": None, "group.": None, "score.": None, "slider.": None, "cluster.": None, "filter.": None,
        "basis.": ("text",), "media.": None, "certainty.": ("only", "equal", "likely", "likely.of", "undecided", "undecided.of"),
        "gate.": None, "setting.": None, "order.": None,
    }  # fmt: skip
    for prefix, names in prefixes.items():
        assert not names or {prefix + name for name in names} <= set(words()), prefix
    known = {key for key in words() if key in asked or key.startswith(tuple(prefixes))}
    assert set(words()) - known == {"skip"}  # which page.html asks for
    for key in re.findall(r"""q\.t\("([^"]+)"[),]""", "\n".join(OURS.values())):
        assert key in words(), key


def test_every_alarm_has_a_sentence_in_chinese():
    source = (Path(qc.__file__).parent / "decision" / "alarms.py").read_text("utf-8")
    kinds = set(re.findall(r'Alarm\(\s*"([a-z ]+)"', source)) | {"removed unconfirmed"}
    assert kinds <= {key.removeprefix("alarm.") for key in words()}
    spoken = {key.removeprefix("message.") for key in words() if key.startswith("message.")}
    assert kinds - spoken <= {
        "candidates bounded",
        "columns",
    }  # whose figures are the method's own, or names of columns


@pytest.mark.parametrize(
    ("environment", "language"),
    [({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"), ({"QUCHONG_LANG": "zh", "LC_ALL": "C"}, "zh"),
     ({"QUCHONG_LANG": "en", "LANG": "zh_TW"}, "en"), ({"LC_MESSAGES": "zh_CN", "LANG": "de_DE"}, "zh")],
)  # fmt: skip
def test_the_language_is_that_of_the_environment(monkeypatch, environment, language):
    for name in ("QUCHONG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_language() == language


def test_the_library_is_named_in_the_notice():
    root = Path(__file__).parents[3]
    version = re.search(r"Chart\.js v([\d.]+)", asset("chart.umd.min.js"))[1]
    assert f"Chart.js {version}" in (root / "NOTICE").read_text("utf-8")
    assert "Permission is hereby granted" in (ASSETS / "chart.LICENSE.md").read_text("utf-8")


def test_the_same_run_gives_the_same_page(saved, tmp_path):
    pages = [saved.report(tmp_path / f"{k}.html", lang="en").read_bytes() for k in range(2)]
    assert pages[0] == pages[1]


def test_nothing_is_overwritten_unless_it_is_a_report_and_asked_for(saved, tmp_path):
    page = saved.report(tmp_path / "a.html")
    with pytest.raises(OutputError, match=r"exists.*overwrite=True"):
        saved.report(page)
    before = page.read_bytes()
    assert saved.report(page, overwrite=True) == page and page.read_bytes() == before
    mine = tmp_path / "mine.html"
    mine.write_text("<p>my own page")
    with pytest.raises(OutputError, match="is not a report of quchong"):
        saved.report(mine, overwrite=True)
    assert mine.read_text() == "<p>my own page"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "mine.html"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("", "choose another output"),
        ("other", "it is a folder"),
        ("nowhere/a.html", "no folder"),
        ("run/a.html", "is inside"),
        ("run/run.json", "is inside"),
        ("run", "same as"),
    ],
)
def test_places_that_are_refused(result, tmp_path, place, said):
    run = qc.load(result.save(tmp_path / "run"))
    (tmp_path / "other").mkdir()
    before = sorted((p.name, p.stat().st_mtime_ns) for p in (tmp_path / "run").iterdir())
    with pytest.raises(OutputError, match=said):
        run.report(tmp_path / place, overwrite=True)
    assert sorted((p.name, p.stat().st_mtime_ns) for p in (tmp_path / "run").iterdir()) == before


def test_an_input_is_never_written_over(tmp_path):
    data = tmp_path / "data.jsonl"
    data.write_text('{"text": "今天天气很好"}\n')
    with pytest.raises(OutputError, match="choose another output"):
        qc.dedup(data).report(data, overwrite=True)
    saved = qc.load(qc.dedup(data, out=tmp_path / "run").folder)
    with pytest.raises(OutputError, match="not a report of quchong"):
        saved.report(data, overwrite=True)
    assert data.read_text() == '{"text": "今天天气很好"}\n'


def test_odd_calls_are_told(saved, tmp_path):
    for given in ({"lang": "fr"}, {"lang": 1}, {"overwrite": "yes"}, {"path": 5}, {"path": None, "overwrite": True}):
        with pytest.raises(UsageError):
            saved.report(**{"path": tmp_path / "a.html"} | given)
    assert not list(tmp_path.iterdir())


def test_a_report_is_refused_under_the_ending_of_another_format(result, tmp_path):
    for name in ("x.pdf", "x.PDF", "x.csv", "x.docx"):
        with pytest.raises(UsageError, match="web page"):
            result.report(tmp_path / name)
    assert not list(tmp_path.iterdir()) and result.report(tmp_path / "x.2024").is_file()
