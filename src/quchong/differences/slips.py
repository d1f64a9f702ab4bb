"""Slips inside English words: letters that a scanner or a keyboard made others, which give no other word."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import numpy as np

from quchong.differences.dictionaries import base_forms, words
from quchong.differences.edits import COVERED, NUMBER_TOKEN, WORD_TOKEN, Edits
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.text import Form
from quchong.seam import Documents

LONGEST = 4
"""Most words of a stretch that is compared letter by letter."""
SURE = 2
"""Number of slips that are certain, from which on a pair is a noisy copy: other words that differ in few letters are slips there too."""
NONE, DOUBTFUL, CERTAIN = range(3)
"""Answers of `slip`."""


def word_slips(
    form: Form, documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, matched: np.ndarray,
    workers: int | None = None,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that replace words by the same words with slips in them.

    A word that became one of no dictionary by one letter, or by two if it is long, is a slip (`slip`). In a pair with SURE such slips,
    which are half of its replacements at least, other words of few different letters are slips too, because scanners make words as well.

    Args:
        form: how texts become tokens.
        docs, left, right: see `edits_of`.
        matched: tokens of each pair that are equal.

    Cost: one question for each two words that replace each other, 5 us, in pairs that slips could make copies.
    """
    out = np.zeros(len(edits.pair), bool)
    replaced = (edits.a > 0) & (edits.b > 0)
    some = np.flatnonzero(replaced & (edits.a <= LONGEST) & (edits.a == edits.b))
    # Only pairs that would be nearly covered if all of these were slips: in others nothing depends on them.
    gained = matched + np.bincount(edits.pair[some], edits.a[some], len(left)).astype(np.int64)
    near = gained >= COVERED * np.maximum(docs.lengths[left], docs.lengths[right])
    some = some[near[edits.pair[some]]]
    if not len(some):
        return out
    # (1) Every two words that replace each other, as tokens; edits with a token that is no word have none.
    counts = edits.a[some]
    mine = places_of(docs.offsets[left[edits.pair[some]]] + edits.places[some, 0], counts)
    theirs = places_of(docs.offsets[right[edits.pair[some]]] + edits.places[some, 2], counts)
    x, y = docs.tokens[mine], docs.tokens[theirs]
    of = np.repeat(np.arange(len(some)), counts)
    worded = (np.minimum(x, y) >= WORD_TOKEN) & (np.maximum(x, y) < NUMBER_TOKEN)
    all_words = np.bincount(of, ~worded, len(some)) == 0
    asked = np.flatnonzero(all_words[of] & (x != y))
    if not len(asked):
        return out
    # (2) Answer each two distinct words once.
    keys, first, which = np.unique(
        x[asked].astype(np.uint64) << np.uint64(32) | y[asked].astype(np.uint64), return_index=True, return_inverse=True
    )
    at = asked[first]
    spelled = _spelled(form, documents, docs, np.concatenate([mine[at], theirs[at]]), workers)
    told = np.fromiter(map(slip, spelled[: len(keys)], spelled[len(keys) :]), np.int64, len(keys))
    # (3) An edit is as certain as its least certain word.
    worst = np.full(len(some), CERTAIN)
    np.minimum.at(worst, of[asked], told[which])
    worst[~all_words] = NONE
    pair = edits.pair[some]
    certain = np.bincount(pair[worst == CERTAIN], minlength=len(left))
    often = (certain >= SURE) & (2 * certain >= np.bincount(edits.pair[replaced], minlength=len(left)))
    out[some] = (worst == CERTAIN) | ((worst == DOUBTFUL) & often[pair])
    return out


def _spelled(form: Form, documents: Documents, docs: Ragged, places: np.ndarray, workers: int | None) -> list[str]:
    """Return the letters of the tokens at these places of all tokens, in the form of the dictionaries."""
    doc = (np.searchsorted(docs.offsets, places, "right") - 1).astype(np.int64)
    first = places - docs.offsets[doc]
    found = documents.stretches(
        form, doc.astype(np.uint32), first.astype(np.uint32), (first + 1).astype(np.uint32), np.zeros(len(doc), np.uint8), workers
    )  # fmt: skip
    return dictionary_forms(found.windows.to_pylist())


