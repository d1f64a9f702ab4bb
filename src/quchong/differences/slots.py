"""Cuts in long edits at a replaced figure: 余额为4.80元 and 余额为47.30元，其中6.0元可用 have 4.80 and 47.30 in one slot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from quchong.differences.dates import MONTH_NAMES
from quchong.differences.edits import NUMBER_TOKEN, READ, WORD_TOKEN, Edits
from quchong.differences.numerals import DIGITS, FINANCIAL, TIMES, UNITS, WORDS
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import TextTables, word_hash

FRAME = 2
"""Equal tokens before an edit that make its beginning a slot, or after it its end."""
LONGEST = 256
"""Tokens of the longer side that are searched."""
Cut = tuple[int, int, int, int]
"""Token range of a figure on both sides of an edit, half open: in the shorter side, then in the longer one."""
Lists = tuple[frozenset[int], frozenset[int]]
"""Tokens that write numbers, except digits; and tokens next to which a figure is part of a date or time of day."""


def parted(
    docs: Ragged, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, tables: TextTables
) -> tuple[Edits, np.ndarray, np.ndarray]:
    """Cut each edit that is too long to be read at a figure that replaces another one in the same slot.

    Args:
        docs, left, right: see `edits_of`.
        hashed: the same tokens as hashes of their letters, by which listed words are recognised.
        tables: tables that hash the listed words.

    Returns:
        The edits in order; the index of the original edit of each, int64; and a mask, bool (n,), of the pieces of a cut edit, which count
        as replacements even if they have one side only.

    Cost: reads the edits of at most READ tokens on one side and more on the other that have figures on both.
    """
    every = np.arange(len(edits.pair))
    shorter, longer = np.minimum(edits.a, edits.b), np.maximum(edits.a, edits.b)
    # Candidates: one side short enough to be read, the other too long, and anchored by equal tokens.
    some = np.flatnonzero((shorter > 0) & (shorter <= READ) & (longer > READ) & (edits.before + edits.after >= FRAME))
    pieces: dict[int, list[Cut]] = {}
    figure: dict[int, Cut] = {}
    lists = _lists_here(docs, hashed, lists_of(tables)) if len(some) else lists_of(tables)
    for k in some.tolist():
        sides = _tokens_of(docs, left, right, edits, k)
        turn = len(sides[0]) > len(sides[1])
        few, many = sides[::-1] if turn else sides
        near = _count_equal_neighbours(docs, left, right, edits, k)
        cut = slot(few, many[:LONGEST], near, (int(edits.before[k]), int(edits.after[k])), lists, len(many) <= LONGEST)
        if cut is not None:
            a0, a1, b0, b1 = (*cut[2:], *cut[:2]) if turn else cut
            n, m = len(sides[0]), len(sides[1])
            figure[k] = (a0, a1, b0, b1)
            pieces[k] = [p for p in ((0, a0, 0, b0), (a0, a1, b0, b1), (a1, n, b1, m)) if p[1] > p[0] or p[3] > p[2]]
    if not pieces:
        return edits, every, np.zeros(len(every), bool)
    # Replace each cut edit by its pieces; `of` is the edit that each piece came from.
    counts = np.ones(len(every), np.int64)
    counts[list(pieces)] = [len(parts) for parts in pieces.values()]
    of = np.repeat(every, counts)
    places, rest = edits.places[of].copy(), np.zeros(len(of), bool)
    before, after = edits.before[of].copy(), edits.after[of].copy()
    first = np.cumsum(counts) - counts
    for k, parts in pieces.items():
        here = slice(int(first[k]), int(first[k]) + len(parts))
        i, j = int(edits.places[k, 0]), int(edits.places[k, 2])
        places[here] = np.array(parts) + np.array([i, i, j, j])
        rest[here] = True
        # Only the piece with the figure is read like a short edit; the other pieces stay unread, because 0 equal neighbours anchor nothing.
        read = np.array([piece == figure[k] for piece in parts])
        before[here] *= read
        after[here] *= read
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    return Edits(edits.pair[of], places, a, b, before, after), of, rest


def slot(
    few: list[int], many: list[int], near: tuple[int, int], around: tuple[int, int], lists: Lists, whole: bool = True
) -> Cut | None:
    """Return the token ranges of two different figures in one slot, judged by the tokens around them; None if there are none.

    A slot is given by the tokens on both sides of the figure (为 and 元), by the beginning of the edit, or by the end of the edit and the
    equal token before the figure. A figure of the shorter side that the longer one also has does not count. Days and years are left out,
    because a text has many, and a copy has another dateline.

    Args:
        few, many: tokens of both sides.
        near: the equal tokens before and after the edit, 0 where a text begins or ends; around: number of equal tokens there.
        lists: see `lists_of`.
        whole: True if `many` reaches the end of the edit.
    """
    numerals, calendar = lists
    mine, theirs = _figures(few, numerals), _figures(many, numerals)
    known = {tuple(many[i:j]) for i, j in theirs}
    # Try figures of the shorter side in order; the first that has a partner in the same slot decides.
    for i, j in mine:
        if tuple(few[i:j]) in known:
            continue
        before, behind = few[i - 1] if i else near[0], few[j] if j < len(few) else near[1]
        if {before, behind} & calendar:
            continue
        for k, m in theirs:
            ahead = many[k - 1] if k else near[0]
            after = many[m] if m < len(many) else near[1] * whole
            if {ahead, after} & calendar:
                continue
            # Same slot: equal tokens on both sides, or both at the beginning of the edit, or both at its end after an equal token.
            framed = before == ahead != 0 and behind == after != 0
            begins = i == k == 0 and near[0] != 0 and around[0] >= FRAME
            ends = j == len(few) and m == len(many) and whole and near[1] != 0 and around[1] >= FRAME
            if framed or begins or (ends and before == ahead):
                return _widened(few, many, (i, j, k, m))
    return None


def _widened(few: list[int], many: list[int], cut: Cut) -> Cut:
    """Extend two figures by the equal tokens after them: their unit, or the rest of a date (4月6日 for 4月5日)."""
    i, j, k, m = cut
    while j < len(few) and m < len(many) and few[j] == many[m]:
        j, m = j + 1, m + 1
    return i, j, k, m


def _figures(tokens: list[int], numerals: frozenset[int]) -> list[tuple[int, int]]:
    """Return the token ranges of figures: a number in digits, or a row of Chinese or English numerals."""
    out: list[tuple[int, int]] = []
    joined = False
    for k, token in enumerate(tokens):
        written = token in numerals
        if joined and written:
            out[-1] = (out[-1][0], k + 1)
        elif written or token >= NUMBER_TOKEN:
            out.append((k, k + 1))
        joined = written
    return out


@cache
def lists_of(tables: TextTables) -> Lists:
    """Return the tokens of numerals and of calendar words, words by their hash in these tables."""

    def tokens(characters: str, words: Iterable[str]) -> frozenset[int]:
        return frozenset({ord(c) for c in characters} | {word_hash(tables, word) | WORD_TOKEN for word in words})

    numerals = tokens("".join((*DIGITS, *UNITS, *FINANCIAL, "半")), (*WORDS, *(t for t in TIMES if len(t) > 2)))
    return numerals, tokens("年月日号时点", (*MONTH_NAMES, "am", "pm"))


def _lists_here(docs: Ragged, hashed: Ragged, lists: Lists) -> Lists:
    """Extend the lists by the tokens of words that were renumbered because they share their hash with another word."""
    moved = docs.tokens != hashed.tokens
    if not moved.any():
        return lists
    number, hashes = docs.tokens[moved].tolist(), hashed.tokens[moved].tolist()
    numerals, calendar = (
        one | {token for token, known in zip(number, hashes, strict=True) if known in one} for one in lists
    )
    return numerals, calendar


def _tokens_of(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, k: int) -> tuple[list[int], list[int]]:
    """Return the tokens of edit `k`, left and right."""
    pair = edits.pair[k]
    x, y = int(docs.offsets[left[pair]]), int(docs.offsets[right[pair]])
    a, b, c, d = edits.places[k].tolist()
    return docs.tokens[x + a : x + b].tolist(), docs.tokens[y + c : y + d].tolist()


def _count_equal_neighbours(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, k: int) -> tuple[int, int]:
    """Return the equal tokens before and after edit `k`; 0 where either text begins or ends there."""
    pair = edits.pair[k]
    a, b, c, d = edits.places[k].tolist()
    mine, theirs = (docs.tokens[docs.offsets[n] : docs.offsets[n + 1]] for n in (left[pair], right[pair]))
    return (
        int(mine[a - 1]) if a and c else 0,
        int(mine[b]) if b < len(mine) and d < len(theirs) else 0,
    )
