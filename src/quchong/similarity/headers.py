"""Headers: blocks of text at the head or the foot of many documents that otherwise differ, such as a licence or a disclaimer.

A document that has little but a header is not contained in another one for it: what is left of it decides. The blocks are found by counting
in the corpus, without lists of any language (docs/decisions/0156).
"""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.hashing import COEFFICIENTS, mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form
from quchong.seam import Documents, Measures
from quchong.similarity.thresholds import CONTAINED_SHINGLES, LIKE_SIZE

WIDTH = 5
"""Tokens of the shingles by which a header is known."""
CARRIERS = 16
"""Documents compared with a suspect, the shortest first."""
ENOUGH = 6
"""Least number of carriers that differ from each other apart from the block."""
SAME_END = 0.9
"""Least share of the carriers that have the block at the same end, and least share of the block that lies there."""
MOST_WITNESSES = 0.5
"""Least share of the carriers that have a shingle of a header."""
ALIKE = 0.3
"""Share of what two carriers have beside the block, from which on they are no two witnesses."""
RUN = 12
"""Least tokens of a stretch that is covered by shingles of headers, so that a phrase in common is none."""
MOSTLY = 0.2
"""Least share of a document that headers cover, from which on what is left of it decides."""
GAP = np.uint32(0xFFFFFFFF)
"""Token in the place of a header; no word has it, because hashes of words have 30 bits."""
SLACK = 64
"""Tokens by which a block may be farther from the head or the foot of a carrier than of the suspect; at most half of its tokens."""
LONGER, FAR_LONGER = 2, 6
"""A carrier is at least LONGER times as long as the suspect. What stands at one end alone must do so in carriers of FAR_LONGER times: a post
that quotes another one is mostly shorter.
"""


