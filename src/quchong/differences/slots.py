"""Parts a replaced figure from what was put in beside it: 余额为4.80元 and 余额为47.30元，其中6.0元可用 have 4.80 and 47.30 in one slot."""

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
"""Equal tokens before an edit that make its beginning a slot, or behind it its end."""
LONGEST = 256
"""Tokens of the longer side that are gone through."""
Cut = tuple[int, int, int, int]
"""A figure's place on either side of an edit, half open: in the shorter side, then in the longer one."""
Lists = tuple[frozenset[int], frozenset[int]]
"""Tokens that numbers are written with, but for digits; and tokens beside which a figure is part of a date or of the time of day."""


def parted(
    docs: Ragged, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, tables: TextTables
) -> tuple[Edits, np.ndarray, np.ndarray]:
    """Edits of which each that is too long to be read, and puts another figure in the slot of one, is cut at that figure.

    Args:
        docs, left, right: as of `edits_of`.
        hashed: the same tokens as hashes of their letters, by which words of lists are found.
        tables: by which the words of lists become hashes.

    Returns:
        The edits in their order; which edit each was a part of, int64; and bool, (n,): what is left of a replacement where a figure was
        cut out of it, though it may have one side only.

    Cost: reads the edits of at most READ tokens on one side and more on the other that have figures on both.
    """
    every = np.arange(len(edits.pair))
    shorter, longer = np.minimum(edits.a, edits.b), np.maximum(edits.a, edits.b)
    some = np.flatnonzero((shorter > 0) & (shorter <= READ) & (longer > READ) & (edits.before + edits.after >= FRAME))
    pieces: dict[int, list[Cut]] = {}
    figure: dict[int, Cut] = {}
    lists = _lists_here(docs, hashed, lists_of(tables)) if len(some) else lists_of(tables)
    for k in some.tolist():
        sides = _tokens_of(docs, left, right, edits, k)
        turn = len(sides[0]) > len(sides[1])
        few, many = sides[::-1] if turn else sides
        near = _beside(docs, left, right, edits, k)
        cut = slot(few, many[:LONGEST], near, (int(edits.before[k]), int(edits.after[k])), lists, len(many) <= LONGEST)
        if cut is not None:
            a0, a1, b0, b1 = (*cut[2:], *cut[:2]) if turn else cut
            n, m = len(sides[0]), len(sides[1])
            figure[k] = (a0, a1, b0, b1)
            pieces[k] = [p for p in ((0, a0, 0, b0), (a0, a1, b0, b1), (a1, n, b1, m)) if p[1] > p[0] or p[3] > p[2]]
    if not pieces:
        return edits, every, np.zeros(len(every), bool)
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
        # The figure is read as a short edit would be; what is left of a long one stays unread, as nothing equal stood beside it.
        read = np.array([piece == figure[k] for piece in parts])
        before[here] *= read
        after[here] *= read
    a, b = places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]
    return Edits(edits.pair[of], places, a, b, before, after), of, rest


def slot(
    few: list[int], many: list[int], near: tuple[int, int], around: tuple[int, int], lists: Lists, whole: bool = True
) -> Cut | None:
    """Where a figure of the shorter side and another one of the longer stand in one slot, by the tokens around both.

    A slot is told by what stands on both sides of it (为 and 元), or by the beginning of the edit, or by its end and the token that is
    equal before it. None where there is no such figure, or where the figure of the shorter side stands in the longer one too. Days and
    years are left out: a text has many, and a copy another dateline.

    Args:
        few, many: tokens of both sides.
        near: the equal token before the edit and that behind it, 0 where a text begins or ends; around: how many are equal there.
        lists: see `lists_of`.
        whole: does `many` go to the end of the edit?
    """
    numerals, calendar = lists
    mine, theirs = _figures(few, numerals), _figures(many, numerals)
    known = {tuple(many[i:j]) for i, j in theirs}
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
            framed = before == ahead != 0 and behind == after != 0
            begins = i == k == 0 and near[0] != 0 and around[0] >= FRAME
            ends = j == len(few) and m == len(many) and whole and near[1] != 0 and around[1] >= FRAME
            if framed or begins or (ends and before == ahead):
                return _widened(few, many, (i, j, k, m))
    return None


def _widened(few: list[int], many: list[int], cut: Cut) -> Cut:
    """The two figures with the equal tokens behind them: their unit, and what else is one stretch with it (4月6日 of 4月5日)."""
    i, j, k, m = cut
    while j < len(few) and m < len(many) and few[j] == many[m]:
        j, m = j + 1, m + 1
    return i, j, k, m


def _figures(tokens: list[int], numerals: frozenset[int]) -> list[tuple[int, int]]:
    """Where figures stand: a number is one, and a row of Chinese or English numerals is."""
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
    """Return the tokens of numerals and of the calendar, words by their hash in these tables."""

    def tokens(characters: str, words: Iterable[str]) -> frozenset[int]:
        return frozenset({ord(c) for c in characters} | {word_hash(tables, word) | WORD_TOKEN for word in words})

    numerals = tokens("".join((*DIGITS, *UNITS, *FINANCIAL, "半")), (*WORDS, *(t for t in TIMES if len(t) > 2)))
    return numerals, tokens("年月日号时点", (*MONTH_NAMES, "am", "pm"))


def _lists_here(docs: Ragged, hashed: Ragged, lists: Lists) -> Lists:
    """Return the lists with the tokens of words that share their hash with another word here, and so have another number."""
    moved = docs.tokens != hashed.tokens
    if not moved.any():
        return lists
    number, hashes = docs.tokens[moved].tolist(), hashed.tokens[moved].tolist()
    numerals, calendar = (
        one | {token for token, known in zip(number, hashes, strict=True) if known in one} for one in lists
    )
    return numerals, calendar


def _tokens_of(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, k: int) -> tuple[list[int], list[int]]:
    """The tokens of an edit on either side."""
    pair = edits.pair[k]
    x, y = int(docs.offsets[left[pair]]), int(docs.offsets[right[pair]])
    a, b, c, d = edits.places[k].tolist()
    return docs.tokens[x + a : x + b].tolist(), docs.tokens[y + c : y + d].tolist()


def _beside(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, k: int) -> tuple[int, int]:
    """The equal tokens before an edit and behind it; 0 where either text begins or ends there."""
    pair = edits.pair[k]
    a, b, c, d = edits.places[k].tolist()
    mine, theirs = (docs.tokens[docs.offsets[n] : docs.offsets[n + 1]] for n in (left[pair], right[pair]))
    return (
        int(mine[a - 1]) if a and c else 0,
        int(mine[b]) if b < len(mine) and d < len(theirs) else 0,
    )
