"""Texts without headers: which tokens of a document a header covers, and what is left of it in another document.

A header is a block of text that many documents share which otherwise differ: a licence, a disclaimer, a signature. It is known by its
shingles, which `quchong.similarity.header_counting` finds in a corpus (docs/decisions/0316).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged
from quchong.kernels.hashing import COEFFICIENTS, mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import distinct, ordered
from quchong.kernels.text import Form
from quchong.seam import Documents, Measures
from quchong.similarity.thresholds import CONTAINED_SHINGLES, LIKE_SIZE

WIDTH = 5
"""Tokens of the shingles by which a header is known."""
RUN = 12
"""Least tokens of a stretch that shingles of headers cover: a common phrase is no header."""
MUCH = 0.2
"""Least share of a document that headers cover, at or above which what is left of it decides."""
BRIEF_REST, PIECES, SHIFT = 40, 3, 8
"""Tokens up to which what is left of a text is brief; missing stretches of it at or above which the other text has it in pieces only; and
tokens that may be added or left out within it.
"""
GAP = np.uint32(0xFFFFFFFF)
"""Token in the place of a header."""


@dataclass(frozen=True, slots=True)
class Headed:
    """Documents with headers, among those of a batch.

    Attributes:
        headers: shingles of headers (uint64, ascending, distinct), at least one.
        documents: bool, the documents of which headers cover the share MUCH or more (`with_headers`).
        least: share of a document in another one at or above which it is measured what is left of it.
    """

    headers: np.ndarray
    documents: np.ndarray
    least: float


def hashed_shingles(docs: Ragged, width: int = WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """Return the hash (uint64) of the shingle at each token, and a mask of the tokens at which a whole shingle of their document begins."""
    tokens = docs.tokens.astype(np.uint64) + np.uint64(1)
    out = np.zeros(len(tokens), np.uint64)
    for k in range(min(width, len(tokens))):
        out[: len(tokens) - k] += tokens[k:] * COEFFICIENTS[k]
    left = np.repeat(docs.offsets[1:], docs.lengths) - np.arange(len(tokens))
    return mix64(out), left >= width


def header_mask(docs: Ragged, headers: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens of documents that headers cover, in stretches of at least RUN tokens.

    Args:
        docs: tokens as hashes of their letters (`Documents.hashed`).
        headers: shingles of headers, at least one.
    """
    hashes, valid = hashed_shingles(docs)
    place = np.minimum(np.searchsorted(headers, hashes), len(headers) - 1)
    at = np.flatnonzero(valid & (headers[place] == hashes))
    covered = np.zeros(len(hashes), bool)
    for k in range(WIDTH):
        covered[at + k] = True
    if not len(covered):
        return covered
    begins = first_of_runs(covered)
    begins[docs.offsets[:-1][docs.lengths > 0]] = True
    run = np.flatnonzero(begins)
    size = np.diff(np.append(run, len(covered)))
    mask: np.ndarray = covered & np.repeat(size >= RUN, size)
    return mask


def with_headers(form: Form, documents: Documents, headers: np.ndarray, workers: int | None = None) -> np.ndarray:
    """Return a mask of the documents of which headers cover the share MUCH of the tokens, or more."""
    docs = documents.hashed(form, workers)
    covered = prefix_sums(header_mask(docs, headers))
    mask: np.ndarray = np.diff(covered[docs.offsets]) >= np.maximum(MUCH * docs.lengths, 1)
    return mask


