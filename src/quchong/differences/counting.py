"""Calendar units and counted things at an edit: 3月 replaced by 3日, 两片 replaced by 三片."""

from __future__ import annotations

import re

from quchong.differences.numerals import number
from quchong.differences.windows import Window

_PERIODS = (
    ("年", "年度"),
    ("季度", "季"),
    ("月", "月份"),
    ("周", "星期", "礼拜"),
    ("日", "号", "天"),
    ("时", "点", "点钟", "小时"),
    ("分", "分钟"),
    ("秒", "秒钟"),
)
"""Calendar and clock units; the words of one row mean the same after a number."""
_PERIOD = {word: k for k, row in enumerate(_PERIODS) for word in row}
_NUMBERED = re.compile(r"(?<![\d.])(?:\d{1,4}|[零〇一二两三四五六七八九十百]+)个?$")
"""Number before a calendar unit."""
_MONTH = re.compile(r"月(?:\d{1,2}|[一二三四五六七八九十]{1,3})$")
_COUNTING = re.compile(
    "[片粒颗袋瓶盒剂针滴勺杯碗枚株棵头匹口根块面幅筐箱桶包车趟遍回场季旬双副份列卷册页节课厅丈尺寸里斤克毛角笔封盏扇朵串捆束堆排行步圈拳刀枪弹发轮局盘关桩则款宗例名个人次套条张件只台辆]"
)
"""Measure words that a Chinese numeral counts."""
_MEASURED = re.compile(
    "[个名人家次件元楼地县市省镇乡村校厂队票站线期版集章天日月年岁米公吨亩只台辆架艘栋套张篇条项种类批座层间时分秒届起例户处位支场成倍万亿折级号]"
    "|等[奖功舱座]"
)
"""Measure words that make a single Chinese numeral a figure: 三名, but not 一样."""
_NUMERALS = re.compile("[零〇一二两三四五六七八九十百千万]{1,6}")


def measured(text: str, at: int) -> bool:
    """Return True if a measure word begins at offset `at` of the text."""
    return bool(_MEASURED.match(text, at))


def periods_apart(left: Window, right: Window) -> bool:
    """Return True if one number is followed by two different calendar units: 3月 and 3日, 三年 and 三天.

    月 in place of 日 after a month and a number is a slip (3月5月) and gives False.
    """
    mine, theirs = _PERIOD.get(left.stretch), _PERIOD.get(right.stretch)
    if mine is None or theirs is None or mine == theirs:
        return False
    before = left.text[: left.start]
    return bool(_NUMBERED.search(before)) and not _MONTH.search(before)


def counted_apart(left: Window, right: Window) -> bool:
    """Return True if two different Chinese numerals count the same thing: 两片 and 三片."""
    both = left.stretch, right.stretch
    if not all(_NUMERALS.fullmatch(stretch) for stretch in both) or number(both[0]) == number(both[1]):
        return False
    behind = left.text[left.end : left.end + 1]
    return bool(_COUNTING.match(behind)) and behind == right.text[right.end : right.end + 1]
