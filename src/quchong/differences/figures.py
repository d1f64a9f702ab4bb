"""Figures, dates, times and codes in a stretch of text, and whether two of them contradict each other.

Texts come in normal form (`quchong.differences.windows`): NFKC, lower case, simplified.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
MONTHS = {m: i + 1 for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
DAYS = {d: i for i, d in enumerate("一二三四五六日天")} | {
    d: i for i, d in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
WORDS = {w: i for i, w in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen".split()
)} | {w: 10 * i for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)} | {
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
}  # fmt: skip

MEASURES = {
    "公里": ("米", 1000.0), "千米": ("米", 1000.0), "厘米": ("米", 0.01), "毫米": ("米", 0.001), "小时": ("分钟", 60.0),
    "吨": ("公斤", 1000.0), "千克": ("公斤", 1.0), "克": ("公斤", 0.001), "平方公里": ("平方米", 1e6),
}  # fmt: skip
"""Units by what they are a multiple of: 5公里 and 5000米 say the same."""

_N = r"\d{1,2}"
_HAN = "[零〇一二两三四五六七八九十]{1,3}"
_MONTH = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_PATTERN = re.compile(
    rf"""
    (?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>{_N})[-/.](?P<d1>{_N})(?!\d))
  | (?P<md>(?:(?P<y2>\d{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{4}})年)?(?P<m2>{_N}|{_HAN})月(?:份|(?P<d2>{_N}|{_HAN})[日号]?)?)
  | (?P<year>(?P<y3>\d{{4}}|[零〇一二三四五六七八九]{{4}})年)
  | (?P<day>(?<![第\d])(?P<d4>{_N}|(?:二?十|三十)[一二三四五六七八九]?)日(?!元))
  | (?P<week>(?:周|星期|礼拜)(?P<w>[一二三四五六日天])|(?P<w2>(?:mon|tues|wednes|thurs|fri|satur|sun)day))
  | (?P<time>(?P<half>上午|下午|晚上|凌晨|中午|晚|早)?(?P<h>{_N}|{_HAN})(?:时|点(?![零〇一二两三四五六七八九\d]+(?!分|[零〇一二两三四五六七八九十\d])))(?:(?P<mi>{_N}|{_HAN})分|(?P<hm>半))?|(?P<h2>{_N}):(?P<mi2>\d\d)(?!\d))
  | (?P<english>(?:(?P<d5>{_N})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<m5>{_MONTH})\b\.?(?:\s+(?P<d6>{_N})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<y5>\d{{4}})\b)?)
  | (?P<code>
        (?<![a-z\d])(?=[a-z\d]*[a-z])(?=[a-z\d-]*\d)[a-z\d]+(?:-[a-z\d]+)*(?![a-z\d])
      | \d+(?:\.\d+){{2,}}
      | \d{{3,4}}-\d{{7,8}}(?!\d)
      | (?<![\d.])\d{{7,}}(?![\d.])
      | (?<=[码号尾])(?:为|是|:|\s){{0,2}}\d{{3,}}(?![\d.年月日万亿元%])
    )
  | (?P<figure>(?P<pre>第|百分之|[-+±]\s?|[$¢£¥€]\s?){{0,2}}
        (?:(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<han>[零〇一二两三四五六七八九十百千]+(?:[万亿][零〇一二两三四五六七八九十百千]+)*(?:点[零〇一二三四五六七八九]+)?|半))
        \s?(?P<times>(?:[百千](?!分点))?万亿?|[百千]?亿|千|百(?!分点)|(?:hundred|thousand|million|billion)\b)?
        \s?(?P<unit>个?百分点|公里|千米|平方公里|平方米|厘米|毫米|米|小时|分钟|公斤|千克|吨|克|%|‰|‱|°[cf]?|成|倍|多?(?:美元|港元|欧元|日元|英镑|卢布|元)|percent|pct)?)
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


@cache
def numeral(text: str) -> float:
    """The value of Chinese numerals: 一百二十 is 120, 二〇二〇 is 2020, 三点五 is 3.5, 半 is 0.5."""
    if text == "半":
        return 0.5
    whole, _, part = text.partition("点")
    if part:
        return numeral(whole) + sum(DIGITS[c] / 10 ** (i + 1) for i, c in enumerate(part))
    if not any(c in UNITS for c in whole):
        return float("".join(str(DIGITS[c]) for c in whole) or 0)
    total = section = pending = 0
    for i, c in enumerate(whole):
        if c in DIGITS:
            pending = DIGITS[c]
        elif UNITS[c] >= 10_000:
            total, section, pending = (total + section + pending) * UNITS[c], 0, 0
        else:
            section += (pending or int(i == 0) or 1) * UNITS[c]
            pending = 0
    return float(total + section + pending)


def _number(text: str | None) -> float | None:
    if not text:
        return None
    return float(text) if text[0].isdigit() and text.isascii() else numeral(text)


