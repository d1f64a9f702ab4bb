"""Noise of any character in Chinese texts: single characters at scattered places that break words, whatever they spell there."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

import numpy as np

from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.kinds import NAMES
from quchong.differences.negation import AFFIRMED
from quchong.differences.numerals import DIGITS, FINANCIAL, UNITS
from quchong.differences.stretches import Stretches
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import code_table, distinct
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text.words import is_known_word

BROKEN = 2
"""Least number of edits that break words with which a pair may be a noisy copy."""
LONGEST = 6
"""Most characters of a stretch that noise replaces: two such characters with few others between them are one edit."""
REACH = 4
"""Most characters of a word that an edit may break."""
_STATED = [DIFFERENCES.index(kind) for kind in ("figure", "date")]
_NEGATION = DIFFERENCES.index("negation")
_WORDED = [DIFFERENCES.index(kind) for kind in ("modality", "opposite")]
_FACTS = code_table([*NAMES, *_STATED, _NEGATION, *_WORDED])
_NUMERALS = frozenset("".join((*DIGITS, *UNITS, *FINANCIAL)))
_DENYING = "未无没非勿莫禁否"
"""Characters that deny in the place of an affirming word (已, 未); 不 is rather put before one."""
BREAKS, NEITHER, WORDS = range(3)
"""Effects of an edit: it breaks a word, no word is there on either side, or each side has a word."""


def scattered(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits in noisy copies that are noise although they seem to state a fact.

    A pair is a noisy copy if at least BROKEN of its edits, single characters mostly, turn a word of the dictionary into none, and at most
    half as many turn one word into another. A broken name is no other name there, a numeral in the place of no numeral no figure, and 不
    in the place of another character no negation; a modality or an opposite that broke a word is none. Two words, two numerals, and an
    inserted or affirmed negation remain facts.

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
    like = like[asked[pairs]]
    if not len(like):
        return out
    of = edits.pair[like].tolist()
    found = _effects(documents, left, right, of, stretches.places[like].tolist())
    for _, several in groupby(zip(of, like.tolist(), found, strict=True), itemgetter(0)):
        mine, told = zip(*((k, one) for _, k, one in several), strict=True)
        # The same change at several places, or its reverse, is meant: noise is another one each time.
        times = Counter(frozenset((one, other)) for _, one, other in told)
        effects = [effect if times[frozenset((one, other))] == 1 else WORDS for effect, one, other in told]
        broken = effects.count(BREAKS)
        if broken < BROKEN or 2 * effects.count(WORDS) > broken:
            continue
        for k, effect, (_, one, other) in zip(mine, effects, told, strict=True):
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


def _effects(
    documents: Documents, left: np.ndarray, right: np.ndarray, pairs: list[int], places: list[list[int]]
) -> list[tuple[int, str, str]]:
    """Return for each edit of the pairs its effect on words and both its differing texts, in dictionary form."""
    texts: dict[int, str] = {}
    around: list[str] = []
    for pair, (a, b, c, d) in zip(pairs, places, strict=True):
        for document, first, last in ((int(left[pair]), a, b), (int(right[pair]), c, d)):
            if (text := texts.get(document)) is None:
                text = texts[document] = documents.texts.text(document)
            around.append(text[max(0, first - REACH) : last + REACH])
    near = dictionary_forms(around)
    return [_effect(near[2 * k : 2 * k + 2], one) for k, one in enumerate(places)]


def _effect(near: list[str], places: list[int]) -> tuple[int, str, str]:
    """Return the effect of an edit on words, and both its differing texts; `near` has these with REACH characters around."""
    begin = (places[0], places[2])
    size = places[1] - places[0]
    if size != places[3] - places[2]:
        return NEITHER, "", ""
    first, second = min(begin[0], REACH), min(begin[1], REACH)
    x, y = near
    if len(x) < first + size or len(y) < second + size:
        return NEITHER, "", ""
    one, other = x[first : first + size], y[second : second + size]
    # Words of one length on both sides count against a broken word.
    broken = 0
    for i in range(size):
        if one[i] != other[i]:
            mine, theirs = longest_word(x, first + i), longest_word(y, second + i)
            if mine == 0 or theirs == 0:
                broken += mine != theirs
            elif mine == theirs:
                broken -= 1
    return (BREAKS if broken > 0 else WORDS if broken < 0 else NEITHER), one, other


@lru_cache(1 << 13)
def longest_word(text: str, at: int) -> int:
    """Return the length of the longest word of the dictionary, of two characters to REACH, that covers an offset; 0 for none."""
    for size in range(REACH, 1, -1):
        for first in range(max(0, at - size + 1), min(at, len(text) - size) + 1):
            word = text[first : first + size]
            if word.isalpha() and is_known_word(word):
                return size
    return 0


def _states(kind: int, effect: int, one: str, other: str) -> bool:
    """Return True if an edit states a fact even in a noisy copy, by its kind, its effect on words, and both its texts."""
    if kind in _STATED:
        return any(a != b and a in _NUMERALS and b in _NUMERALS for a, b in zip(one, other, strict=True))
    if kind == _NEGATION:
        return any(c in _DENYING for c in one + other) and bool(AFFIRMED & {one, other})
    return effect != BREAKS if kind in _WORDED else effect == WORDS
