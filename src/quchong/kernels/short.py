"""Argument checks in front of the kernels for short documents; the twins stand in `kernels/reference/short.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels.dispatch import Ragged, _pairs, _ragged, _u32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.dispatch import I64, U32, U64, Ints


def short_keys(
    docs: Ragged, common: U32, *, longest: int = 40, lacking: int = 4, workers: int | None = None
) -> tuple[U64, I64]:
    """Keys of short documents, uint64, and their int64 offsets: sets of two or three of a document's rarest bigrams.

    Two documents of at most `longest` tokens have a key in common if they share at least two distinct bigrams, at least
    half of each one's, and all but `lacking` of each one's; or if both have one bigram only, the same. (A bigram is two
    tokens side by side; a text of one token is one bigram.) Rare means: few of its tokens are numbers or stand in
    `common`. Documents that are empty or longer have no keys.

    Cost: O(tokens log tokens); at most 35 keys a document with `lacking` 4, of p = lacking + 3 bigrams p(p-1)(p-2)/6.
    Source: prefix filter, Bayardo, Ma, Srikant 2007; with several in common, Wang, Li, Feng 2012.
    """
    if not 0 <= longest < 2**32 or not 0 <= lacking <= 60:
        raise ValueError(f"longest must be 0 to 2**32 - 1 and lacking 0 to 60, got {longest} and {lacking}")
    keys, offsets = _quchong.short_keys(*_ragged(docs), _u32(np.asarray(common)), longest, lacking, threads_of(workers))
    return keys, offsets


def replaced_words(docs: Ragged, left: Ints, right: Ints, max_cells: int, workers: int | None = None) -> U32:
    """Per pair the most one-character tokens on both sides of one replacement, or moved, uint32; 0 where words are but added.

    A replacement is what only the left has against what only the right has, between two tokens of one longest common
    subsequence, or at an end. Moved is what only the left has in one place and only the right in
    another. Pairs of more than `max_cells` token cells are left at 0. Cost: O(cells / 64).
    """
    a, b = _pairs(left, right, len(docs.offsets) - 1)
    out: U32 = _quchong.replaced_words(*_ragged(docs), a, b, max_cells, threads_of(workers))
    return out
