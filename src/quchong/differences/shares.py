"""Shares of a whole at an edit, in words and in figures: 半数 and 三成, 过半 and 三分之一."""

from __future__ import annotations

from quchong.differences.numerals import numeral
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_NUMERAL = "[一二两三四五六七八九十]"
_WORDED = {
    "半数": (0.5, 0.5), "一半": (0.5, 0.5), "对半": (0.5, 0.5),
    "大半": (0.51, 0.99), "多半": (0.51, 0.99), "大多数": (0.51, 0.99), "多数": (0.51, 0.99), "大部分": (0.51, 0.99),
    "绝大多数": (0.6, 0.99), "绝大部分": (0.6, 0.99),
    "小半": (0.01, 0.49), "少半": (0.01, 0.49), "少数": (0.01, 0.49), "小部分": (0.01, 0.49), "极少数": (0.01, 0.2),
    "全数": (1.0, 1.0),
}  # fmt: skip
"""Words for a share, with its least and greatest value."""
_SHARE = lazy_pattern(
    r"(?P<rough>过|超过|超|逾|多于|近|将近|接近|几乎|不足|不到|约|约有|大约)?(?:"
    rf"(?P<word>{'|'.join(sorted(_WORDED, key=len, reverse=True))}|半(?=以上|数))|(?P<half>(?<=过)半|(?<=超)半|(?<=近)半)"
    rf"|(?P<tenths>{_NUMERAL}|\d)成(?P<more>半)?|(?P<of>{_NUMERAL}{{1,2}})分之(?P<part>{_NUMERAL}{{1,2}})"
    rf"|百分之(?P<han>{_NUMERAL}{{1,3}})|(?P<percent>\d+(?:\.\d+)?)%)(?P<above>以上|以下|左右)?"
)
"""A share with what makes it rough."""
_NEAR = 6
"""Number of characters beside a stretch that are read, as a share may begin or end in them."""
_ROUGHLY = 0.1
"""Distance from its figure within which a rough share may lie."""


def shares_apart(left: Window, right: Window) -> bool | None:
    """Return True if both differing texts state shares that cannot be equal (半数, 三成), False if they can, None if none is in words.

    Example:
        >>> text = "{}以上村民签字"
        >>> [shares_apart(Window(text.format("半数"), 0, 2), Window(text.format(x), 0, 2)) for x in ("三成", "五成")]
        [True, False]
    """
    if left.text.isascii() and right.text.isascii():
        return None  # no share is stated in Chinese words
    mine = _share_at(left)
    theirs = _share_at(right) if mine else None
    if mine is None or theirs is None:
        return None
    if not any(share["word"] or share["half"] for share in (mine, theirs)):
        return None
    # Of two shares that are both a least one, or both a greatest one, the figures are compared.
    alike = _side(mine) == _side(theirs) != ""
    one, other = (_stated(share) if alike else _bounds(share) for share in (mine, theirs))
    near = _EXACT + (_ROUGHLY if alike else 0.0)
    return one[1] + near < other[0] or other[1] + near < one[0]


_EXACT = 1e-9
"""Distance up to which two shares are equal."""


def _share_at(window: Window) -> dict[str, str | None] | None:
    """Return the parts of the match of the share that covers the differing text, by name; None if there is none."""
    start, end = window.start, window.end
    if not 0 < end - start <= 2 * _NEAR:
        return None
    for found in _SHARE.finditer(window.text, max(0, start - _NEAR), end + _NEAR):
        if found.start() <= start and end <= found.end():
            return found.groupdict()
    return None


def _side(share: dict[str, str | None]) -> str:
    """Return "over" if a share is stated as a minimum (at least half), "under" if as a maximum, else an empty string."""
    if share["above"] == "以上" or share["rough"] in ("过", "超过", "超", "逾", "多于"):
        return "over"
    return "under" if share["above"] == "以下" or share["rough"] in ("不足", "不到") else ""


def _bounds(share: dict[str, str | None]) -> tuple[float, float]:
    """Return the least and the greatest value that a share may have."""
    low, high = _stated(share)
    # What is over a half, or not quite one, is no half.
    beyond = 2 * _EXACT if share["rough"] else 0.0
    if _side(share):
        return (low + beyond, 1.0) if _side(share) == "over" else (0.0, high - beyond)
    if share["rough"] in ("近", "将近", "接近", "几乎"):
        return low - _ROUGHLY, high
    rough = _ROUGHLY / 2 if share["rough"] or share["above"] else 0.0
    return low - rough, high + rough


def _stated(share: dict[str, str | None]) -> tuple[float, float]:
    """Return the least and the greatest value that the words of a share state, before "over" or "about" is applied."""
    worded = _WORDED.get(share["word"] or "")
    return worded or (_value(share), _value(share))


def _value(value: dict[str, str | None]) -> float:
    """Return the value of a share that a match states in figures, such as 0.3 for 三成."""
    if value["tenths"]:
        tenths = float(value["tenths"]) if value["tenths"].isascii() else numeral(value["tenths"])
        return tenths / 10 + (0.05 if value["more"] else 0.0)
    if value["of"]:
        return numeral(value["part"] or "") / numeral(value["of"])
    if value["han"]:
        return numeral(value["han"]) / 100
    return float(value["percent"]) / 100 if value["percent"] else 0.5
