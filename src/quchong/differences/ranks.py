"""Words put in before a title that make another person of it: 副市长, 前部长, vice president, former minister."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from quchong.differences.dictionaries import classes_of, words
from quchong.differences.edit_tokens import RANKS, EditTokens
from quchong.differences.edits import Edits
from quchong.differences.meaning import ends_outside_words
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among, distinct
from quchong.text.words import is_known_word

_RANKED = 8
"""Most characters of a Chinese title; an English title may have twice as many."""
_LONGEST = 3
"""Most tokens that are put in: 第一副."""
_MEMBERS = frozenset("会员 成员 党员 团员 队员 委员 代表 member members".split())
"""Words besides titles that a rank may precede: 前会员, former member."""


@cache
def _rank() -> re.Pattern[str]:
    """Return the pattern of a text that is a word of rank or former office, such as 副, 前, vice or former."""
    return re.compile("|".join(word for words_of in classes_of("ranks").values() for word in words_of))


@cache
def ranking_tokens() -> np.ndarray:
    """Return the first characters of the Chinese words of rank, as sorted tokens."""
    return distinct(np.array([ord(word[0]) for word in classes_of("ranks")["chinese"]], np.uint32))


def ranked(left: Window, right: Window) -> bool:
    """Return True if only one side adds a word such as 副, 前, "vice" or "former" to a title: another person is meant."""
    says, other = sorted((left, right), key=lambda w: -len(w.stretch))
    if other.stretch.strip() or not _rank().fullmatch(says.stretch.strip(" -")):
        return False
    # 日前部长 and 现代市长 have no such word: it is the end of another one.
    before = says.text[max(0, says.start - 1) : says.start] + says.stretch[:1]
    if len(before) == 2 and not before.isascii() and is_known_word(before):
        return False
    behind = says.text[says.end :].lstrip(" -")
    return any(
        ends_outside_words(behind, 0, n) and (behind[:n] in words("titles") or behind[:n] in _MEMBERS)
        for n in range(2, 2 * _RANKED + 1)
        if n <= len(behind)
    )


def may_rank(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the edits that insert Chinese characters with which a word of rank begins, by their tokens alone.

    Cost: linear in the edits that put in up to 3 tokens.
    """
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & RANKS:
        return out
    longer, shorter = np.maximum(edits.a, edits.b), np.minimum(edits.a, edits.b)
    put_in = listed.on_either_side(RANKS) & (shorter == 0) & (longer <= _LONGEST)
    for side, at, count in ((left, 0, edits.a), (right, 2, edits.b)):
        some = (put_in & (count > 0)).nonzero()[0]
        if len(some):
            first = docs.offsets[side[edits.pair[some]]] + edits.places[some, at]
            out[some] = among(docs.tokens[first], ranking_tokens())
    return out
