"""Figures, dates, times and codes in a stretch of text.

Texts come in normal form (`quchong.differences.windows`): NFKC, lower case, simplified.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from quchong.differences import dates
from quchong.differences.counting import measured
from quchong.differences.metric import LETTERS
from quchong.differences.notation import AMBIGUOUS, ROMANS, numbers, roman
from quchong.differences.numerals import (
    DIGIT_WORDS,
    FOLDS,
    ORDINALS,
    ROUGH,
    SHARES,
    TEEN_WORDS,
    TEN_WORDS,
    TIMES,
    WORDS,
    estimate,
    numeral,
    scale,
    summed,
)  # fmt: skip
from quchong.differences.units import LATIN, MONEY, SIGNS, UNIT, UNITS
from quchong.patterns import lazy_pattern

_NUMERAL = "[零〇一二两三四五六七八九十百千廿卅]"
_HAN = "[零〇一二两三四五六七八九十廿卅]{1,3}"
_SMALL = "|".join(DIGIT_WORDS)
_MULTIPLES = "hundred|thousand|million|billion|trillion|dozen|mln|bln|trln"
_MANY = "hundred|thousand|million|billion"
_TENS = "|".join(TEN_WORDS)
_COUNT = rf"(?:(?:{_TENS})(?:[\s-](?:{_SMALL}))?|(?:{'|'.join(TEEN_WORDS)}|{_SMALL}))"
"""A number below a hundred in words."""
_LASTS = "minute|hour|day|week|month|year|mile|metre|meter|pound"
"""Units of which there may be one and a half."""
_LESS_OR_MORE = "".join(f"(?<={word}\\s)|" for word in "by than nearly almost about over roughly only".split())[:-1]
"""Words before a third that make it a share; elsewhere it counts: a third man."""
_PLATES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_FIRST = r"\d零〇一二两三四五六七八九十百千廿卅民半万亿第周星礼上下凌清早傍中晚正腊负翻+\-±$¢£¥€"
"""Characters other than Latin letters with which a mention may begin, as within brackets of a pattern."""
_BEFORE_NUMBERS = "码号尾"
"""Characters behind which a mention may begin with any character."""
_BEGIN = rf"(?=[{_FIRST}]|(?<![a-z])[a-z]|(?<=[{_BEFORE_NUMBERS}]))"
"""Lookahead where a mention may begin; it rejects most characters and the inside of words, so that nothing else is tried there."""
_WRITTEN = rf"""{_BEGIN}(?:
    {dates.PATTERN}
  | (?P<share>(?!百分之|千分之|万分之)(?P<of>{_HAN})分之(?P<part>{_HAN}|\d+)
      |(?<![\d./])(?P<part2>\d{{1,2}})/(?P<of2>\d{{1,2}})(?![\d/]|\s?(?:{UNIT}))
      |一半
      |(?<!first\s)(?<!second\s)\bhalf\b(?!-|\sa\sdozen)
      |\b(?:(?P<part3>two|three)[\s-](?P<of3>thirds|quarters|fourths|fifths|tenths)|(?:a|one)[\s-](?P<of4>third|quarter|fourth|fifth|tenth)(?=\sof\b(?!\sa\spercent)))\b
      |(?:{_LESS_OR_MORE})(?:a|one)[\s-](?P<of5>third|quarter|fourth|fifth|tenth)
        (?=[,.;]|$|\s(?:in|over|since|from|to|this|last|during|on|and|but|after|by|while|compared|within|at|as|because|between)\b))
  | (?P<code>
        \b(?:code|pin|number|order)(?:\sis|:)?\s\#?(?P<numbered>\d{{3,}})(?![,.]?\d|%)
      | (?<![a-z\d])v?\d+(?:\.\d+){{2,}}(?![a-z\d])
      | (?<![a-z\d])(?!\d+(?:{LATIN}|k(?![a-z\d])|(?:m|mn|bn|tn|st|nd|rd|th)\b))
        (?=[a-z\d]*[a-z])(?=[a-z\d-]*\d)[a-z\d]+(?:-[a-z\d]+)*(?![a-z\d])
      | (?<![\d-])\d{{3,4}}-\d{{3,4}}-\d{{3,4}}(?![\d-])
      | \d{{3,4}}-\d{{7,8}}(?!\d)
      | (?<![\d.])\d{{7,}}(?!\.?\d)
      | (?<=[码号尾])(?:为|是|:|\s){{0,2}}(?P<named>\d{{3,}})(?!\.?\d|[年月日万亿元%])
      | (?<![a-z\d])(?!(?:i|v|x)[型类级])[a-z](?=[区座栋楼馆口型类组班轮厅段级档等])
      | (?<=[{_PLATES}])[a-z](?=牌|车牌|号牌)
    )
  | (?P<roman>(?<![a-z\d'])(?=i|v|x)x{{0,2}}(?:ix|iv|v?i{{0,3}})(?![a-z\d']))
  | (?P<ordinal>(?<![\d.])(?P<nth>\d+)(?:st|nd|rd|th)\b|\b(?P<nth2>{"|".join(ORDINALS)})\b)
  | (?P<doubling>翻(?:了|上|到)?(?P<doublings>{_HAN}|\d{{1,2}})?番(?![茄禺薯]))
  | (?P<figure>(?P<pre>第|百分之|千分之|万分之|零[下上]|(?<![胜担背抱欺自肩])负
          |\b(?:minus|negative|plus)\s|(?<![\d日月时点分%a-z])[-+±]\s?|(?:{SIGNS})\s?){{0,2}}
        (?:(?P<mixed>(?:\d+[-\s])?\d{{1,2}}/\d{{1,2}}(?=\s?(?:{UNIT})))|(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)
          |(?P<han>{_NUMERAL}+(?:[万亿]{_NUMERAL}+)*(?:点[零〇一二三四五六七八九]+)?|半|(?<=[逾近超约过数上])[万亿](?=[人名元家户吨亩件]))
          |\b(?P<summed>(?:a|{_COUNT})(?:\s(?:{_MANY}))+\s(?:and\s)?{_COUNT}(?:\s(?:{_MANY})(?:\s(?:and\s)?{_COUNT})?)*)(?![\w-])
          |\b(?P<worded>(?:{_TENS})[\s-](?:{_SMALL})|{"|".join(WORDS)}|(?:half\s)?a(?=\s(?:{_MULTIPLES})\b)|an?(?=\s(?:{_LASTS})\sand\sa\shalf\b))\b)
        (?P<over>\sand\sa\shalf\b|个半(?=月|小时|钟头|世纪|百分点))?
        \s?(?P<times>(?:[百千](?!分点))?万亿?|[百千]?亿|千(?!卡|帕|赫|焦|字节|比特|瓦·)|百(?!分点|帕)|(?:{_MULTIPLES})\b|k(?![a-z\d])|(?:mn?|bn|tn)\b)?
        (?P<rest>(?:(?<=[亿万千])\d+(?:\.\d+)?(?:[百千]?万|千|百))+)?
        (?:[多余]?\s?个?(?P<unit>{UNIT})(?:/(?P<per>{UNIT}))?(?P<halved>\sand\sa\shalf\b|(?<=[年月天周时里斤亩倍])半(?![价天径夜数岛程场年月途载个小以]))?)?)
  | (?P<fold>\b(?:{"|".join(FOLDS)})\b)
  | (?P<rough>\b(?:{"|".join(ROUGH)})\b))
    """
_SCHOOL = lazy_pattern("院|中(?![心央国间部]|学生)|附|小(?![时组])")
"""Text after a numeral that follows a place: 市一院."""
_LOOSE_ONE = frozenset("批种些系般直样旦定起时边致")
"""Characters after which a preceding 一 states no number: 一批, 一种."""


DOUBLINGS = "番"
"""Unit of a number of doublings: 翻两番."""


class Amount(NamedTuple):
    """Value of a figure, with its unit.

    Attributes:
        value: amount in the base unit. unit: the base unit; empty if none is known; 第 for ordinals, 番 for doublings. times: factor of
            the multiple it is written in (万, million). written: amount in the unit as written. share: True for a part of a whole
            (a third), in percent. rough: True for an approximate count. million: True for an m behind the number, read as metres, which may
            be a million.
    """

    value: float
    unit: str = ""
    times: float = 1.0
    written: float = 0.0
    share: bool = False
    rough: bool = False
    million: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: a place where a text states a figure, date or code; its kind of fact, its offsets in the text, and a value to compare."""

    kind: str
    start: int
    end: int
    value: Any


