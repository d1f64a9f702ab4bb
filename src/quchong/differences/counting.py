"""Calendar units and counted things at an edit: 3月 replaced by 3日, 两片 replaced by 三片."""

from __future__ import annotations

from quchong.differences.numerals import TENS, UNITS, estimate, number, scale
from quchong.differences.units import UNITS as METRIC
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word

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
_NUMBERED = lazy_pattern(r"(?<![\d.])(?:\d{1,4}|[零〇一二两三四五六七八九十百]+)个?$")
"""Number before a calendar unit."""
_MONTH = lazy_pattern(r"月(?:\d{1,2}|[一二三四五六七八九十]{1,3})$")
_COUNTING = lazy_pattern(
    "[片粒颗袋瓶盒剂针滴勺杯碗枚株棵头匹口根块面幅筐箱桶包车趟遍回场季旬双副份列卷册页节课厅丈尺寸里斤克毛角笔封盏扇朵串捆束堆排行步圈拳刀枪弹发轮局盘关桩则款宗例名个人次套条张件只台辆]"
)
"""Measure words that a Chinese numeral counts."""
_SELDOM = frozenset(
    "爿畦垛帧绺匝茬拨撮抔缕泓丸贴锭沓摞股抹钵盅缸坛罐筒锅屉笼碟匙餐顿席桌拃庹宗贯处头峰匣帖幢尊幕阕畈垧窝胎群伙番拍铺挂篓簇丛茎穗瓣滩洼堵垄"
)
"""Measure words of few things, before which a numeral that is put in makes another count: noise puts one there hardly ever."""
_MEASURED = lazy_pattern(
    "[个名人家次件元楼地县市省镇乡村校厂队票站线期版集章天日月年岁米公吨亩只台辆架艘栋套张篇条项种类批座层间时分秒届起例户处位支场成倍万亿折级号]"
    "|等[奖功舱座]"
)
"""Measure words that make a single Chinese numeral a figure: 三名, but not 一样."""
_RUN = "零〇一二两三四五六七八九十百千万亿廿卅半几数多余0123456789"
"""Characters of a count: numerals, digits, and the words that make one rough."""
_ROUGH = lazy_pattern(
    r"(?P<head>[零〇一二两三四五六七八九十百千万亿廿卅]*|\d+)(?P<rough>[几数多余]?)(?P<times>[十百千万亿]*)"
)
_NO_COUNT = {
    "分": "十百万几",
    "般": _RUN,
    "样": _RUN,
    "点": "一半",
    "是": _RUN,
    "要": _RUN,
    "者": _RUN,
    "则": "一二三四",
    "来": _RUN,
    "曰": _RUN,
}
"""Characters that make a word of a preceding numeral (十分, 一般), or an item of a list (二是), and these numerals."""


def measured(text: str, at: int) -> bool:
    """Return True if a Chinese measure word begins at offset `at` of the text."""
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


def priced_apart(left: Window, right: Window) -> bool:
    """Return True if the unit after 每 differs between the sides: 每公斤 and 每吨. Units of the calendar (每天) are left to dates."""
    units = [_unit_of_each(side) for side in (left, right)]
    return all(units) and units[0] != units[1]


_EACH = lazy_pattern("每一?(?P<unit>[\u4e00-\u9fff]{1,3})")
_TIMES_OF_DAY = ("分钟", "月")
"""Base units of the calendar and the clock."""


def _unit_of_each(window: Window) -> tuple[str, float] | None:
    """Return the unit after the last 每 in or before the differing text, with its factor; None if there is none."""
    at = window.text.rfind("每", max(0, window.start - 4), window.end)
    found = _EACH.match(window.text, at) if at >= 0 else None
    words = [found["unit"][:n] for n in (3, 2, 1)] if found else []
    unit = next((METRIC[word] for word in words if word in METRIC), None)
    return None if unit is None or unit[0] in _TIMES_OF_DAY else unit


def counted_apart(left: Window, right: Window) -> bool:
    """Return True if two different counts precede the same thing: 两片 and 三片, 几个 and 十几个.

    Where a count replaces another one, any character may follow: the construction decides, not the measure word. A known measure
    word must follow where a numeral is inserted (几个, 十几个), as noise inserts characters too, and where more than the counts differs
    (共两片, 总计三片; 两枚, 三块).
    """
    mine, theirs = _count(left), _count(right)
    if mine is None or theirs is None:
        return False
    (one, a), (other, b) = mine, theirs
    if (one + other).isascii():
        return False  # both in digits: compared as figures
    # The same character must follow, or measure words on both sides.
    alone = all(set(side.stretch) <= _CHARACTERS for side in (left, right))
    behind = left.text[a : a + 1], right.text[b : b + 1]
    same = behind[0] == behind[1]
    inserted = one in other or other in one
    if same and alone and (not inserted or _free(left, one, a) or _free(right, other, b)):
        counts = "\u3400" <= behind[0] <= "\u9fff" and not {one, other} <= set(_NO_COUNT.get(behind[0], ""))
    else:
        counts = all(_COUNTING.match(after) or _MEASURED.match(after) for after in behind)
        counts = counts and (same or _UNITS.isdisjoint(behind))
        counts = counts and (alone or "一" not in (one, other))
    x, y = (_bounds(run) for run in (one, other)) if counts else (None, None)
    return bool(x and y and (x[1] < y[0] or y[1] < x[0]))


