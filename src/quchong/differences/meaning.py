"""Negation, opposites, titles and names at an edit: what words say there, and whether they contradict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from quchong.differences.dictionaries import negations, opposites, words
from quchong.differences.windows import Window

LONGEST = 8
"""Characters of the longest word that is looked for at an edit."""


@cache
def _negating() -> tuple[re.Pattern[str], frozenset[str]]:
    plain, other = negations()
    every = sorted(plain | other, key=lambda w: (-len(w), w))
    han = "|".join(re.escape(w) for w in every if not w.isascii())
    english = "|".join(re.escape(w.replace("_", " ")) for w in every if w.isascii() and w != "n't")
    return re.compile(rf"{han}|\b(?:{english}|\w+n't)\b"), other


def negates(window: Window) -> int:
    """How many negations the stretch has a part in. A word that only holds such a character counts as none (不断)."""
    pattern, other = _negating()
    return sum(window.touches(*m.span()) and m.group() not in other for m in pattern.finditer(window.text))


def words_at(window: Window, vocabulary: frozenset[str]) -> set[str]:
    """Words of a vocabulary that the stretch has a part in; of those within another the longest alone."""
    text, found = window.text, []
    for a in range(max(0, window.start - LONGEST + 1), window.end + (window.start == window.end)):
        for b in range(min(len(text), a + LONGEST), a, -1):
            if text[a:b] in vocabulary and window.touches(a, b) and _whole(text, a, b):
                found.append((a, b))
                break
    return {text[a:b] for a, b in found if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in found)}


def _whole(text: str, a: int, b: int) -> bool:
    """Is text[a:b] no part of a longer Latin word?"""
    if not text[a].isascii():
        return True
    return not (a > 0 and text[a - 1].isascii() and text[a - 1].isalnum()) and not (
        b < len(text) and text[b].isascii() and text[b].isalnum()
    )


@cache
def _opposed() -> frozenset[str]:
    return frozenset(opposites())


def opposed(left: Window, right: Window) -> bool:
    """Does one side say the opposite of what the other says in its place?"""
    theirs = words_at(right, _opposed())
    if not theirs:
        return False
    mine = words_at(left, _opposed())
    known = opposites()
    return not mine & theirs and any(known[w] & theirs for w in mine)


def differing(left: Window, right: Window, name: str) -> bool:
    """Do both sides hold words of a list there, and none of them is, or stands within, one of the other side's?"""
    return _apart(words_at(left, words(name)), words_at(right, words(name)))


def _apart(mine: set[str], theirs: set[str]) -> bool:
    return bool(mine and theirs) and not any(a in b or b in a for a in mine for b in theirs)


KINDS = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation"}
"""Tags of parts of speech that are names."""
_LINE = "\n"


def names(sides: Sequence[Window]) -> list[dict[str, set[str]]]:
    """The names each stretch has a part in, by kind, by part-of-speech tags of its window."""
    from quchong.text.words import tagged

    text = _LINE.join(w.text.replace(_LINE, " ") for w in sides)
    out: list[dict[str, set[str]]] = [{} for _ in sides]
    k = at = 0
    for word, tag in tagged(text):
        if word == _LINE:
            k, at = k + 1, 0
            continue
        end = at + len(word)
        kind = KINDS.get(tag)
        if kind is not None and sides[k].touches(at, end) and (kind != "person" or _person(word, tag)):
            out[k].setdefault(kind, set()).add(word)
        at = end
    return out


def _person(word: str, tag: str) -> bool:
    """Is what the tagger calls a person a name: of the dictionary's foreigners, or with a surname?"""
    if len(word) < 2:
        return False
    return tag != "nr" or word[:2] in words("surnames") or word[0] in _single()


@cache
def _single() -> frozenset[str]:
    longest = max(words("surnames"), key=len)
    return frozenset(longest)


def named_apart(left: dict[str, set[str]], right: dict[str, set[str]]) -> str | None:
    """The kind of name both sides have there, each another one; None where one has none, or the same."""
    for kind in ("person", "place", "organisation"):
        if _apart(left.get(kind, set()), right.get(kind, set())):
            return kind
    mine, theirs = (side.get("organisation", set()) | side.get("place", set()) for side in (left, right))
    return "organisation" if _apart(mine, theirs) else None
