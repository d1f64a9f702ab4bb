"""The alignment kernel; its twin stands in `kernels/reference/align.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MAX_NGRAM, threads_of
from quchong.kernels.dispatch import Ragged, ragged_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, Ints


class AlignOptions(NamedTuple):
    """What counts as a shared passage. All are whole numbers, and the same for every language: lengths are in tokens.

    Seeds: a token, two tokens within `skip` of each other in any order (0: none), and a shingle of `shingle` tokens. One
    that stands x times in one text and y times in the other counts if x * y <= `cap`. Shingles of `repeat` tokens count
    however often they stand: beyond `cap` the first is matched with the first, the second with the second, and so on.
    Of the places a token could have in the other text, those in an equal run more than `slack` times shorter than the
    longest go, if the run has not `repeat` tokens.

    A seed is kept where, within `radius` tokens on both sides, at least `dense` places of each text are seeds, and
    `chance` times as many as there would be if the seeds of each place, but for one, stood anywhere in the other text (0:
    not asked; it matters where few different tokens make up all of a text, as in tables). Seeds are put together over steps of
    up to `reach` tokens. Such a group is cut to its best stretch: `gain` for each seed, less 1 for each token between, at
    least `least` on both sides. Equal runs of `run` tokens count however sparse their
    neighbourhood is. Stretches and runs with up to `join` tokens between them on both sides, and at most half
    of the shorter's length, are one, unless they changed places or are one passage that stands twice.
    """

    cap: int = 36
    skip: int = 4
    shingle: int = 4
    slack: int = 2
    radius: int = 18
    dense: int = 9
    chance: int = 2
    reach: int = 32
    gain: int = 3
    least: int = 70
    run: int = 10
    repeat: int = 32
    join: int = 60


LIMITS = {
    "cap": (1, 4096),
    "skip": (0, 15),
    "shingle": (1, MAX_NGRAM),
    "slack": (1, 2**20),
    "radius": (1, 31),
    "dense": (1, 63),
    "chance": (0, 64),
    "reach": (1, 1024),
    "gain": (1, 2**20),
    "least": (0, 2**31),
    "run": (1, 2**31),
    "repeat": (1, MAX_NGRAM),
    "join": (0, 2**20),
}
"""Least and greatest value of each option."""
MOST_TOKENS = 2**28


class AlignedTokens(NamedTuple):
    """Spans of pair i in rows offsets[i]:offsets[i + 1]: start and end left, start and end right, in tokens; 1 if equal."""

    offsets: I64
    spans: U32
    exact: U8


def align_tokens(
    docs: Ragged, left: Ints, right: Ints, options: AlignOptions | None = None, workers: int | None = None
) -> AlignedTokens:
    """Passages two documents share, word for word or reworked, for every pair; by their place in the left one.

    An empty document shares nothing. No span of a pair lies within another on both sides; they may overlap.

    Cost: O(tokens) on most texts; every seed is met with its neighbours, in practice some dozens. What is
    bounded so that repetitive texts cost no more: seeds of more than `cap` matches are left out, and where a kind of seed
    still has more than 4 matches a token the cap is lowered for it; of one group of seeds at most 16 stretches are taken.
    Memory: about 400 bytes a token of the pair at work, in each thread.

    Raises:
        ValueError: an option out of range, a pair beyond the documents, or a document of 2**28 tokens or more.
    """
    how = options or AlignOptions()
    numbers = [checked.number(getattr(how, name), low, high, name) for name, (low, high) in LIMITS.items()]
    tokens, ends = ragged_columns(docs)
    a, b = checked.pairs(left, right, len(ends) - 1)
    if len(ends) > 1 and int(np.diff(ends).max()) >= MOST_TOKENS:
        raise ValueError(f"a document has {MOST_TOKENS} tokens or more: cut it into parts")
    offsets, spans, exact = _quchong.align_tokens(tokens, ends, a, b, *numbers, threads_of(workers))
    return AlignedTokens(offsets, spans.reshape(-1, 4), exact)
