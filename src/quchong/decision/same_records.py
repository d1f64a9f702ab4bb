"""Texts that differ in slips, and at most in lines that one of them has more: records on one template that fill all slots alike."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quchong.differences.english import is_english
from quchong.differences.latin_slips import distance
from quchong.kernels import align
from quchong.kernels.offsets import positions_in_items
from quchong.kernels.text import Form
from quchong.seam import Documents

SLIPS = 0.3
"""Greatest share of the words of the shorter text in which two texts have slips."""
LETTERS = 0.4
"""Greatest share of the letters of a word that a slip changes, one letter at least."""
CERTAIN = 2
"""Least number of slips in longer words of a pair with which a changed one-letter word may be a slip too."""


Seldom = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of pairs (int64) and of a word of each (uint32, hashes of letters) that returns a mask of the words that hardly any record on
their template has.
"""


def differ_in_slips(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, seldom: Seldom
) -> np.ndarray:
    """Return a mask of the pairs of texts that differ in slips, at least one, and else in nothing but what one of both has more.

    A slip replaces a Latin word by another one that has most of its letters, that hardly any other record has, and that is no English word
    if the first one is. One text may have more words at its beginning or end if the other one has no more there, so that neither lacks
    anything that the other one alone says.

    Args:
        form: form in which texts become tokens.
        documents: each once.
        left, right: int64, documents of each pair.
        seldom: function that tells words that few records have.

    Deterministic. Cost: an alignment of each pair, and the words that differ.
    """
    documents.tokenised(form, 1, places=True)
    docs = documents.hashed(form, 1)
    lengths, n = docs.lengths, len(left)
    found = align.edits(docs, left.astype(np.uint32), right.astype(np.uint32), join=False)
    pair = np.repeat(np.arange(n), np.diff(found.offsets))
    start, end = found.places[:, [0, 2]].astype(np.int64).T, found.places[:, [1, 3]].astype(np.int64).T
    size = end - start
    both, more = np.minimum(*size), size[0] != size[1]
    # (1) Words that one text has more stand at its beginning or end, and the other text has none more.
    first = (start[0] == 0) & (start[1] == 0)
    last = (end[0] == lengths[left[pair]]) & (end[1] == lengths[right[pair]])
    out: np.ndarray = np.bincount(pair[more & ~first & ~last], minlength=n) == 0
    out &= np.minimum(*(np.bincount(pair[size[i] > size[1 - i]], minlength=n) for i in (0, 1))) == 0
    # (2) All others are replaced one for one, few of them.
    replaced = np.bincount(pair, both, minlength=n)
    out &= (replaced > 0) & (replaced <= SLIPS * np.minimum(lengths[left], lengths[right]))
    some = np.flatnonzero(out[pair])
    edit = np.repeat(some, both[some])
    if not len(edit):
        return out
    words, rare = [], np.zeros(len(edit), bool)
    for side, document in enumerate((left, right)):
        begin = np.where(first & ~last, end[side] - both, start[side])
        token = begin[edit] + positions_in_items(both[some])
        rare |= seldom(pair[edit], docs.tokens[docs.offsets[document[pair[edit]]] + token])
        told = documents.stretches(form, document[pair[edit]], token, token + 1, np.zeros(len(edit), np.uint8))
        words.append(told.windows.to_pylist())
    slips = [_is_slip(a, b) for a, b in zip(*words, strict=True)]
    lone = np.fromiter((len(a) == 1 for a in words[0]), bool, len(edit))
    good = rare & np.array(slips, bool)
    out[pair[edit[~good]]] = False
    # (3) A letter that stands alone may be a name of something: it is a slip among others.
    alone, others = (np.bincount(pair[edit[mask]], minlength=n) for mask in (lone, ~lone))
    out &= (alone == 0) | (others >= CERTAIN)
    return out


def _is_slip(one: str, other: str) -> bool:
    """Return True if two words are Latin ones in one case, at most one of them in the list of English words, and share most letters."""
    if not (one.isascii() and one.isalpha() and other.isascii() and other.isalpha()):
        return False
    if is_english(one.lower()) and is_english(other.lower()):
        return False  # another word: now is not not
    most = max(1, int(LETTERS * max(len(one), len(other))))
    return one.islower() == other.islower() and (len(one) > 1 or one.islower()) and distance(one, other, most) <= most
