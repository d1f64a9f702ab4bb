"""Cuts in long edits at a replaced figure: 余额为4.80元 and 余额为47.30元，其中6.0元可用 have 4.80 and 47.30 in one slot."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from quchong import kernels
from quchong.differences.dates import MONTH_NAMES
from quchong.differences.edits import READ, WORD_TOKEN, Edits, cut_edits
from quchong.differences.numerals import DIGITS, FINANCIAL, TIMES, UNITS, WORDS
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import SlotWords
from quchong.kernels.text import TextTables, word_hash

FRAME = 2
"""Equal tokens before an edit that make its beginning a slot, or after it its end."""
LONGEST = 256
"""Tokens of the longer side that are searched."""


def parted(
    docs: Ragged,
    hashed: Ragged,
    left: np.ndarray,
    right: np.ndarray,
    edits: Edits,
    tables: TextTables,
    workers: int | None = None,
) -> tuple[Edits, np.ndarray, np.ndarray]:
    """Cut each edit that is too long to be read at figures in matching slots; return the edits and, for each, where it came from.

    Args:
        docs, left, right: see `edits_of`.
        hashed: the same tokens as hashes of their letters, by which listed words are recognised.
        tables: tables that hash the listed words.
        workers: threads.

    Returns:
        See `cut_edits`.

    Cost: `quchong.kernels.differences.slots`, of the edits of at most READ tokens on one side and more on the other.
    """
    every = np.arange(len(edits.pair))
    shorter, longer = np.minimum(edits.a, edits.b), np.maximum(edits.a, edits.b)
    # Candidates: one side short enough to be read, the other too long, and anchored by equal tokens.
    some = ((shorter > 0) & (shorter <= READ) & (longer > READ) & (edits.before + edits.after >= FRAME)).nonzero()[0]
    if not len(some):
        return edits, every, np.zeros(len(every), bool)
    figures = kernels.differences.slots(
        docs, hashed, left, right, edits.pair[some], edits.places[some], edits.before[some], edits.after[some], words_of_slots(tables),
        FRAME, LONGEST, workers,
    ).astype(np.int64)  # fmt: skip
    found = figures[:, 0] < NONE
    some, figures = some[found], figures[found]
    if not len(some):
        return edits, every, np.zeros(len(every), bool)
    # Three pieces of each: before the figure, the figure, and behind it; a piece without tokens on both sides is none.
    bounds = np.zeros((len(some), 2, 4), np.int64)
    bounds[:, :, 1:3] = figures.reshape(-1, 2, 2)
    bounds[:, 0, 3], bounds[:, 1, 3] = edits.a[some], edits.b[some]
    pieces = np.stack([bounds[:, 0, :-1], bounds[:, 0, 1:], bounds[:, 1, :-1], bounds[:, 1, 1:]], 2)
    return cut_edits(edits, some, pieces, (pieces == figures[:, None, :]).all(2))


NONE = 0xFFFFFFFF
"""Place of a figure of an edit that has none in one slot."""


@cache
def words_of_slots(tables: TextTables) -> SlotWords:
    """Return the tokens of numerals and of calendar words, words by their hash in these tables."""

    def tokens(characters: str, words: Iterable[str]) -> np.ndarray:
        listed = {ord(c) for c in characters} | {word_hash(tables, word) | WORD_TOKEN for word in words}
        return np.array(sorted(listed), np.uint32)

    numerals = tokens("".join((*DIGITS, *UNITS, *FINANCIAL, "半")), (*WORDS, *(t for t in TIMES if len(t) > 2)))
    return SlotWords(numerals, tokens("年月日号时点", (*MONTH_NAMES, "am", "pm")))