def _free(window: Window, run: str, end: int) -> bool:
    """Return True if the count `run` that ends at `end` is surely one: it forms no word with its neighbours (三 of 三爿店, not of 三角).

    It makes no word with the characters beside it, and is 两 or stands before a measure word, because noise inserts numerals too.
    """
    if run != "两" and window.text[end : end + 1] not in _SELDOM:
        return False
    text, start = window.text, end - len(run)
    behind = [run[-1] + text[end : end + n] for n in (1, 2)]
    before = text[start - 1 : start] + run[0] if start else ""
    return not any(is_known_word(word) for word in (*behind, before) if len(word) > 1)


_CHARACTERS = frozenset(_RUN)
_YEAR = lazy_pattern("[零〇一二三四五六七八九]{3,}")
_UNITS = frozenset(unit[0] for unit in METRIC if not unit.isascii())
"""Characters with which a unit may begin; amounts with units are compared as figures."""


def _count(window: Window) -> tuple[str, int] | None:
    """Return the count that contains the differing text, or that ends it, with the offset after the count; None if there is none."""
    text, start, end = window.text, window.start, window.end
    # Of a longer stretch the count is what it ends with, before one more character at most.
    if not set(window.stretch) <= _CHARACTERS:
        if end - start > _LONGEST:
            return None
        end -= window.stretch[-1] not in _CHARACTERS
        start = end
    while end < len(text) and text[end] in _CHARACTERS:
        end += 1
    while start > 0 and text[start - 1] in _CHARACTERS:
        start -= 1
    # Parts of 1,234 or 3.5 are no counts, nor are numerals one by one, as of a year (二〇一六).
    parted = _PARTED.match(text[max(0, start - 2) : start + 1]) or _PARTED.match(text[end - 1 : end + 2])
    if start == end or _YEAR.fullmatch(text[start:end]) or parted:
        return None
    return text[start:end], end


_PARTED = lazy_pattern(r"\d[.,:/-]\d")


_LONGEST = 4
"""Most characters of a stretch that ends with a count and has other text before it."""


def _bounds(run: str) -> tuple[float, float] | None:
    """Return the least and the greatest value of a count: 2 and 9 of 几, 10 and 19 of 十几, 2 and 2 of 两; None if it is no count."""
    if run == "半":
        return 0.5, 0.5
    if (between := estimate(run)) is not None:
        return between
    found = _ROUGH.fullmatch(run)
    if found is None or not (found["head"] or found["rough"]):
        return None
    times, head = scale(found["times"]), found["head"]
    if not found["rough"]:
        exact = (number(head) or 0.0) * times
        return exact, exact
    if not head:
        return None if found["rough"] in "多余" else (2 * times, 10 * times - 1)
    # 三百多: more than 300, less than the next hundred; the step is the last unit of the head.
    value, step = number(head), {**TENS, **UNITS}.get(head[-1], 10)
    step = 10 if head[-1] in TENS or head.isdigit() else step
    return None if value is None else (value * times, (value + step) * times - 1)


_PLACED = lazy_pattern("(?:第[二三四五六七八九十]+|最|第一|)")
_BY_SIZE = lazy_pattern("[大高长强多富小低深宽重]")
_ORDINAL = lazy_pattern(r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[2-9](?:nd|rd|th))?[ -]?")
_SUPERLATIVE = lazy_pattern(r"(?<![a-z])(?:[a-z]{3,}est|most)(?![a-z])")


def placed_apart(left: Window, right: Window) -> bool:
    """Return True if one side ranks something first and the other second by size: 最大 and 第二大, the largest and the second largest."""
    sides = left, right
    if (left.stretch + right.stretch).isascii():
        both = all(_ORDINAL.fullmatch(side.stretch.strip(" -")) for side in sides)
        behind = left.text[left.end :].lstrip(" -")
        return both and left.stretch.strip(" -") != right.stretch.strip(" -") and bool(_SUPERLATIVE.match(behind))
    if not all(_PLACED.fullmatch(side.stretch) and _BY_SIZE.match(side.text, side.end) for side in sides):
        return False
    first = [side.stretch in ("最", "第一", "") for side in sides]
    return first[0] != first[1] or not (any(first) or left.stretch == right.stretch)
