"""English words: which strings of letters are words, by a list of them with their regular forms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quchong.differences.dictionaries import base_forms, negations, words
from quchong.differences.figures import stating
from quchong.differences.loaded_once import loaded_once
from quchong.differences.meaning import lexicon
from quchong.differences.synonyms import english_lexicon
from quchong.differences.units import UNITS
from quchong.patterns import lazy_pattern

_LATIN = lazy_pattern("[a-z]+")
ABBREVIATIONS = frozenset(
    "ab ac ap au bp ca cd ce cm db de ec ed el eu fa fx gb ge gm gp hk hp hq hr ie ip kg km la lb le ltd mb mg ml mln mm mp nz oz pc pct "
    "pm plc rd rm sa sr st uk usa va vp vs wto yr".split()
)
"""Short forms that the list of words lacks, and that other short words are not slips of."""
_ENDINGS = dict(
    a=("s", ""), b=("es", ""), c=("ies", "y"), d=("ed", ""), e=("ed", "e"), f=("ied", "y"), g=("ing", ""), h=("ing", "e"), i=("ly", ""),
    j=("ly", "le"), k=("er", ""), l=("er", "e"), m=("ers", ""), n=("ers", "e"),
    o=("est", ""), p=("est", "e"), q=("ness", ""), r=("iness", "y"),
    s=("ily", "y"), t=("ier", "y"), u=("iest", "y"),
)  # fmt: skip
"""Endings of regular forms by their letter in the list, and the end of the word that they replace."""
_LEXICAL = 6
"""Least letters of a word that only the lexicon has: shorter rare words are more often slips."""
_DOUBLED = {"A": "ed", "B": "ing", "C": "er", "D": "ers", "E": "est"}
"""Endings before which the last letter of the word is doubled."""


@loaded_once
def _english() -> frozenset[str]:
    """Return the English words of the list with all their forms, and those of all other lists, in small letters."""
    listed = " ".join((*lexicon(), *stating(), *UNITS, *(word for some in negations() for word in some)))
    out = {*ABBREVIATIONS, *base_forms(), *_LATIN.findall(listed), "a", "i"}
    for entry in words("english"):
        word, _, forms = entry.partition("/")
        out.add(word)
        for letter in forms:
            if letter in _DOUBLED:
                out.add(word + word[-1] + _DOUBLED[letter])
            else:
                ending, end = _ENDINGS[letter]
                out.add(word.removesuffix(end) + ending)
    # Rarer words that the lexicon has: liquidity, underwriter; in the plural too.
    for word in english_lexicon() - out:
        if len(word) >= _LEXICAL:
            out.update((word, word + "s"))
    return frozenset(out)


def is_english(word: str) -> bool:
    """Return True if a word in small letters is in the list of English words, or a regular form of one that is."""
    return word in _english()


def are_english(words: Sequence[str]) -> np.ndarray:
    """Return a mask of the words in small letters that `is_english` knows."""
    return np.fromiter(map(_english().__contains__, words), bool, len(words))
