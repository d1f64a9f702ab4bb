"""Edits in page furniture: which of a pair's differences lie around the text and not in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.differences.edits import COVERED, Edits
from quchong.differences.furniture import LONGEST, foot_of, head_of, line_of_furniture
from quchong.differences.hinted_documents import HintedDocuments
from quchong.differences.kinds import BOILERPLATE, NOISE
from quchong.differences.stretches import Stretches, stretches_of
from quchong.kernels.differences import FOOTED, HEADED, LINED
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form

LEAST = 0.4
"""Share of both texts in the alignment at or above which the rest may be furniture."""
ALIGNED = 0.92
"""Share of both texts in the alignment at or above which every preset accepts a pair, whatever the rest is."""
MOST = 96
"""Most tokens of the furniture of a text that is looked for where the alignment does not cover the pair."""
FEW = 12
"""Most edits of such a pair: furniture differs in few places, a reworded text in many."""
NEAR = 48
"""Tokens from an end of a text within which furniture is looked for that states no fact."""
SHORT, REPLACED = 150, 10
"""Tokens below which a replaced word may part two texts, and the share of replaced tokens of a text that may do so in longer ones."""


def framed_tokens(
    form: Form, hinted: HintedDocuments, left: np.ndarray, right: np.ndarray, edits: Edits, matched: Sequence[np.ndarray],
    sizes: Sequence[np.ndarray], workers: int | None,
) -> list[np.ndarray]:  # fmt: skip
    """Return for each pair the tokens in differing page furniture, int64: one array for the left texts, one for the right.

    Only pairs are read that the alignment nearly covers without them. Furniture is no part of a text that the other must have.

    Args:
        hinted: documents, with the hints of their texts.
        matched, sizes: aligned tokens and all tokens of each pair, left and right.

    Cost: few pairs are such; 10 us for each of their edits.
    """
    if len(left) <= _FEW and not _any_near(matched, sizes):
        return [np.zeros(len(left), np.int64) for _ in range(2)]
    lacking = [size - have for size, have in zip(sizes, matched, strict=True)]
    share = np.minimum(*(have / size for size, have in zip(sizes, matched, strict=True)))
    near = (share >= LEAST) & (share < ALIGNED) & (np.maximum(*lacking) <= MOST)
    if not np.count_nonzero(near):
        return [np.zeros(len(left), np.int64) for _ in range(2)]
    near &= np.bincount(edits.pair, minlength=len(left)) <= FEW
    # The furniture near the ends of a text must be enough.
    ends = _near_ends(edits, sizes)
    for side, size, have in zip((edits.a, edits.b), sizes, matched, strict=True):
        near &= have + np.bincount(edits.pair, np.where(ends, side, 0), len(left)) >= COVERED * size
    some = np.flatnonzero(near[edits.pair])
    out = [np.zeros(len(left), np.int64) for _ in range(2)]
    if not len(some):
        return out
    mine = edits.select(near[edits.pair])
    stretches, _ = stretches_of(form, hinted.documents, left, right, mine, some[:0], 0, workers)
    inside = _in_furniture(left, right, mine.pair, np.ones(len(some), bool), stretches, hinted)
    return [np.bincount(mine.pair, np.where(inside, side, 0), len(left)).astype(np.int64) for side in (mine.a, mine.b)]


_FEW = 4
"""Pairs that are looked at faster one by one than by NumPy."""


def _any_near(matched: Sequence[np.ndarray], sizes: Sequence[np.ndarray]) -> bool:
    """Return True if for any pair the aligned tokens nearly cover both texts, see `framed_tokens`."""
    rows = zip(*(values.tolist() for values in (*matched, *sizes)), strict=True)
    return any(LEAST <= min(a / n, b / m) < ALIGNED and max(n - a, m - b) <= MOST for a, b, n, m in rows)


def furniture(
    left: np.ndarray, right: np.ndarray, edits: Edits, told: tuple[np.ndarray, np.ndarray],
    framed: np.ndarray, sizes: Sequence[np.ndarray], stretches: Stretches, hinted: HintedDocuments,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits whose text is page furniture (menu, byline, footer) on both sides.

    Only pairs are read whose relation may depend on it: they have a fact in conflict, many replaced tokens, or are short.

    Args:
        told: kind and conflict of each edit, as they were classified.
        framed: mask of the pairs that are known to have furniture.
        sizes: tokens of the left and the right text of each pair.
        hinted: documents, with the hints of their texts.
    """
    kind, conflict = told
    tokens = np.minimum(*sizes)
    content = (kind != NOISE) & (kind != BOILERPLATE) & (edits.a > 0) & (edits.b > 0)
    if not np.count_nonzero(conflict | content):
        return np.zeros(len(kind), bool)
    # Replaced words that are no facts are asked where something depends on those near the ends: in a short text whether any word is
    # replaced, in longer ones whether many are.
    ends = _near_ends(edits, sizes)
    weight = np.where(content, np.maximum(edits.a, edits.b), 0)
    replaced = np.bincount(edits.pair, weight, len(left))
    inside = np.bincount(edits.pair, np.where(ends, 0, weight), len(left))
    asked = framed | (np.bincount(edits.pair, conflict, len(left)) > 0)
    asked |= (replaced > 0) & (inside == 0) & (tokens < SHORT)
    asked |= (REPLACED * replaced > tokens) & (REPLACED * inside <= tokens)
    some = conflict | (content & ends & asked[edits.pair])
    return _in_furniture(left, right, edits.pair, some, stretches, hinted)