def stating() -> frozenset[str]:
    """Return the Latin words that may be part of a figure, unit or date, without frequent words such as "of"."""
    every = [
        *WORDS,
        *ORDINALS,
        *FOLDS,
        *ROUGH,
        *SHARES,
        *TIMES,
        *UNITS,
        *MONEY,
        *dates.MONTH_NAMES,
        *dates.DAYS,
        *dates.DECADES,
        *dates.RELATIVE,
        *ROMANS,
    ]
    every += ["half", "minus", "negative", "plus", *(f"{part}s" for part in SHARES)]
    return frozenset(part for w in every for part in re.findall("[a-z]{2,}", w)) - _COMMON


_COMMON = frozenset("per in of a before after ago".split())
"""Words that are part of such expressions, but far more often of other text."""


@cache
def _pattern() -> re.Pattern[str]:
    """Return the compiled pattern that finds mentions in normal-form text: figures, dates, times and codes.

    It is compiled on first use: compiling takes a tenth of the start time of commands, and many commands never need it.
    """
    return re.compile(_WRITTEN, re.VERBOSE)


@cache
def _within_mentions() -> frozenset[str]:
    """Return the Latin words, such as numerals, units and months, that can be part of a mention: a figure, date, time or code."""
    written = re.findall("[a-z]{2,}", re.sub(r"\\[a-z]", " ", _WRITTEN))
    return stating() | _COMMON | {*written, *AMBIGUOUS, "am", "pm"}


