"""Parts of items that are looked for: their tokens, and the n-grams by which they are found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pyarrow as pa

from quchong.engines.contamination.prepared_texts import ComparedTexts, compared_texts
from quchong.engines.contamination.rules import FRAME, LONG_STEM, Rule
from quchong.engines.contamination.schemas import EMPTY, FRAME_ONLY, JUDGED, SHORT
from quchong.engines.contamination.test_sets import TestSets
from quchong.errors import Param, UsageError
from quchong.kernels.arrays import Names
from quchong.kernels.features import ragged_shingles
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form, names
from quchong.text.normalise import tables

WORD = 0x110000
"""Least name of a token that is a word; a smaller one is the character itself."""
TOKEN_BYTES = 96
"""Memory that a token of the test sets takes while the table of n-grams is built."""


@cache
def leak_form() -> Form:
    """Return the normal form in which items and documents are compared: letters and digits alone, without marks and symbols."""
    return Form(tables(symbols=False), full=True, characters=False)


@dataclass(frozen=True, slots=True)
class Grams:
    """N-grams of all parts as sorted postings: key k is in the parts part[start[k]:start[k + 1]].

    Attributes:
        keys: uint64, 64-bit hashes of n-grams, ascending, each once.
        start: int64, (keys + 1,).
        part, offset, times: of each posting the part, the first token of the n-gram there, and how often it is in the part.
        filter: bool, by the highest bits of a hash: False if no key has them.
        shift: number of lower bits that the filter ignores.
    """

    keys: np.ndarray
    start: np.ndarray
    part: np.ndarray
    offset: np.ndarray
    times: np.ndarray
    filter: np.ndarray
    shift: int

    def lookup(self, hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions of the hashes that are keys, ascending, and the numbers of their keys."""
        place = np.flatnonzero(self.filter[hashes >> np.uint64(self.shift)])
        some = hashes[place]
        key = np.searchsorted(self.keys, some)
        key[key == len(self.keys)] = 0
        equal = self.keys[key] == some if len(self.keys) else np.zeros(len(some), bool)
        return place[equal], key[equal]


@dataclass(frozen=True, slots=True)
class ItemParts:
    """Distinct texts among the questions and answers of test items, with their tokens and n-grams.

    Attributes:
        texts: as they are compared.
        tokens: names of their tokens.
        own: bool for each token, True if an n-gram with it is no frame.
        unjudged: JUDGED, or the reason for which a part is not looked for.
        question, answer: part of each item; -1 for none.
        with_choices: bool for each item, True if its question was too short alone and has its choices.
        grams: table of n-grams of the judged parts.
        counts: n-grams of each part in the table, repeated ones too.
        reach: tokens of each part that the first places of its n-grams cover.
    """

    texts: ComparedTexts
    tokens: Names
    own: np.ndarray
    unjudged: list[str]
    question: np.ndarray
    answer: np.ndarray
    with_choices: np.ndarray
    grams: Grams
    counts: np.ndarray
    reach: np.ndarray

    def own_of(self, part: int) -> np.ndarray:
        """Return a mask of the tokens of a part that are its own, not frames of many parts."""
        mask: np.ndarray = self.own[self.tokens.offsets[part] : self.tokens.offsets[part + 1]]
        return mask


def make_parts(sets: TestSets, rule: Rule, memory: int | None, workers: int | None) -> ItemParts:
    """Tokenise the parts of all items, and build the table of their n-grams.

    A question shorter than LONG_STEM is looked for together with its choices, because other items may ask the same.

    Raises:
        UsageError: the test sets take more memory than a half of `memory` bytes.
    """
    texts, questions, with_choices = [*sets.question], [*sets.question], np.zeros(len(sets), bool)
    lengths = _lengths(texts, workers)
    for i in np.flatnonzero(lengths < max(LONG_STEM, rule.min_length)).tolist():
        if sets.choices[i]:
            questions[i] = "\n".join(filter(None, (sets.question[i], sets.choices[i])))
            with_choices[i] = True
    known: dict[str, int] = {}
    question = np.array([known.setdefault(text, len(known)) if text else -1 for text in questions], np.int64)
    answer = np.array([known.setdefault(text, len(known)) if text else -1 for text in sets.answer], np.int64)
    prepared = compared_texts(pa.array(list(known), pa.large_string()), workers)
    tokens = names(leak_form(), prepared.texts, workers=workers).docs
    need = TOKEN_BYTES * len(tokens.tokens)
    if memory is not None and need > memory // 2:
        raise UsageError(
            "the test sets need {:,} MB of memory, more than half of the {:,} MB allowed: allow more with {}, "
            "or give fewer sets at once",
            need // 1_000_000, memory // 1_000_000, Param("memory"),
        )  # fmt: skip
    weight = prefix_sums(np.where(tokens.tokens < WORD, 1, 2))
    length = np.diff(weight[tokens.offsets])
    long = (length >= rule.min_length) & (tokens.lengths >= rule.width)
    grams, own = _table(tokens, long, rule.width, workers)
    own_length = np.diff(prefix_sums(np.where(own, np.diff(weight), 0))[tokens.offsets])
    judged = long & (own_length >= rule.min_length)
    reasons = np.select([judged, length == 0, ~long], [JUDGED, EMPTY, SHORT], FRAME_ONLY).tolist()
    counts = np.bincount(grams.part, grams.times, len(known)).astype(np.int64)
    return ItemParts(
        prepared, tokens, own, reasons, question, answer, with_choices, _without_unjudged(grams, judged),
        counts, _reach(grams, len(known), rule.width),
    )  # fmt: skip


