"""Reasons to read edits, from the marks of their tokens, figures in one slot of long edits, letters in which words differ, and what texts
may have by their letters.

The twin is in tests/twins/differences.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, Ragged, ragged_columns, text_columns
from quchong.kernels.checked import MOST_I32, MOST_U32, threads_of
from quchong.kernels.offsets import prefix_sums

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U8, U32, Ints


class MarkTables(NamedTuple):
    """Tables of the marks of tokens, by which edits are classified without reading the text.

    Attributes:
        characters: uint8 (65,536): marks of each character of the basic plane, as bits of `quchong.differences.marks`.
        listed: uint8 (2**20): lists that contain a token, or two successive ones, and whether a Latin word negates or states a figure or a
            date, as bits, by `quchong.differences.marks.slot`.
    """

    characters: U8
    listed: U8


class ReasonLimits(NamedTuple):
    """Limits by which edits are chosen for reading, as in `quchong.differences.kinds`."""

    read: int
    anchored: int
    unit: int
    name: int
    scattered: int
    negated: int


def reasons(
    docs: Ragged, hashed: Ragged, left: Ints, right: Ints, pair: Ints, places: Ints, around: Ints, slip: U8, tables: MarkTables,
    limits: ReasonLimits, workers: int | None = None,
) -> U8:  # fmt: skip
    """Return the reasons to read each edit, as bits of `quchong.differences.kinds`; 0 for an edit that can state no fact.

    Args:
        docs: tokens. left, right: pairs as indices into them.
        hashed: the same tokens as hashes of their letters, by which lists of words are looked up. Two words of one hash look alike
            there, so that at worst an edit is read for nothing.
        pair: pair of each edit; the edits of one pair are adjacent. places: (n, 4), as `edits` returns them.
        around: equal tokens before and after each edit together. slip: 1 for an edit that is only a misspelling.

    Cost: O(tokens that differ).
    """
    tokens, offsets = ragged_columns(docs)  # before the places of edits are held to them
    a, b, which, spots = _edits(offsets, left, right, pair, places)
    n = len(which)
    if np.any(which[1:] < which[:-1]):
        raise ValueError("pair must not decrease: edits of one pair stand side by side")
    characters, listed = (
        checked.u8(tables.characters, "characters", 1 << 16),
        checked.u8(tables.listed, "listed", 1 << 20),
    )
    numbers = [checked.number(value, 0, MOST_I32, name) for name, value in limits._asdict().items()]
    numbers.append(threads_of(workers))
    words = checked.u32(hashed.tokens, "hashed", len(tokens))
    return _quchong.edit_reasons(
        tokens, words, offsets, a, b, which, spots, checked.u32(around, "around", n), checked.u8(slip, "slip", n),
        characters, listed, *numbers,
    )  # fmt: skip


class SlotWords(NamedTuple):
    """Listed words by which figures and their slots are recognised: uint32 tokens, in increasing order.

    Attributes:
        numerals: tokens that write numbers, except digits.
        calendar: tokens beside which a figure is part of a date or time of day, so that it is no slot.
    """

    numerals: U32
    calendar: U32


def slots(
    docs: Ragged, hashed: Ragged, left: Ints, right: Ints, pair: Ints, places: Ints, before: Ints, after: Ints, words: SlotWords,
    frame: int, longest: int, workers: int | None = None,
) -> U32:  # fmt: skip
    """Return for each edit two figures in one slot, as token ranges in its left and right text, uint32 (n, 4); 0xFFFFFFFF if none.

    A slot is given by the tokens on both sides of the figure (为 and 元), by the beginning of the edit, or by the end of the edit and the
    equal token before the figure. A figure of the shorter side that the longer one also has does not count, nor does one beside a word of
    the calendar: a text has many days, and a copy has another dateline. The first figure of the shorter side decides, and of the longer
    side the first in its slot. Both are extended by the equal tokens behind them.

    Args:
        docs: tokens. left, right: pairs as indices into them.
        hashed: the same tokens as hashes of their letters, by which words that share their hash are recognised too.
        pair: pair of each edit. places: (n, 4), as `edits` returns them.
        before, after: equal tokens before and after each edit.
        frame: equal tokens before an edit that make its beginning a slot, or after it its end.
        longest: tokens of the longer side that are searched.

    Cost: O(tokens of the edits), and figures of one side times those of the other.
    """
    tokens, offsets = ragged_columns(docs)  # before the places of edits are held to them
    a, b, which, spots = _edits(offsets, left, right, pair, places)
    n = len(which)
    numerals, calendar = checked.u32(words.numerals, "numerals"), checked.u32(words.calendar, "calendar")
    if any(np.any(listed[1:] < listed[:-1]) for listed in (numerals, calendar)):
        raise ValueError("words must be in increasing order")
    found = _quchong.edit_slots(
        tokens, checked.u32(hashed.tokens, "hashed", len(tokens)), offsets, a, b, which, spots, checked.u32(before, "before", n),
        checked.u32(after, "after", n), numerals, calendar, checked.number(frame, 0, MOST_I32, "frame"),
        checked.number(longest, 0, MOST_I32, "longest"), threads_of(workers),
    )  # fmt: skip
    return found.reshape(-1, 4)


NO_SLIP = 255
"""Answer of `letters_apart` for two words of which neither is a slip of the other."""


def letters_apart(left: AnyTexts, right: AnyTexts, workers: int | None = None) -> U8:
    """Return for each pair of words the number of letters inserted, left out, replaced or swapped with the next, uint8.

    NO_SLIP where neither can be a slip of the other: more than a third of the longer word's letters differ, or more than three (one may
    always); a word is empty, has more than 24 letters, or other characters than small letters of ASCII and the digits 0158, which look like
    letters; both have such digits, or one has more of them than letters; it is one letter several times; or un- or non- is before the same
    word of four letters or more. Letters that scanners take for one another (rn, m) are no difference if that leaves fewer.

    Args:
        left, right: equally many words in small letters.

    Cost: O(letters) for most words, the product of what is between their equal ends for others. Source: Damerau 1964 (restricted edits).
    """
    mine, theirs = text_columns(left), text_columns(right)
    if len(mine[0]) != len(theirs[0]):
        raise ValueError("left and right must hold equally many words")
    return _quchong.letters_apart(*mine, *theirs, threads_of(workers))


LINED, HEADED, FOOTED, CODED = 1, 2, 4, 8
"""Hints, as bits: a word in a short line, among the first or among the last characters of a text; a line that may be of source code."""


class TextHints(NamedTuple):
    """Hints about texts, as bits, and their numbers of characters.

    Attributes:
        hints: uint8, the bits above. characters: uint32, number of characters of each text.
    """

    hints: U8
    characters: U32


def text_hints(
    texts: AnyTexts, words: Sequence[str], *, line: int, head: int, foot: int, workers: int | None = None
) -> TextHints:
    """Return for each text which of page furniture and source code it may have, by a fast kernel.

    A text has the hint LINED if it has several lines, and one of at most `line` characters contains one of the words; HEADED if one stands
    before the last blank of its first `head` characters; FOOTED if one stands in its last `foot` characters, behind a mark that may end a
    sentence: one of 。！？”」』）】 and .!?)". CODED says less: a text without it has no line that begins as code does, by
    `quchong.differences.source_code.may_be_code`; one with it may have none either.

    Args:
        words: some words, marks or digits, none empty; case matters.

    Cost: O(bytes), about 1 ns each.

    Raises:
        ValueError: an empty word.
    """
    flat, ends = _spelled(tuple(words))
    numbers = [checked.number(n, 0, MOST_U32, name) for name, n in (("line", line), ("head", head), ("foot", foot))]
    numbers.append(threads_of(workers))
    return TextHints(*_quchong.text_hints(*text_columns(texts), flat, ends, *numbers))


@lru_cache(8)
def _spelled(words: tuple[str, ...]) -> tuple[U8, I64]:
    """Return the bytes of words one after another, and their offsets; raise ValueError for an empty word."""
    spelled = [word.encode() for word in words]
    if not all(spelled):
        raise ValueError("a word must not be empty")
    return np.frombuffer(b"".join(spelled), np.uint8), prefix_sums([len(word) for word in spelled])


def _edits(offsets: I64, left: Ints, right: Ints, pair: Ints, places: Ints) -> tuple[U32, U32, U32, U32]:
    """Return pairs, pair of each edit, and places as flat kernel arguments; raise ValueError for places outside of documents."""
    a, b = checked.pairs(left, right, len(offsets) - 1)
    which = checked.indices(pair, len(a), "pair")
    spots = checked.u32(np.asarray(places).reshape(-1), "places", 4 * len(np.asarray(pair)))
    if not (_few_fit if len(which) <= _FEW else _fit)(offsets[1:] - offsets[:-1], a, b, which, spots):
        raise ValueError("places end before they begin, or beyond their documents")
    return a, b, which, spots


_FEW = 8
"""Edits that are looked at faster one by one than by NumPy."""


def _few_fit(sizes: I64, left: U32, right: U32, pair: U32, spots: U32) -> bool:
    """Return True if the places of a few edits lie within their documents."""
    listed = iter(spots.tolist())
    lengths = [(int(sizes[x]), int(sizes[y])) for x, y in zip(left.tolist(), right.tolist(), strict=True)]
    ends = zip(pair.tolist(), listed, listed, listed, listed, strict=True)
    return all(a <= b <= lengths[k][0] and c <= d <= lengths[k][1] for k, a, b, c, d in ends)


def _fit(sizes: I64, left: U32, right: U32, pair: U32, spots: U32) -> bool:
    """Return True if the places of edits lie within their documents."""
    ends = spots.reshape(-1, 4)
    beyond = [np.count_nonzero(ends[:, last] > sizes[side[pair]]) for side, last in ((left, 1), (right, 3))]
    return not (np.count_nonzero(ends[:, ::2] > ends[:, 1::2]) or any(beyond))