def _near_ends(edits: Edits, sizes: Sequence[np.ndarray]) -> np.ndarray:
    """Return a mask of the edits that begin or end within NEAR tokens of an end of the left text."""
    out: np.ndarray = (edits.places[:, 0] <= NEAR) | (edits.places[:, 1] >= sizes[0][edits.pair] - NEAR)
    return out


def _in_furniture(
    left: np.ndarray,
    right: np.ndarray,
    pair: np.ndarray,
    asked: np.ndarray,
    stretches: Stretches,
    hinted: HintedDocuments,
) -> np.ndarray:
    """Return a mask of the edits among `asked` whose text is page furniture on both sides.

    Args:
        left, right: documents of each pair. pair: pair of each edit. stretches: texts of the edits and their offsets.
        hinted: documents, with the hints of their texts.

    Cost: the lines of each edit asked for, about 20 us.
    """
    out = np.zeros(len(pair), bool)
    some = asked.nonzero()[0]
    if not len(some):
        return out
    known = _FramedTexts(hinted, distinct(np.concatenate([side[pair[some]] for side in (left, right)])))
    furnished = np.zeros(len(some), bool)
    for side, at in ((left, 0), (right, 2)):
        places = stretches.places[some, at : at + 2]
        may, has = known.may_be_furniture(side[pair[some]], places[:, 0], places[:, 1])
        some, furnished = some[may], furnished[may] | has[may]
        if not len(some):
            return out
    # In a text without furniture only an empty range is in it. Both ranges become empty where the stretches are the same letters, which are
    # other tokens in a text of another form.
    which = pa.array(some)
    furnished |= pc.equal(stretches.left.take(which), stretches.right.take(which)).to_numpy(zero_copy_only=False)
    some = some[furnished]
    of_pair = pair[some]
    ends = zip(left[of_pair].tolist(), right[of_pair].tolist(), stretches.places[some].tolist(), strict=True)
    for k, (one, other, (a, b, c, d)) in zip(some.tolist(), ends, strict=True):
        mine, theirs = known[one], known[other]
        # Facts are told with equal text around them; only what differs must be furniture.
        while a < b and c < d and mine.text[a] == theirs.text[c]:
            a, c = a + 1, c + 1
        while a < b and c < d and mine.text[b - 1] == theirs.text[d - 1]:
            b, d = b - 1, d - 1
        out[k] = mine.in_furniture(a, b) and theirs.in_furniture(c, d)
    return out


_FURNISHED = LINED | HEADED | FOOTED
"""Hints of furniture."""


class _FramedTexts:
    """Texts of documents with their page furniture, read only for documents that may have some.

    Args:
        hinted: all documents.
        known: distinct documents, ascending.
    """

    def __init__(self, hinted: HintedDocuments, known: np.ndarray) -> None:
        self._texts, self._known = hinted.documents.texts, known
        self._hints, self._sizes = hinted.hints(known)
        self._is_hinted = bool(np.count_nonzero(self._hints & _FURNISHED))
        self._framed: dict[int, _Framed] = {}

    def __getitem__(self, document: int) -> _Framed:
        if document not in self._framed:
            self._framed[document] = _Framed(self._texts.text(document))
        return self._framed[document]

    def may_be_furniture(
        self, document: np.ndarray, begin: np.ndarray, end: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return two masks of the ranges begin:end of documents: those that may be furniture, and those in texts that may have any."""
        of = np.searchsorted(self._known, document)
        hints, size = self._hints[of], self._sizes[of].astype(np.int64)
        if not self._is_hinted:  # furniture is nothing but the ends of the texts
            return (end >= size) | (begin <= 0), np.zeros(len(of), bool)
        lined = (hints & LINED) != 0
        at_end, at_begin = size - end <= LONGEST, begin <= LONGEST
        # Where furniture ends and begins is looked for in texts with such a range alone, and where no line of theirs decides.
        foot, head = self._sizes.astype(np.int64), np.zeros(len(self._known), np.int64)
        for k in distinct(of[at_end & ~lined & ((hints & FOOTED) != 0)]).tolist():
            foot[k] = self[int(self._known[k])].foot
        for k in distinct(of[at_begin & ~lined & ((hints & HEADED) != 0)]).tolist():
            head[k] = self[int(self._known[k])].head
        mask: np.ndarray = lined | (at_end & (end >= foot[of])) | (at_begin & (begin <= head[of]))
        return mask, lined | (foot[of] < size) | (head[of] > 0)


class _Framed:
    """A text with the offsets where furniture at its head ends and at its foot begins, found on first use."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._has_lines = "\n" in text
        self._head: int | None = None
        self._foot: int | None = None

    def in_furniture(self, begin: int, end: int) -> bool:
        """Return True if text[begin:end] is within page furniture: in its own lines, or at the head or foot of the text."""
        if self._has_lines and line_of_furniture(self.text, begin, end):
            return True
        if len(self.text) - begin <= LONGEST and begin >= self.foot:
            return True
        return end <= LONGEST and end <= self.head

    @property
    def foot(self) -> int:
        """Offset from which the text is furniture to its end; the length of the text if it has none."""
        if self._foot is None:
            self._foot = foot_of(self.text)
        return self._foot

    @property
    def head(self) -> int:
        """Offset up to which the text is furniture from its beginning; 0 if it has none."""
        if self._head is None:
            self._head = head_of(self.text)
        return self._head
