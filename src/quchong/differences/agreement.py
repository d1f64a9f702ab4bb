"""Rules by which two figures, dates or codes agree with or contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.differences.figures import DOUBLINGS, Amount, Mention
from quchong.differences.metric import LETTERS
from quchong.differences.units import UNITS
from quchong.patterns import lazy_pattern

_CODE_MARKS = lazy_pattern(r"[-\s·./]")
_SIGNIFICANT, _SHARE = 3, 2
"""Least significant digits at which a rounded figure counts as equal to the exact one: for figures, and for shares (a third, 33%)."""


def same(a: Mention, b: Mention) -> bool:
    """Return True if two mentions of one kind do not contradict each other.

    Dates contradict in a part that both have; a date and a relative day do not. Units contradict if both are known. Figures count as equal
    if one is the other rounded to three digits or more: 1.2万 and 12,034, 31.4 and 31.42.
    """
    if a.kind == "code":
        return _same_code(a.value, b.value)
    if a.kind == "date":
        x, y = a.value, b.value
        return x[0] != y[0] or all(p is None or q is None or p == q for p, q in zip(x[1:], y[1:], strict=True))
    return _same_amount(a.value, b.value)


def unmatched(some: Sequence[Mention], others: Sequence[Mention]) -> list[Mention]:
    """Return the mentions in `some` that agree with no mention of their kind in `others`.

    A date is compared with dates and a time with times, if `others` has any; else with every mention of kind "date".
    """
    out = []
    for m in some:
        against = [o for o in others if o.kind == m.kind]
        if m.kind == "date":
            against = [o for o in against if o.value[0] == m.value[0]] or against
        if not any(same(m, o) for o in against):
            out.append(m)
    return out


_FUSED = lazy_pattern(r"(\d+)([a-z]{1,2})")


def fused(code: Mention) -> Mention | None:
    """Return the amount that a code such as 5g states; None if the code is not a number with a unit.

    Needed where the other side of the edit has an amount: 5g against 5mg.
    """
    found = _FUSED.fullmatch(code.value)
    unit = (LETTERS | {"in": UNITS["inch"]}).get(found[2]) if found else None
    if found is None or unit is None:
        return None
    written = float(found[1])
    return Mention("figure", code.start, code.end, Amount(written * unit[1], unit[0], 1.0, written))


def _same_code(x: str, y: str) -> bool:
    """Return True if two codes are equal without marks between their parts, or one is the other with a prefix or suffix.

    A leading v is dropped; the shorter code must have five characters at least (a number without its area code).
    """
    longer, shorter = sorted((_CODE_MARKS.sub("", v).removeprefix("v") for v in (x, y)), key=len, reverse=True)
    return longer == shorter or (len(shorter) >= 5 and (longer.startswith(shorter) or longer.endswith(shorter)))


def _same_amount(x: Amount, y: Amount) -> bool:
    """Return True if two amounts do not contradict each other in one reading of both: 14m is 14 metres or 14 million."""
    return any(_agree(a, b) for a in _readings(x) for b in _readings(y))


def _readings(amount: Amount) -> list[Amount]:
    millions = amount.written * 1e6
    return [amount, Amount(millions, "", 1e6, millions)] if amount.million else [amount]


def _agree(x: Amount, y: Amount) -> bool:
    # A rough count (dozens) contradicts no figure; a number of doublings is compared with percentages only.
    if x.rough != y.rough:
        return True
    known = bool(x.unit and y.unit)
    if (x.unit == DOUBLINGS) != (y.unit == DOUBLINGS):
        return _doubled(*((x, y) if x.unit == DOUBLINGS else (y, x)))
    # Two known units must be equal; if one is unknown, the numbers are compared as written.
    if known and x.unit != y.unit:
        # 5元/公斤 and 5元: what one side refers to is left out by the other.
        (one, _, per), (other, _, each) = (amount.unit.partition("/") for amount in (x, y))
        if one != other or bool(per) == bool(each):
            return False
        known = False
    a, b = (x.value, y.value) if known else (x.written, y.written)
    # 1/2 is 0.5, but a share counts in percent.
    if x.share != y.share and not known and not (y if x.share else x).unit:
        a, b = (v if amount.share or v > 1 else 100 * v for v, amount in ((a, x), (b, y)))
    if abs(a - b) <= 1e-9 * max(abs(a), abs(b)):
        return True
    # Rounding: a share needs two equal digits. A figure needs three, and only counts as rounded if the two are written with different
    # multiples (1.2万, 12034) or the coarser one has decimals.
    if x.share or y.share:
        return _rounds(a, b, _SHARE)
    coarse = min((x, y), key=lambda v: _digits(v.written))
    decimals = coarse.written / coarse.times % 1 > 0
    return (x.times != y.times or decimals) and _rounds(a, b, _SIGNIFICANT)


def _doubled(often: Amount, other: Amount) -> bool:
    """Return True if a count of doublings and another amount do not contradict: 翻两番 and 增长三倍 or 增至四倍.

    Only a percentage can contradict a count of doublings; an amount in any other unit counts as agreeing.
    """
    grown = 100 * 2.0 ** min(often.value, 64.0)
    return other.unit != "%" or other.value in (grown, grown - 100)


def _rounds(a: float, b: float, least: int) -> bool:
    """Return True if the figure with fewer digits is the other one rounded to its digits, at least `least` of them."""
    coarse, fine = sorted((a, b), key=_digits)
    digits = max(_digits(coarse), least)
    return abs(float(f"{fine:.{digits - 1}e}") - coarse) <= 1e-9 * abs(coarse)


def _digits(value: float) -> int:
    """Return the number of significant digits of a figure, without zeros at its ends."""
    return len(f"{abs(value):.11e}".partition("e")[0].replace(".", "").strip("0"))
