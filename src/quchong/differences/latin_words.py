"""Words in Latin letters at an edit of the original text: capitals, starts of sentences, headlines, and words that name nobody."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from quchong.differences.dates import MONTH_NAMES
from quchong.differences.dictionaries import words
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_LETTER = "A-Za-z\u00c0-\u024f"
_WORD = lazy_pattern(rf"[{_LETTER}](?:[{_LETTER}0-9]|['’&.\-](?=[{_LETTER}]))*")
_SIGN = lazy_pattern(r"[<@#$/\\&\d]$|\w\.$")
"""Text before a word that makes it a ticker, an account, an address: no name."""
_FIGURE, _UNIT = lazy_pattern(r"\d\s?$"), 3
"""Text before a word of few letters that makes it a unit: 3 MW."""
_SEAT = lazy_pattern("[RD]-[A-Z][A-Za-z]{1,4}")
"""Party and state behind the name of a member of parliament: R-MI."""
_POSSESSIVE = lazy_pattern(r"['’](?:s|S)$|['’]$")
_ENDS = "!?:;\n\u2014\u2013|\u2022。！？：；…“‘«*#>"
"""Characters after which a sentence begins."""
_ABBREVIATIONS = frozenset(
    (
        "mr mrs ms dr prof st sen rep gov gen col lt capt sgt rev hon pres jr sr inc corp co ltd bros vs no dept jan feb mar apr jun "
        "jul aug sep sept oct nov dec"
    ).split()
)
"""Words whose full stop ends no sentence."""
STOP = frozenset(
    (
        "the a an and or nor of in on at to for from by with without as but if so yet he she it they we you i him her them us his its "
        "their our your my this that these those there here when while where who what which why how after before since because "
        "although though however meanwhile separately also still then now under over into onto no not none nobody everyone everybody "
        "anyone someone somebody many most some all both each few several another other others more much such only even just once "
        "again is are was were be been has have had do does did will would can could may might must shall should yes both one two "
        "three according earlier later last next first police management officials authorities government industry opposition staff "
        "parliament congress"
    ).split()
)
"""Words that name nobody, with a capital or without."""
_USUAL = frozenset(
    (
        "state states federal national international internet web god bible earth north south east west northern southern eastern "
        "western central act bill law chapter section article figure table appendix phase part volume page coast seaboard shore "
        "tv am pm gmt est edt pst "
        "utc ok usa http https www com"
    ).split()
)
"""Words often written with a capital that name no person, firm or product by themselves."""
FORMS = frozenset("inc incorporated corp corporation ltd limited plc co llc llp ag gmbh sa nv spa".split())
"""Legal forms of firms."""
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_LONG = 4
"""Least letters of a word that a headline writes with a capital."""


class Word(NamedTuple):
    """A word in Latin letters: as written without 's, its place, and whether it begins a sentence."""

    text: str
    start: int
    end: int
    first: bool

    @property
    def low(self) -> str:
        """Return the word in lower case, without full stops."""
        return self.text.lower().replace(".", "").replace("’", "'")

    @property
    def capital(self) -> bool:
        """True if the word has a capital, at its beginning or later (iPhone)."""
        return self.text != self.text.lower()


@cache
def generic() -> frozenset[str]:
    """Return the words that are part of names without naming anybody: titles, forms and kinds of bodies, days and months."""
    bodies = (
        w.rstrip(".") for name in ("titles", "organisations") for w in words(name) if w.isascii() and " " not in w
    )
    return frozenset((*bodies, *_DAYS, *MONTH_NAMES, "incorporated")) | STOP | _USUAL


@cache
def titles() -> frozenset[str]:
    """Return the titles written before a name, one word each."""
    return frozenset(part for w in words("titles") if w.isascii() for part in w.rstrip(".").replace("-", " ").split())


def begins_sentence(text: str, at: int) -> bool:
    """Return True if the word at an offset may begin a sentence, so that its capital means nothing."""
    if at > 1 and text[at - 1] == " " and text[at - 2].isalnum():
        return False  # nearly always: a word stands before it
    if text[:at].endswith(('"', "'")):
        return True  # a quotation begins
    before = text[:at].rstrip(" \t\u3000\"'”’([")
    if not before or before[-1] in _ENDS or before.endswith((" -", "--")):
        return True
    if before[-1] != ".":
        return False
    last = _LAST.search(before)
    initial = last is not None and last[1][0].isupper() and (len(last[1]) == 1 or "." in last[1])
    return last is None or not (initial or last[1].lower() in _ABBREVIATIONS)


_LAST = lazy_pattern(rf"([{_LETTER}][{_LETTER}.]*)\.$")


def line_words(window: Window) -> list[Word]:
    """Return the words of the lines that the differing text overlaps, in order."""
    text = window.text
    begin = text.rfind("\n", 0, window.start) + 1
    stop = text.find("\n", window.end)
    return words_between(text, begin, len(text) if stop < 0 else stop)


def words_between(text: str, begin: int, end: int) -> list[Word]:
    """Return the words of text[begin:end], in order."""
    return [
        Word(_POSSESSIVE.sub("", m.group()), m.start(), m.end(), begins_sentence(text, m.start()))
        for m in _WORD.finditer(text, begin, end)
        if not _SIGN.search(text, max(0, m.start() - 2), m.start())
        and not _SEAT.fullmatch(m.group())
        and not (m.end() - m.start() <= _UNIT and _FIGURE.search(text, max(0, m.start() - 2), m.start()))
    ]


def capitals_mean_names(some: list[Word]) -> bool:
    """Return True if the words around an edit are running text.

    At least two are in lower case, and of the longer ones that are no words of grammar two, or one for every two with a capital: a headline
    writes them all with a capital.
    """
    lower = sum(not w.capital for w in some)
    long = [w for w in some if len(w.text) >= _LONG and w.low not in STOP]
    plain = sum(not w.capital for w in long)
    return lower >= 2 and (plain >= 2 or 2 * plain >= sum(w.capital and not w.first for w in long))
