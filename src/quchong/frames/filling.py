"""Documents put into frames, and what each has in the slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from quchong.frames.columns import align, covered
from quchong.frames.finding import COVERED, Frames, Read, joined, taken
from quchong.frames.slots import fillers_of
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import ordered

AT_ONCE = 1 << 15
"""Most documents put into frames at once; also at most BATCH_BYTES of text."""
BATCH_BYTES = 8 << 20
OFTEN = 0.8
"""Share of the documents whose filler others have too, from which on a slot is filled from a list; a filler of its own there is a slip."""
PAIRS_AT_ONCE = 1 << 16
"""Pairs compared at once."""


@dataclass(frozen=True, slots=True)
class Filled:
    """The frame of each document, and its fillers.

    Attributes:
        frame: int32 per document; -1 for none.
        first: int64 per document, where its fillers begin; the fillers of a document are those of the slots of its frame, in order.
        value: uint64, hash of the tokens of each filler; 0 for nothing.
        lone: bool per filler, True if no other document has it in this slot, although nearly all others share theirs.
        start, length: uint32 per filler, its tokens in the document.
        slots: int64, offsets of the slots of each frame.
    """

    frame: np.ndarray
    first: np.ndarray
    value: np.ndarray
    lone: np.ndarray
    start: np.ndarray
    length: np.ndarray
    slots: np.ndarray
    records: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


def fill(frames: Frames, label: np.ndarray, size: np.ndarray, read: Read, workers: int | None = None) -> Filled:
    """Put each document of a component with frames into the first of them that it is near to, and return what it has in the slots.

    Args:
        label: int64, component of each document.
        size: int64, bytes of each document.
        read: function that returns the tokens of documents as hashes of their letters.

    Deterministic. Cost: each document of such a component is aligned with the frames of its component until one is near.
    """
    n = len(label)
    frame, first = np.full(n, -1, np.int32), np.zeros(n, np.int64)
    per = np.bincount(frames.slots.frame, minlength=len(frames))
    offsets = prefix_sums(per)
    start_of = np.full(n, -1)  # first frame of each component
    order = np.flatnonzero(first_of_runs(frames.component))[::-1] if len(frames) else np.zeros(0, np.int64)
    start_of[frames.component[order]] = order
    some = np.flatnonzero(start_of[label] >= 0)
    values, starts, lengths, made = [], [], [], 0
    for part in _pieces(some, size):
        docs = read(part)
        both = joined([frames.tokens, docs])
        left = np.arange(len(part))
        for turn in range(len(frames)):
            asked = start_of[label[part[left]]] + turn
            able = asked < len(frames)
            able[able] &= frames.component[asked[able]] == label[part[left[able]]]
            left, asked = left[able], asked[able]
            if not len(left):
                break
            aligned = align(both, asked, left + len(frames), workers)
            near = covered(both, aligned, COVERED)
            aligned, mine = aligned.select(near), asked[near]
            found = fillers_of(both, aligned, mine, frames.slots, len(frames))
            here = part[left[near]]
            frame[here], first[here] = mine, made + prefix_sums(per[mine])[:-1]
            made += len(found.value)
            values.append(found.value)
            starts.append(found.start.astype(np.uint32))
            lengths.append((found.end - found.start).astype(np.uint32))
            left = left[~near]
    value = np.concatenate([np.zeros(0, np.uint64), *values])
    nothing = np.zeros(0, np.uint32)
    filled = Filled(
        frame, first, value, np.zeros(len(value), bool), np.concatenate([nothing, *starts]), np.concatenate([nothing, *lengths]), offsets,
        np.bincount(frame[frame >= 0], minlength=len(frames)),
    )  # fmt: skip
    filled.lone[:] = _lone(filled)
    return filled


def _pieces(some: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Yield consecutive documents of at most AT_ONCE and about BATCH_BYTES."""
    if len(some):
        piece = np.cumsum(size[some]) // BATCH_BYTES + np.arange(len(some)) // AT_ONCE
        yield from np.split(some, np.flatnonzero(np.diff(piece)) + 1)


def _lone(filled: Filled) -> np.ndarray:
    """Return a mask of the fillers that one document alone has, in slots where nearly all documents share theirs with others."""
    docs = np.flatnonzero(filled.frame >= 0)
    per = np.diff(filled.slots)[filled.frame[docs]]
    at = places_of(filled.first[docs], per)
    slot = filled.slots[np.repeat(filled.frame[docs], per)] + positions_in_items(per)
    value = filled.value[at]
    order = ordered(slot, value)
    new = first_of_runs(slot[order], value[order])
    counts = np.diff(np.append(np.flatnonzero(new), len(order)))
    single = np.empty(len(at), bool)
    single[order] = np.repeat(counts == 1, counts)
    count = int(filled.slots[-1])
    shared = np.bincount(slot[~single], minlength=count) >= OFTEN * np.bincount(slot, minlength=count)
    out = np.zeros(len(filled.value), bool)
    out[at] = single & shared[slot]
    return out


def conflicts(filled: Filled, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs of documents of one frame that fill a slot otherwise.

    Both must have something there. A filler that no other document has, in a slot that is filled from a list, is taken for a slip.

    Args:
        left, right: int64, documents of each pair.
    """
    out = np.zeros(len(left), bool)
    both = np.flatnonzero((filled.frame[left] >= 0) & (filled.frame[left] == filled.frame[right]))
    for begin in range(0, len(both), PAIRS_AT_ONCE):
        some = both[begin : begin + PAIRS_AT_ONCE]
        per = np.diff(filled.slots)[filled.frame[left[some]]]
        a, b = (places_of(filled.first[side[some]], per) for side in (left, right))
        differ = (filled.value[a] != filled.value[b]) & (filled.value[a] != 0) & (filled.value[b] != 0)
        differ &= ~filled.lone[a] & ~filled.lone[b]
        out[some] = np.bincount(np.repeat(np.arange(len(some)), per), differ, minlength=len(some)) > 0
    return out
