"""Dates within the words of a difference, which an alignment cuts anywhere."""

from __future__ import annotations

from dataclasses import replace

from quchong.findings import Difference
from quchong.patterns import lazy_pattern

_N = r"[0-9〇零一二三四五六七八九十]"
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = lazy_pattern(
    rf"{_N}{{2,4}}年(?:{_N}{{1,3}}月(?:份|{_N}{{1,3}}[日号])?)?|{_N}{{1,3}}月(?:份|{_N}{{1,3}}[日号])?|{_N}{{1,3}}[日号]"
    r"|[0-9]{2,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}"
    r"|近日|日前|[昨今明前当][天日晚年]|去年|[本上下]月|[本上下]周[一二三四五六日天]?|周[一二三四五六日天]|星期[一二三四五六日天]"
    rf"|\b{_MONTHS} [0-9]{{1,2}}(?:, [0-9]{{4}})?\b|\b[0-9]{{1,2}} {_MONTHS}(?: [0-9]{{4}})?"
    r"|\b(?:yesterday|today|tomorrow|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
)


def dates_alone(one: Difference) -> Difference:
    """Return a difference in a date reduced to the dates on both sides; unchanged if a side has none, or both are equal.

    >>> one = Difference("date", True, "客户端2月18日消息，2月18日", "省纪委消息：近日", 0, 17, 0, 8)
    >>> dates_alone(one).left, dates_alone(one).right
    ('2月18日', '近日')
    """
    if one.kind != "date":
        return one
    left, right = (list(dict.fromkeys(_DATE.findall(side))) for side in (one.left, one.right))
    if not left or not right or left == right:
        return one
    return replace(one, left=" ".join(left), right=" ".join(right))
