"""English words of grammar, which no edit replaces by words of content: the in the place of toe is a slip."""

from __future__ import annotations

from functools import cache

from quchong.differences.dictionaries import negations
from quchong.differences.figures import stating
from quchong.differences.meaning import lexicon

GRAMMAR = frozenset(
    "the this that these those its his her their our your my he she they we you it who whom whose which what and or nor but if as than "
    "while when where because since until of in on at by for with from to into onto per via is are was were be been being am do does "
    "did has have had will would shall should could there here such some any other another an".split()
)
"""Words of grammar, besides those that negate, count or compare."""


@cache
def _stating() -> frozenset[str]:
    """Return the words that state a fact or are in a list of facts; replacing one of them is not taken for a slip."""
    listed = {*stating(), *(word for some in negations() for word in some), *(w for w in lexicon() if w.isascii())}
    return frozenset(listed - GRAMMAR)


def breaks_grammar(one: str, other: str) -> bool:
    """Return True if exactly one of two words is a grammar word, both have two letters or more, and the other one states no fact.

    Example:
        >>> breaks_grammar("the", "toe"), breaks_grammar("for", "four"), breaks_grammar("in", "if")
        (True, False, False)
    """
    both = one in GRAMMAR, other in GRAMMAR
    return both[0] != both[1] and min(len(one), len(other)) > 1 and (other if both[0] else one) not in _stating()