def measure_rests(
    form: Form, documents: Documents, headed: Headed, left: np.ndarray, right: np.ndarray, measures: Measures,
    workers: int | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Measure the share of what is left of either text without headers that the other one has: `rest_left`, `rest_right`, float64.

    The share is NaN if headers are too little of the text, if too little of the text is in the other one, or if nothing is left of both
    texts. It is 0 if nothing is left of the text alone, or too little to be contained in a longer one; and if what is left is brief and
    says another thing: the other text lacks two neighbouring tokens of it, or has it in pieces. Another name in a sentence above a
    disclaimer is a seventh of it; noise changes single characters.

    Args:
        documents: each once; left and right index them.
        headed: the documents of which something is measured.
        measures: of the pairs: `ngram_size`, containments and tokens.
    """
    # Headers are known by hashes of letters; what is left is compared by letters.
    docs, _ = documents.tokenised(form, workers)
    some = np.flatnonzero(headed.documents)
    number = np.full(len(documents), -1)
    number[some] = np.arange(len(some))
    mask = header_mask(documents.take(some).hashed(form, workers), headed.headers)
    # What is left of each: its tokens, with one GAP in the place of each stretch of a header.
    mine = kernels.text.take_tokens(docs, some, workers)
    header = np.diff(prefix_sums(mask)[mine.offsets])
    stays = ~mask | first_of_runs(mask, np.repeat(some, mine.lengths)) if len(mask) else mask
    rest = Ragged(np.where(mask, GAP, mine.tokens)[stays], prefix_sums(stays)[mine.offsets])
    both = Ragged(
        np.concatenate([docs.tokens, rest.tokens]), np.concatenate([docs.offsets, docs.offsets[-1] + rest.offsets[1:]])
    )
    width = np.asarray(measures["ngram_size"], np.uint8)
    sizes = {w: _distinct_without_gaps(rest, w) for w in distinct(width).tolist()}
    tokens = [measures[f"tokens_{side}"].astype(np.int64) for side in ("left", "right")]
    # In a longer text something is contained that could be so alone; in one of like size all that is left counts.
    enough = np.where(np.maximum(*tokens) >= LIKE_SIZE * np.minimum(*tokens), CONTAINED_SHINGLES, 1)
    shares, nothing, says_other = {}, np.ones(len(left), bool), np.zeros(len(left), bool)
    left_over = np.zeros(len(documents), np.int64)
    left_over[some] = mine.lengths - header
    for side, one, other in (("left", left, right), ("right", right, left)):
        looked = headed.documents[one] & (measures[f"containment_{side}"] >= headed.least)
        count = np.zeros(len(one), np.int64)
        for w, size in sizes.items():
            at = np.flatnonzero(looked & (width == w))
            count[at] = size[number[one[at]]]
        share = np.where(looked, 0.0, np.nan)
        at = np.flatnonzero(looked & (count >= enough))
        shared = kernels.pairs.shared_shingles(
            both, len(documents) + number[one[at]], other[at].astype(np.int64), width[at], workers
        )
        share[at] = shared / count[at]
        brief = at[(shared < count[at]) & (left_over[one[at]] <= BRIEF_REST)]
        other_said = _says_other(both, len(documents) + number[one[brief]], other[brief].astype(np.int64))
        share[brief[other_said]] = 0.0
        says_other[brief[other_said]] = left_over[one[brief[other_said]]] < left_over[other[brief[other_said]]]
        shares[f"rest_{side}"] = share
        nothing &= looked & (count == 0)
    # Of two texts of like size, less is left of the one with less noise in the header: if that says another thing, both do.
    says_other &= enough == 1
    for share in shares.values():
        share[says_other & ~np.isnan(share)] = 0.0
    return {name: np.where(nothing, np.nan, share) for name, share in shares.items()}


def _says_other(docs: Ragged, rest: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs in which a text lacks two neighbouring tokens of a rest, or has it in PIECES or more.

    They are compared by two tokens each, whatever the shingles of the method: of longer ones few are left in a brief text. What counts is
    what stands at one place of the other text, give or take SHIFT tokens: a longer text has the words of a brief one here and there.

    Args:
        docs: texts, and what is left of some, with GAP in the place of headers.
        rest, other: int64, documents of each pair: what is left of one text, and the other text.

    Cost: a sort of the tokens of all texts, each once, and a search among them for those of the rest of each pair.
    """
    rests, of_rest = np.unique(rest, return_inverse=True)
    texts, of_text = np.unique(other, return_inverse=True)
    known, text = _in_twos(docs, rests), _in_twos(docs, texts)
    own, owner = known.expand(of_rest)
    # The twos of each text, sorted, equal ones beside each other.
    keys = text.hashes + mix64(text.owner.astype(np.uint64))
    order = ordered(keys, text.at)
    start = np.flatnonzero(first_of_runs(keys[order]))
    table, ends = keys[order[start]], np.append(start[1:], len(order))
    # Twos of the rest found in the text: how far apart both places are, and the distance that most of a block have.
    asked = own.hashes + mix64(of_text[owner].astype(np.uint64))
    found = np.minimum(np.searchsorted(table, asked), max(len(table) - 1, 0))
    met = np.flatnonzero(table[found] == asked) if len(table) else np.zeros(0, np.int64)
    times = ends[found[met]] - start[found[met]]
    row = np.repeat(met, times)
    place = np.repeat(start[found[met]], times) + positions_in_items(times)
    distance = text.at[order[place]] - own.at[row]
    block = own.block[row]
    by_distance = ordered(block, distance)
    new = first_of_runs(block[by_distance], distance[by_distance])
    counts = np.diff(np.append(np.flatnonzero(new), len(new)))
    kinds = by_distance[new]
    best = kinds[ordered(block[kinds], -counts, distance[kinds])]
    best = best[first_of_runs(block[best])]
    usual = np.zeros(int(own.block.max(initial=0)) + 1, np.int64)
    usual[block[best]] = distance[best]
    there = np.zeros(len(own.at), bool)
    there[row[np.abs(distance - usual[block]) <= SHIFT]] = True
    missing = np.flatnonzero(~there)
    if not len(missing):
        return np.zeros(len(rest), bool)
    # Neighbouring missing ones are of one stretch. A token replaced breaks two of them, at an end one.
    at, pair = own.at[missing], owner[missing]
    start = np.flatnonzero(first_of_runs(pair, at - np.arange(len(missing))))
    stop = np.append(start[1:], len(missing)) - 1
    size = stop - start + 1 + own.begins[missing[start]] + own.ends[missing[stop]]
    out = np.zeros(len(rest), bool)
    out[pair[start][size > 2]] = True
    # Pieces are counted in one block alone: where noise breaks a header, scraps of it are left beside what is the text's own.
    block = own.block[missing[start]]
    out[pair[start][np.bincount(block)[block] >= PIECES]] = True
    return out


@dataclass(frozen=True, slots=True)
class _Twos:
    """Neighbouring tokens of documents, two by two.

    Attributes:
        at: int64, place among the tokens of all documents. owner: int64, document. block: int64, number of the block between headers.
        hashes: uint64, of the two tokens.
        begins, ends: True at the beginning and at the end of the text or of what is left of it.
    """

    at: np.ndarray
    owner: np.ndarray
    block: np.ndarray
    hashes: np.ndarray
    begins: np.ndarray
    ends: np.ndarray

    def expand(self, documents: np.ndarray) -> tuple[_Twos, np.ndarray]:
        """Return the token pairs of `documents` (int64, repeats allowed) with new block numbers, and the index of each in `documents`."""
        counts = np.bincount(self.owner, minlength=int(documents.max(initial=-1)) + 1)
        sizes = counts[documents]
        at = np.repeat((np.cumsum(counts) - counts)[documents], sizes) + positions_in_items(sizes)
        which = np.repeat(np.arange(len(documents)), sizes)
        block = np.cumsum(first_of_runs(which, self.block[at])) - 1
        return _Twos(self.at[at], self.owner[at], block, self.hashes[at], self.begins[at], self.ends[at]), which


def _in_twos(docs: Ragged, documents: np.ndarray) -> _Twos:
    """Return the pairs of neighbouring tokens of documents, without pairs that contain a GAP."""
    part = kernels.text.take_tokens(docs, documents)
    hashes, whole = hashed_shingles(part, 2)
    gap = np.append(part.tokens == GAP, True)
    at = np.flatnonzero(whole)
    at = at[~(gap[at] | gap[at + 1])]
    owner = np.repeat(np.arange(len(documents)), part.lengths)[at]
    begins, ends = np.append(True, gap), gap.copy()
    begins[part.offsets] = ends[part.offsets] = True
    return _Twos(at, owner, np.cumsum(begins)[at], hashes[at], begins[at], ends[at + 2])


def _distinct_without_gaps(docs: Ragged, width: int) -> np.ndarray:
    """Return the number of distinct shingles of each document that have no GAP, int64."""
    hashes, valid = hashed_shingles(docs, width)
    gaps = prefix_sums(docs.tokens == GAP)
    at = np.flatnonzero(valid)
    at = at[gaps[at + width] == gaps[at]]
    if not len(at):
        return np.zeros(len(docs.lengths), np.int64)
    owner = np.repeat(np.arange(len(docs.lengths)), docs.lengths)[at]
    order = np.lexsort((hashes[at], owner))
    first = first_of_runs(owner[order], hashes[at][order])
    return np.bincount(owner[order][first], minlength=len(docs.lengths))
