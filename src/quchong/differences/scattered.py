"""Noise of any character in Chinese texts: single characters at scattered places that break words, whatever they spell there."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.kinds import NAMES
from quchong.differences.negation import AFFIRMED
from quchong.differences.numerals import DIGITS, FINANCIAL, UNITS
from quchong.differences.stretches import Stretches
from quchong.differences.synonyms import known_bigrams
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import among, code_table, distinct
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text.words import is_known_word, tagged

BROKEN = 2
"""Least number of edits that break words, from which on a pair may be a noisy copy."""
LONGEST = 6
"""Most characters of a stretch that noise replaces: two such characters with few others between them are one edit."""
REACH = 4
"""Most characters of a word that an edit may break."""
_STATED = [DIFFERENCES.index(kind) for kind in ("figure", "date")]
_NEGATION = DIFFERENCES.index("negation")
_FACTS = code_table([*NAMES, *_STATED, _NEGATION])
_NUMERALS = frozenset("".join((*DIGITS, *UNITS, *FINANCIAL)))
_DENYING = "未无没非勿莫禁否"
"""Characters that deny in the place of an affirming word (已, 未); 不 is rather put before one."""
BREAKS, NEITHER, WORDS = range(3)
"""Effects of an edit: it breaks a word, no word is there on either side, or each side has a word."""


def scattered(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that are noise of a noisy copy although they seem to state a fact.

    A pair is a noisy copy if at least BROKEN of its edits, single characters mostly, turn a word of the dictionary into none, and at most
    half as many turn one word into another. A broken name is no other name there, a numeral in the place of no numeral no figure, and 不
    in the place of another character no negation. Two words, two numerals, and an inserted or affirmed negation remain facts.

    Cost: the texts of pairs that have such a conflict are read, 10 us an edit.
    """
    out = np.zeros(len(conflict), bool)
    facts = _FACTS[kind] & conflict
    if not np.count_nonzero(facts):
        return out
    like = np.flatnonzero(_one_for_one(docs, left, right, edits))
    pairs = edits.pair[like]
    counts = np.bincount(pairs, minlength=len(left))
    asked = np.bincount(pairs, facts[like], len(left)) > 0
    # Among edits of other lengths, and those of words, are the real changes of a text: they may not be in the majority.
    replaced = np.bincount(edits.pair, (edits.a > 0) & (edits.b > 0), len(left))
    asked &= (counts >= BROKEN) & (2 * counts >= replaced)
    for pair in np.flatnonzero(asked).tolist():
        mine = like[np.searchsorted(pairs, pair) : np.searchsorted(pairs, pair, "right")]
        sides = [documents.texts.text(int(side[pair])) for side in (left, right)]
        found = [_effect(sides, stretches.places[k].tolist()) for k in mine.tolist()]
        # The same change at several places, or its reverse, is meant: noise is another one each time.
        times = Counter(frozenset((one, other)) for _, one, other in found)
        effects = np.array([effect if times[frozenset((one, other))] == 1 else WORDS for effect, one, other in found])
        broken = int((effects == BREAKS).sum())
        if broken < BROKEN or 2 * int((effects == WORDS).sum()) > broken:
            continue
        for k, effect, (_, one, other) in zip(mine.tolist(), effects.tolist(), found, strict=True):
            out[k] = facts[k] and not _states(int(kind[k]), effect, one, other)
    return out


