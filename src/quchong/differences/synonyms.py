"""Lexicon of Chinese and English words with the senses they share: whether two words say the same."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.dictionaries import aliases, base_forms, near_synonyms
from quchong.differences.loaded_once import loaded_once
from quchong.differences.sorted_words import SortedWords

_NAMES = ("chinese", "english")


@loaded_once
def _senses(name: str) -> SortedWords:
    """Return the words of a language's lexicon, each with the numbers of its senses in one string.

    Made by `tools/lexicon` from CC-CEDICT and WordNet (NOTICE).
    """
    return SortedWords("lexicon", f"{name}.txt")


def load_senses() -> None:
    """Load the words of both languages now, instead of looking the first ones up in their files."""
    for name in _NAMES:
        _senses(name).load()


_ASCII = 0x80
"""Number of characters of ASCII."""


class Bigrams:
    """Set of character pairs that are neighbours in Chinese words, by hash; it answers wrongly True for 2% of other pairs."""

    _BITS = 22

    def __init__(self, words: str) -> None:
        """Take the words, one a line, with their senses in ASCII behind them."""
        text = np.frombuffer(words.encode("utf-32-le"), "<u4")
        text = text[(text >= _ASCII) | (text == ord("\n"))]
        self._table = np.zeros(1 << self._BITS, bool)
        self._table[self._slot(text[:-1], text[1:])] = True

    def _slot(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        mixed = first.astype(np.uint32) * np.uint32(0x9E3779B1) ^ second.astype(np.uint32) * np.uint32(0x85EBCA6B)
        return mixed >> np.uint32(32 - self._BITS)

    def has(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return a mask of the pairs (first[i], second[i]) that are neighbours in a word."""
        found: np.ndarray = self._table[self._slot(first, second)]
        return found


@loaded_once
def known_bigrams() -> Bigrams:
    """Return the pairs of neighbouring characters in Chinese words."""
    return Bigrams(_senses("chinese").text())


@loaded_once
def english_lexicon() -> frozenset[str]:
    """Return the English words of the lexicon, in small letters, most of them base forms."""
    return frozenset(_senses("english").load())


def _language(word: str) -> str:
    return _NAMES[word.isascii()]


def is_listed(word: str) -> bool:
    """Return True if the lexicon has the word; an English one in any of its forms."""
    return word in _senses(_language(word)) or (word.isascii() and bool(base_of(word)))


@cache
def base_of(word: str) -> str:
    """Return the form of an English word that the lexicon has: city for cities, plan for planned; empty if it has none."""
    known = _senses("english")
    if word in known:
        return word
    if (irregular := base_forms().get(word) or _PLURALS.get(word)) is not None:
        return irregular
    for ending, instead in _ENDINGS if word[-1] in "sdgrt" else ():
        if word.endswith(ending) and len(word) > len(ending) + 1:
            short = word[: len(word) - len(ending)]
            for base in (short + instead, short[:-1] if short[-1:] == short[-2:-1] and not instead else ""):
                if len(base) > _SHORT and base in known:
                    return base
    return ""


_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("es", "e"), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""),
    ("ed", "e"), ("d", ""), ("'s", ""), ("est", ""), ("est", "e"), ("er", ""), ("er", "e"),
    ("ier", "y"), ("iest", "y"),
)  # fmt: skip
"""Endings of inflected forms, and what the base form has in their place."""
_PLURALS = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "lives": "life", "wives": "wife",
}  # fmt: skip


_SHORT = 2
"""Letters of a word that has no further forms: as, of."""


def senses_of(word: str) -> frozenset[str]:
    """Return the senses that a word shares with others; of an English word also those of its base forms: rose is of rise too."""
    if word.isascii():
        known = _senses("english")
        return frozenset(sense for form in _forms(word) for sense in (known.value(form) or "").split())
    return frozenset((_senses("chinese").value(word) or "").split())


def _forms(word: str) -> tuple[str, ...]:
    """Return an English word and its base forms: rose, rise."""
    return tuple({word, base_of(word) or word, base_forms().get(word, word)})


_WRITTEN_ALIKE = str.maketrans("帐做象惟黏藉迭份", "账作像唯粘籍叠分")
"""Characters that many words may be written with one way or the other: 帐户, 账户."""


_NONE = frozenset[str]()


def are_synonyms(one: str, other: str) -> bool:
    """Return True if two words say the same by the lexicon: a common sense, one thing of several names, or forms of one word."""
    known = aliases()
    one, other = one.translate(_WRITTEN_ALIKE), other.translate(_WRITTEN_ALIKE)
    if one == other or known.get(one, one) == known.get(other, other):
        return True
    near = near_synonyms()
    if one.isascii() and other.isascii():
        mine, theirs = _forms(one), _forms(other)
        if not set(mine).isdisjoint(theirs) or any(near.get(form, _NONE).intersection(theirs) for form in mine):
            return True
    elif other in near.get(one, _NONE):
        return True
    return not senses_of(one).isdisjoint(senses_of(other))


def same_but_for_cutting(one: str, other: str) -> bool:
    """Return True if two Chinese texts are synonyms once equal words that the tagger cut differently are set apart.

    Example:
        >>> same_but_for_cutting("逐步提高", "逐步提升"), same_but_for_cutting("逐步提高", "逐步降低")
        (True, False)
    """
    size = min(len(one), len(other))
    first = next((k for k in range(size) if one[k] != other[k]), size)
    last = next((k for k in range(size - first) if one[-1 - k] != other[-1 - k]), size - first)
    # The same character may begin or end both words: 提高, 提升.
    return any(
        a + b > 0
        and min(len(one), len(other)) - a - b > 1
        and are_synonyms(one[a : len(one) - b], other[a : len(other) - b])
        for a in range(max(0, first - 1), first + 1)
        for b in range(max(0, last - 1), last + 1)
    )
