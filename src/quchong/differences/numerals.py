"""Numbers as texts write them: digits, Chinese numerals, words, and multiples such as 万 and 亿."""

from __future__ import annotations

import re
from functools import lru_cache

from quchong.patterns import lazy_pattern

DIGITS = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
TENS = {"廿": 20, "卅": 30, "卌": 40}
"""Numerals of one character for twenty, thirty and forty: 廿五 is 25."""
UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
DIGIT_WORDS = tuple("one two three four five six seven eight nine".split())
TEEN_WORDS = tuple("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split())
TEN_WORDS = tuple("twenty thirty forty fifty sixty seventy eighty ninety".split())
WORDS = {w: i for i, w in enumerate(("zero", *DIGIT_WORDS, *TEEN_WORDS))} | {w: 10 * i for i, w in enumerate(TEN_WORDS, 2)} | {
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12,
}  # fmt: skip
ORDINALS = {w: i for i, w in enumerate(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split(), 1
)}  # fmt: skip
FOLDS = {w: n for n, words in (
    (0.5, "halve halves halved"), (2, "double doubles doubled twofold twice"), (3, "triple triples tripled threefold thrice"),
    (4, "quadruple quadruples quadrupled fourfold"), (5, "fivefold"), (10, "tenfold"),
) for w in words.split()}  # fmt: skip
ROUGH = {"dozens": 24.0, "scores": 40.0, "hundreds": 200.0, "thousands": 2000.0, "millions": 2e6, "billions": 2e9}
"""Words for approximate counts, with a value each; they are compared with each other, never with figures."""
SHARES = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}


FINANCIAL = dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
"""Numerals as cheques and contracts write them, and the ordinary ones."""
_FINANCIAL = lazy_pattern(
    r"""(?<![大内水登着队入退落行收捡])(?:  # 大陆, 登陆, 队伍, 收拾 are words
        (?=[零〇万亿]*[壹贰叁肆伍陆柒捌玖拾佰仟])(?=[零〇壹贰叁肆伍陆柒捌玖]*[拾佰仟万亿])[零〇壹贰叁肆伍陆柒捌玖拾佰仟万亿]{2,}
      | [壹贰叁肆伍陆柒捌玖](?=元(?![素件首老])|[圆角份成]|年|个月|小时|%)
      | (?<=第)[壹贰叁肆伍陆柒捌玖]
    )""",
    re.VERBOSE,
)
_FINANCIAL_LETTER = lazy_pattern(f"[{''.join(FINANCIAL)}]")


def with_ordinary_numerals(text: str) -> str:
    """Return a text, in simplified letters, with financial numerals as ordinary ones, letter for letter.

    >>> with_ordinary_numerals("人民币壹佰贰拾万元整"), with_ordinary_numerals("大陆万科收拾队伍")
    ('人民币一百二十万元整', '大陆万科收拾队伍')
    """
    if text.isascii() or _FINANCIAL_LETTER.search(text) is None:
        return text
    return _FINANCIAL.sub(lambda found: "".join(FINANCIAL.get(letter, letter) for letter in found.group()), text)


@lru_cache(1024)
def numeral(text: str) -> float:
    """Return the value of Chinese numerals: 一百二十 is 120, 二〇二〇 is 2020, 三点五 is 3.5, 半 is 0.5."""
    if text == "半":
        return 0.5
    whole, _, part = text.partition("点")
    if part:
        return float(numeral(whole) + sum(DIGITS[c] / 10.0 ** (i + 1) for i, c in enumerate(part)))
    # Without units the characters are digits: 二〇二〇.
    if not any(c in UNITS or c in TENS for c in whole):
        return float("".join(str(DIGITS[c]) for c in whole) or 0)
    # Else add up: `pending` is the last digit, `section` the part below 万, `total` everything above.
    total = section = pending = 0
    for i, c in enumerate(whole):
        if c in DIGITS:
            pending = DIGITS[c]
        elif c in TENS:
            section += TENS[c]
        elif UNITS[c] >= 10_000:
            total, section, pending = ((total + section + pending) or int(i == 0)) * UNITS[c], 0, 0
        else:
            section += (pending or int(i == 0) or 1) * UNITS[c]
            pending = 0
    return float(total + section + pending)


_ESTIMATE = lazy_pattern(
    r"(?P<tens>[二三四五六七八九]?十)?(?P<low>[一二两三四五六七八])(?P<high>[两二三四五六七八九])(?P<times>[十百千万亿]*)"
)


def estimate(text: str) -> tuple[float, float] | None:
    """Return the bounds that two successive digits state: 两三 is 2 to 3, 十七八 is 17 to 18, 三五百 is 300 to 500; else None."""
    found = _ESTIMATE.fullmatch(text)
    if found is None or not DIGITS[found["low"]] < DIGITS[found["high"]]:
        return None
    base = numeral(found["tens"]) if found["tens"] else 0.0
    low, high = ((base + DIGITS[found[digit]]) * scale(found["times"]) for digit in ("low", "high"))
    return low, high


def number(text: str | None) -> float | None:
    """Return the value of digits or Chinese numerals, or None for None or an empty text."""
    if not text:
        return None
    return float(text) if text[0].isdigit() and text.isascii() else numeral(text)


TIMES = {
    "十": 10.0, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9,
    "trillion": 1e12, "dozen": 12.0, "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12, "mln": 1e6,
    "bln": 1e9, "trln": 1e12,
}  # fmt: skip
"""Factor of each multiple."""


def summed(text: str) -> float:
    """Return the value of a number in English words with several parts, in lower case.

    >>> summed("one hundred and forty"), summed("two thousand five hundred"), summed("a hundred and ten thousand")
    (140.0, 2500.0, 110000.0)
    """
    total = section = 0.0
    for word in re.split(r"[\s-]", text):
        if word == "hundred":
            section = (section or 1.0) * 100
        elif TIMES.get(word, 1.0) >= 1000:
            total, section = total + (section or 1.0) * TIMES[word], 0.0
        elif word != "and":
            section += 1.0 if word == "a" else WORDS[word]
    return total + section


def scale(times: str | None) -> float:
    """Return the factor of a multiple: 10,000 for 万, a million for 百万, 1 for None or an empty text."""
    times = (times or "").strip()
    if not times:
        return 1.0
    if times in TIMES:
        return TIMES[times]
    out = 1.0
    for c in times:
        out *= TIMES[c]
    return out
