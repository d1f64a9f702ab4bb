"""Names in Latin letters at an edit that no list has, recognised by capitals in the original text and compared with their short forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from quchong.differences.dictionaries import aliases, nicknames, words
from quchong.differences.latin_slips import is_slip
from quchong.differences.latin_words import (
    FORMS,
    STOP,
    Word,
    begins_sentence,
    capitals_mean_names,
    generic,
    line_words,
    titles,
)
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_SPEECH = frozenset(
    "said says told added announced declined denied confirmed reported insisted warned argued wrote replied agreed".split()
)
_LINKS = lazy_pattern(r"\s+(?:(?:of|and|the|de|del|van|von|der|al|bin|for)\s+|&\s*)*")
"""Text between two words of one name."""
_BYLINE = lazy_pattern(
    r"(?:(?:^|\n)\s*By\s+|(?:[Rr]eport(?:ing|ed)|[Ww]rit(?:ing|ten)|[Ee]dit(?:ing|ed)|[Pp]hotos?(?:graphs?|graphy)?|[Tt]ranslated|[Cc]ompiled|BY|[Ww]ords)\s+(?:by|BY)[:\s]\s*"
    r"|(?:[Aa]uthor|[Ee]ditor|[Ww]riter|[Rr]eporter|[Ss]ource|[Bb]yline|[Pp]hoto)\s*:\s*)(?:[A-Z][\w.'’-]*[\s,]+(?:and\s+)?){0,3}$"
)
"""Text before the name of who wrote the text, edited it, or took the picture."""
_TRADE = 2
"""Most words between the name of a firm and its legal form."""
_SHORT = 4
"""Least letters that two words begin with if they are forms of one word: America, American."""


class NameAtEdit(NamedTuple):
    """Name at an edit: its words that differ, the whole name with the equal words beside them, and whether a title is before it."""

    differing: tuple[str, ...]
    whole: tuple[str, ...]
    titled: bool


@lru_cache(1 << 12)
def name_at(window: Window) -> NameAtEdit | None:
    """Return the name in the differing text of a window of the original text, or None if it has none or its capitals mean nothing."""
    if _HAN.search(window.stretch):
        return None
    every = line_words(window)
    inside = [k for k, w in enumerate(every) if w.start < window.end and w.end > window.start]
    outside = [w for k, w in enumerate(every) if k not in inside]
    if not inside or len(_HAN.findall(window.text)) > len(outside):
        return None
    # Behind a name, its legal form tells it from a headline, and makes kinds of bodies a part of it (Swiss Bank Ltd).
    formed = _followed_by_form(every, inside)
    if not formed and not capitals_mean_names(outside):
        return None
    known = generic()
    content = [k for k in inside if every[k].low not in known]
    found = [k for k in content if _is_name(every, k, inside)]
    # A place or a people with a common noun is no name but a description: the North Korean leader.
    if found and len(content) > len(found) and all(_is_people(every[k].low) for k in found):
        return None
    if not found and formed:
        found = [
            k
            for k in inside
            if every[k].capital
            and (not every[k].first or _before_form(every, k))
            and every[k].low not in STOP | FORMS | titles()
        ]
    # A name fills at least half of the stretch; smaller ones are part of a rewritten passage.
    if not found or 2 * len(found) < len(content):
        return None
    first, last = _run(window.text, every, found[0], found[-1])
    titled = any(w.low in titles() for w in every[max(0, first - 1) : last])
    return NameAtEdit(tuple(every[k].text for k in found), tuple(w.text for w in every[first:last]), titled)


_CAPITAL = lazy_pattern(r"[A-Z\u00c0-\u00de][^\W\d_]|[^\W\d_][A-Z]")
_GOES_ON = lazy_pattern(rf"[^\W\d_]*\S{{0,2}} (?:[A-Z\u00c0-\u00de]|(?:{'|'.join(sorted(_SPEECH))})\b)")


_BEFORE_HAN = lazy_pattern(r"[A-Za-z&.'’\-]+(?: [A-Za-z&.'’\-]+)?\s?[\u3400-\u9fff]")


def may_be_names(left: Sequence[Window], right: Sequence[Window]) -> np.ndarray:
    """Return a mask of the edits with a possible name in both windows `left[i]` and `right[i]`, not only a sentence's capital."""
    return np.array([_may_name(a) and _may_name(b) for a, b in zip(left, right, strict=True)], bool)


def _may_name(window: Window) -> bool:
    """Return True if the differing text may be a name by its capitals; a capital that only begins a sentence does not count."""
    text, start = window.text, window.start
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    latin = text.isascii()
    for capital in _CAPITAL.finditer(text, start, window.end):
        at = capital.start()
        if not begins_sentence(text, at) or _GOES_ON.match(text, at + 1):
            return True
        if not latin and _BEFORE_HAN.match(text, at):
            return True
    return False