def _hashed_shingles(docs: Ragged, width: int = WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """Return the hash (uint64) of the shingle at each token, and a mask of the tokens at which a whole shingle of their document begins."""
    tokens = docs.tokens.astype(np.uint64)
    out = np.zeros(len(tokens), np.uint64)
    for k in range(width):
        out[: len(tokens) - k] += (tokens[k:] + np.uint64(1)) * COEFFICIENTS[k]
    left = np.repeat(docs.offsets[1:], docs.lengths) - np.arange(len(tokens))
    return mix64(out), left >= width


def count_headers(
    form: Form, documents: Documents, suspect: np.ndarray, carrier: np.ndarray, workers: int | None = None
) -> np.ndarray:
    """Return the shingles of the headers among suspects (uint64, ascending, distinct).

    Args:
        form: form in which texts become tokens.
        documents: each once.
        suspect, carrier: indices of documents; the pairs of one suspect stand together, at most CARRIERS, in order.
    """
    docs = documents.hashed(form, workers)
    may = _with_ends(docs, suspect, carrier, workers)
    suspect, carrier = suspect[may], carrier[may]
    pairs = len(suspect)
    if not pairs:
        return np.zeros(0, np.uint64)
    # From here on only the documents of these pairs are read.
    some, index = np.unique(np.concatenate([suspect, carrier]), return_inverse=True)
    suspect, carrier = index[:pairs], index[pairs:]
    docs = kernels.text.take_tokens(docs, some, workers)
    lengths = docs.lengths
    start = np.flatnonzero(first_of_runs(suspect))
    counts = np.diff(np.append(start, pairs))
    group = np.repeat(np.arange(len(start)), counts)
    # (1) Distinct shingles of each suspect, and where each document has them first and last.
    hashes, valid = _hashed_shingles(docs)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    suspects = suspect[start]
    of_group = np.full(len(lengths), -1)
    of_group[suspects] = np.arange(len(start))
    own = np.flatnonzero(valid & (of_group[owner] >= 0))
    own = own[np.lexsort((hashes[own], of_group[owner[own]]))]
    own = own[first_of_runs(of_group[owner[own]], hashes[own])]
    mine, shingle = of_group[owner[own]], hashes[own]
    asked = distinct(shingle)
    hit = np.flatnonzero(valid)
    number = np.searchsorted(asked, hashes[hit])
    same = asked[np.minimum(number, len(asked) - 1)] == hashes[hit] if len(asked) else np.zeros(len(hit), bool)
    hit, number = hit[same], number[same]
    key = owner[hit] * len(asked) + number
    order = np.argsort(key, kind="stable")
    key, hit = key[order], hit[order]
    run = np.flatnonzero(first_of_runs(key)) if len(key) else np.zeros(0, np.int64)
    known, first = key[run], hit[run]
    last = hit[np.append(run[1:], len(hit)) - 1]
    # (2) Every shingle of a suspect in every carrier of it: nowhere, somewhere, as far from the head as in the suspect, or from the foot.
    sizes = np.bincount(mine, minlength=len(start))
    row = places_of(prefix_sums(sizes)[:-1][group], sizes[group])
    pair = np.repeat(np.arange(pairs), sizes[group])
    want = carrier[pair] * len(asked) + np.searchsorted(asked, shingle)[row]
    at = np.minimum(np.searchsorted(known, want), len(known) - 1)
    there = known[at] == want
    whole = np.bincount(pair, there, pairs)
    slack = np.minimum(lengths[suspect] // 2, SLACK)[pair]
    begin, end = docs.offsets[:-1], docs.offsets[1:]
    before, behind = own - begin[suspects[mine]], end[suspects[mine]] - own
    head = there & (first[at] - begin[carrier[pair]] <= before[row] + slack)
    foot = there & (end[carrier[pair]] - last[at] <= behind[row] + slack)
    # (3) Witnesses: carriers that differ from every earlier one of the same suspect, apart from the block.
    size = kernels.pairs.distinct_shingles(docs, np.full(len(lengths), WIDTH, np.uint8), workers).astype(np.int64)
    place = positions_in_items(counts)
    later = np.repeat(np.arange(pairs), place)
    earlier = later - place[later] + positions_in_items(place)
    codes, back = np.unique(carrier[later] * len(lengths) + carrier[earlier], return_inverse=True)
    both = kernels.pairs.shared_shingles(
        docs, codes // len(lengths), codes % len(lengths), np.full(len(codes), WIDTH, np.uint8), workers
    )[back]
    rest = size[carrier] - whole
    more = both - np.minimum(whole[later], whole[earlier])
    witness = np.ones(pairs, bool)
    witness[later[more >= ALIKE * np.maximum(np.minimum(rest[later], rest[earlier]), 1)]] = False
    # (4) Shingles that most witnesses have, nearly all of these at one end. A block at one end needs witnesses of which it is a small part.
    far = lengths[carrier] >= FAR_LONGER * lengths[suspect]
    near_head, near_foot = _at_ends(witness, group, mine, pair, row, there, head, foot)
    both_ends = np.minimum(*(np.bincount(mine, side, len(start)) for side in (near_head, near_foot))) > RUN - WIDTH
    far_head, far_foot = _at_ends(witness & far, group, mine, pair, row, there, head, foot)
    return distinct(shingle[far_head | far_foot | ((near_head | near_foot) & both_ends[mine])])


def _with_ends(docs: Ragged, suspect: np.ndarray, carrier: np.ndarray, workers: int | None) -> np.ndarray:
    """Return a mask of the pairs of suspects that may have a header: ENOUGH carriers have RUN tokens of theirs near one end.

    Cost: the tokens of the suspects, once for each pair; most suspects of a corpus without headers end here.
    """
    lengths = docs.lengths
    long = np.minimum(lengths[suspect] + np.minimum(lengths[suspect] // 2, SLACK), lengths[carrier])
    begin, end = docs.offsets[:-1][carrier], docs.offsets[1:][carrier]
    first = np.flatnonzero(first_of_runs(suspect)) if len(suspect) else suspect
    group = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(suspect))))
    own = lengths[suspect[first]]
    at = np.concatenate([places_of(docs.offsets[:-1][suspect[first]], own), places_of(begin, long), places_of(end - long, long)])
    ends = Ragged(docs.tokens[at], prefix_sums(np.concatenate([own, long, long])))
    enough = np.zeros(len(first), bool)
    for side in (0, 1):
        piece = len(first) + side * len(suspect) + np.arange(len(suspect))
        shared = kernels.pairs.shared_shingles(ends, group, piece, np.full(len(piece), WIDTH, np.uint8), workers)
        enough |= np.bincount(group, shared > RUN - WIDTH, len(first)) >= ENOUGH
    mask: np.ndarray = enough[group]
    return mask


def _at_ends(
    witness: np.ndarray, group: np.ndarray, mine: np.ndarray, pair: np.ndarray, row: np.ndarray, there: np.ndarray,
    head: np.ndarray, foot: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return masks of the shingles that most of the witnesses have, nearly all of these at the head, or at the foot."""
    total = np.bincount(group, witness)
    seen = witness[pair]
    everywhere, heads, feet = (np.bincount(row[side & seen], minlength=len(mine)) for side in (there, head, foot))
    least = np.maximum(np.maximum(ENOUGH, MOST_WITNESSES * total)[mine], SAME_END * everywhere)
    return heads >= least, feet >= least


def header_mask(docs: Ragged, headers: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens of documents that headers cover, in stretches of at least RUN tokens.

    Args:
        docs: tokens as hashes of their letters (`Documents.hashed`).
        headers: shingles of headers (`count_headers`), at least one.
    """
    hashes, valid = _hashed_shingles(docs)
    place = np.minimum(np.searchsorted(headers, hashes), len(headers) - 1)
    at = np.flatnonzero(valid & (headers[place] == hashes))
    covered = np.zeros(len(hashes), bool)
    for k in range(WIDTH):
        covered[at + k] = True
    begins = np.zeros(len(covered), bool)
    begins[docs.offsets[:-1][docs.lengths > 0]] = True
    run = np.flatnonzero(begins | first_of_runs(covered)) if len(covered) else np.zeros(0, np.int64)
    size = np.diff(np.append(run, len(covered)))
    mask: np.ndarray = covered & np.repeat(size >= RUN, size)
    return mask


def mostly_headers(form: Form, documents: Documents, headers: np.ndarray, workers: int | None = None) -> np.ndarray:
    """Return a mask of the documents of which headers cover MOSTLY of the tokens, or more."""
    docs = documents.hashed(form, workers)
    covered = prefix_sums(header_mask(docs, headers))
    mask: np.ndarray = np.diff(covered[docs.offsets]) >= np.maximum(MOSTLY * docs.lengths, 1)
    return mask


def measure_rests(
    form: Form, documents: Documents, mostly: np.ndarray, headers: np.ndarray, left: np.ndarray, right: np.ndarray,
    measures: Measures, least: float, workers: int | None = None,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Measure the share of what is left of either text without headers that the other one has: `rest_left`, `rest_right`, float64.

    The share is NaN if headers are too little of the text, if the other one has less than `least` of the text, or if nothing is left of
    both texts. It is 0 if nothing is left of the text alone, or too little to be contained in a longer one.

    Args:
        documents: each once; left and right index them.
        mostly: mask of the documents of which headers are enough (`mostly_headers`); others are not looked at.
        headers: shingles of headers, at least one.
        measures: of the pairs: `ngram_size`, containments and tokens.
        least: share of a text in the other from which on what is left of it is looked at.
    """
    # Headers are known by hashes of letters; what is left is compared by letters.
    docs, _ = documents.tokenised(form, workers)
    some = np.flatnonzero(mostly)
    number = np.full(len(documents), -1)
    number[some] = np.arange(len(some))
    mask = header_mask(documents.take(some).hashed(form, workers), headers)
    # What is left of each: its tokens, with one GAP in the place of each stretch of a header.
    mine = kernels.text.take_tokens(docs, some, workers)
    stays = ~mask | first_of_runs(mask, np.repeat(some, mine.lengths))
    rest = Ragged(np.where(mask, GAP, mine.tokens)[stays], prefix_sums(stays)[mine.offsets])
    both = Ragged(
        np.concatenate([docs.tokens, rest.tokens]), np.concatenate([docs.offsets, docs.offsets[-1] + rest.offsets[1:]])
    )
    width = np.asarray(measures["ngram_size"], np.uint8)
    size = {int(w): _distinct_without_gaps(rest, int(w)) for w in distinct(width)}
    tokens = [measures[f"tokens_{side}"].astype(np.int64) for side in ("left", "right")]
    # In a longer text something is contained that could be so alone; in one of like size all that is left counts.
    enough = np.where(np.maximum(*tokens) >= LIKE_SIZE * np.minimum(*tokens), CONTAINED_SHINGLES, 1)
    shares, nothing = [], []
    for side, one, other in (("left", left, right), ("right", right, left)):
        looked = mostly[one] & (measures[f"containment_{side}"] >= least)
        share, count = np.full(len(one), np.nan), np.zeros(len(one), np.int64)
        at = np.flatnonzero(looked)
        for w, sizes in size.items():
            of_width = at[width[at] == w]
            count[of_width] = sizes[number[one[of_width]]]
        left_over = at[count[at] >= enough[at]]
        share[at] = 0.0
        shared = kernels.pairs.shared_shingles(
            both, len(documents) + number[one[left_over]], other[left_over], width[left_over], workers
        )
        share[left_over] = shared / count[left_over]
        shares.append(share)
        nothing.append(looked & (count == 0))
    neither = nothing[0] & nothing[1]
    return {
        f"rest_{side}": np.where(neither, np.nan, share) for side, share in zip(("left", "right"), shares, strict=True)
    }


def _distinct_without_gaps(docs: Ragged, width: int) -> np.ndarray:
    """Return the number of distinct shingles of each document that have no GAP, int64."""
    hashes, valid = _hashed_shingles(docs, width)
    gaps = prefix_sums(docs.tokens == GAP)
    at = np.flatnonzero(valid)
    at = at[gaps[at + width] == gaps[at]]
    owner = np.repeat(np.arange(len(docs.lengths)), docs.lengths)[at]
    order = np.lexsort((hashes[at], owner))
    first = first_of_runs(owner[order], hashes[at][order]) if len(at) else np.zeros(0, bool)
    return np.bincount(owner[order][first], minlength=len(docs.lengths))
