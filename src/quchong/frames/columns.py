"""Alignments of documents with the model of their frame, and the text of each document at a position of the model.

Places in a model of n tokens are numbered from 0 to 2n: an even number 2g is the gap before token g, an odd one 2p + 1 is token p, so
that an edit is a range of places: an insertion one gap, every other edit its tokens and the gaps between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.kernels.sorting import ordered


@dataclass(frozen=True)
class Aligned:
    """Documents aligned with one model document each: the edits that turn a model into its document.

    Attributes:
        model, document: int64, index of the model and of the document of each row.
        offsets: int64, edits of row i are offsets[i]:offsets[i + 1].
        places: uint32, (edits, 4): start and end of each edit in the model's tokens, and in the document's.
        matched: uint32 per row, tokens found equal.
    """

    model: np.ndarray
    document: np.ndarray
    offsets: np.ndarray
    places: np.ndarray
    matched: np.ndarray

    @cached_property
    def row(self) -> np.ndarray:
        """Row number of the aligned document of each edit, int64."""
        return np.repeat(np.arange(len(self.model)), np.diff(self.offsets))

    @cached_property
    def replacing(self) -> np.ndarray:
        """Indices of the edits that put tokens in place of the model's or beside them, int64; an omission replaces nothing."""
        return np.flatnonzero(self.places[:, 3] > self.places[:, 2])

    @cached_property
    def first(self) -> np.ndarray:
        """Number of the first position of each edit in its model, int64: 2 i is the gap before token i, 2 i + 1 is token i."""
        start = self.places[:, 0].astype(np.int64)
        places: np.ndarray = 2 * start + (self.places[:, 0] != self.places[:, 1])
        return places

    @cached_property
    def last(self) -> np.ndarray:
        """Number of the position after each edit in its model, int64."""
        end = self.places[:, 1].astype(np.int64)
        places: np.ndarray = 2 * end + (self.places[:, 0] == self.places[:, 1])
        return places

    def select(self, rows: np.ndarray) -> Aligned:
        """Return the alignments selected by a mask."""
        counts = np.diff(self.offsets)
        return Aligned(
            self.model[rows], self.document[rows], prefix_sums(counts[rows]), self.places[np.repeat(rows, counts)], self.matched[rows],
        )  # fmt: skip


def align(docs: Ragged, model: np.ndarray, document: np.ndarray, workers: int | None = None) -> Aligned:
    """Align each document with its model, both indices into `docs`. Cost: `quchong.kernels.align.edits`."""
    found = kernels.align.edits(docs, model.astype(np.uint32), document.astype(np.uint32), join=False, workers=workers)
    return Aligned(model, document, found.offsets, found.places, found.matched)


def covered(docs: Ragged, aligned: Aligned, share: float) -> np.ndarray:
    """Return a mask of the alignments in which the equal tokens are at least `share` of the model and of the document."""
    lengths = docs.lengths
    longer = np.maximum(lengths[aligned.model], lengths[aligned.document])
    mask: np.ndarray = aligned.matched >= share * longer
    return mask