def _is_people(word: str) -> bool:
    """Return True if a word in lower case is the name of a place or of the people there."""
    return word in words("places") or word in aliases() or any(word in name.split() for name in _peoples())


@cache
def _peoples() -> tuple[str, ...]:
    """Return the names of places and peoples of several words: south korean."""
    return tuple(name for name in (*aliases(), *words("places")) if name.isascii() and " " in name)


def _followed_by_form(every: Sequence[Word], inside: Sequence[int]) -> bool:
    """Return True if a differing text ends before or with a legal form of firms: Inc, Ltd."""
    formed = any(_before_form(every, k) for k in (inside[-1] - 1, inside[-1]) if k >= 0)
    return formed and not all(w.text.isupper() for w in every)


def _before_form(every: Sequence[Word], k: int) -> bool:
    """Return True if word `k` is followed by a legal form of firms, with only capitalised words between: Acme Building Products Inc."""
    for then in every[k + 1 : k + 2 + _TRADE]:
        if not then.capital or then.first:
            return False
        if then.low in FORMS:
            return True
    return False


def _is_name(every: Sequence[Word], k: int, inside: Sequence[int]) -> bool:
    """Return True if a word is written as a name is: with a capital that does not begin a sentence.

    At the beginning of a sentence it counts with another capital behind it in the stretch, or before a verb of speech.
    """
    word = every[k]
    if not word.capital or len(word.text) < 2:
        return False
    if not word.first:
        return True
    if k + 1 >= len(every) or every[k + 1].start > word.end + 1:
        return False
    then = every[k + 1]
    if k + 1 in inside:
        return then.capital and then.low not in STOP
    return then.low in _SPEECH and not word.text.endswith("s") and word.low not in generic()


def _run(text: str, every: Sequence[Word], first: int, last: int) -> tuple[int, int]:
    """Return the range of words of the whole name around the words first to last: those with capitals that only links part."""

    def linked(a: int, b: int) -> bool:
        between = text[every[a].end : every[b].start].removeprefix("'s").removeprefix(".")
        return bool(_LINKS.fullmatch(between))

    low, high = first, last + 1
    while low > 0 and every[low - 1].capital and every[low - 1].low not in STOP and linked(low - 1, low):
        low -= 1
    while high < len(every) and every[high].capital and every[high].low not in STOP and linked(high - 1, high):
        high += 1
    return low, high


def latin_names_apart(left: Window, right: Window) -> str | None:
    """Return the range of words of the whole name around the words first to last: capitalised words joined by links.

    Firms, products, parties and other names are told as organisations.
    """
    mine = name_at(left)
    theirs = name_at(right) if mine is not None else None
    if mine is None or theirs is None:
        return _apart_in_chinese(left, right)
    if _one_name(mine, theirs) or all(w.lower() in generic() for n in (mine, theirs) for w in n.differing):
        return None
    plain = all(
        1 < len(n.whole) <= 3 and not any(w.lower().rstrip(".") in generic() for w in n.whole) for n in (mine, theirs)
    )
    return "person" if mine.titled or theirs.titled or plain else "organisation"


def wrote(window: Window) -> bool:
    """Return True if the differing text of a window of the original text names who wrote it, edited it or took the picture."""
    return bool(_BYLINE.search(window.text[: window.start]))


def _one_name(mine: NameAtEdit, theirs: NameAtEdit) -> bool:
    """Return True if two names may be of one person, firm or place: a word in common, a short form, initials, an alias, a slip."""
    known, nick = aliases(), nicknames()
    x, y = ([w.lower().replace(".", "") for w in n.differing] for n in (mine, theirs))
    if any(a == b or nick.get(a, a) == nick.get(b, b) or _forms_of_one(a, b) for a in x for b in y):
        return True
    if any(is_slip(a, b) for a in mine.differing for b in theirs.differing):
        return True
    phrases = [
        {p for p in (" ".join(n.whole).lower(), " ".join(n.differing).lower(), *n.differing)} for n in (mine, theirs)
    ]
    groups = [{known.get(p.lower(), p.lower()) for p in some} for some in phrases]
    if groups[0] & groups[1]:
        return True
    return any(_initials(n.whole, w) for n, other in ((mine, theirs), (theirs, mine)) for w in other.differing)


_SURNAME, _GIVEN_NAMES = lazy_pattern(r"\s*[A-Z][a-z]"), 2
"""Beginning of a surname behind a title, and most given names before it."""
_CAPITALS = lazy_pattern(r"[A-Za-z&.'’\-]+")


