"""Edits of English texts: another figure, unit, date, or the contrary; both must stay."""

from __future__ import annotations

import re

from amounts import number
from draw import Both, Draw

_FIGURE = re.compile(r"(?<![\w.,/-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w,/-]|\.\d)")
MONTHS = "January February March April May June July August September October November December".split()
_DATED = re.compile(rf"(?:{'|'.join(MONTHS)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Oct|Nov|Dec)\.? $")
UNITS = (
    ("mln", "bln"), ("million", "billion"), ("dlrs", "yen"), ("dollars", "euros"), ("tonnes", "barrels"), ("km", "miles"),
    ("hours", "days"), ("years", "months"), ("weeks", "months"), ("pct", "percentage points"), ("cts", "dlrs"),
)  # fmt: skip
_UNIT = {word: other for pair in UNITS for word, other in (pair, pair[::-1])}
_MEASURE = re.compile(rf"(?<=\d )(?:{'|'.join(_UNIT)})\b")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_DATE = re.compile(rf"\b(?:{'|'.join(m for m in MONTHS if m != 'May')}|{'|'.join(DAYS)})\b")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|will|would|has|had|have|could|should|can)\b(?! (?:not|no|never|nothing|none|little|to)\b)"
)
PAST = {
    "agreed": "agree", "approved": "approve", "announced": "announce", "reported": "report", "planned": "plan", "rejected": "reject",
    "expected": "expect", "bought": "buy", "sold": "sell", "made": "make", "took": "take", "found": "find", "gave": "give", "told": "tell",
    "fell": "fall", "rose": "rise", "won": "win", "lost": "lose", "began": "begin", "signed": "sign", "raised": "raise", "cut": "cut",
}  # fmt: skip
_NO_PARTICIPLE = "".join(f"(?<!{word} )" for word in "to be been is are was were has had have".split())
_PAST = re.compile(
    rf"(?<=[a-z] ){_NO_PARTICIPLE}(?:{'|'.join(PAST)})\b(?= (?:a|an|the|its|their|his|that|it|to|by|from|in)\b)"
)


def _put(text: str, found: re.Match[str], other: str) -> Both:
    return text, text[: found.start()] + other + text[found.end() :]


def figure(text: str, draw: Draw) -> Both | None:
    """One amount is another."""
    places = [m for m in _FIGURE.finditer(text) if not _DATED.search(text[: m.start()]) and m.group().strip("0.,")]
    if not places:
        return None
    one = draw.rng.choice(places)
    return _put(text, one, number(one.group().replace(",", ""), draw.rng))


def unit(text: str, draw: Draw) -> Both | None:
    """One amount has another unit."""
    places = list(_MEASURE.finditer(text))
    if not places:
        return None
    one = draw.rng.choice(places)
    return _put(text, one, _UNIT[one.group()])


def date(text: str, draw: Draw) -> Both | None:
    """One month or weekday is another."""
    places = list(_DATE.finditer(text))
    if not places:
        return None
    one = draw.rng.choice(places)
    names = MONTHS if one.group() in MONTHS else DAYS
    return _put(text, one, draw.rng.choice([n for n in names if n != one.group()]))


def negation(text: str, draw: Draw) -> Both | None:
    """One statement says the contrary: is, is not; approved, did not approve."""
    places = [*_AUXILIARY.finditer(text), *_PAST.finditer(text)]
    if not places:
        return None
    one = draw.rng.choice(places)
    other = f"did not {PAST[one.group()]}" if one.group() in PAST else f"{one.group()} not"
    return _put(text, one, other)