def _lengths(texts: list[str], workers: int | None) -> np.ndarray:
    """Return the length of each text as `Rule.min_length` counts it."""
    found = names(leak_form(), compared_texts(pa.array(texts, pa.large_string()), workers).texts, workers=workers)
    length: np.ndarray = 2 * found.docs.lengths - found.singles
    return length


def _table(tokens: Names, long: np.ndarray, width: int, workers: int | None) -> tuple[Grams, np.ndarray]:
    """Return the table of the n-grams of long parts, without frames (n-grams of many parts), and a mask of the tokens in the n-grams."""
    hashes, ends = ragged_shingles(tokens, width, workers)
    part = np.repeat(np.arange(len(long)), np.diff(ends))
    offset = np.arange(len(hashes)) - ends[part]
    some = long[part]
    hashes, part, offset = hashes[some], part[some], offset[some]
    # One posting for each n-gram of a part: the first place of it there, and how often it occurs.
    order = np.lexsort((offset, part, hashes))
    hashes, part, offset = hashes[order], part[order], offset[order]
    new_key = np.r_[True, hashes[1:] != hashes[:-1]] if len(hashes) else np.zeros(0, bool)
    first = new_key | np.r_[True, part[1:] != part[:-1]] if len(hashes) else new_key
    place = np.flatnonzero(first)
    times = np.diff(np.r_[place, len(hashes)])
    # Frames are n-grams of many parts.
    key_of = np.cumsum(new_key[place]) - 1
    parts_of_key = np.bincount(key_of) if len(key_of) else np.zeros(0, np.int64)
    kept = parts_of_key <= FRAME
    own = np.zeros(len(tokens.tokens) + 1, np.int64)
    every = kept[np.cumsum(new_key) - 1] if len(hashes) else np.zeros(0, bool)
    at = tokens.offsets[part[every]] + offset[every]
    np.add.at(own, at, 1)
    np.add.at(own, at + width, -1)
    mine = kept[key_of] if len(key_of) else np.zeros(0, bool)
    place, times = place[mine], times[mine]
    made = _postings(hashes[place], part[place], offset[place], times)
    return made, np.cumsum(own)[:-1] > 0


def _reach(grams: Grams, parts: int, width: int) -> np.ndarray:
    """Return for each part how many of its tokens are covered by the first occurrences of its n-grams, int64."""
    order = np.lexsort((grams.offset, grams.part))
    part, offset = grams.part[order], grams.offset[order]
    step = np.full(len(part), width)
    same = part[1:] == part[:-1]
    step[:-1][same] = np.minimum(np.diff(offset)[same], width)
    return np.bincount(part, step, parts).astype(np.int64)


def _postings(hashes: np.ndarray, part: np.ndarray, offset: np.ndarray, times: np.ndarray) -> Grams:
    """Return the n-grams as a table of postings sorted by hash, with a filter for quick misses."""
    first = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]]) if len(hashes) else np.zeros(0, np.int64)
    keys = hashes[first]
    bits = min(max(int(32 * len(keys)).bit_length(), 16), 27)
    mask = np.zeros(1 << bits, bool)
    mask[keys >> np.uint64(64 - bits)] = True
    start = np.r_[first, len(hashes)].astype(np.int64)
    return Grams(keys, start, part.astype(np.int64), offset.astype(np.int64), times.astype(np.int64), mask, 64 - bits)


def _without_unjudged(grams: Grams, judged: np.ndarray) -> Grams:
    """Return the table of n-grams without those of parts that are not judged."""
    some = judged[grams.part] if len(grams.part) else np.zeros(0, bool)
    hashes = np.repeat(grams.keys, np.diff(grams.start))
    return _postings(hashes[some], grams.part[some], grams.offset[some], grams.times[some])