def one_name_otherwise(left: Window, right: Window) -> bool:
    """Return True if two differing texts are one name in two forms (alias, initials, short given name, other title), and nothing else.

    Example:
        >>> one, other = "Today General Motors Corp said", "Today GM said"
        >>> one_name_otherwise(Window(one, 6, 25), Window(other, 6, 8))
        True
    """
    sides = [[w.strip(".'’-") for w in _CAPITALS.findall(window.stretch)] for window in (left, right)]
    if not all(sides) or _CAPITALS.sub("", left.stretch + right.stretch).strip(" ,"):
        return False
    mine, theirs = ([w for w in side if w and w.lower() not in STOP | FORMS] for side in sides)
    if not all(w[0].isupper() for w in mine + theirs) or not (mine or theirs):
        return False
    known, nick = aliases(), nicknames()
    x, y = (" ".join(side).lower() for side in (mine, theirs))
    if mine and theirs and (
        known.get(x, x) == known.get(y, y)
        or (len(mine) == len(theirs) == 1 and nick.get(x, x) == nick.get(y, y))
        or any(
            len(short) == 1 and len(name) > 1 and _initials(name, short[0])
            for name, short in ((mine, theirs), (theirs, mine))
        )
    ):  # fmt: skip
        return True
    # Titles and given names before one surname: Prime Minister Margaret Thatcher, Mrs Thatcher.
    bare = [[w for w in side if w.lower().replace(".", "") not in titles()] for side in (mine, theirs)]
    if len(bare[0]) == len(mine) and len(bare[1]) == len(theirs):
        return False
    behind = [_SURNAME.match(window.text, window.end) for window in (left, right)]
    return not all(bare) and None not in behind and len(bare[0] + bare[1]) <= _GIVEN_NAMES


def _forms_of_one(a: str, b: str) -> bool:
    """Return True if two words in lower case are forms of one: America, American."""
    short, long = sorted((a, b), key=len)
    return len(short) >= _SHORT and long.startswith(short)


def _initials(name: Sequence[str], short: str) -> bool:
    """Return True if a word in capitals consists of the first letters of a name of several words or parts: IBM, HP."""
    letters = re.sub(r"[^A-Za-z]", "", short)
    parts = [part for word in name for part in re.split("[-&]", word) if part]
    if len(letters) < 2 or letters != letters.upper() or len(parts) < 2:
        return False
    initials = "".join(part[0] for part in parts).upper()
    bare = "".join(part[0] for part in parts if part.lower() not in STOP).upper()
    return any(some.startswith(letters) or letters.startswith(some) for some in (initials, bare) if len(some) > 1)


_LATIN_NAME = lazy_pattern(r"\s*([A-Za-z][A-Za-z&.'’\-]*(?: [A-Za-z][A-Za-z&.'’\-]*)?)\s*")
_HAN = lazy_pattern("[\u3400-\u9fff《》“”，。、；：（）]")
_ADDRESS = lazy_pattern(r"[@/\\_#=.:`\d]\s*$|(?:来自|via|来源)\s*$")
_ADDRESSED = lazy_pattern(r"[@/\\_=`]|\.[A-Za-z]|\s*客户端")
_COMMON = frozenset(
    "app vs ok no yes tv pc id vip diy kb mb gb tb pb kib mib gib tib hz khz mhz ghz kw mw gw kwh mbps gbps usd cny rmb eur hkd jpy "
    "gmt utc".split()
)
"""Words with capitals that are units, currencies or common nouns."""
_VARIABLE = lazy_pattern("[a-z]{2,}[A-Z]")
"""Beginning of the name of a variable in a program: txnLock; iPhone is none."""


def _apart_in_chinese(left: Window, right: Window) -> str | None:
    """Return "organisation" if one name in Latin letters replaces another in a Chinese text (OpenAI, Anthropic), else None."""
    found = []
    for window in (left, right):
        text, name = window.text, _LATIN_NAME.fullmatch(window.stretch)
        before, after = text[: window.start], text[window.end :]
        if name is None or _ADDRESS.search(before) or _ADDRESSED.match(after) or name[1].lower() in _COMMON:
            return None
        if _VARIABLE.match(name[1]):
            return None
        # A whole word with a capital, with Chinese on one side at least and no Latin word beside it.
        beside = before.rstrip()[-1:], after.lstrip()[:1]
        if len(name[1]) < 2 or name[1] == name[1].lower() or any(c.isascii() and c.isalnum() for c in beside):
            return None
        if not any(_HAN.match(c) for c in beside):
            return None
        found.append(name[1])
    one, other = (NameAtEdit(tuple(n.split()), tuple(n.split()), False) for n in found)
    a, b = (re.sub("[^a-z]", "", n.lower()) for n in found)
    same = a.startswith(b) or b.startswith(a) or is_slip(*found) or _one_name(one, other)
    return None if same else "organisation"
