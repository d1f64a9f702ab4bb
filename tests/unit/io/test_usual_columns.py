"""Usual names of columns: one meant, several possible, none."""

import pytest

from quchong.io.usual_columns import USUAL, title_columns, usual_columns


@pytest.mark.parametrize(
    ("name", "columns", "found"),
    [
        ("text", ["编号", "标题", "正文"], ["正文"]),
        ("text", ["text", "正文", "content"], ["text"]),
        ("text", ["content", "Text"], ["Text"]),
        ("text", ["content", "正文"], ["content", "正文"]),
        ("text", ["Full Text", "url"], ["Full Text"]),
        ("id", ["ID", "编号"], ["ID"]),
        ("time", [" 发布时间 "], [" 发布时间 "]),
        ("source", ["媒体", "来源"], ["媒体", "来源"]),
        ("url", ["原文链接"], ["原文链接"]),
        ("text", ["message"], []),
        ("html", ["HTML", "content"], ["HTML"]),
    ],
)
def test_usual_columns(name: str, columns: list[str], found: list[str]) -> None:
    assert usual_columns(name, columns) == found


def test_titles_are_found_in_the_order_of_preference() -> None:
    assert title_columns(["标题", "url", "name", "Title"]) == ["Title", "name", "标题"]
    assert title_columns(["text"]) == []


def test_no_name_has_two_meanings() -> None:
    names = [name for known in USUAL.values() for name in known]
    assert len(names) == len(set(names))
    assert not set(names) & set(USUAL)
    assert all(name == name.casefold() for name in names)
