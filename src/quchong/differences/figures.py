"""Figures, dates, times and codes in a stretch of text, and whether two of them contradict each other.

Texts come in normal form (`quchong.differences.windows`): NFKC, lower case, simplified.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from quchong.differences.numerals import TIMES, WORDS, number, numeral, scale

MONTHS = {m: i + 1 for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
DAYS = {d: i for i, d in enumerate("一二三四五六日")} | {
    d: i for i, d in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
MEASURES = {
    "公里": ("米", 1000.0), "千米": ("米", 1000.0), "厘米": ("米", 0.01), "毫米": ("米", 0.001), "小时": ("分钟", 60.0),
    "成": ("%", 10.0), "percent": ("%", 1.0), "pct": ("%", 1.0),
    "吨": ("公斤", 1000.0), "千克": ("公斤", 1.0), "克": ("公斤", 0.001), "平方公里": ("平方米", 1e6),
}  # fmt: skip
"""Units by what they are a multiple of: 5公里 and 5000米 say the same."""
MONEY = {"$": "美元", "£": "英镑", "€": "欧元", "¥": "元", "¢": "美分"}

_N = r"\d{1,2}"
_NUMERAL = "[零〇一二两三四五六七八九十百千]"
_HAN = "[零〇一二两三四五六七八九十]{1,3}"
_MONTHS = (
    "january jan february feb march mar april apr may june jun july jul august aug september sept sep october oct november nov "
    "december dec"
).split()
_MONTH = "|".join(_MONTHS)
_PATTERN = re.compile(
    rf"""
    (?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>{_N})[-/.](?P<d1>{_N})(?!\d))
  | (?P<md>(?:(?P<y2>\d{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{4}})年)?(?P<m2>{_N}|{_HAN})月(?:份|(?P<d2>{_N}|{_HAN})[日号]?)?)
  | (?P<year>(?P<y3>\d{{4}}|[零〇一二三四五六七八九]{{4}})年)
  | (?P<day>(?<![第\d])(?P<d4>{_N}|(?:二?十|三十)[一二三四五六七八九]?)日(?!元))
  | (?P<week>(?:周|星期|礼拜)(?P<w>[一二三四五六日天])|(?P<w2>(?:mon|tues|wednes|thurs|fri|satur|sun)day))
  | (?P<time>(?P<half>上午|下午|晚上|凌晨|中午|晚|早)?(?P<h>{_N}|{_HAN})
        (?:时|点(?![零〇一二两三四五六七八九\d]+(?!分|[零〇一二两三四五六七八九十\d])))(?:(?P<mi>{_N}|{_HAN})分|(?P<hm>半))?
      | (?P<h2>{_N}):(?P<mi2>\d\d)(?!\d))
  | (?P<english>(?:(?P<d5>{_N})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<m5>{_MONTH})\b\.?
        (?:\s+(?P<d6>{_N})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<y5>\d{{4}})\b)?)
  | (?P<code>
        (?<![a-z\d])(?=[a-z\d]*[a-z])(?=[a-z\d-]*\d)[a-z\d]+(?:-[a-z\d]+)*(?![a-z\d])
      | \d+(?:\.\d+){{2,}}
      | \d{{3,4}}-\d{{7,8}}(?!\d)
      | (?<![\d.])\d{{7,}}(?![\d.])
      | (?<=[码号尾])(?:为|是|:|\s){{0,2}}\d{{3,}}(?![\d.年月日万亿元%])
    )
  | (?P<figure>(?P<pre>第|百分之|[-+±]\s?|[$¢£¥€]\s?){{0,2}}
        (?:(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
          |(?P<han>{_NUMERAL}+(?:[万亿]{_NUMERAL}+)*(?:点[零〇一二三四五六七八九]+)?|半))
        \s?(?P<times>(?:[百千](?!分点))?万亿?|[百千]?亿|千|百(?!分点)|(?:hundred|thousand|million|billion)\b)?
        \s?(?P<unit>个?百分点|平方公里|平方米|公里|千米|厘米|毫米|米|小时|分钟|公斤|千克|吨|克|%|‰|‱|°[cf]?|成|倍
          |多?(?:美元|港元|欧元|日元|英镑|卢布|元)|percent|pct)?)
  | (?P<word>\b(?:{"|".join(WORDS)})\b)
    """,
    re.VERBOSE,
)
RELATIVE = {
    **dict.fromkeys("今天 今日 昨天 昨日 前天 前日 当天 当日 日前 近日 today yesterday".split(), "day"),
    **dict.fromkeys("明天 明日 tomorrow".split(), "tomorrow"), **dict.fromkeys("后天 后日".split(), "in two days"),
    **dict.fromkeys("去年 上年".split(), "year before"), **dict.fromkeys("今年 本年".split(), "year"),
    **dict.fromkeys("明年 来年".split(), "year to come"), "上月": "month before", "本月": "month", "下月": "month to come",
    "上周": "week before", "本周": "week", "下周": "week to come",
}  # fmt: skip
_RELATIVE = re.compile("|".join(RELATIVE))


def stating() -> frozenset[str]:
    """Words in Latin letters that state a figure, a unit or a date, or a part of one."""
    every = [*WORDS, *_MONTHS, *DAYS, *RELATIVE, *MEASURES, *TIMES]
    return frozenset(w for w in every if w.isascii() and w.isalpha())


_MEASURED = re.compile(
    "[个名人家次件元楼地县市省镇乡村校厂队票站线期版集章天日月年岁米公吨亩只台辆架艘栋套张篇条项种类批座层间时分秒届起例户处位支场成倍万亿折级号]"
)
"""What may follow a single Chinese numeral that states a figure: 三名, but not 一样."""


_LOOSE_ONE = frozenset("批种些系般直样旦定起时边致")
"""Behind 一 these state no number: 一批, 一种."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact that a stretch of text states: its kind, its place there, and its value."""

    kind: str
    start: int
    end: int
    value: Any


@lru_cache(4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """The figures, dates, times and codes of a stretch, in order."""
    out = [Mention("date", m.start(), m.end(), ("relative", RELATIVE[m.group()])) for m in _RELATIVE.finditer(text)]
    for m in _PATTERN.finditer(text):
        found = _mention(m, text)
        if found is not None:
            out.append(found)
    return tuple(sorted(out, key=lambda x: x.start))


def _mention(m: re.Match[str], text: str) -> Mention | None:
    g = m.groupdict()
    a, b = m.span()
    if g["code"]:
        return Mention("code", a, b, g["code"].lstrip("为是: "))
    if g["word"]:
        return Mention("figure", a, b, (float(WORDS[g["word"]]), "", 1.0))
    date = _date(g)
    if date is not None:
        return Mention("date", a, b, date)
    figure = _figure(m, text)
    return None if figure is None else Mention("figure", a, b, figure)


def _date(g: dict[str, str | None]) -> tuple[str | float | None, ...] | None:
    """What a match says of a day or an hour: a date with what is known of year, month and day, a weekday, or a time."""
    out: tuple[str | float | None, ...] | None = None
    if g["iso"] or g["md"] or g["year"] or g["day"]:
        month, day = number(g["m1"] or g["m2"]), number(g["d1"] or g["d2"] or g["d4"])
        out = ("date", _year(g["y1"] or g["y2"] or g["y3"]), month, day)
    elif g["english"]:
        out = ("date", _year(g["y5"]), float(MONTHS[str(g["m5"])[:3]]), number(g["d5"] or g["d6"]))
    elif g["week"]:
        out = ("week", DAYS[str(g["w"] or g["w2"]).replace("天", "日")])
    elif g["time"]:
        hour, noon = number(g["h"] or g["h2"]) or 0.0, g["half"] == "中午"
        hour += 12 if (g["half"] in ("下午", "晚上", "晚") and hour < 12) or (noon and hour < 11) else 0
        out = ("time", hour, 30.0 if g["hm"] else number(g["mi"] or g["mi2"]) or 0.0)
    return out


def _figure(m: re.Match[str], text: str) -> tuple[float, str, float] | None:
    """Value, unit and multiple of a figure; None of a numeral that states none."""
    g, (a, b) = m.groupdict(), m.span()
    han, plain = g["han"], not (g["pre"] or g["times"] or g["unit"])
    if han and plain and len(han) == 1 and (not _MEASURED.match(text, b) or (han == "一" and text[b] in _LOOSE_ONE)):
        return None
    value = numeral(han) if han else float(g["number"].replace(",", ""))
    head = m.group()[: m.start("han" if han else "number") - a]
    unit = "%" if "百分之" in head else (g["unit"] or "").removeprefix("多").removeprefix("个")
    joined = a > 0 and "\u3400" <= text[a - 1] <= "\u9fff" and not unit and "." not in (g["number"] or "")
    if "-" in head and not joined:  # 歼-15 is a name
        value = -value
    unit = unit or next((name for sign, name in MONEY.items() if sign in head), "")
    unit, factor = MEASURES.get(unit, (unit, 1.0))
    times = scale(g["times"])
    return value * factor * times, unit + ("第" if "第" in head else ""), times


def _year(text: str | None) -> float | None:
    value = number(text)
    return None if value is None else value + (2000 if value < 50 else 1900) if value < 100 else value


_CODE_MARKS = re.compile(r"[-\s·.]")


def same(a: Mention, b: Mention) -> bool:
    """Do two mentions of one kind say nothing that contradicts?

    Dates contradict in a part that both have; a date and a relative day do not. Figures are held equal when rounded to
    what the coarser one says, where they are written in different multiples (1.2万 and 12,034).
    """
    x, y = a.value, b.value
    if a.kind == "code":
        return _same_code(x, y)
    if a.kind == "date":
        return x[0] != y[0] or all(p is None or q is None or p == q for p, q in zip(x[1:], y[1:], strict=True))
    units = not x[1] or not y[1] or x[1] == y[1]
    return units and (_equal(x[0], y[0]) or (_rounded(x[0], y[0]) if x[2] == y[2] else _in_multiples(x, y)))


def _same_code(x: str, y: str) -> bool:
    """Codes but for marks between their parts, and for what may stand before them (an area code, a v)."""
    longer, shorter = sorted((_CODE_MARKS.sub("", v).removeprefix("v") for v in (x, y)), key=len, reverse=True)
    return longer == shorter or (len(shorter) >= 5 and (longer.startswith(shorter) or longer.endswith(shorter)))


def _equal(x: float, y: float) -> bool:
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))


def _in_multiples(x: tuple[float, str, float], y: tuple[float, str, float]) -> bool:
    """Is the figure in the greater multiple the other one, rounded to what it says of it?"""
    coarse, fine = (x, y) if x[2] > y[2] else (y, x)
    for digits in range(3):
        step = coarse[2] / 10**digits
        if _equal(coarse[0] / step, round(coarse[0] / step)):
            return _equal(round(fine[0] / step) * step, coarse[0])
    return False


def _rounded(x: float, y: float) -> bool:
    """Is the figure with fewer decimals the other one, rounded to three digits or more?"""
    coarse, fine = sorted((x, y), key=lambda v: len(f"{v:.12g}".partition(".")[2]))
    decimals = len(f"{coarse:.12g}".partition(".")[2])
    digits = len(f"{abs(coarse):.12g}".replace(".", "").lstrip("0"))
    return decimals > 0 and digits >= 3 and round(fine, decimals) == coarse
