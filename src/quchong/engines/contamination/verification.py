"""Verification of candidates by letters: the passages of parts in one document, by the rule of the search."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.engines.contamination.candidates import Candidate
from quchong.engines.contamination.item_parts import ItemParts, leak_form
from quchong.engines.contamination.number_values import exchanged_values
from quchong.engines.contamination.rules import CONTAINMENT, NGRAM13, Rule
from quchong.engines.contamination.schemas import EXACT, NEAR, VARIANT
from quchong.kernels.align import edits
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import tokenise

DRIFT = 8
"""Least number of tokens by which an item may be longer or shorter in a document before it counts as another place."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Passage of a part in a document: offsets in tokens of both, the share of the part, EXACT, NEAR or VARIANT."""

    part: int
    start: int
    end: int
    part_start: int
    part_end: int
    share: float
    kind: str


class DocumentLetters:
    """Tokens of one document and of its candidate parts, comparable by letters: equal tokens of one call have equal letters."""

    def __init__(self, text: str, parts: ItemParts, candidates: Sequence[Candidate]) -> None:
        self.text, self._parts = text, parts
        which = pa.array([one.part for one in candidates], pa.int64())
        self._texts: list[str] = [text, *parts.texts.texts.take(which).to_pylist()]
        found = tokenise(leak_form(), pa.array(self._texts, pa.large_string()), places=True, workers=1)
        self._docs, self._start, self._end = found.docs, found.start, found.end

    def tokens(self, side: int) -> np.ndarray:
        """Return all tokens of the document (`side` 0) or of a candidate part (`side` from 1)."""
        mine: np.ndarray = self._docs.tokens[self._docs.offsets[side] : self._docs.offsets[side + 1]]
        return mine

    def characters(self, side: int, start: int, end: int) -> tuple[int, int]:
        """Return the character range, in the prepared text, of the tokens from start to end, which is not empty."""
        first = int(self._docs.offsets[side])
        return int(self._start[first + start]), int(self._end[first + end - 1])

    def _numbers(self, side: int, start: int, end: int) -> list[int]:
        """Return the tokens from start to end that are numbers, sorted; `side` is 0 for the document, else a part."""
        some = self.tokens(side)
        out = []
        for i in range(start, end):
            a, b = self.characters(side, i, i + 1)
            if any(unicodedata.numeric(c, None) is not None for c in self._texts[side][a:b]):
                out.append(int(some[i]))
        return sorted(out)

    def text_of(self, side: int, start: int, end: int) -> str:
        """Return the text of the tokens from start to end, as it is compared; "" for none."""
        if end <= start:
            return ""
        a, b = self.characters(side, start, end)
        return self._texts[side][a:b]

    def exchanges_numbers(self, side: int, edits: Sequence[tuple[int, int, int, int]]) -> bool:
        """Return True if one of the edits between part and document replaces numbers by other numbers."""
        for a, b, c, d in edits:
            if b > a and d > c:
                ours, theirs = self._numbers(side, a, b), self._numbers(0, c, d)
                if ours and theirs and ours != theirs:
                    return True
        return False


def verify(
    letters: DocumentLetters, parts: ItemParts, candidates: Sequence[Candidate], rule: Rule
) -> list[FoundPassage]:
    """Return the passages of the candidate parts in a document that the rule accepts, compared letter by letter."""
    out: list[FoundPassage] = []
    for side, one in enumerate(candidates, 1):
        equal = _equal(letters.tokens(0), letters.tokens(side), one, rule.width)
        some = Candidate(one.part, one.position[equal], one.offset[equal], one.times[equal])
        if len(some.position):
            found = _aligned if rule.by == CONTAINMENT else _counted
            out += found(letters, side, parts, some, rule)
    return out


def _equal(document: np.ndarray, part: np.ndarray, one: Candidate, width: int) -> np.ndarray:
    """Return a mask of the n-grams shared by document and part whose letters, not only hashes, are equal."""
    mask = (one.position + width <= len(document)) & (one.offset + width <= len(part))
    at, of = np.where(mask, one.position, 0), np.where(mask, one.offset, 0)
    for k in range(width):
        mask &= document[np.minimum(at + k, len(document) - 1)] == part[np.minimum(of + k, len(part) - 1)]
    return mask


def _counted(letters: DocumentLetters, side: int, parts: ItemParts, one: Candidate, rule: Rule) -> list[FoundPassage]:
    """Return the passages of a part found by counting n-grams: runs of shared n-grams, if there are enough of them."""
    _, first = np.unique(one.offset, return_index=True)
    share = int(one.times[first].sum()) / max(int(parts.counts[one.part]), 1)
    if rule.by != NGRAM13 and share + 1e-9 < rule.min_share:
        return []
    # Runs: n-grams one after another in both texts, that is on one diagonal without a gap.
    diagonal = one.position - one.offset
    order = np.lexsort((one.position, diagonal))
    position, offset, diagonal = one.position[order], one.offset[order], diagonal[order]
    new = np.r_[True, (diagonal[1:] != diagonal[:-1]) | (np.diff(position) > rule.width)]
    edges = np.r_[np.flatnonzero(new), len(position)]
    out = []
    for a, b in zip(edges[:-1].tolist(), (edges[1:] - 1).tolist(), strict=True):
        start, end = int(position[a]), int(position[b]) + rule.width
        of, to = int(offset[a]), int(offset[b]) + rule.width
        out.append(FoundPassage(one.part, start, end, of, to, share, EXACT if share >= 1 else NEAR))
    return out


