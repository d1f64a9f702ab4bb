"""Opposites, places and titles at an edit: what words of the lexicon stand there, and whether they contradict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from functools import cache, lru_cache

from quchong.differences.dictionaries import aliases, opposites, words
from quchong.differences.windows import Window

LONGEST = 16
"""Characters before a difference at which a word may begin that it has a part in."""


LISTS = ("places", "bodies", "titles", "opposites")
"""Lists of words that can stand against one another."""


@cache
def lexicon() -> dict[str, frozenset[str]]:
    """Every word that can stand against another, with the lists it is on."""
    lists: dict[str, set[str]] = {}
    for name in LISTS:
        for word in opposites() if name == "opposites" else words(name):
            lists.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in lists.items()}


_LATIN = re.compile("(?<![0-9A-Za-z])[0-9A-Za-z]+")
"""A whole word in Latin letters: words of the lexicon begin and end where one does."""


@cache
def _lengths() -> dict[str, tuple[int, ...]]:
    """How long words are, the longest first, by what they begin with: two Chinese characters, or a Latin word.

    Most places of a text are passed by it. Words of one character are not in it.
    """
    out: dict[str, set[int]] = {}
    for word in lexicon():
        if latin := _LATIN.match(word):
            out.setdefault(latin.group(), set()).add(len(word))
        elif len(word) > 1:
            out.setdefault(word[:2], set()).add(len(word))
    return {begin: tuple(sorted(lengths, reverse=True)) for begin, lengths in out.items()}


def _begins(text: str, first: int, end: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Places from `first` to before `end` where words of the lexicon may begin, and how long these are."""
    lengths = _lengths()
    if text.isascii():
        for word in _LATIN.finditer(text, first):
            if word.start() >= end:
                return
            if (some := lengths.get(word.group())) is not None:
                yield word.start(), some
        return
    for a in range(first, min(end, len(text))):
        if text[a] > "\x7f":
            some = lengths.get(text[a : a + 2])
        else:
            latin = _LATIN.match(text, a)
            some = lengths.get(latin.group()) if latin else None
        if some is not None:
            yield a, some


@lru_cache(1 << 13)
def words_at(window: Window) -> Mapping[str, frozenset[str]]:
    """Words of the lexicon that the stretch has a part in, by list; of those within another the longest alone.

    A word of one Chinese character counts only where it is the whole stretch: elsewhere it may be a part of another word.
    """
    text, start, end = window.text, window.start, window.end
    known, empty = lexicon(), start == end
    found: list[tuple[int, int]] = []
    for a, lengths in _begins(text, max(0, start - LONGEST), end + empty):
        if empty and a == start:
            continue
        for n in lengths:
            b = a + n
            if b <= start:
                break  # it ends before the stretch, and so do all that are shorter
            if b <= len(text) and text[a:b] in known and _ends(text, a, b):
                if not any(c <= a and b <= d for c, d in found):
                    found.append((a, b))
                break
    if end == start + 1 and text[start] in known and not any(c <= start and end <= d for c, d in found):
        found.append((start, end))
    out: dict[str, set[str]] = {}
    for a, b in found:
        for name in known[text[a:b]]:
            out.setdefault(name, set()).add(text[a:b])
    return {name: frozenset(some) for name, some in out.items()}


def _ends(text: str, a: int, b: int) -> bool:
    """Does text[a:b] not end within a Latin word?"""
    return not (text[a].isascii() and b < len(text) and text[b].isascii() and text[b].isalnum())


def opposed(mine: Set[str], theirs: Set[str]) -> bool:
    """Does one side say the opposite of what the other says in its place?"""
    known = opposites()
    return not mine & theirs and any(known[w] & theirs for w in mine)


def differing(left: Window, right: Window, mine: Set[str], theirs: Set[str]) -> bool:
    """Do both sides hold words of a list there, each half of what differs, and none of them is, or stands within, one of the other's?"""
    x, y = (
        {w for w in found if 2 * len(w) >= side.end - side.start} for side, found in ((left, mine), (right, theirs))
    )
    return apart(x, y)


def apart(mine: Set[str], theirs: Set[str]) -> bool:
    """Are there words on both sides, and none is, stands within, or is another name of, one of the other side's?"""
    known = aliases()
    return bool(mine and theirs) and not any(
        a in b or b in a or known.get(a, a) == known.get(b, b) for a in mine for b in theirs
    )


RANKS = ("vice", "deputy")
_RANK = re.compile(rf"(?:常务)?副|{'|'.join(RANKS)}")
_RANKED = 8
"""Characters of a title in Chinese, at most; words in English are twice as long."""


def ranked(left: Window, right: Window) -> bool:
    """Does only one side say that a title is the second in rank (副市长, vice president)? Another person is meant."""
    says, other = sorted((left, right), key=lambda w: -len(w.stretch))
    if other.stretch.strip() or not _RANK.fullmatch(says.stretch.strip()):
        return False
    behind = says.text[says.end :].lstrip(" -")
    return any(
        _ends(behind, 0, n) and behind[:n] in words("titles") for n in range(2, 2 * _RANKED + 1) if n <= len(behind)
    )