@cache
def characters_of_mentions() -> frozenset[str]:
    """Return the Chinese characters that can be part of a mention: those of the pattern, and of relative days."""
    return frozenset(_CHINESE.findall(_WRITTEN + "".join(dates.RELATIVE)))


_WORDS_ALONE = lazy_pattern(r"[a-z]{2,}(?:[\s,.;:!?\"]+[a-z]{2,})*")
_JOINED = lazy_pattern(r"[^\s,.;:!?\"]")


def wordy(text: str, start: int, end: int) -> bool:
    """Return True if text[start:end] consists of words or Chinese characters that never are part of a mention, so that it has none."""
    if start < end and "\u3400" <= text[start] <= "\u9fff":
        some = characters_of_mentions()
        return all("\u3400" <= c <= "\u9fff" and c not in some for c in text[start:end])
    if not _WORDS_ALONE.fullmatch(text, start, end) or _JOINED.match(text, end):
        return False  # covid of covid-19 is a part of a code
    if start and _JOINED.match(text, start - 1):
        return False
    return _within_mentions().isdisjoint(re.findall("[a-z]+", text[start:end]))


@lru_cache(4096)
def mentions(text: str, last: int | None = None, first: int = 0) -> tuple[Mention, ...]:
    """Return the mentions in a text, in order: its figures, dates, times and codes with their values.

    Args:
        text: in normal form.
        last: greatest offset at which a mention may begin; None for the whole text. Patterns are tried from left to right, so that the
            mentions are the same whether or not those behind are looked for.
        first: offset from which they are looked for; one that `clear_before` gives, so that none begins before it and ends behind it.
    """
    end = len(text) if last is None else last
    days, written = _matches(text, first, end) if _is_chinese(text) else _matches_of_latin(text, first, end)
    out = [Mention("date", *m.span(), dates.RELATIVE[m.group()]) for m in days]
    out += filter(None, (_mention(m, text) for m in written))
    return tuple(sorted(out, key=lambda x: x.start))


