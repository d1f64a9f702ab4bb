"""Payloads of documents on one template compared: which fill a slot otherwise, and which may be copies."""

from __future__ import annotations

import numpy as np

from quchong.frames.columns import range_hashes, well_mixed
from quchong.frames.filling import Filled
from quchong.frames.neighbours import usual_exchanges
from quchong.frames.slots import Breaks
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import distinct, ordered

PAIRS_AT_ONCE = 1 << 16
"""Pairs compared at once."""
LONG, LIKE, PHRASE = 8, 0.75, 2
"""Tokens at or above which a filler is long, share of its tokens that another one has if it is the same, edited; and neighbouring tokens
on both sides at or above which what differs is another phrase.
"""
PAYLOAD = 4
"""Least number of tokens of a payload by which documents of different frames are one record."""
MET, FEW = 16, 8
"""Documents of equal payload that a document is paired with, the first ones; greatest group of documents that differ in one slot alone
that are paired.
"""


def conflicts(filled: Filled, left: np.ndarray, right: np.ndarray, breaks: Breaks | None = None) -> np.ndarray:
    """Return a mask of the pairs of documents of one frame that have different fillers in a slot.

    Both must have something there. Four differences count nothing: a filler with more at its outer end, at the beginning or end of the
    text, behind a line break or a mark (a source or a comment was added); a filler that no other document has, in a slot filled from a
    list, if it is like the other (a slip); long fillers of which LIKE is the same, unless another phrase is in one of them; and fillers
    that are unknown. The second and the third are other values where what differs is usual in the slot.

    Args:
        left, right: int64, documents of each pair.
        breaks: function that tells where such a line ends; None: anywhere.
    """
    out = np.zeros(len(left), bool)
    both = np.flatnonzero((filled.frame[left] >= 0) & (filled.frame[left] == filled.frame[right]))
    for begin in range(0, len(both), PAIRS_AT_ONCE):
        some = both[begin : begin + PAIRS_AT_ONCE]
        (a, per), (b, _) = filled.fillers(left[some]), filled.fillers(right[some])
        value = filled.value
        at = np.flatnonzero((value[a] != value[b]) & (value[a] != 0) & (value[b] != 0))
        pair, slot = np.repeat(np.arange(len(some)), per)[at], filled.slots_of(left[some])[at]
        a, b = a[at], b[at]
        holders = left[some[pair]], right[some[pair]]
        real = ~_added_outside(filled, slot, a, b, holders, breaks)
        longer = np.maximum(_sizes(filled.tokens, a), _sizes(filled.tokens, b))
        lone = filled.lone[a] | filled.lone[b]
        some_like = np.flatnonzero(real & (lone | (longer >= LONG)))
        real[some_like] = ~_like(filled, slot[some_like], a[some_like], b[some_like], lone[some_like])
        out[some[pair[real]]] = True
    return out


def _sizes(tokens: Ragged, some: np.ndarray) -> np.ndarray:
    """Return the lengths of the fillers `some`, computed for these alone."""
    sizes: np.ndarray = tokens.offsets[some + 1] - tokens.offsets[some]
    return sizes


def _added_outside(
    filled: Filled, slot: np.ndarray, a: np.ndarray, b: np.ndarray, holders: tuple[np.ndarray, np.ndarray], breaks: Breaks | None
) -> np.ndarray:  # fmt: skip
    """Return a mask of the filler pairs at the beginning or end of texts of which one contains the other and adds more outside.

    Args:
        holders: documents of the fillers a, and of b.
        breaks: what is more must be a line of its own by this function; None: it need not be.
    """
    places, frame = filled.frames.slots.places[slot], filled.frames.slots.frame[slot]
    starts, ends = places[:, 0] == 0, places[:, 1] > 2 * filled.frames.tokens.lengths[frame]
    tokens, out = filled.tokens, np.zeros(len(slot), bool)
    some = np.flatnonzero(starts | ends)
    x, y, at_end = a[some], b[some], ends[some]
    sizes = _sizes(tokens, x), _sizes(tokens, y)
    size = np.minimum(*sizes)
    hashes = [
        range_hashes(tokens, side, np.where(at_end, 0, length - size), size)
        for side, length in ((x, sizes[0]), (y, sizes[1]))
    ]
    out[some] = hashes[0] == hashes[1]
    within = np.flatnonzero(out[some])
    if breaks is not None and len(within):
        some, left_longer = some[within], sizes[0][within] > sizes[1][within]
        long = np.where(left_longer, a[some], b[some])
        more = np.abs(sizes[0] - sizes[1])[within]
        token = filled.start[long].astype(np.int64) + np.where(at_end[within], size[within], more)
        out[some] = breaks(np.where(left_longer, holders[0][some], holders[1][some]), token)
    return out


