"""Judgement of an edit by the table of its language: negation, figures, months and days that conflict, or say the same."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from quchong.differences.numerals import numeral
from quchong.differences.tongues.tables import Tongue, Value, tongues
from quchong.patterns import lazy_pattern

AROUND = 160
"""Characters beside an edit that are read at most: its sentence."""
LONGEST = 60
"""Most characters of an edit that is judged; longer ones are rewritten passages."""
_ENDS = lazy_pattern(r"(?<![\d.])[.!?](?=\s)|[。！？\n]")
"""End of a sentence; a point behind a digit may be that of a date."""
_WORD = lazy_pattern(r"[^\W\d_]+")
_DAY = lazy_pattern(r"(?<!\d)(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})(?!\d)")
"""A date in digits, day before month."""
TIMED = ("month", "day", "relative", "half")
"""Kinds of values that state a date."""


class Mention(NamedTuple):
    """Word or number of a sentence that states a fact: its value and its offsets."""

    value: Value
    start: int
    end: int


class Side(NamedTuple):
    """Sentence of one text in normal form, with the offsets of the part that an edit changes."""

    text: str
    start: int
    end: int

    @staticmethod
    def cut(text: str, start: int, end: int) -> Side:
        """Cut the sentence around text[start:end], at most AROUND characters on either side."""
        before, behind = text[max(0, start - AROUND) : start], text[end : end + AROUND]
        ends = [m.end() for m in _ENDS.finditer(before)]
        before = before[ends[-1] :] if ends else before
        last = _ENDS.search(behind)
        behind = behind[: last.start()] if last else behind
        parts = [
            unicodedata.normalize("NFKC", part).lower().replace("ё", "е").replace("’", "'")
            for part in (before, text[start:end], behind)
        ]
        return Side("".join(parts), len(parts[0]), len(parts[0]) + len(parts[1]))

    def stated(self, tongue: str) -> list[Mention]:
        """Return the mentions that overlap the differing text, or touch an empty one."""
        return [m for m in mentions(tongue, self.text) if self.meets(m.start, m.end)]

    def meets(self, start: int, end: int) -> bool:
        """Return True if the range start:end overlaps the differing text, or contains the offset of an empty one."""
        return start < self.end and self.start < end if self.start < self.end else start < self.start < end


@lru_cache(4096)
def mentions(tongue: str, text: str) -> tuple[Mention, ...]:
    """Return the mentions of facts in a sentence, by the table of a language, in the order of the text."""
    table = tongues()[tongue]
    exempt = [m.span() for m in table.exempt.finditer(text)] if table.exempt else []
    found = [Mention(value, *m.span()) for value, pattern in table.patterns for m in pattern.finditer(text)]
    if table.words:
        found += _worded(table, text)
    dates = [m for m in _DAY.finditer(text)] if not table.script else []
    for m in dates:
        day, _, month, year = m.groups()
        found += [Mention(("number", float(day)), *m.span(1)), Mention(("month", float(month)), *m.span(3))]
        found.append(Mention(("number", float(year)), *m.span(4)))
    inside = [m.span() for m in dates]
    for m in table.number.finditer(text):
        if not any(a <= m.start() < b for a, b in inside):
            found.append(Mention(("number", _number(table, m.group())), *m.span()))
    found = [_counted(one, text) for one in found]
    plain = [one for one in found if not (one.value[0] == "negation" and any(a <= one.start < b for a, b in exempt))]
    return tuple(_multiplied(sorted(plain, key=lambda one: (one.start, one.end)), text))


def _worded(table: Tongue, text: str) -> list[Mention]:
    """Return the words of a text that the table has, whole or by their beginning."""
    out = []
    for m in _WORD.finditer(text):
        word = m.group()
        value = table.words.get(word) or next((v for stem, v in table.stems.items() if word.startswith(stem)), None)
        if value is not None:
            out.append(Mention(value, *m.span()))
    return out


def _number(table: Tongue, written: str) -> float:
    for mark in table.thousands:
        if mark != table.decimal:
            written = written.replace(mark, "")
    return float(written.replace(table.decimal, "."))


def _counted(one: Mention, text: str) -> Mention:
    """Return a mention of Chinese numerals with their value; others unchanged."""
    return (
        one
        if one.value[0] != "counted"
        else Mention(("number", numeral(text[one.start : one.end])), one.start, one.end)
    )


def _multiplied(found: list[Mention], text: str) -> list[Mention]:
    """Return mentions in which a number and the multiple behind it are one: 2 Millionen."""
    out: list[Mention] = []
    for one in found:
        kind, value = one.value
        if kind == "times" and out and out[-1].value[0] == "number" and not text[out[-1].end : one.start].strip():
            last = out.pop()
            out.append(Mention(("number", float(last.value[1]) * float(value)), last.start, one.end))
        elif kind == "times":
            out.append(Mention(("number", value), one.start, one.end))
        else:
            out.append(one)
    return out


def judge(tongue: str, left: Side, right: Side) -> tuple[str, bool] | None:
    """Return the kind of fact in which both sides of an edit conflict, with True; the kind and False if both state the same; else None."""
    mine, theirs = left.stated(tongue), right.stated(tongue)
    if not mine and not theirs:
        return None
    # What one sentence states and the other does not: a word that only moved within it is in both.
    all_mine, all_theirs = (Counter(m.value for m in mentions(tongue, side.text)) for side in (left, right))
    for kinds, called in ((TIMED, "date"), (("number",), "figure")):
        x, y = ({m.value for m in side if m.value[0] in kinds} for side in (mine, theirs))
        kept = {v for v in x if v not in all_theirs}, {v for v in y if v not in all_mine}
        if any({a[0] for a in kept[0]} & {b[0] for b in kept[1]}):
            return called, True
    if _negated(tongue, left, right, (mine, theirs), (all_mine, all_theirs)):
        return "negation", True
    one, other = (
        Counter(m.value for m in side if m.value[0] == "number" or m.value[0] in TIMED) for side in (mine, theirs)
    )
    return ("figure", False) if one and one == other else None


def _negated(
    tongue: str, left: Side, right: Side, stated: tuple[list[Mention], list[Mention]], every: tuple[Counter[Value], Counter[Value]]
) -> bool:  # fmt: skip
    """Return True if exactly one side negates, and apart from negations and auxiliaries both have the same words."""
    no: Value = ("negation", 1.0)
    here = [sum(m.value == no for m in side) for side in stated]
    if (here[0] > 0) == (here[1] > 0) or every[0][no] == every[1][no]:
        return False
    if tongues()[tongue].patterns:
        return True
    rest = [_content_words(tongue, side) for side in (left, right)]
    if not rest[0] or not rest[1]:
        return len(rest[0]) + len(rest[1]) <= 1
    return len(rest[0]) == len(rest[1]) and all(
        _share_stem(a, b) for a, b in zip(sorted(rest[0]), sorted(rest[1]), strict=True)
    )


def _content_words(tongue: str, side: Side) -> list[str]:
    """Return the words of a stretch that neither negate nor are auxiliaries."""
    table = tongues()[tongue]
    idle = {m.start for m in mentions(tongue, side.text) if m.value[0] == "negation"}
    return [
        m.group() for m in _WORD.finditer(side.text)
        if side.meets(*m.span()) and m.start() not in idle and table.words.get(m.group(), ("", 0))[0] != "empty"
    ]  # fmt: skip


def _share_stem(a: str, b: str) -> bool:
    """Return True if two words begin alike, up to their endings."""
    n = max(3, min(len(a), len(b)) - 3)
    return a[:n] == b[:n]
