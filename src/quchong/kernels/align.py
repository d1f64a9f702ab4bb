"""Passages: of pairs of texts, copied or reworked, and of a whole corpus.

The twins are in tests/twins/align.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Ragged, ragged_columns, text_columns
from quchong.kernels.checked import MAX_NGRAM, MOST_I32, MOST_U32, threads_of
from quchong.kernels.text import Form

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U8, U32, Ints


class AlignOptions(NamedTuple):
    """Rules for what counts as a shared passage; whole numbers, equal for every language, lengths in tokens.

    Seeds: a token, two tokens within `skip` of each other in any order (0: none), and a shingle of `shingle` tokens. A seed that occurs x
    times in one text and y times in the other counts if x * y <= `cap`. Shingles of `repeat` tokens count however often they occur: beyond
    `cap` the first is matched with the first, the second with the second, and so on. Of the possible positions of a token in the other
    text, those in an equal stretch more than `slack` times shorter than the longest are dropped, unless it has `repeat` tokens.

    A seed is kept if, within `radius` tokens on both sides, at least `dense` positions of each text are seeds, and `chance` times as many
    as if the seeds of each position, except one, were distributed at random over the other text (0: not required; it matters if a text has
    few different tokens, as tables do). Seeds are grouped over steps of up to `reach` tokens. Such a group is cut to its best stretch:
    `gain` for each seed, less 1 for each token between, at least `least` on both sides. Equal stretches of `run` tokens count however
    sparse their neighbourhood is. Stretches with up to `join` tokens between them on both sides, and at most half of the shorter's length,
    are merged, unless they changed places or are one passage that occurs twice.
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
    """Spans of pair i in rows offsets[i]:offsets[i + 1]: start and end left, start and end right, in tokens; `exact` is 1 if equal."""

    offsets: I64
    spans: U32
    exact: U8


def align_tokens(
    docs: Ragged, left: Ints, right: Ints, options: AlignOptions | None = None, workers: int | None = None
) -> AlignedTokens:
    """Find the passages that two documents share, copied or reworked, for every pair, in the order of the left document.

    An empty document shares nothing. No span of a pair is inside another on both sides; spans may overlap.

    Cost: O(tokens) on most texts; every seed is compared with its neighbours, in practice some dozens. Bounds for repetitive texts: seeds
    of more than `cap` matches are left out; if a kind of seed still has more than 4 matches a token, its cap is lowered; at most 16
    stretches are taken from one group of seeds.
    Memory: about 400 bytes a token of the pair at work, in each thread.

    Raises:
        ValueError: an option out of range, a pair beyond the documents, or a document of 2**28 tokens or more.
    """
    how = options or AlignOptions()
    numbers = [checked.number(getattr(how, name), low, high, name) for name, (low, high) in LIMITS.items()]
    numbers.append(threads_of(workers))
    tokens, ends = ragged_columns(docs)
    a, b = checked.pairs(left, right, len(ends) - 1)
    if len(ends) > 1 and int(np.diff(ends).max()) >= MOST_TOKENS:
        raise ValueError(f"a document has {MOST_TOKENS} tokens or more: cut it into parts")
    offsets, spans, exact = _quchong.align_tokens(tokens, ends, a, b, *numbers)
    return AlignedTokens(offsets, spans.reshape(-1, 4), exact)


class Edits(NamedTuple):
    """Edits of pair i in rows offsets[i]:offsets[i + 1]: start and end left, start and end right, in tokens; and `matched` tokens."""

    offsets: I64
    places: U32
    matched: U32


def edits(
    docs: Ragged, left: Ints, right: Ints, *, shingle: int = 4, most_runs: int = 1024, cells: int = 1 << 22, join: bool = True,
    workers: int | None = None,
) -> Edits:  # fmt: skip
    """Return the edits that change the left document into the right one, for every pair.

    Equal ends are removed. Stretches of tokens that grow from shingles occurring once on either side, in the heaviest chain that keeps its
    order, divide the rest into gaps. In each gap a longest common subsequence is traced; a gap of more than `cells` token cells is one
    edit. With `join`, an equal stretch that is no longer than the edits on both of its sides becomes one edit with them. `matched` counts
    the tokens found equal, including those of such stretches.

    Cost: O(tokens + edits * gap / 64) on copies; the chain is quadratic in its stretches, of which the `most_runs` longest are kept.
    """
    a, b = checked.pairs(left, right, len(docs.offsets) - 1)
    offsets, places, matched = _quchong.edits(
        *ragged_columns(docs), a, b, checked.ngram_of(shingle, "shingle"),
        checked.number(most_runs, 1, MOST_I32, "most_runs"), checked.number(cells, 0, 2**40, "cells"), bool(join), threads_of(workers),
    )  # fmt: skip
    return Edits(offsets, places.reshape(-1, 4), matched)


