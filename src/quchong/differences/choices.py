"""One of several in the place of all of them: 签字或盖章 and 签字盖章, signed or sealed and signed and sealed."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.edit_tokens import CHOOSES, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.windows import Window
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern

LONGEST = 2
"""Most tokens of either side of an edit that makes a choice."""
_ONE, _ALL = frozenset(["或", "或者", "or"]), frozenset(["和", "与", "及", "以及", "并", "并且", "且", "and"])
"""Words that link things of which one is enough, and things that are all meant."""
_MARK = lazy_pattern(r"[，。！？；：,!?;:\n…]|\.\s")
_EITHER_WAY = lazy_pattern(
    r"[不没未无非否别勿莫禁免可能均都各]|任[何意一选]|如果|若|倘|\b(?:not?|nor|never|without|neither|none|nothing|nobody|cannot|can|may|could|might|any|if|whether"
    r"|between|each|either|less|fewer)\b|n't\b"
)
"""Words in a clause in which both say the same, or nearly: no cars and lorries, no cars or lorries."""
_HAN = lazy_pattern("[\u3400-\u9fff]")
_LISTED = lazy_pattern(r"[、/]|和/或|and/or")


def links_otherwise(left: Window, right: Window) -> bool:
    """Return True if one side names several things of which one suffices (或), and the other requires all of them (和).

    A clause that denies, permits or supposes something says the same either way, and does not count.

    Example:
        >>> text = "合同经双方签字{}盖章后生效。"
        >>> links_otherwise(Window(text.format(""), 7, 7), Window(text.format("或"), 7, 8))
        True
        >>> text = "不得吸烟{}饮酒。"
        >>> links_otherwise(Window(text.format("和"), 4, 5), Window(text.format("或"), 4, 5))
        False
    """
    return _is_choice(left, right) or _is_choice(right, left)


def _is_choice(one: Window, every: Window) -> bool:
    if one.stretch.strip() not in _ONE:
        return False
    linked = every.stretch.strip()
    if linked not in _ALL and (linked or not _between_words(one)):
        return False
    clauses = [_clause(side) for side in (one, every)]
    return not any(_EITHER_WAY.search(clause) or _LISTED.search(clause) for clause in clauses)


def _between_words(window: Window) -> bool:
    """Return True if Chinese characters are on both sides of the differing text, which is put in between two words."""
    return all(
        _HAN.match(c)
        for c in (window.text[max(0, window.start - 1) : window.start], window.text[window.end : window.end + 1])
    )


def _clause(window: Window) -> str:
    """Return the clause around the differing text."""
    before = [mark.end() for mark in _MARK.finditer(window.text, 0, window.start)]
    behind = _MARK.search(window.text, window.end)
    return window.text[before[-1] if before else 0 : behind.start() if behind else len(window.text)]


@cache
def choosing_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of words that offer a choice, such as 或; an edit without any of them cannot make a choice."""
    return np.array(sorted((ord("或"), word_hash(tables, "or") | WORD_TOKEN)), np.uint32)


def may_choose(edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the brief edits that have a word of choice on either side, by their tokens alone."""
    mask: np.ndarray = listed.on_either_side(CHOOSES) & (np.maximum(edits.a, edits.b) <= LONGEST)
    return mask
