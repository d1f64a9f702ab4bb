"""Opposites, places and titles at an edit, found in the lexicon, and whether they contradict."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache, lru_cache

from quchong.differences.dictionaries import aliases, modalities, opposites, words
from quchong.differences.transliterations import sound_alike
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

LONGEST = 16
"""Characters before a difference within which a word that overlaps it may begin."""


LISTS = ("places", "bodies", "titles", "opposites")
"""Names of the lists whose words can contradict each other."""


@cache
def lexicon() -> dict[str, frozenset[str]]:
    """Return each word that can contradict another one, with the names of its lists."""
    # Lists as bits, then a set for each combination: several thousand words share a few sets.
    bits: dict[str, int] = {}
    for k, name in enumerate(LISTS):
        for word in (*opposites(), *modalities()) if name == "opposites" else words(name):
            bits[word] = bits.get(word, 0) | 1 << k
    sets = [frozenset(name for k, name in enumerate(LISTS) if some >> k & 1) for some in range(1 << len(LISTS))]
    return {word: sets[some] for word, some in bits.items()}


_LATIN = lazy_pattern("(?<![0-9A-Za-z])[0-9A-Za-z]+")
"""A whole Latin word; words of the lexicon begin and end at word boundaries."""


@cache
def _lengths() -> dict[str, tuple[int, ...]]:
    """Return the lengths of the lexicon's words, longest first, by their first two Chinese characters or first Latin word.

    It rejects most offsets of a text quickly. Words of one character are omitted.
    """
    bits: dict[str, int] = {}  # the k-th bit: a word of k characters
    for word in lexicon():
        if word[0] < "\x80" and (latin := _LATIN.match(word)):
            begin = latin.group()
        elif len(word) > 1:
            begin = word[:2]
        else:
            continue
        bits[begin] = bits.get(begin, 0) | 1 << len(word)
    lengths = {some: tuple(k for k in range(some.bit_length(), 0, -1) if some >> k & 1) for some in set(bits.values())}
    return {begin: lengths[some] for begin, some in bits.items()}


def _begins(text: str, first: int, end: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return the offsets in [first, end) where words of the lexicon may begin, ascending, each with the possible lengths."""
    lengths = _lengths()
    # Latin text: only beginnings of words. Mixed text: every offset, looked up by its first two characters or word.
    if text.isascii():
        # Words that begin before `end` end before the next blank.
        last = text.find(" ", end)
        words = _LATIN.finditer(text, first, last if last >= 0 else len(text))
        return [(word.start(), lengths[word[0]]) for word in words if word[0] in lengths and word.start() < end]
    out = []
    for a in range(first, min(end, len(text))):
        if text[a] > "\x7f":
            some = lengths.get(text[a : a + 2])
        else:
            latin = _LATIN.match(text, a)
            some = lengths.get(latin.group()) if latin else None
        if some is not None:
            out.append((a, some))
    return out


@lru_cache(1 << 13)
def words_at(window: Window) -> Mapping[str, frozenset[str]]:
    """Return the words of the lexicon that overlap the differing text, by list; of nested words only the longest.

    A word of one Chinese character counts only where it is the whole stretch: elsewhere it may be a part of another word.
    """
    text, start, end = window
    known, empty = lexicon(), start == end
    found: list[str] = []
    covered = 0  # where the words found so far end: another one that ends there or before is nested, since it begins behind them
    # At each offset take the longest word that reaches into the stretch and is not nested in one found before.
    for a, lengths in _begins(text, max(0, start - LONGEST), end + empty):
        if empty and a == start:
            continue
        for n in lengths:
            b = a + n
            if b <= start:
                break  # it ends before the stretch, and so do all that are shorter
            if b <= len(text) and (word := text[a:b]) in known and ends_outside_words(text, a, b):
                if b > covered:
                    found.append(word)
                    covered = b
                break
    # A word of one character counts only if it is the whole stretch.
    if end == start + 1 and text[start] in known and end > covered:
        found.append(text[start])
    if len(found) == 1:  # nearly always
        return dict.fromkeys(known[found[0]], frozenset(found))
    out: dict[str, set[str]] = {}
    for word in found:
        for name in known[word]:
            out.setdefault(name, set()).add(word)
    return {name: frozenset(some) for name, some in out.items()}


def ends_outside_words(text: str, a: int, b: int) -> bool:
    """Return True if text[a:b] does not end inside a Latin word."""
    return not (text[a].isascii() and b < len(text) and text[b].isascii() and text[b].isalnum())


_NONE = frozenset[str]()


_DENIES = lazy_pattern(
    r"(?:[不没未非]|没有|并非|不是|\b(?:not|never|n't|no longer|hardly))\s?(?:(?:a|an|the|be|been|yet|is|was|to)\s)?$"
)


def opposed_at(left: Window, right: Window, mine: Set[str], theirs: Set[str]) -> bool:
    """Return True if a word of one side is an opposite of a word of the other, and both or neither are denied.

    Example:
        >>> one, other = "it is impossible", "it is not possible"
        >>> opposed_at(Window(one, 6, 16), Window(other, 6, 18), {"impossible"}, {"possible"})
        False
    """
    known = opposites()
    return any(
        _is_denied(left, one) == _is_denied(right, other)
        for one in mine - theirs
        for other in known.get(one, _NONE) & (theirs - mine)
    )


def _is_denied(window: Window, word: str) -> bool:
    """Return True if the text denies a word at the differing text: a negation is right before it."""
    at = window.text.find(word, max(0, window.start - len(word) + 1))
    return at >= 0 and _DENIES.search(window.text[max(0, at - LONGEST) : at]) is not None


def opposing(mine: Set[str], theirs: Set[str]) -> frozenset[str]:
    """Return the words of both sides that are opposites of words found on the other side only."""
    known = opposites()
    rests = mine - theirs, theirs - mine
    return frozenset(word for some, others in (rests, rests[::-1]) for word in some if known.get(word, _NONE) & others)


def differing(left: Window, right: Window, mine: Set[str], theirs: Set[str]) -> bool:
    """Return True if both sides have listed words that fill half of their differing text, and these words differ.

    Words do not differ if one contains the other or both name the same thing (see `are_unrelated`).
    """
    x, y = (
        {w for w in found if 2 * len(w) >= side.end - side.start} for side, found in ((left, mine), (right, theirs))
    )
    return are_unrelated(x, y)


def are_unrelated(mine: Set[str], theirs: Set[str]) -> bool:
    """Return True if both sides have words, and none of them equals, contains, is an alias of, or transliterates a word of the other."""
    known = aliases()
    return bool(mine and theirs) and not any(
        a in b or b in a or known.get(a, a) == known.get(b, b) or sound_alike(a, b) for a in mine for b in theirs
    )
