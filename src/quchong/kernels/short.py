"""The kernels for short documents; the twins stand in `kernels/reference/short.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong

from quchong.kernels import checked
from quchong.kernels.checked import MOST_U32, threads_of
from quchong.kernels.dispatch import Ragged, cells_of, ragged_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32, U64, Ints


def short_keys(
    docs: Ragged, common: U32, *, longest: int = 40, lacking: int = 4, workers: int | None = None
) -> tuple[U64, I64]:
    """Keys of short documents, uint64, and their int64 offsets: sets of two or three of a document's rarest bigrams.

    Two documents of at most `longest` tokens have a key in common if they share at least two distinct bigrams, at least
    half of each one's, and all but `lacking` of each one's; or if both have one bigram only, the same. (A bigram is two
    tokens side by side; a text of one token is one bigram.) Rare means: few of its tokens are numbers or stand in
    `common`. Documents that are empty or longer have no keys.

    Cost: O(tokens log tokens); at most 35 keys a document with `lacking` 4, of p = lacking + 3 bigrams p(p-1)(p-2)/6.
    Source: Bayardo 2007 (prefix filter); Wang 2012 (with several in common).
    """
    bounds = checked.number(longest, 0, MOST_U32, "longest"), checked.number(lacking, 0, 60, "lacking")
    keys, offsets = _quchong.short_keys(
        *ragged_columns(docs), checked.u32(common, "common"), *bounds, threads_of(workers)
    )
    return keys, offsets


def replaced_words(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U32:
    """Per pair the most one-character tokens on both sides of one replacement, or moved, uint32; 0 where words are but added.

    A replacement is what only the left has against what only the right has, between two tokens of one longest common
    subsequence, or at an end. Moved is what only the left has in one place and only the right in
    another. Pairs of more than `max_cells` token cells are left at 0. Cost: O(cells / 64).
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    out: U32 = _quchong.replaced_words(*ragged_columns(docs), a, b, cells_of(max_cells), threads_of(workers))
    return out
