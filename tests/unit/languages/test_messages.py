"""Covers: quchong.languages: messages, the language that is spoken, stored messages."""

import json
import pickle
import re

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.errors import InputError, InPython, Param, QuchongError, UsageError
from quchong.languages import (
    AND,
    Message,
    add_catalogue,
    join_messages,
    language,
    language_of_place,
    retold,
    set_default_language,
    several,
    speaking,
    spoken,
    stored,
    translated,
)
from quchong.languages.message import SYSTEM
from quchong.report.visible import compose


def test_english_is_spoken_unless_somebody_says_otherwise(monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.delenv("QUCHONG_LANG", raising=False)
    assert language() == "en" and translated("removed") == "removed"
    with speaking("zh"):
        assert translated("removed") == "删除"
        with speaking(None):
            assert language() == "zh"
    assert language() == "en"
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    assert language() == "zh"
    with speaking("en"):
        assert language() == "en"
    try:
        set_default_language("en")
        assert language() == "en" and language_of_place() == "en"
    finally:
        set_default_language(None)
    assert language_of_place() == "zh"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_MESSAGES": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"QUCHONG_LANG": "en", "LC_ALL": "zh_CN.GBK"}, "en"),
        ({"QUCHONG_LANG": "", "LANG": "Chinese_China.936"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_first_variable_that_is_set_tells_the_language(place, expected):
    assert language_of_place(place) == expected


def test_another_package_adds_its_catalogue(monkeypatch, tmp_path):
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    made = Catalog(locale="zh")
    made.add("words of a guest", "客人的话")
    made.add("removed", "不用")
    made.add(("{} guest", "{} guests"), ("{} 位客人",))
    (tmp_path / "zh" / "LC_MESSAGES").mkdir(parents=True)
    with (tmp_path / "zh" / "LC_MESSAGES" / "guest.mo").open("wb") as file:
        write_mo(file, made)
    monkeypatch.setattr(spoken, "_further", {})
    try:
        with speaking("zh"):
            assert translated("words of a guest") == "words of a guest"
            add_catalogue("guest", tmp_path)
            assert translated("words of a guest") == "客人的话"
            assert several("{} guest", "{} guests", 2).translation() == "2 位客人"
            assert translated("removed") == "删除"  # quchong's own words come first
        assert translated("words of a guest") == "words of a guest"
    finally:
        spoken.catalogue.cache_clear()


def test_a_message_is_stored_in_english_and_told_in_the_language_spoken():
    said = Message("{} exists: choose another folder, or replace that run with {}", "run", Param("overwrite", True))
    english = "run exists: choose another folder, or replace that run with overwrite=True"
    assert said == english and json.loads(json.dumps(said)) == english and orjson.loads(orjson.dumps(said)) == english
    assert pa.array([said]).to_pylist() == [english]
    with speaking("zh"):
        assert (
            str(said) == english and said.translation() == "run 已存在：请换一个目录，或用 overwrite=True 替换那次运行"
        )
        again = pickle.loads(pickle.dumps(said))
        assert again == english and again.translation() == said.translation()


def test_chinese_words_in_a_chinese_sentence_have_no_spaces_around_them_but_names_have():
    template = "{} exists: choose another folder, or replace that run with {}"
    with speaking("zh"):
        given = Message(template, Message("the data given"), Message("the test set")).translation()
        assert given == "所给的数据已存在：请换一个目录，或用测试集替换那次运行"
        named = Message(template, Message("{}", "run"), Message("{}", "b")).translation()
        assert named == "run 已存在：请换一个目录，或用 b 替换那次运行"


def test_braces_in_values_and_in_words_without_values_are_no_places():
    assert Message("{} is given twice: give it once", "{0}") == "{0} is given twice: give it once"
    assert Message("text {'a': 1}") == "text {'a': 1}"
    assert str(UsageError("text {'a': 1}")) == "text {'a': 1}"


def test_numbers_lists_and_what_the_system_says_are_told_inside_a_message():
    rows = [several("put back {:,} row", "put back {:,} rows", n) for n in (1, 2000)]
    assert rows == ["put back 1 row", "put back 2,000 rows"]
    assert join_messages(["a", "b", "c"], AND) == "a and b and c" and join_messages([], AND) == ""
    failed = Message("cannot write {}: {}", "x", "No space left on device")
    with speaking("zh"):
        assert [one.translation() for one in rows] == ["放回了 1 行", "放回了 2,000 行"]
        assert join_messages(["a", "b", "c"], AND).translation() == "a 和 b 和 c"
        assert failed.translation() == "无法写 x：设备上没有空间"
        assert translated("removed", SYSTEM) == "removed"  # no message of that context


def test_an_error_names_options_in_the_language_spoken():
    inner = InputError("{} cannot be read: {}", "a.jsonl", "Permission denied")
    error = UsageError(
        "{} must be {}{}, got {}{}",
        Param("workers"),
        Message("a whole number from 1 to {}", 64),
        InPython(", or None"),
        0,
        Message("; did you mean {} or {}?", inner, "y"),
    )
    assert str(error) == (
        "workers must be a whole number from 1 to 64, or None, got 0; did you mean a.jsonl cannot be read: Permission denied or y?"
    )
    assert error.parameters == ("workers",)
    with speaking("zh"):
        assert (
            str(error) == "workers 应为：1 至 64 的整数，或 None；现在是 0；是不是想写 a.jsonl 读不了：权限不够 或 y？"
        )
        assert "must be" in error.english
        told = error.render_message(lambda param: f"--{param.name}")
        assert told == "--workers 应为：1 至 64 的整数；现在是 0；是不是想写 a.jsonl 读不了：权限不够 或 y？"
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, UsageError) and str(again) == str(error)
    assert str(QuchongError()) == ""


def test_a_stored_message_is_known_by_its_words():
    stored = str.__str__(Message("{:,} of {:,} documents have no text. Such documents are kept and not compared: check "
                                 "the name of the text column", 1200, 3000))  # fmt: skip
    assert retold(stored) is stored
    with speaking("zh"):
        assert retold(stored) == "3,000 篇文档中有 1,200 篇没有正文：已保留，未作比较。请检查正文列的名称"
        assert retold("nothing of ours") == "nothing of ours"


def test_a_line_is_composed_in_the_language_spoken_and_stays_harmless():
    with speaking("zh"):
        assert compose("{} was kept", "a\x1b[2J") == "a\\x1b[2J 已保留"
        assert compose("{}", Message("cannot be read: {}", "\u202ex")) == "读不了：⟨U+202E⟩x"


def test_a_stored_message_made_to_fit_nearly_costs_no_more():
    """Every literal of a template, sixty times over: matched with backtracking this took minutes at 2,000 characters."""
    with speaking("zh"):
        pieces = [piece for piece, *_ in max((pieces for pieces, _ in stored._templates("zh")), key=len)]
        nearly = pieces[0] + "".join(piece or "x" for piece in pieces[1:-1]) * 60
        for text in (nearly[:3_900], nearly[:3_900] + pieces[-1], nearly * 1_000):
            assert isinstance(retold(text), str)


@given(st.lists(st.sampled_from(["", "a", "b", "ab", "ba "]), min_size=2, max_size=5), st.text("ab ", max_size=12))
def test_values_between_pieces_are_those_of_a_lazy_pattern(pieces, text):
    found = re.fullmatch("(.*?)".join(map(re.escape, pieces)), text, re.DOTALL)
    assert stored._between([(piece,) for piece in pieces], text) == (list(found.groups()) if found else None)
