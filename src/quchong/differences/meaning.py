"""Opposites, places and titles at an edit: what words of the lexicon stand there, and whether they contradict."""

from __future__ import annotations

import re
from functools import cache

from quchong.differences.dictionaries import aliases, opposites, words
from quchong.differences.windows import Window

LONGEST = 16
"""Characters before a difference at which a word may begin that it has a part in."""


LISTS = ("places", "bodies", "titles", "opposites")
"""Lists of words that can stand against one another."""


@cache
def lexicon() -> tuple[dict[str, frozenset[str]], dict[str, tuple[int, ...]]]:
    """Every word that can stand against another, with the lists it is on; and how long those are that begin with a character."""
    lists: dict[str, set[str]] = {}
    for name in LISTS:
        for word in opposites() if name == "opposites" else words(name):
            lists.setdefault(word, set()).add(name)
    lengths: dict[str, set[int]] = {}
    for word in lists:
        lengths.setdefault(word[0], set()).add(len(word))
    return (
        {word: frozenset(names) for word, names in lists.items()},
        {c: tuple(sorted(n, reverse=True)) for c, n in lengths.items()},
    )


def words_at(window: Window) -> dict[str, set[str]]:
    """Words of the lexicon that the stretch has a part in, by list; of those within another the longest alone.

    A word of one Chinese character counts only where it is the whole stretch: elsewhere it may be a part of another word.
    """
    text, start = window.text, window.start
    known, lengths = lexicon()
    empty = start == window.end
    found: list[tuple[int, int]] = []
    out: dict[str, set[str]] = {}
    for a in range(max(0, start - LONGEST), window.end + empty):
        # Most places are passed here: this loop is the dearest of reading an edit.
        if (some := lengths.get(text[a : a + 1])) is None or a + some[0] <= start or (empty and a == start):
            continue
        if a > 0 and text[a - 1 : a + 1].isascii() and text[a - 1 : a + 1].isalnum():
            continue  # within a Latin word
        for n in some:
            b = a + n
            if b <= start:
                break  # it ends before the stretch, and so do all that are shorter
            if (names := known.get(text[a:b])) is not None and _ends(text, a, b):
                alone = n == 1 and text[a] > "\u2e80" and (a, b) != (start, window.end)
                if not alone and not any(c <= a and b <= d for c, d in found):
                    found.append((a, b))
                    for name in names:
                        out.setdefault(name, set()).add(text[a:b])
                break
    return out


def _ends(text: str, a: int, b: int) -> bool:
    """Does text[a:b] not end within a Latin word?"""
    return not (text[a].isascii() and b < len(text) and text[b].isascii() and text[b].isalnum())


def opposed(mine: set[str], theirs: set[str]) -> bool:
    """Does one side say the opposite of what the other says in its place?"""
    known = opposites()
    return not mine & theirs and any(known[w] & theirs for w in mine)


def differing(left: Window, right: Window, mine: set[str], theirs: set[str]) -> bool:
    """Do both sides hold words of a list there, each half of what differs, and none of them is, or stands within, one of the other's?"""
    x, y = (
        {w for w in found if 2 * len(w) >= side.end - side.start} for side, found in ((left, mine), (right, theirs))
    )
    return apart(x, y)


def apart(mine: set[str], theirs: set[str]) -> bool:
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