Matches = tuple[list[re.Match[str]], list[re.Match[str]]]
"""Matches of relative days and spans, and of the pattern of all other mentions."""


def _is_chinese(text: str) -> bool:
    """Return True if a text has Chinese characters, so that a mention may begin within what looks like one word."""
    return not text.isascii() and _CHINESE.search(text) is not None


def clear_before(text: str, at: int) -> int:
    """Return the last offset up to `at` that is inside no mention, so that reading may begin there; 0 if there is none.

    It is that behind a Chinese character that is part of no mention, or, in a text without any, behind such a Latin word between blanks.
    """
    if _is_chinese(text):
        some = characters_of_mentions()
        while at > 0 and (not "\u3400" <= text[at - 1] <= "\u9fff" or text[at - 1] in some):
            at -= 1
        return at
    known = _within_mentions()
    end = text.rfind(" ", 0, at)
    while end > 0:
        start = text.rfind(" ", 0, end)
        word = text[start + 1 : end]
        if start >= 0 and len(word) > 1 and word.isascii() and word.isalpha() and word.islower() and word not in known:
            return end
        end = start
    return 0


def _matches(text: str, first: int, last: int) -> Matches:
    """Return the matches of the mention patterns that begin at offsets first to last; trying only characters that may begin one."""
    han, latin = dates.relative_patterns()
    days = list(takewhile(lambda match: match.start() <= last, han.finditer(text, first)))
    written: list[re.Match[str]] = []
    free = free_of_days = first
    for start in _MAY_BEGIN.finditer(text, first):
        at, character = start.start(), start.group()
        if character in _BEFORE_NUMBERS:
            at += 1
        letter = "a" <= character <= "z"
        if at > last:
            break
        if letter and at and "a" <= text[at - 1] <= "z":
            continue
        if letter and at >= free_of_days and (day := latin.match(text, at)) is not None:
            days.append(day)
            free_of_days = day.end()
        if at >= free and (found := _pattern().match(text, at)) is not None:
            written.append(found)
            free = found.end()
    return days, written


_MAY_BEGIN = lazy_pattern(
    f"[{_FIRST}{_BEFORE_NUMBERS}a-z](?:(?<![上下中凌清傍星礼周民万亿])|(?<=[上下中])(?=午)|(?<=[凌清])(?=晨)|(?<=傍)(?=晚)|(?<=星)(?=期)|(?<=礼)(?=拜)"
    "|(?<=周)(?=[一二三四五六日天])|(?<=民)(?=国)|(?<=[万亿])(?=[人名元家户吨亩件]|分之))"
)
"""Characters at which, or right behind which, a mention may begin in a text with Chinese characters; frequent ones that only begin a word
of time, a weekday or a multiple without a number, only before its next character.
"""
_CHINESE = lazy_pattern("[\u3400-\u9fff〇]")
_START = lazy_pattern(
    rf"{'|'.join(day for day in dates.DAYS if day.isascii())}|([a-z]+)(?![a-z\d$\-]|[^\x00-\x7f])|[a-z]+|[\d+\-±$¢£¥€]"
)
"""Where a mention may begin in a text without Chinese characters: a weekday; a Latin word, as group 1 unless the character after it can
join it to a figure or code (covid-19, us$5, v2); a digit or a sign. See _BEGIN.
"""


@cache
def _first_words() -> frozenset[str]:
    """Return the Latin words with which a mention can begin where no digit or sign is joined to them."""
    every = [
        *WORDS, *DIGIT_WORDS, *TEEN_WORDS, *TEN_WORDS, *ORDINALS, *FOLDS, *ROUGH, *dates.DECADES, *dates.MONTH_NAMES,
        *dates.DAYS, *dates.RELATIVE, *MONEY,
    ]  # fmt: skip
    romans = {
        tens + rest for tens in ("", "x", "xx") for rest in (*"iv", "", "ii", "iii", "iv", "vi", "vii", "viii", "ix")
    }
    others = "half a an two three one minus negative plus code pin number order".split()
    return frozenset(word.split()[0] for word in every if word.isascii()) | romans | frozenset(others)