_TIMES = {"百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}


def _scale(times: str | None) -> float:
    if not times:
        return 1.0
    if times in _TIMES:
        return _TIMES[times]
    out = 1.0
    for c in times:
        out *= _TIMES[c]
    return out


@cache
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
    kind = m.lastgroup
    a, b = m.span()
    if g["iso"]:
        return Mention("date", a, b, ("date", _number(g["y1"]), _number(g["m1"]), _number(g["d1"])))
    if g["md"]:
        return Mention("date", a, b, ("date", _year(g["y2"]), _number(g["m2"]), _number(g["d2"])))
    if g["year"]:
        return Mention("date", a, b, ("date", _year(g["y3"]), None, None))
    if g["day"]:
        return Mention("date", a, b, ("date", None, None, _number(g["d4"])))
    if g["week"]:
        return Mention("date", a, b, ("week", DAYS[g["w"] or g["w2"]] % 7 if (g["w"] or g["w2"]) != "天" else 6))
    if g["time"]:
        hour, minute = _number(g["h"] or g["h2"]) or 0, _number(g["mi"] or g["mi2"])
        hour += 12 if g["half"] in ("下午", "晚上", "晚", "中午") and hour < 11 + (g["half"] != "中午") else 0
        return Mention("date", a, b, ("time", hour, 30.0 if g["hm"] else minute or 0.0))
    if g["english"]:
        return Mention("date", a, b, ("date", _year(g["y5"]), float(MONTHS[g["m5"][:3]]), _number(g["d5"] or g["d6"])))
    if g["code"]:
        return Mention("code", a, b, g["code"].lstrip("为是: "))
    if g["word"]:
        return Mention("figure", a, b, (float(WORDS[g["word"]]), "", 1.0))
    assert kind is not None
    if g["han"] and len(g["han"]) == 1 and not (g["pre"] or g["times"] or g["unit"] or _MEASURED.match(text, b)):
        return None
    if g["han"] == "一" and not g["pre"] and text[b : b + 1] in _LOOSE_ONE:
        return None
    unit = (g["unit"] or "").removeprefix("多").removeprefix("个")
    number = float(g["number"].replace(",", "")) if g["number"] else numeral(g["han"])
    head = m.group()[: m.start("number" if g["number"] else "han") - a]
    joined = a > 0 and "\u3400" <= text[a - 1] <= "\u9fff" and not unit and "." not in (g["number"] or "")
    if "-" in head and not joined:  # 歼-15 is a name
        number = -number
    if "百分之" in head:
        unit = "%"
    if unit == "成":
        number, unit = number * 10, "%"
    if unit in MEASURES:
        unit, factor = MEASURES[unit]
        number *= factor
    unit = {"percent": "%", "pct": "%"}.get(unit, unit)
    money = next((c for c in "$¢£¥€" if c in head), "")
    unit = unit or {"$": "美元", "£": "英镑", "€": "欧元", "¥": "元"}.get(money, money)
    scale = _scale(g["times"])
    return Mention("figure", a, b, (number * scale, unit + ("第" if "第" in head else ""), scale))


def _year(text: str | None) -> float | None:
    value = _number(text)
    return None if value is None else value + (2000 if value < 50 else 1900) if value < 100 else value


_CODE_MARKS = re.compile(r"[-\s·.]")


def same(a: Mention, b: Mention) -> bool:
    """Do two mentions of one kind say nothing that contradicts?

    Dates contradict in a part that both have; a date and a relative day do not. Figures are held equal when rounded to
    what the coarser one says, where they are written in different multiples (1.2万 and 12,034).
    """
    x, y = a.value, b.value
    if a.kind == "code":
        x, y = (_CODE_MARKS.sub("", v).removeprefix("v") for v in (x, y))
        longer, shorter = sorted((x, y), key=len, reverse=True)
        return bool(x == y or (len(shorter) >= 5 and longer.endswith(shorter)))
    if a.kind == "date":
        if x[0] != y[0]:
            return True
        return all(p is None or q is None or p == q for p, q in zip(x[1:], y[1:], strict=True))
    if x[1] and y[1] and x[1] != y[1]:
        return False
    if abs(x[0] - y[0]) <= 1e-9 * max(abs(x[0]), abs(y[0])):
        return True
    if x[2] == y[2]:
        return _rounded(x[0], y[0])
    coarse, fine = (x, y) if x[2] > y[2] else (y, x)
    for digits in range(3):
        step = coarse[2] / 10**digits
        if abs(coarse[0] / step - round(coarse[0] / step)) < 1e-6:
            return bool(abs(round(fine[0] / step) * step - coarse[0]) < 1e-6 * max(1.0, abs(coarse[0])))
    return False


def _rounded(x: float, y: float) -> bool:
    """Is the figure with fewer decimals the other one, rounded to three digits or more?"""
    coarse, fine = sorted((x, y), key=lambda v: len(f"{v:.12g}".partition(".")[2]))
    decimals = len(f"{coarse:.12g}".partition(".")[2])
    digits = len(f"{abs(coarse):.12g}".replace(".", "").lstrip("0"))
    return decimals > 0 and digits >= 3 and round(fine, decimals) == coarse