def _like(filled: Filled, slot: np.ndarray, a: np.ndarray, b: np.ndarray, lone: np.ndarray) -> np.ndarray:
    """Return a mask of the filler pairs that are edited copies: at least LIKE of the tokens equal, or all but one of a lone filler.

    Where what differs is usual in the slot on both sides, they are others (`quchong.frames.neighbours`).
    """
    tokens = filled.tokens
    pair, token = [], []
    for side in (a, b):
        lengths = _sizes(tokens, side)
        pair.append(np.repeat(np.arange(len(side)), lengths))
        token.append(tokens.tokens[places_of(tokens.offsets[side], lengths)].astype(np.int64))
    # Distinct tokens of each side, then how many of them both have.
    keys = [distinct((p << 32) | t) for p, t in zip(pair, token, strict=True)]
    both = np.bincount(np.intersect1d(keys[0], keys[1], assume_unique=True) >> 32, minlength=len(a))
    longer = np.maximum(*(np.bincount(k >> 32, minlength=len(a)) for k in keys))
    mask: np.ndarray = (longer >= LONG) & (both >= LIKE * longer)
    some = np.flatnonzero(mask & (longer - both >= PHRASE))  # with equal tokens one of them is in another order
    mask[some] = ~_other_phrase(tokens, a[some], b[some])
    mask |= lone & (both >= np.maximum(longer - 1, 1))
    some = np.flatnonzero(mask)
    if filled.known is not None:
        mask[some] = ~usual_exchanges(tokens, a[some], b[some], slot[some], filled.known.neighbours)
    return mask