def _matches_of_latin(text: str, first: int, last: int) -> Matches:
    """Return the matches that `_matches` returns, faster, for a text without Chinese characters."""
    days: list[re.Match[str]] = []
    written: list[re.Match[str]] = []
    first_words, free, free_of_days = _first_words(), 0, 0
    _, relative = dates.relative_patterns()
    for start in _START.finditer(text, first):
        if start.lastindex and start.group() not in first_words:
            continue
        at = start.start()
        if at > last:
            break
        if at >= free_of_days and text[at].isalpha() and (day := relative.match(text, at)) is not None:
            days.append(day)
            free_of_days = day.end()
        if at >= free and (found := _pattern().match(text, at)) is not None:
            written.append(found)
            free = found.end()
    return days, written


def _mention(m: re.Match[str], text: str) -> Mention | None:
    """Return the mention that a match of the pattern is, or None if it states nothing.

    Each alternative of the pattern is a named group, and the group that ends last is the alternative that matched.
    """
    a, b = m.span()
    if (form := m.lastgroup) == "code":
        a = max(a, m.start("numbered"), m.start("named"))
        return Mention("code", a, b, text[a:b])
    if form in dates.FORMS:
        return Mention("date", a, b - 1 if form == "english" and text[b - 1] == "." else b, dates.date(m))
    amount = _amount(m, text)
    return None if amount is None else Mention("figure", a, a + len(text[a:b].rstrip()), amount)


def _amount(m: re.Match[str], text: str) -> Amount | None:
    """Return the amount that a match states: a share, ordinal, multiple, rough count or figure; None if it states none."""
    form = m.lastgroup
    if form == "share":
        return _share(m)
    if form in ("roman", "ordinal"):
        value = float(m["nth"] or (ORDINALS[m["nth2"]] if m["nth2"] else roman(str(m["roman"])) or 0))
        stated = form == "ordinal" or numbers(text, *m.span())
        return Amount(value, "第" if form == "ordinal" else "", 1.0, value) if stated else None
    if form == "doubling":
        often = numeral(m["doublings"] or "一") if not (m["doublings"] or "").isdigit() else float(m["doublings"] or 1)
        return Amount(often, DOUBLINGS, 1.0, often)
    if form == "fold":
        return Amount(100.0 * FOLDS[m["fold"]], "%", 1.0, FOLDS[m["fold"]])
    if form == "rough":
        return Amount(ROUGH[m["rough"]], "", 1.0, ROUGH[m["rough"]], rough=True)
    return _figure(m, text)


def _share(g: re.Match[str]) -> Amount:
    part: float
    if g["of"] or g["of2"]:
        part, of = (
            numeral(v) if not v.isdigit() else float(v)
            for v in (g["part"] or g["part2"] or "", g["of"] or g["of2"] or "")
        )
    elif third := g["of3"] or g["of4"] or g["of5"]:
        part, of = float(WORDS.get(g["part3"] or "", 1)), float(SHARES[third.removesuffix("s")])
    else:
        part, of = 1.0, 2.0
    percent = 100 * part / of if of else 0.0
    return Amount(percent, "%", 1.0, percent, share=True)


def _states(m: re.Match[str], text: str) -> bool:
    """Return True if a match that is a single Chinese numeral without a unit states a figure."""
    (a, b), han = m.span(), m.group("han")
    before = text[a - 1 : a]
    if before == "初" or (before in "市省县区" and before and _SCHOOL.match(text, b)):
        return True
    return measured(text, b) and not (han == "一" and text[b] in _LOOSE_ONE)


