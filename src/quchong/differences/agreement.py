"""Whether two figures, dates or codes contradict each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quchong.differences.figures import DOUBLINGS, Amount, Mention
from quchong.differences.metric import LETTERS
from quchong.differences.units import UNITS

_CODE_MARKS = re.compile(r"[-\s·./]")
_SIGNIFICANT, _SHARE = 3, 2
"""Digits in which a rounded figure is the other one; of a share (a third, 33%)."""


def same(a: Mention, b: Mention) -> bool:
    """Do two mentions of one kind say nothing that contradicts?

    Dates contradict in a part that both have; a date and a relative day do not. Units contradict where both are known. Figures are
    held equal when one is the other rounded to three digits or more: 1.2万 and 12,034, 31.4 and 31.42.
    """
    if a.kind == "code":
        return _same_code(a.value, b.value)
    if a.kind == "date":
        x, y = a.value, b.value
        return x[0] != y[0] or all(p is None or q is None or p == q for p, q in zip(x[1:], y[1:], strict=True))
    return _same_amount(a.value, b.value)


def unmatched(some: Sequence[Mention], others: Sequence[Mention]) -> list[Mention]:
    """Those that none of the others agrees with. A date is held against dates, a time against times, as far as there are some."""
    out = []
    for m in some:
        against = [o for o in others if o.kind == m.kind]
        if m.kind == "date":
            against = [o for o in against if o.value[0] == m.value[0]] or against
        if not any(same(m, o) for o in against):
            out.append(m)
    return out


_FUSED = re.compile(r"(\d+)([a-z]{1,2})")


def fused(code: Mention) -> Mention | None:
    """The amount that a code is where the other side has one: 5g beside 5mg. None of a code that is no number with a sign behind it."""
    found = _FUSED.fullmatch(code.value)
    unit = (LETTERS | {"in": UNITS["inch"]}).get(found[2]) if found else None
    if found is None or unit is None:
        return None
    written = float(found[1])
    return Mention("figure", code.start, code.end, Amount(written * unit[1], unit[0], 1.0, written))


def _same_code(x: str, y: str) -> bool:
    """Codes but for marks between their parts, and for what may stand before them (an area code, a v)."""
    longer, shorter = sorted((_CODE_MARKS.sub("", v).removeprefix("v") for v in (x, y)), key=len, reverse=True)
    return longer == shorter or (len(shorter) >= 5 and (longer.startswith(shorter) or longer.endswith(shorter)))


def _same_amount(x: Amount, y: Amount) -> bool:
    if x.rough != y.rough:
        return True
    known = bool(x.unit and y.unit)
    if (x.unit == DOUBLINGS) != (y.unit == DOUBLINGS):
        return _doubled(*((x, y) if x.unit == DOUBLINGS else (y, x)))
    if known and x.unit != y.unit:
        return False
    a, b = (x.value, y.value) if known else (x.written, y.written)
    if abs(a - b) <= 1e-9 * max(abs(a), abs(b)):
        return True
    if x.share or y.share:
        return _rounds(a, b, _SHARE)
    coarse = min((x, y), key=lambda v: _digits(v.written))
    decimals = coarse.written / coarse.times % 1 > 0
    return (x.times != y.times or decimals) and _rounds(a, b, _SIGNIFICANT)


def _doubled(often: Amount, other: Amount) -> bool:
    """Is the other a share that says as much as so many doublings (翻两番, 增长三倍 and 增至四倍)? No other unit is held against them."""
    grown = 100 * 2.0 ** min(often.value, 64.0)
    return other.unit != "%" or other.value in (grown, grown - 100)


def _rounds(a: float, b: float, least: int) -> bool:
    """Is the one with fewer digits the other rounded to what it says, and to so many digits at least?"""
    coarse, fine = sorted((a, b), key=_digits)
    digits = max(_digits(coarse), least)
    return abs(float(f"{fine:.{digits - 1}e}") - coarse) <= 1e-9 * abs(coarse)


def _digits(value: float) -> int:
    """Digits of a figure but for the noughts around them."""
    return len(f"{abs(value):.11e}".partition("e")[0].replace(".", "").strip("0"))