def _other_phrase(tokens: Ragged, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a mask of the filler pairs that differ by PHRASE neighbouring tokens or more on both sides.

    Single tokens replaced one for one are noise, or a slip.
    """
    sizes = _sizes(tokens, a), _sizes(tokens, b)
    least, same = np.minimum(*sizes), sizes[0] == sizes[1]
    first, last = (tokens.offsets[a], tokens.offsets[b]), (tokens.offsets[a + 1] - 1, tokens.offsets[b + 1] - 1)
    at_start, at_end, other, most = (np.zeros(len(a), np.int64) for _ in range(4))
    # Fillers are short, so that there are few steps.
    for k in range(int(least.max(initial=0))):
        some = np.flatnonzero(k < least)
        equal = tokens.tokens[first[0][some] + k] == tokens.tokens[first[1][some] + k]
        other[some] = np.where(equal, 0, other[some] + 1)
        most = np.maximum(most, other)
        at_start[some] += equal & (at_start[some] == k)
        at_end[some] += (tokens.tokens[last[0][some] - k] == tokens.tokens[last[1][some] - k]) & (at_end[some] == k)
    outside = np.minimum(at_start + at_end, least)
    mask: np.ndarray = np.where(same, most, least - outside) >= PHRASE
    return mask


def meetings(filled: Filled) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of documents of one frame with equal fillers in all slots but at most one, or with equal tokens.

    In a large family most documents meet only its first ones by their features; by their fillers copies meet each other. A filler that is
    not known counts as what is likely there (`Filled.likely`): meeting decides nothing.

    Returns:
        left, right: int64, left < right, each pair once, sorted. A document is paired with the first MET of equal payload, and with all of
        a group of at most FEW that differ in one slot, or that have the same tokens in another order.

    Cost: a sort of documents times slots.
    """
    docs, whole = filled.inside, np.flatnonzero(filled.bag)
    found = [_paired(whole, filled.bag[whole], FEW, FEW)]
    at, per = filled.fillers(docs)
    slot = filled.slots_of(docs)
    row = np.repeat(np.arange(len(docs)), per)
    mixed = well_mixed(filled.likely[at] ^ well_mixed(slot))
    sums = np.zeros(len(at) + 1, np.uint64)
    np.cumsum(mixed, out=sums[1:])
    ends = prefix_sums(per)
    total = sums[ends[1:]] - sums[ends[:-1]] + well_mixed(filled.frame[docs])
    found.append(_paired(docs, total, MET, None))
    # Each slot left out in turn, in frames of several.
    several = np.flatnonzero(per[row] > 1)
    rest = (total[row] - mixed + well_mixed(slot + (1 << 40)))[several]
    found.append(_paired(docs[row[several]], rest, FEW, FEW))
    codes = distinct(np.concatenate([left * len(filled.frame) + right for left, right in found]))
    left, right = np.divmod(codes, len(filled.frame))
    return left, right


def filler_keys(filled: Filled) -> np.ndarray:
    """Return for each document a number made of its frame and its probable fillers, uint64; 0 if either is unknown.

    What fills a slot is taken to be what is likely there (`Filled.likely`). The number is 0 too if it is not known of a slot, or nothing.
    """
    out = np.zeros(len(filled.frame), np.uint64)
    docs = filled.inside
    at, per = filled.fillers(docs)
    ends, sums = prefix_sums(per), np.zeros(len(at) + 1, np.uint64)
    np.cumsum(well_mixed(filled.likely[at] ^ well_mixed(filled.slots_of(docs))), out=sums[1:])
    empty = prefix_sums(filled.likely[at] == 0)
    whole = empty[ends[1:]] == empty[ends[:-1]]
    out[docs] = np.where(whole, sums[ends[1:]] - sums[ends[:-1]] + well_mixed(filled.frame[docs]), 0)
    return out


def equal_fillers(filled: Filled) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of documents of one frame with equal fillers in all slots (`filler_keys`).

    Returns:
        left, right: int64, left < right, each pair once, sorted; a document is paired with the first MET that fill them so.

    Cost: a sort of documents.
    """
    keys = filler_keys(filled)
    docs = np.flatnonzero(keys)
    left, right = _paired(docs, keys[docs], MET, None)
    order = ordered(left, right)
    return left[order], right[order]


def payloads(filled: Filled) -> tuple[np.ndarray, np.ndarray]:
    """Return the documents with at least PAYLOAD tokens in their slots, int64, and a hash of these tokens of each, uint64."""
    docs = filled.inside
    ends = np.diff(filled.slots)[filled.frame[docs]] + filled.first[docs]
    start, end = filled.tokens.offsets[filled.first[docs]], filled.tokens.offsets[ends]
    known = np.flatnonzero(end - start >= PAYLOAD)
    whole = Ragged(filled.tokens.tokens, np.array([0, len(filled.tokens.tokens)]))
    return docs[known], range_hashes(whole, np.zeros(len(known), np.int64), start[known], (end - start)[known])


def payload_bags(filled: Filled) -> np.ndarray:
    """Return for each document a number made of the tokens in its slots, whatever slot they are in, uint64; 0 without a frame.

    Of two records with lines in another order it is the same, also if one of them has a line more that fills no slot.
    """
    out = np.zeros(len(filled.frame), np.uint64)
    docs = filled.inside
    ends = np.diff(filled.slots)[filled.frame[docs]] + filled.first[docs]
    sums = np.zeros(len(filled.tokens.tokens) + 1, np.uint64)
    np.cumsum(well_mixed(filled.tokens.tokens), out=sums[1:])
    out[docs] = sums[filled.tokens.offsets[ends]] - sums[filled.tokens.offsets[filled.first[docs]]]
    return out


def same_payloads(filled: Filled) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of documents of different frames with the same tokens in their slots, in order, at least PAYLOAD.

    Returns:
        left, right: int64, left < right, each pair once, sorted; a document is paired with the first MET of its payload.
    """
    left, right = _paired(*payloads(filled), MET, None)
    other = filled.frame[left] != filled.frame[right]
    left, right = left[other], right[other]
    order = ordered(left, right)
    return left[order], right[order]


def _paired(docs: np.ndarray, key: np.ndarray, met: int, most: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of each document with the first `met` documents of equal key; keys with more than `most` documents give none."""
    order = ordered(key, docs)
    key, docs = key[order], docs[order]
    new = first_of_runs(key)
    start = np.flatnonzero(new)
    counts = np.diff(np.append(start, len(key)))
    place = np.arange(len(key)) - np.repeat(start, counts)
    able = np.ones(len(key), bool) if most is None else np.repeat(counts <= most, counts)
    partners = np.where(able, np.minimum(place, met), 0)
    right = np.repeat(docs, partners)
    left = docs[np.repeat(np.repeat(start, counts), partners) + positions_in_items(partners)]
    return left, right