def _aligned(letters: DocumentLetters, side: int, parts: ItemParts, one: Candidate, rule: Rule) -> list[FoundPassage]:
    """Return the passages of a document that contain enough of a part in its order; of overlapping passages the best."""
    document, part = letters.tokens(0), letters.tokens(side)
    drift = max(DRIFT, len(part) // 4)
    begins = np.sort(one.position - one.offset)
    windows: list[tuple[int, int]] = []
    found: list[FoundPassage] = []
    at = 0
    while at < len(begins):
        # Seeds whose parts would begin within `drift` tokens are of one place.
        to = int(np.searchsorted(begins, begins[at] + drift, side="right"))
        likeliest, count = np.unique(begins[at:to], return_counts=True)
        begin = int(likeliest[np.argmax(count)])
        if begin >= 0 and np.array_equal(document[begin : begin + len(part)], part):
            found.append(FoundPassage(one.part, begin, begin + len(part), 0, len(part), 1.0, EXACT))
        else:
            low, high = int(begins[at]) - drift, int(begins[to - 1]) + len(part) + drift
            windows.append((max(low, 0), min(high, len(document))))
        at = to
    pieces = [part, *(document[a:b] for a, b in windows)]
    docs = Ragged(np.concatenate(pieces), prefix_sums(np.array([len(piece) for piece in pieces])))
    right = np.arange(1, len(pieces), dtype=np.uint32)
    changed = edits(docs, np.zeros(len(windows), np.uint32), right, shingle=3, workers=1)
    for k, (start, _) in enumerate(windows):
        places = changed.places[changed.offsets[k] : changed.offsets[k + 1]].tolist()
        passage = _passage(letters, side, parts.own_of(one.part), one.part, places, len(pieces[k + 1]), start, rule)
        if passage is not None:
            found.append(passage)
    return without_overlaps(found)


def without_overlaps(found: Sequence[FoundPassage]) -> list[FoundPassage]:
    """Return the passages of one part in document order without overlaps: of overlapping ones the one with the greatest share stays."""
    out: list[FoundPassage] = []
    for passage in sorted(found, key=lambda p: (-p.share, p.start, p.end)):
        at = bisect_left(out, passage.start, key=lambda p: p.start)
        before, after = out[at - 1 : at] if at else [], out[at : at + 1]
        if all(p.end <= passage.start for p in before) and all(passage.end <= p.start for p in after):
            out.insert(at, passage)
    return out


def _passage(
    letters: DocumentLetters, side: int, own: np.ndarray, part: int, places: list[list[int]], window: int, shift: int, rule: Rule,
) -> FoundPassage | None:  # fmt: skip
    """Return the passage of a part in a window of the document, after leaving out edited places; None if its share is too small."""
    equal: list[tuple[int, int, int]] = []  # start in the part, start in the window, tokens
    of = at = 0
    for a, b, _, d in [*places, [len(own), len(own), window, window]]:
        if a > of:
            equal.append((of, at, a - of))
        of, at = b, d
    covered = sum(int(own[a : a + n].sum()) for a, _, n in equal)
    share = covered / max(int(own.sum()), 1)
    if not equal or share + 1e-9 < rule.min_share:
        return None
    first, last = equal[0], equal[-1]
    start, end = first[1] + shift, last[1] + last[2] + shift
    # Edits inside the passage; and what the item has before and after it, with as much of the document there.
    inner = [
        (a, b, c + shift, d + shift)
        for a, b, c, d in places
        if first[1] <= c and d <= last[1] + last[2] and (b > a or c < last[1] + last[2])
    ]
    head, tail = first[0], len(own) - last[0] - last[2]
    beside = [(0, head, max(start - head, shift), start),
              (len(own) - tail, len(own), end, min(end + tail, shift + window))]  # fmt: skip
    inside = [one for one in inner if one[0] >= first[0] and one[1] <= last[0] + last[2]]
    kind = NEAR
    if share >= 1 and not inside and not head and not tail:
        kind = EXACT
    elif letters.exchanges_numbers(side, [*inside, *beside]):
        ours = letters.text_of(side, 0, len(own))
        if exchanged_values(ours, letters.text_of(0, beside[0][2], beside[1][3])):
            kind = VARIANT
    return FoundPassage(part, start, end, first[0], last[0] + last[2], share, kind)
