"""Cuts in the edit at the end or beginning of two texts where one of them has sentences more: the last fact is read in any case.

The alignment makes one edit of a replaced word and of the sentences added behind it: 上涨 and 下跌。未经授权不得转载. Such an
edit is too long to be read, or is no name beside a name, so that the fact at its beginning would not be compared.
"""

from __future__ import annotations

import numpy as np

from quchong.differences.edits import READ, Edits, cut_edits
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.kernels.text import Form
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

_SENTENCE_END = lazy_pattern("[。．！？!?…\n\u2028\u2029]")
_FULL_STOP = lazy_pattern(r"\.[^\w\s]*\s")
"""A full stop of Latin text; it ends a sentence if no small letter or digit follows."""


def without_added_sentences(
    form: Form,
    documents: Documents,
    docs: Ragged,
    left: np.ndarray,
    right: np.ndarray,
    edits: Edits,
    noise: np.ndarray,
    workers: int | None = None,
) -> tuple[Edits, np.ndarray]:
    """Cut the last and the first edit of a pair where the sentences begin that only one text has.

    Args:
        form, documents, docs, left, right, edits: see `find_differences` and `edits_of`.
        noise: the edits that replace characters one for one; they are not cut.
        workers: threads.

    Returns:
        The edits in order, the added sentences as edits with one side only; and the index of the original edit of each, int64.

    Only edits are cut that reach the end (or the beginning) of both texts and replace something. The side with fewer sentences must have
    at most READ tokens, and as many sentences of the other side too, so that both are read afterwards. Deterministic. Cost: a look at up
    to READ + 1 tokens on each side of two edits a pair.
    """
    n, m = docs.lengths[left[edits.pair]], docs.lengths[right[edits.pair]]
    begins = first_of_runs(edits.pair) & (edits.places[:, 0] == 0) & (edits.places[:, 2] == 0)
    ends = (edits.places[:, 1] == n) & (edits.places[:, 3] == m)
    replaced = (np.minimum(edits.a, edits.b) > 0) & (np.minimum(edits.a, edits.b) <= READ) & (noise == 0)
    replaced &= (np.maximum(edits.a, edits.b) > 1) & (begins != ends)  # a pair of a single edit has nothing in common
    some = replaced.nonzero()[0]
    if not len(some):
        return edits, np.arange(len(edits.pair))
    at_end = ends[some]
    bounds = [
        _sentence_bounds(
            form, documents, side[edits.pair[some]], edits.places[some, first], size[some], at_end, workers
        )
        for side, first, size in ((left, 0, edits.a), (right, 2, edits.b))
    ]
    cut, pieces, read = [], [], []
    for k, (mine, theirs) in enumerate(zip(*bounds, strict=True)):
        a, b = int(edits.a[some[k]]), int(edits.b[some[k]])
        keep = _common_part(mine, theirs, (a, b), at_end=bool(at_end[k]))
        if keep is None:
            continue
        x, y = keep
        cut.append(some[k])
        if at_end[k]:
            pieces.append(((0, x, 0, y), (x, a, y, b)))
            read.append((True, False))
        else:
            pieces.append(((0, a - x, 0, b - y), (a - x, a, b - y, b)))
            read.append((False, True))
    if not cut:
        return edits, np.arange(len(edits.pair))
    return cut_edits(edits, np.array(cut), np.array(pieces, np.int64), np.array(read))[:2]


def _common_part(mine: list[int], theirs: list[int], sizes: tuple[int, int], *, at_end: bool) -> tuple[int, int] | None:
    """Return the tokens of both sides that are compared, counted from the text that both have; None if no side has sentences more.

    Args:
        mine, theirs: number of tokens before each sentence bound of a side, ascending. sizes: tokens of the sides.
    """
    if len(mine) == len(theirs):
        return None
    if len(mine) > len(theirs):
        found = _common_part(theirs, mine, sizes[::-1], at_end=at_end)
        return None if found is None else (found[1], found[0])
    # The side of fewer sentences is compared whole, with as many sentences of the other side.
    upto = theirs[len(mine)] if at_end else sizes[1] - theirs[-1 - len(mine)]
    return (sizes[0], upto) if sizes[0] <= READ and upto <= READ else None


def _sentence_bounds(
    form: Form, documents: Documents, docs: np.ndarray, first: np.ndarray, size: np.ndarray, at_end: np.ndarray, workers: int | None
) -> list[list[int]]:  # fmt: skip
    """Return, for each token range of a document, the numbers of tokens before its sentence bounds, of the READ + 1 tokens looked at.

    Args:
        docs: document of each range. first, size: its first token and number of tokens.
        at_end: True where the first tokens of a range are looked at, False for its last ones.
    """
    looked = np.minimum(size, READ + 1)
    skipped = np.where(at_end, 0, size - looked)
    tokens = places_of(first + skipped, looked)
    which = np.arange(len(docs)).repeat(looked)
    found = documents.stretches(
        form, docs[which].astype(np.uint32), tokens.astype(np.uint32), (tokens + 1).astype(np.uint32),
        np.zeros(len(tokens), np.uint8), workers,
    ).places.astype(np.int64)  # fmt: skip
    offsets = prefix_sums(looked)
    out: list[list[int]] = [[] for _ in range(len(docs))]
    # Only between two tokens of one range that do not touch can a sentence end.
    between = ((found[1:, 1] > found[:-1, 2]) & (which[1:] == which[:-1])).nonzero()[0]
    text, last = "", -1
    for at in between.tolist():
        k = int(which[at])
        if k != last:
            text, last = documents.texts.text(int(docs[k])), k
        if _ends_sentence(text, int(found[at, 2]), int(found[at + 1, 1])):
            out[k].append(int(skipped[k]) + at + 1 - int(offsets[k]))
    return out


def _ends_sentence(text: str, begin: int, end: int) -> bool:
    """Return True if a sentence ends in text[begin:end], which is between two words."""
    gap = text[begin:end]
    if _SENTENCE_END.search(gap):
        return True
    return _FULL_STOP.match(gap) is not None and not (text[end].islower() or text[end].isdigit())
