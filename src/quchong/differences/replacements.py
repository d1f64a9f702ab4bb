"""Edits that may put another content word in the place of one, found by their tokens alone."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.edits import ANCHORED, NUMBER_TOKEN, WORD_TOKEN, Edits, token_sums
from quchong.differences.synonyms import known_bigrams
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import among, distinct

REPLACED = 8
"""Most tokens of either side."""
SCATTERED = 5
"""Number of different characters replaced one by one at or above which a pair is a noisy copy, in which a single character is no word."""
FEW, FOR_EACH = 4, 64
"""Different replacements of a pair that are read at most: FEW, and one more for each so many tokens; with more a text is rewritten."""


FREE = 2
"""Different replacements of a pair up to which words that the lexicon does not have count too, from two characters on."""
_ALONE = frozenset(
    "人男女猪牛羊马驴鸡鸭鹅鱼虾蟹狗猫兔鼠虎狼熊鹿蛇鸟茶酒水奶油盐糖醋米面粥汤菜瓜梨桃杏枣枪炮刀船车桥路山河湖海井楼房门窗床桌灯书报信画琴棋"
    "金银铜铁锡煤铝肝肾胃肺心脑血骨皮眼耳鼻手脚腿腰头麦稻豆棉麻花草树竹药伞鞋帽衣裤袜裙"
)
"""Characters that are words by themselves, of things that a text may be about."""


def replacements(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Return a mask of the edits that may replace a word by another: short, with equal text around, in pairs with few such edits.

    Cost: linear in the edits.
    """
    out = np.zeros(len(edits.pair), bool)
    at = (
        (np.minimum(edits.a, edits.b) > 0) & (np.maximum(edits.a, edits.b) <= REPLACED)
        & (edits.before + edits.after >= ANCHORED)
    ).nonzero()[0]  # fmt: skip
    if not len(at):
        return out
    pair = edits.pair[at]
    pairs = len(left)
    counts = np.bincount(pair, minlength=pairs)
    limit = FEW + np.minimum(docs.lengths[left], docs.lengths[right]) // FOR_EACH
    # Count different replacements only where all of them are too many: one word may be replaced ten times.
    many, scattered = counts > FREE, np.zeros(pairs, bool)
    if np.count_nonzero(many):
        keys = _different(docs, left, right, edits, at[many[pair]])
        counts = np.where(many, 0, counts)
        counts += np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=pairs)
        singles = keys[(keys & np.uint64(1)) == 1]
        scattered = np.bincount((singles >> np.uint64(32)).astype(np.int64), minlength=pairs) >= SCATTERED
    # In a noisy copy a single character is no word, and a Latin word is a misspelling.
    first = docs.tokens[docs.offsets[left[pair]] + edits.places[at, 0]]
    alone = (edits.a[at] == 1) & (edits.b[at] == 1) & (first < WORD_TOKEN)
    some = (counts <= limit)[pair] & ~(scattered[pair] & alone) & (first < NUMBER_TOKEN)
    # Chinese characters must make words of the lexicon on both sides: a wrong character makes none.
    han = (some & (first < WORD_TOKEN)).nonzero()[0]
    if len(han):
        which = at[han]
        free = (counts[pair[han]] <= FREE) & (np.minimum(edits.a[which], edits.b[which]) > 1)
        for side, (x, y) in ((left, (0, 1)), (right, (2, 3))):
            start = docs.offsets[side[edits.pair[which]]]
            ends = docs.offsets[side[edits.pair[which]] + 1]
            some[han] &= free | _made_of_words(
                docs.tokens, start + edits.places[which, x], start + edits.places[which, y], start, ends
            )
    out[at] = some
    return out


def _different(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, some: np.ndarray) -> np.ndarray:
    """Return the distinct replacements among the edits `some`, each as one uint64: pair, hash of both sides, a bit for single tokens."""
    x, y = docs.offsets[left[edits.pair[some]]], docs.offsets[right[edits.pair[some]]]
    a, b, c, d = edits.places[some].T
    sums = [token_sums(docs, x + a, x + b), token_sums(docs, y + c, y + d)]
    number = (sums[0] * np.uint64(0x9E3779B97F4A7C15)) ^ sums[1]
    single = (edits.a[some] == 1) & (edits.b[some] == 1)
    return distinct(
        edits.pair[some].astype(np.uint64) << np.uint64(32) | (number >> np.uint64(33)) << np.uint64(1) | single
    )


def _made_of_words(
    tokens: np.ndarray, first: np.ndarray, last: np.ndarray, start: np.ndarray, end: np.ndarray
) -> np.ndarray:
    """Return a mask of the ranges first:last of tokens whose characters may all be parts of words of the lexicon.

    Texts are tokens[start:end], their stretches tokens[first:last]. Cost: two look-ups a character.
    """
    lengths = last - first
    places = places_of(first, lengths)
    which = np.arange(len(first)).repeat(lengths)
    behind = np.minimum(places + 1, end[which] - 1)
    before = np.maximum(places - 1, start[which])
    bigrams = known_bigrams()
    known = bigrams.has(tokens[before], tokens[places]) | bigrams.has(tokens[places], tokens[behind])
    known |= (lengths == 1)[which] & among(tokens[places], _alone())
    missing = np.bincount(which, ~known, minlength=len(first))
    out: np.ndarray = missing == 0
    return out


@cache
def _alone() -> np.ndarray:
    """Return the characters of _ALONE as tokens."""
    return np.array(sorted(map(ord, _ALONE)), np.uint32)