def passages(
    form: Form, texts: AnyTexts, left: Ints, right: Ints, ngram: U8, shortest: Ints, workers: int | None = None
) -> tuple[I64, I64]:
    """Return the passages that pairs of texts share: offsets per pair, and (n, 4) character offsets left start, end, right start, end."""
    a, b = checked.pairs(left, right, len(texts))
    offsets, places = _quchong.passages(
        form.tables, *text_columns(texts), form.full, form.characters, a, b, checked.widths_of(ngram, len(a)),
        checked.u32(shortest, "shortest", len(a)), threads_of(workers),
    )  # fmt: skip
    return offsets, places.reshape(-1, 4)


def equal_runs(left: Ints, right: Ints, ngram: int, shortest: int) -> U32:
    """Return the passages of at least `shortest` tokens that two documents share, (n, 3): left and right position, length in tokens."""
    a, b = checked.u32(left, "left"), checked.u32(right, "right")
    least = checked.number(shortest, 0, MOST_U32, "shortest")
    return _quchong.equal_runs(a, b, checked.ngram_of(ngram), least).reshape(-1, 3)


class Repeats(NamedTuple):
    """Passages that occur in two documents. Arrays have one entry for each match, sorted by `doc`, `other`, `start`.

    `other` is an earlier document than `doc`; `start` and `other_start` count tokens of each; `passage` numbers distinct token sequences.
    `documents` and `share` have one entry for each passage: the number of documents that contain it, and the mean share of them that it
    makes up. `bounded` counts the positions where not all earlier ones were examined.
    """

    doc: U32
    other: U32
    start: U32
    other_start: U32
    length: U32
    passage: U32
    documents: U32
    share: F64
    bounded: int


def repeated_passages(
    docs: Ragged,
    shortest: int,
    *,
    partners: int = 64,
    tries: int = 4096,
    compared: int = 200_000_000,
    workers: int | None = None,
) -> Repeats:
    """Find all maximal passages of at least `shortest` tokens that a document shares with an earlier one.

    Nothing is missed except what the bounds cut. Passages of two documents that are inside another passage, as seen in the later document,
    are left out. Repeats within one document are not searched for.

    Args:
        partners: most earlier positions that one position of a document is matched with; the first ones are taken.
        tries: most earlier positions examined for them.
        compared: positions examined to count the documents of the passages of one position, at least 1,000 for each passage; beyond,
            `documents` is a lower bound.

    Raises:
        ValueError: `shortest` below 2, or a bound below 1.

    Determinism: the same for any number of workers. Cost: O(tokens), and for each position the earlier ones it is matched with; memory
    about 28 * 2 / (shortest / 2 + 1) bytes a token besides the tokens.
    """
    how = (
        checked.number(shortest, 2, MOST_I32, "shortest"), checked.number(partners, 1, 2**31, "partners"),
        checked.number(tries, 1, 2**31, "tries"), checked.number(compared, 1, 2**62, "compared"),
    )  # fmt: skip
    *columns, bounded = _quchong.repeated_passages(*ragged_columns(docs), *how, threads_of(workers))
    return Repeats._make([*columns, int(bounded)])


class WholeRuns(NamedTuple):
    """Passages of letters trimmed to whole words. Arrays have one entry for each passage.

    `places` are four numbers each: start and end in the left text, start and end in the right one, in characters; 0 if nothing is
    left. `length` counts the letters left. `exact` is 1 if the tokens are equal on both sides: letters alone make 3.5 of 35.
    """

    places: I64
    length: U32
    exact: U8


def whole_runs(
    form: Form, texts: AnyTexts, left: Ints, right: Ints, start: Ints, other_start: Ints, length: Ints,
    workers: int | None = None,
) -> WholeRuns:  # fmt: skip
    """Trim passages of letters at ends that are part of a character, word or number in either text.

    Args:
        form: how text becomes tokens. Letters are those of the same form with `characters`.
        left, right: the two texts of each passage.
        start, other_start: its first letter in either.
        length: letters. A word, number or character with 64 of them or more at an end leaves nothing of it.

    二十三 and 二十一 share the letter 2, which no span of characters is; "online" and "line" share no word.

    Raises:
        ValueError: a passage of texts that are not there, or beyond a text's letters.

    Determinism: the same for any number of workers. Cost: every text that has runs is normalised four times; O(tokens) for
    each run; memory 80 bytes a run and 16 a text.
    """
    a, b = checked.pairs(left, right, len(texts), "text")
    places, kept, exact = _quchong.whole_runs(
        form.tables, *text_columns(texts), form.full, a, b, checked.u32(start, "start", len(a)),
        checked.u32(other_start, "other_start", len(a)), checked.u32(length, "length", len(a)), threads_of(workers),
    )  # fmt: skip
    return WholeRuns(places.reshape(-1, 4), kept, exact)
