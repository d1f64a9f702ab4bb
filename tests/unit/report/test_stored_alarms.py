"""Covers: messages of alarms of finished runs in both languages (`quchong.report.stored_alarms`). Compared against: the run that raised them."""

import pytest

from quchong.languages import speaking
from quchong.plan.columns_found import FoundColumns
from quchong.report.stored_alarms import alarm_message


def stored(columns):
    """The alarms of these columns as run.json has them."""
    return [
        {"kind": "columns", "level": "note", "message": str.__str__(one), "figures": columns.describe()}
        for one in columns.remarks()
    ]


@pytest.mark.parametrize(
    "columns",
    [
        FoundColumns((("time", "date"), ("source", "site"))),
        FoundColumns((("text", "正文"), ("id", "编号"), ("time", "发布时间"), ("source", "媒体"))),
        FoundColumns((("id", "key"),), (("time", ("date", "pubdate")),)),
    ],
)
def test_columns_are_told_in_the_language_spoken(columns):
    for alarm, remark in zip(stored(columns), columns.remarks(), strict=True):
        for language in ("en", "zh"):
            with speaking(language):
                assert alarm_message(alarm).translation() == remark.translation()
    with speaking("zh"):
        assert "read as" not in alarm_message(stored(columns)[0]).translation()


@pytest.mark.parametrize("figures", [None, [], {"found": 3}, {"found": {"time": 5}, "unsure": {"nothing": ["a"]}}, {}])
def test_figures_of_a_stranger_do_not_matter(figures):
    alarm = {"kind": "columns", "message": "date is read as the time", "figures": figures}
    with speaking("en"):
        assert alarm_message(alarm).translation() == "date is read as the time"