def replaced_runs(aligned: Aligned, group: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the longest runs of positions of each model where enough documents have other tokens: model, first position, position after.

    Positions at which a document has nothing are not counted. All three are int64, ascending by model and position.

    Args:
        group: int64 per row, number of its model.
        least: int64 or float64 per model, documents that are enough; at least one.

    Deterministic. Cost: a sort of the edits, however long the models are.
    """
    other = aligned.replacing
    if not len(other):
        return other, other, other
    model = np.tile(group[aligned.row[other]], 2)
    place = np.concatenate([aligned.first[other], aligned.last[other]])
    step = np.repeat(np.array([1, -1]), len(other))
    # Between two places at which edits begin or end, the same documents have other tokens.
    order = ordered(model, place)
    model, place = model[order], place[order]
    start = np.flatnonzero(first_of_runs(model, place))
    counts = np.cumsum(np.add.reduceat(step[order], start))  # 0 behind the last edit of a model
    model, place = model[start], place[start]
    enough = counts >= least[model]
    before = np.append(False, enough[:-1])
    begins, ends = np.flatnonzero(enough & ~before), np.flatnonzero(before & ~enough)
    return model[begins], place[begins], place[ends]


def stretches_at(
    docs: Ragged, aligned: Aligned, row: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the token range (start, end, int64) of a document at positions first:last of its model, and a mask of the exact ends.

    The mask, bool (ranges, 2), tells which starts and which ends are known. The others are likely ones: an edit crosses an end of the
    range, and what it has beyond the end differs from the model, token for token if it is noise. A range that cannot be is empty.

    Args:
        docs: documents and models.
        row: int64, row of each question. first, last: int64, places in the model of the row.
    """
    if not len(aligned.places):
        return first // 2, last // 2, np.ones((len(row), 2), bool)
    stops = aligned.last
    wide = int(max(stops.max(), last.max(initial=0))) + 2
    key = aligned.row * wide + aligned.first

    def token_at(place: np.ndarray, *, is_end: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        # The last edit that begins before the place; none if it is of an earlier row.
        at = np.searchsorted(key, row * wide + place) - 1
        none = at < aligned.offsets[row]
        at = np.maximum(at, 0)
        edit, token = aligned.places[at].astype(np.int64), place // 2
        out = np.where(none, token, edit[:, 3] + token - edit[:, 1])
        # Inside an edit, equal tokens between the place and the end of the edit beyond the range tell where it is.
        inside = np.flatnonzero(~none & (stops[at] > place))
        edit, token = edit[inside], token[inside]
        size = edit[:, 1] - token if is_end else token - edit[:, 0]
        guess = edit[:, 3] - size if is_end else edit[:, 2] + size
        within = (guess >= edit[:, 2]) & (guess <= edit[:, 3])
        known, some = within.copy(), np.flatnonzero(within)
        model, document = aligned.model[row[inside[some]]], aligned.document[row[inside[some]]]
        left, right = (token[some], guess[some]) if is_end else (edit[some, 0], edit[some, 2])
        known[some] = range_hashes(docs, model, left, size[some]) == range_hashes(docs, document, right, size[some])
        out[inside] = guess
        unknown, outside = np.zeros(len(row), bool), np.zeros(len(row), bool)
        unknown[inside[~known]], outside[inside[~within]] = True, True
        return out, unknown, outside

    (start, lost, no_start), (end, also, no_end) = token_at(first, is_end=False), token_at(last, is_end=True)
    turned = end < start
    empty = no_start | no_end | turned
    turned &= ~(lost | also)  # one of both is wrong
    known = np.stack([~(lost | turned), ~(also | turned)], 1)
    return np.where(empty, 0, start), np.where(empty, 0, end), known


def well_mixed(values: np.ndarray) -> np.ndarray:
    """Return a well-mixed hash of each number, uint64 (the finaliser of SplitMix64)."""
    out = (values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    out ^= out >> np.uint64(29)
    out *= np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = out ^ (out >> np.uint64(32))
    return mixed


def range_hashes(docs: Ragged, document: np.ndarray, start: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return a hash of `lengths` tokens of each document from `start` on, uint64; 0 for an empty range only."""
    offsets = prefix_sums(lengths)
    place = np.arange(offsets[-1], dtype=np.uint64) - np.repeat(offsets[:-1], lengths).astype(np.uint64)
    tokens = docs.tokens[places_of(docs.offsets[document] + start, lengths)].astype(np.uint64)
    # Mix each token with its place in the range; the hash is the sum.
    sums = np.zeros(len(tokens) + 1, np.uint64)
    np.cumsum(well_mixed(tokens | place << np.uint64(32)), out=sums[1:])
    out: np.ndarray = sums[offsets[1:]] - sums[offsets[:-1]]
    out[lengths > 0] |= np.uint64(1)
    return out