def _figure(m: re.Match[str], text: str) -> Amount | None:
    """Return value, unit and multiple of a figure, or None if the match is a numeral that states none."""
    a = m.start()
    han, mixed, digits, written_unit, per, times = m.group("han", "mixed", "number", "unit", "per", "times")
    plain = not (m["pre"] or times or written_unit)
    # A bare Chinese numeral of one character is a figure only next to a measure word (三名, but not 一样).
    if han and plain and len(han) == 1 and han not in "万亿" and not _states(m, text):
        return None
    value = _number(m) + (0.5 if m["over"] else 0.0)
    # Everything before the number: sign, currency, 第 or 百分之. A minus after a Chinese character is a hyphen.
    core = "mixed" if mixed else "han" if han else "number" if digits else "summed" if m["summed"] else "worded"
    head = text[a : m.start(core)]
    joined = (
        a > 0
        and "\u3400" <= text[a - 1] <= "\u9fff"
        and not written_unit
        and "." not in (digits or "")
        and text[m.end() : m.end() + 1] != "度"
    )
    if ("-" in head and not joined) or (head and _NEGATIVE.search(head)):  # 歼-15 is a name
        value = -value
    # Convert to the base unit, then to percent if the prefix says so; a currency sign is the unit if no other follows.
    unit = _BLANK.sub(" ", written_unit) if written_unit else ""
    base, factor = UNITS.get(unit) or LETTERS.get(unit) or (unit, 1.0)
    if head and (parts := next((f for sign, f in _PARTS_OF.items() if sign in head), None)):
        base, factor = "%", parts
    sign = head.strip().removeprefix("-").removeprefix("+").strip()
    if not base and sign in MONEY:
        base = MONEY[sign]
    # "m" is million after money, else metres.
    short = times == "m" and sign not in MONEY and not written_unit
    if short:
        base, times = "米", None
    each = UNITS.get(per) or LETTERS[per] if per else _each(text[max(0, a - _EACH_LENGTH) : a]) if base else None
    if each:
        base, factor = f"{base}/{each[0]}", factor / each[1]
    # Add what follows the multiple: 1亿2000万.
    many, rest = scale(times), m["rest"]
    written = value * many + (sum(float(n) * scale(t) for n, t in _PARTS.findall(rest)) if rest else 0)
    written += 0.5 if m["halved"] else 0.0
    rough = bool(han and estimate(han))
    return Amount(written * factor, base + ("第" if "第" in head else ""), many, written, rough=rough, million=short)


_NEGATIVE, _BLANK = lazy_pattern("零下|负|minus|negative"), lazy_pattern(r"\s")
_PARTS_OF = {"百分之": 1.0, "千分之": 0.1, "万分之": 0.01}
"""Words before a number that make it a part of a whole, with the factor to percent."""
_EACH = lazy_pattern("每一?([\u4e00-\u9fff]{1,3}?)(?:售价|价格|均价|单价|卖|约|收费|收)?[为是]?$")


_EACH_LENGTH = 9
"""Most characters of a match of _EACH."""


def _each(before: str) -> tuple[str, float] | None:
    """Return the unit, with its factor, that the figure after the text `before` is per: 每公斤 before 5元; None if there is none."""
    found = _EACH.search(before) if "每" in before else None
    return UNITS.get(found[1]) if found else None


_PARTS = lazy_pattern(r"(\d+(?:\.\d+)?)([百千]?万|千|百)")


def _number(g: re.Match[str]) -> float:
    """Return the number of a matched figure, without its multiple (万, million)."""
    if g["mixed"]:
        *whole, part = re.split(r"[-\s]", g["mixed"])
        above, below = map(float, part.split("/"))
        return float(sum(map(float, whole))) + (above / below if below else 0.0)
    if g["han"]:
        return numeral(g["han"])
    if g["number"]:
        return float(g["number"].replace(",", ""))
    if g["summed"]:
        return summed(g["summed"])
    if g["worded"] in ("a", "an", "half a"):
        return 0.5 if g["worded"] == "half a" else 1.0
    return float(sum(WORDS[w] for w in re.split(r"[\s-]", str(g["worded"]))))
