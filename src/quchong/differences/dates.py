"""Dates, weekdays, times of day and calendar spans as texts write them."""

from __future__ import annotations

import re
from functools import cache

from quchong.differences.numerals import number

MONTHS = {m: i + 1 for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())}
DAYS = {d: i for i, d in enumerate("一二三四五六日")} | {
    d: i for i, d in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
Value = tuple[str | float | None, ...]

_N = r"\d{1,2}"
_HAN = "[零〇一二两三四五六七八九十廿卅]{1,3}"
MONTH_NAMES = (
    "january jan february feb march mar april apr may june jun july jul august aug september sept sep october oct november nov "
    "december dec"
).split()
MONTH = "|".join(MONTH_NAMES)
DECADES = {
    w: 10 * i for i, w in enumerate("twenties thirties forties fifties sixties seventies eighties nineties".split(), 2)
}
"""Decades of the last century in words; behind "the" they are no age."""
_AT = r"(?:(?<=[于在至到自从期由])|(?<=on\s)|(?<=by\s)|(?<=until\s)|(?<=from\s)|(?<=to\s)|(?<=before\s)|(?<=after\s)|(?<=since\s))"
"""Words before 3/5 that make it a day and not a share."""
PATTERN = rf"""
    (?P<iso>(?P<y1>\d{{4}})[-/.](?P<m1>{_N})[-/.](?P<d1>{_N})(?!\d)
      |(?<![\d/.])(?P<m6>{_N})[-/](?P<d7>{_N})[-/](?P<y6>\d{{4}})(?!\d)|{_AT}(?P<m7>1[0-2]|0?[1-9])/(?P<d8>3[01]|[12]\d|0?[1-9])(?![\d/]))
  | (?P<md>(?:(?P<y2>\d{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{4}})年)?(?P<m2>{_N}|{_HAN}|[正腊](?=月))月
      (?:份|(?P<d2>{_N}|初?{_HAN})(?![\d.]*[万亿元%])[日号]?)?)
  | (?P<year>(?P<y3>\d{{4}}|[零〇一二三四五六七八九]{{4}})年|民国(?P<republic>元|\d{{1,3}}|{_HAN})年)
  | (?P<decade>(?P<y4>\d{{4}}|\d\d)s\b|(?:(?<=the\s)|(?<=early\s)|(?<=mid\s)|(?<=late\s))(?P<tens>{"|".join(DECADES)})\b)
  | (?P<day>(?<![第\d])(?P<d4>{_N}|(?:二?十|三十)[一二三四五六七八九]?)日(?!元))
  | (?P<week>(?:周|星期|礼拜)(?P<w>[一二三四五六日天])|(?P<w2>(?:mon|tues|wednes|thurs|fri|satur|sun)day))
  | (?P<time>(?P<half>上午|下午|晚上|凌晨|清晨|早上|早晨|傍晚|中午|晚|早)?(?P<h>{_N}|{_HAN})
        (?:时|点(?![零〇一二两三四五六七八九\d]+(?!分|[零〇一二两三四五六七八九十\d])))(?:(?P<mi>{_N}|{_HAN})分|(?P<hm>半))?
      | (?P<h2>{_N}):(?P<mi2>\d\d)(?!\d)(?:\s?(?P<noon>[ap])\.?m\b\.?)?|(?P<h3>{_N})\s?(?P<noon3>[ap])\.?m\b\.?)
  | (?P<english>(?:(?P<d5>{_N})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?P<m5>{MONTH})\b\.?
        (?:\s+(?P<d6>{_N})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<y5>\d{{4}})\b)?)
"""
"""Alternatives of a verbose regular expression; `date` reads their groups."""
_LUNAR = {"正": 1.0, "腊": 12.0, "元": 1.0}
"""Months of the lunar calendar that have names, and the first year of an era."""
REPUBLIC = 1911
"""Year before the first one of the Republic of China: 民国三十八年 is 1949."""


def _number(text: str | None) -> float | None:
    return _LUNAR.get(text or "") or number((text or "").removeprefix("初"))


FORMS = ("iso", "md", "year", "decade", "day", "week", "time", "english")
"""Groups of the alternatives of PATTERN."""


def date(g: re.Match[str]) -> Value:
    """Return the value of a match of PATTERN: a date, decade, weekday or time of day.

    A date is ("date", year, month, day) with None for missing parts.
    """
    form = g.lastgroup
    if form in ("iso", "md", "year", "day"):
        month, day = (
            _number(g["m1"] or g["m2"] or g["m6"] or g["m7"]),
            _number(g["d1"] or g["d2"] or g["d4"] or g["d7"] or g["d8"]),
        )
        # 30/3/2020: the day comes first.
        if month and day and month > 12 >= day:
            month, day = day, month
        years = _number(g["republic"])
        year = _year(g["y1"] or g["y2"] or g["y3"] or g["y6"]) if years is None else REPUBLIC + years
        return ("date", year, month, day)
    if form == "decade":
        return ("decade", 1900.0 + DECADES[g["tens"]] if g["tens"] else _year(g["y4"]))
    if form == "english":
        return ("date", _year(g["y5"]), float(MONTHS[str(g["m5"])[:3]]), number(g["d5"] or g["d6"]))
    if form == "week":
        return ("week", DAYS[str(g["w"] or g["w2"]).replace("天", "日")])
    return ("time", *_hour(g))


def _hour(g: re.Match[str]) -> tuple[float, float]:
    hour, noon = number(g["h"] or g["h2"] or g["h3"]) or 0.0, g["half"] == "中午"
    late = g["half"] in ("下午", "晚上", "傍晚", "晚") or (g["noon"] or g["noon3"]) == "p"
    hour += 12 if (late and hour < 12) or (noon and hour < 11) else 0
    return hour, 30.0 if g["hm"] else number(g["mi"] or g["mi2"]) or 0.0


def _year(text: str | None) -> float | None:
    value = number(text)
    return None if value is None else value + (2000 if value < 50 else 1900) if value < 100 else value


def _relative() -> dict[str, Value]:
    """Return words for days and spans relative to today, each with its value: the span, and the part of the day or None."""
    out: dict[str, Value] = {}
    for words, span in (
        ("今天 今日 昨天 昨日 当天 当日 today yesterday", "day"), ("明天 明日 tomorrow", "tomorrow"), ("日前 近日", None),
        ("前天 前日", "two days before"), ("大前天", "three days before"), ("后天 后日", "in two days"), ("大后天", "in three days"),
        ("前年", "two years before"), ("大前年", "three years before"), ("大后年", "in three years"),
        ("去年 上年", "year before"), ("今年 本年", "year"),
        ("明年 来年", "year to come"), ("后年", "in two years"), ("上季度", "quarter before"), ("本季度", "quarter"),
        ("下季度", "quarter to come"), ("上月 上个月", "month before"), ("本月 这个月", "month"), ("下月 下个月", "month to come"),
        ("上周 上星期 上个星期 上礼拜 上个礼拜", "week before"), ("下周 下星期 下个星期 下礼拜 下个礼拜", "week to come"),
        ("本周 这周 这星期 这个星期 本星期 这礼拜 这个礼拜 本礼拜", "week"),
        ("月底 月末", "end of month"), ("月初", "begin of month"), ("年底 年末", "end of year"), ("年初", "begin of year"),
        ("季末", "end of quarter"),
    ):  # fmt: skip
        out |= dict.fromkeys(words.split(), ("relative", span, None))
    # 上上周, the week before last, two weeks ago; and so of months and years.
    for chinese, name in (
        ("周 星期 个星期 礼拜 个礼拜", "week"),
        ("月 个月", "month"),
        ("季度 个季度", "quarter"),
        ("年", "year"),
    ):
        for which, english_which, span in (
            ("上上", "before last", f"two {name}s before"),
            ("下下", "after next", f"in two {name}s"),
        ):
            phrases = [f"{name} {english_which}", *(which + word for word in chinese.split() if name != "year")]
            out |= dict.fromkeys(phrases, ("relative", span, None))
        for n, (han, counts) in enumerate((("一", "a one"), ("两", "two"), ("三", "three")), 1):
            span = f"{name} before" if n == 1 else f"{counts} {name}s before"
            phrases = [f"{count} {name}{'s' * (n > 1)} ago" for count in counts.split()]
            phrases += [f"{han}{word}前" for word in chinese.split() if name != "month" or len(word) > 1]
            out |= dict.fromkeys(phrases, ("relative", span, None))
    out["day before yesterday"], out["day after tomorrow"] = out["前天"], out["后天"]
    for day in (day for day in DAYS if day.isascii()):
        out |= {f"{which} {day}": ("relative", f"{day}, {which}", None) for which in ("last", "next")}
    for day, span in (
        ("今", "day"), ("昨", "day"), ("当", "day"), ("明", "tomorrow"), ("前", "two days before"), ("大前", "three days before")
    ):  # fmt: skip
        out |= {day + part: ("relative", span, "night") for part in ("晚", "夜")}
        out |= {
            day + part: ("relative", span, "morning")
            for part in ("早", "晨")
            if day in "今昨当明" and day + part != "当早"
        }
    # 今春, last spring; centuries.
    for season, name in (("春", "spring"), ("夏", "summer"), ("秋", "autumn"), ("冬", "winter")):
        for day, which, span in (("今", "this", "year"), ("去", "last", "year before"), ("明", "next", "year to come")):
            out |= dict.fromkeys((day + season, f"{which} {name}"), ("relative", span, name))
    for han, which, span in (
        ("本", "this", "century"),
        ("上", "last", "century before"),
        ("下", "next", "century to come"),
    ):
        out |= dict.fromkeys((f"{han}世纪", f"{han}个世纪", f"{which} century"), ("relative", span, None))
    out |= {f"{which} weekend": ("relative", f"{which} weekend", None) for which in ("this", "last", "next")}
    out |= {"tonight": ("relative", "day", "night"), "last night": ("relative", "day", "night")}
    out["night before last"] = ("relative", "two days before", "night")
    for which, span in (("last", " before"), ("this", ""), ("next", " to come")):
        out |= {f"{which} {name}": ("relative", name + span, None) for name in ("week", "month", "quarter", "year")}
    for english, chinese in (
        ("hour", "小时"),
        ("day", "天 日"),
        ("week", "周 星期"),
        ("month", "月"),
        ("quarter", "季度"),
        ("year", "年"),
    ):
        often: Value = ("every", english)
        out |= {f"{each} {english}": often for each in ("a", "per", "every", "each")}
        out |= {each + name: often for each in ("每", "每个") for name in chinese.split()}
    for often_word, english in (
        ("hourly", "hour"),
        ("daily", "day"),
        ("weekly", "week"),
        ("monthly", "month"),
        ("yearly", "year"),
        ("annually", "year"),
    ):
        out[often_word] = ("every", english)
    return out


RELATIVE = _relative()


@cache
def relative_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns that find the Chinese and the Latin words of RELATIVE, longest first; Latin ones only as whole words.

    A pattern of Chinese words alone is tried only at their first characters.
    """
    by_length = sorted(RELATIVE, key=len, reverse=True)
    han, latin = ("|".join(re.escape(w) for w in by_length if w.isascii() == ascii_) for ascii_ in (False, True))
    return re.compile(han), re.compile(rf"\b(?:{latin})\b")