def _one_for_one(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Return a mask of the edits of up to LONGEST Chinese characters that as many others replace."""
    out = (edits.a == edits.b) & (edits.a >= 1) & (edits.a <= LONGEST)
    at = np.flatnonzero(out)
    for column, side in ((0, left), (2, right)):
        first, counts = docs.offsets[side[edits.pair[at]]] + edits.places[at, column], edits.a[at]
        worded = docs.tokens[places_of(first, counts)] >= WORD_TOKEN
        out[distinct(np.repeat(at, counts)[worded])] = False
    mask: np.ndarray = out
    return mask


def _effect(sides: list[str], places: list[int]) -> tuple[int, str, str]:
    """Return what an edit does to words, and its stretch on both sides in the form of the dictionaries."""
    begin = (places[0], places[2])
    size = places[1] - places[0]
    if size != places[3] - places[2]:
        return NEITHER, "", ""
    near = dictionary_forms([text[max(0, a - REACH) : a + size + REACH] for text, a in zip(sides, begin, strict=True)])
    at = [min(a, REACH) for a in begin]
    if any(len(n) < a + size for n, a in zip(near, at, strict=True)):
        return NEITHER, "", ""
    one, other = (n[a : a + size] for n, a in zip(near, at, strict=True))
    # Words of one length on both sides count against a broken word.
    broken = 0
    for i in range(size):
        if one[i] != other[i]:
            mine, theirs = (_longest_word(n, a + i) for n, a in zip(near, at, strict=True))
            if min(mine, theirs) == 0:
                broken += mine != theirs
            elif mine == theirs:
                broken -= 1
    return (BREAKS if broken > 0 else WORDS if broken < 0 else NEITHER), one, other


@lru_cache(1 << 13)
def _longest_word(text: str, at: int) -> int:
    """Return the length of the longest word of the dictionary, of two characters to REACH, that covers an offset; 0 for none."""
    for size in range(REACH, 1, -1):
        for first in range(max(0, at - size + 1), min(at, len(text) - size) + 1):
            word = text[first : first + size]
            if word.isalpha() and is_known_word(word):
                return size
    return 0


def _states(kind: int, effect: int, one: str, other: str) -> bool:
    """Return True if an edit states a fact even in a noisy copy."""
    if kind in _STATED:
        return any(a != b and a in _NUMERALS and b in _NUMERALS for a, b in zip(one, other, strict=True))
    if kind == _NEGATION:
        return any(c in _DENYING for c in one + other) and bool(AFFIRMED & {one, other})
    return effect == WORDS


SHORTEST, BRIEF = 16, 25
"""Tokens from which on, and below which, such a character is looked for. From BRIEF on a pair may be accepted with a word replaced; below
SHORTEST a text has few words, and one of them is what it is about: 玫瑰怎么种, 玫瑰怎么卖.
"""
LONE = 2
"""Most such characters of a pair."""
_NAMES = ("nr", "ns", "nt", "nz")


def lone_slips(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits of a brief text in which one Chinese character turns a common word into none: 建设 into 同设.

    Only in pairs that differ in nothing else, with LONE of them at most: in longer texts many of them tell a noisy copy (`scattered`), and
    single ones do not decide. What makes a pair of characters that stands in any word is none, nor what turns a name.

    Cost: the texts of brief pairs that differ so are read, 10 us an edit.
    """
    out = np.zeros(len(edits.pair), bool)
    shorter = np.minimum(docs.lengths[left], docs.lengths[right])
    brief = (shorter >= SHORTEST) & (shorter < BRIEF)
    changed = (kind != _NOISE_KIND) & brief[edits.pair]
    some = np.flatnonzero(changed & (kind == _WORDING_KIND) & (edits.a == 1) & (edits.b == 1))
    for column, side in ((0, left), (2, right)):
        some = some[docs.tokens[docs.offsets[side[edits.pair[some]]] + edits.places[some, column]] < WORD_TOKEN]
    if not len(some):
        return out
    counts = np.bincount(edits.pair[changed], minlength=len(left))
    alone = np.bincount(edits.pair[some], minlength=len(left))
    some = some[((counts == alone) & (counts <= LONE))[edits.pair[some]]]
    broken = np.array([_breaks_a_word(documents, left, right, edits, stretches, k) for k in some.tolist()], bool)
    # Two characters that change places are meant: 小 and 大 of 小平溪 and 大平溪.
    mine, theirs = (
        docs.tokens[docs.offsets[side[edits.pair[some]]] + edits.places[some, column]]
        for column, side in ((0, left), (2, right))
    )
    key = edits.pair[some].astype(np.uint64) << np.uint64(32)
    broken &= ~(among(key | mine, np.sort(key | theirs)) | among(key | theirs, np.sort(key | mine)))
    every = np.bincount(edits.pair[some], broken, len(left)) == alone
    out[some[broken & every[edits.pair[some]]]] = True
    return out


def _breaks_a_word(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches, k: int
) -> bool:
    """Return True if the character of an edit is part of a common word on one side, and of no word, nor of a pair in one, on the other."""
    pair, places = int(edits.pair[k]), stretches.places[k].tolist()
    sides = [documents.texts.text(int(side[pair])) for side in (left, right)]
    near = dictionary_forms(
        [text[max(0, a - REACH) : a + 1 + REACH] for text, a in zip(sides, (places[0], places[2]), strict=True)]
    )
    at = [min(a, REACH) for a in (places[0], places[2])]
    if any(len(n) <= a for n, a in zip(near, at, strict=True)):
        return False
    words = [_word_at(n, a) for n, a in zip(near, at, strict=True)]
    whole = next((k for k in (0, 1) if words[k] and not words[1 - k]), None)
    if whole is None:
        return False
    word = words[whole]
    # 怎么 of 怎么样 is a word without it: nothing is broken.
    if len(word) > 2 and (is_known_word(word[1:]) or is_known_word(word[:-1])):
        return False
    tags = [tag for _, tag in tagged(word)]
    text, a = near[1 - whole], at[1 - whole]
    pairs = [text[i : i + 2] for i in (a - 1, a) if 0 <= i < len(text) - 1]
    han = np.array([[ord(c) for c in two] for two in pairs if two.isalpha()], np.uint32).reshape(-1, 2)
    known = bool(known_bigrams().has(han[:, 0], han[:, 1]).any()) if len(han) else False
    return not known and all(not tag.startswith(_NAMES) for tag in tags)


def _word_at(text: str, at: int) -> str:
    """Return the longest word of the dictionary that covers an offset; empty if there is none."""
    size = _longest_word(text, at)
    found = (text[i : i + size] for i in range(max(0, at - size + 1), min(at, len(text) - size) + 1)) if size else ()
    return next((word for word in found if is_known_word(word)), "")


_NOISE_KIND, _WORDING_KIND = DIFFERENCES.index("noise"), DIFFERENCES.index("wording")
