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
from quchong.kernels.offsets import first_of_runs, prefix_sums
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


def header_mask(docs: Ragged, headers: np.ndarray, workers: int | None = None) -> np.ndarray:
    """Return a mask of the tokens that headers cover in runs of at least RUN tokens.

    Args:
        docs: tokens as hashes of their letters (`Documents.hashed`).
        headers: shingles of headers, ascending.
    """
    return kernels.pairs.covered_tokens(docs, headers, WIDTH, RUN, workers).astype(bool)


def with_headers(form: Form, documents: Documents, headers: np.ndarray, workers: int | None = None) -> np.ndarray:
    """Return a mask of the documents in which headers cover at least the share MUCH of the tokens."""
    docs = documents.hashed(form, workers)
    covered = prefix_sums(header_mask(docs, headers, workers))
    mask: np.ndarray = np.diff(covered[docs.offsets]) >= np.maximum(MUCH * docs.lengths, 1)
    return mask


def measure_rests(
    form: Form, documents: Documents, headed: Headed, left: np.ndarray, right: np.ndarray, measures: Measures,
    workers: int | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Return `rest_left` and `rest_right`, float64: the share of each text without headers that is found in the other.

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
    hashed = kernels.text.take_tokens(documents.hashed(form, workers), some, workers)
    mask = header_mask(hashed, headed.headers, workers)
    del hashed
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
    whole = _blocks_of(rest) == 1
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
        said = kernels.pairs.says_other(
            both, len(documents) + number[one[brief]], other[brief].astype(np.int64), int(GAP), SHIFT, PIECES, workers
        )
        brief = brief[said != 0]
        share[brief] = 0.0
        says_other[brief] = whole[number[one[brief]]] & (left_over[one[brief]] < left_over[other[brief]])
        shares[f"rest_{side}"] = share
        nothing &= looked & (count == 0)
    # Of two texts of like size, less is left of the one with less noise in the header: if that is one block and says another thing, both
    # do. Of several blocks some are scraps of the header.
    says_other &= enough == 1
    for share in shares.values():
        share[says_other & ~np.isnan(share)] = 0.0
    return {name: np.where(nothing, np.nan, share) for name, share in shares.items()}


def _blocks_of(rest: Ragged) -> np.ndarray:
    """Return the number of text blocks left between headers in each document, int64."""
    owner = np.repeat(np.arange(len(rest.lengths)), rest.lengths)
    gap = rest.tokens == GAP
    return np.bincount(owner[first_of_runs(owner, gap) & ~gap], minlength=len(rest.lengths))


def _distinct_without_gaps(docs: Ragged, width: int) -> np.ndarray:
    """Return the number of distinct shingles of each document that contain no GAP, int64."""
    hashes, valid = hashed_shingles(docs, width)
    gaps = prefix_sums(docs.tokens == GAP)
    at = np.flatnonzero(valid)
    at = at[gaps[at + width] == gaps[at]]
    if not len(at):
        return np.zeros(len(docs.lengths), np.int64)
    owner = np.repeat(np.arange(len(docs.lengths)), docs.lengths)[at]
    code = hashes[at] + mix64(owner.astype(np.uint64))
    order = ordered(code)
    return np.bincount(owner[order[first_of_runs(code[order])]], minlength=len(docs.lengths))