_ALIKE = (("rn", "m"), ("cl", "d"), ("vv", "w"), ("0", "o"), ("1", "l"), ("5", "s"), ("8", "b"))
"""What scanners take for one another, as one letter each."""
_LETTERS = re.compile("[a-z0158]+")
SHORT, LONG = 4, 8
"""Least letters of a word in which one letter, and in which two letters, make a slip that is certain."""
DOUBTED = 4
"""Letters of a doubtful slip for each of which one letter may differ."""
MOST = 3
"""Most letters in which a slip differs."""


@lru_cache(1 << 15)
def slip(one: str, other: str) -> int:
    """Return CERTAIN if one of two words is a slip of the other, DOUBTFUL if it may be one beside others, else NONE.

    A certain slip has one wrong letter (two from LONG letters on), and exactly one of both is a word. Both words (form, from), neither
    of them (names), and more wrong letters are doubtful. Letters left out, put in, or exchanged with the next one count as one.
    """
    if not (_LETTERS.fullmatch(one) and _LETTERS.fullmatch(other)) or abs(len(one) - len(other)) > MOST:
        return NONE
    if one.isdecimal() or other.isdecimal():
        return NONE
    known = is_english(one), is_english(other)
    for written, single in _ALIKE:
        one, other = one.replace(written, single), other.replace(written, single)
    size = max(len(one), len(other))
    wrong = _wrong_letters(one, other)
    if known[0] != known[1] and wrong <= (2 if size >= LONG else 1) and (size >= SHORT or min(len(one), len(other)) > 1):
        return CERTAIN
    return DOUBTFUL if wrong <= max(1, min(size // DOUBTED, MOST)) else NONE


def _wrong_letters(one: str, other: str) -> int:
    """Return in how many letters two words differ; more than MOST at least where it is more than MOST."""
    # What both begin and end with is equal: most words differ in one letter between.
    first = 0
    while first < min(len(one), len(other)) and one[first] == other[first]:
        first += 1
    last = 0
    while last < min(len(one), len(other)) - first and one[-1 - last] == other[-1 - last]:
        last += 1
    x, y = one[first : len(one) - last], other[first : len(other) - last]
    if min(len(x), len(y)) <= 1 or max(len(x), len(y)) > MOST + 2:
        return max(len(x), len(y))
    if len(x) == 2 and x == y[::-1]:
        return 1
    # Row by row, as usual; the rows are few letters long.
    before, row = [], list(range(len(y) + 1))
    for i, c in enumerate(x, 1):
        earlier, before, row = before, row, [i]
        for j, d in enumerate(y, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (c != d)))
            if i > 1 and j > 1 and c == y[j - 2] and x[i - 2] == d:
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]


ABBREVIATIONS = frozenset(
    "ab ac ap au bp ca cd ce cm db de ec ed el eu fa fx gb ge gm gp hk hp hq hr ie ip kg km la lb le ltd mb mg ml mln mm mp nz oz pc pct pm "
    "plc rd rm sa sr st uk usa va vp vs wto yr".split()
)
"""Short forms that the list of words lacks, and that other short words are not slips of."""
_ENDINGS = tuple(
    (ending, tuple(rest.split("|")))
    for ending, rest in (line.split("=") for line in (
        "ies=y", "ied=y", "es=|e", "s=", "ed=|e", "ing=|e", "ly=|le", "er=|e", "ers=|e", "est=|e", "iness=y", "ness=", "ily=y", "ier=y", "iest=y",
    ))
)  # fmt: skip
"""Endings of regular forms, and what is in their place in the word they are forms of."""


@cache
def _english() -> frozenset[str]:
    return words("english") | ABBREVIATIONS | base_forms().keys()


@lru_cache(1 << 15)
def is_english(word: str) -> bool:
    """Return True if a word in small letters is in the list of English words, or a regular form of one that is."""
    known = _english()
    if word in known or len(word) == 1 and word in "ai":
        return True
    for ending, rests in _ENDINGS:
        stem = word.removesuffix(ending)
        if len(stem) < 2 or stem == word:
            continue
        if any(len(stem + rest) > 2 and stem + rest in known for rest in rests) or (
            len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in known
        ):
            return True
    return False
