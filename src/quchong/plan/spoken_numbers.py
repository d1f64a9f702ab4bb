"""Numbers as people type them: Chinese numerals, full-width digits, quotes, shares such as 八成; what is meant, for errors."""

from __future__ import annotations

import re
import unicodedata

from quchong.differences.numerals import DIGITS, UNITS, numeral
from quchong.languages import Message
from quchong.languages.habits import entry_with
from quchong.patterns import lazy_pattern

_QUOTES = " \t\"'\u201c\u201d\u2018\u2019\u300c\u300d\u300e\u300f"
_NUMERALS = lazy_pattern(f"[{''.join(DIGITS)}{''.join(UNITS)}半点]+")
_MULTIPLE = lazy_pattern(r"(\d+(?:\.\d+)?)([百千万亿]+)")
_LONGEST = 40


def in_digits(text: str) -> str:
    """Return a text with Chinese and full-width numbers as ASCII digits, and without quotes around it.

    >>> in_digits("三十天"), in_digits("四G"), in_digits("１００万"), in_digits("“0.8”"), in_digits("0.八"), in_digits("半年")
    ('30天', '4G', '1000000', '0.8', '0.8', '0.5年')
    """
    plain = unicodedata.normalize("NFKC", text).strip(_QUOTES)
    if len(plain) > _LONGEST:
        return plain
    plain = _MULTIPLE.sub(lambda found: f"{float(found[1]) * numeral(found[2]):.15g}", plain)
    return _NUMERALS.sub(lambda found: _digits_of(found[0]), plain)


def _digits_of(numerals: str) -> str:
    """Return a run of numerals as digits; the run itself if it is no number, such as 点 alone."""
    if re.fullmatch("半|[^半点]+(?:点[^半点]+)?", numerals) is None:
        return numerals
    if "点" in numerals and any(sign in UNITS for sign in numerals.partition("点")[2]):
        return numerals
    return f"{numeral(numerals):.15g}"


def share_said(text: str) -> float | None:
    """Return the share that Chinese words state, such as 0.85 for 八成五 and 百分之八十五; None for other texts.

    >>> share_said("八成"), share_said("八成五"), share_said("百分之八十五"), share_said("80%"), share_said("一半")
    (0.8, 0.85, 0.85, None, 0.5)
    """
    plain = unicodedata.normalize("NFKC", text).strip(_QUOTES)
    if plain in ("半", "一半"):
        return 0.5
    if plain.startswith("百分之"):
        number = in_digits(plain.removeprefix("百分之"))
        return float(number) / 100 if re.fullmatch(r"\d+(\.\d+)?", number) else None
    found = re.fullmatch(
        r"(\d)成(?:(\d)|(半))?", in_digits(plain.removesuffix("半")) + ("半" if plain.endswith("成半") else "")
    )
    if found is None:
        return None
    return (10 * int(found[1]) + (int(found[2]) if found[2] else 5 if found[3] else 0)) / 100


_UNITS_SAID = {"K": "k kb 千 千字节", "M": "m mb 兆 兆字节 meg megs megabyte megabytes", "G": "g gb 吉 吉字节 gig gigs gigabyte gigabytes",
               "T": "t tb 太 terabyte terabytes"}  # fmt: skip
"""Words for units of sizes, by the letter of each."""


def size_meant(text: str) -> Message:
    """Return `; did you mean 4G?` for a size in other words, such as 4个G, 四G or 4 gigs; an empty message for other texts.

    >>> print(size_meant("4个G"), size_meant("四G"), size_meant("4 gigs"), size_meant("4 GB"))
    ; did you mean 4G? ; did you mean 4G? ; did you mean 4G? ; did you mean 4G?
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*个?\s*(\w+?)(?:内存)?", in_digits(text).lower())
    letter = None if found is None else entry_with(_UNITS_SAID, found[2])
    return Message("") if found is None or letter is None else Message("; did you mean {}?", f"{found[1]}{letter}")
