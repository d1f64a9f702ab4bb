"""Documents put into frames, and what each has in the slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from quchong.frames.columns import align, covered, well_mixed
from quchong.frames.fillers import fillers_of
from quchong.frames.finding import COVERED, Frames, Read, concat_documents
from quchong.frames.neighbours import usual_neighbours
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import among, ordered

AT_ONCE = 1 << 15
"""Most documents put into frames at once; also at most BATCH_BYTES of text."""
BATCH_BYTES = 8 << 20
SELDOM, FEW = 0.01, 2
"""Share of the documents of a frame that have a token in place of one of the model, and number of them, up to which it may be a slip."""
OFTEN = 0.8
"""Share of documents whose filler others have too, at or above which a slot is filled from a list; a filler of its own there is a slip."""


@dataclass(frozen=True, slots=True)
class Filled:
    """Frame of each document, with its fillers.

    Attributes:
        frames: the frames.
        frame: int32 per document; -1 for none.
        first: int64 per document, where its fillers begin; the fillers of a document are those of the slots of its frame, in order.
        value: uint64, hash of the tokens of each filler; 0 for nothing.
        likely: uint64, the value, or what it is if noise beside the slot replaced tokens one for one (`quchong.frames.fillers.Fillers`).
        lone: bool per filler, True if no other document has it in this slot, although nearly all others share theirs.
        start: uint32 per filler, where its tokens begin in the document.
        tokens: tokens of each filler, hashes of their letters.
        bag: uint64 per document of a component with frames, the sum of its tokens, whatever their order; else 0.
        known: fillers that several documents have, by which `lone` ones are told.
    """

    frames: Frames
    frame: np.ndarray
    first: np.ndarray
    value: np.ndarray
    likely: np.ndarray
    lone: np.ndarray
    start: np.ndarray
    tokens: Ragged
    bag: np.ndarray
    known: KnownFillers | None = None

    @property
    def slots(self) -> np.ndarray:
        """Offsets of the slots of each frame among all slots, int64."""
        return prefix_sums(np.bincount(self.frames.slots.frame, minlength=len(self.frames)))

    @property
    def inside(self) -> np.ndarray:
        """Documents that have a frame, int64, ascending."""
        return np.flatnonzero(self.frame >= 0)

    def fillers(self, documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of the fillers of documents that have a frame, int64, and the number for each document."""
        per = np.diff(self.slots)[self.frame[documents]]
        return places_of(self.first[documents], per), per

    def seldom(self, frame: np.ndarray, token: np.ndarray) -> np.ndarray:
        """Return a mask of the tokens that hardly any document of the frame has where the model differs (`KnownFillers.usual`)."""
        if self.known is None:
            return np.zeros(len(token), bool)
        return ~among(frame.astype(np.uint64) << np.uint64(32) | token.astype(np.uint64), self.known.usual)

    def slots_of(self, documents: np.ndarray) -> np.ndarray:
        """Return the slot number of each filler of these documents, int64."""
        per = np.diff(self.slots)[self.frame[documents]]
        return np.repeat(self.slots[self.frame[documents]], per) + positions_in_items(per)


@dataclass(frozen=True, slots=True)
class KnownFillers:
    """Fillers that several documents have, by slot: counted on a corpus, and frozen for documents that come later.

    Attributes:
        listed: bool per slot, True if nearly all documents share their filler with others, so that it is filled from a list.
        slot, value: int64 and uint64, the fillers of at least two documents, sorted by both.
        neighbours: uint64, neighbouring tokens that are usual in a slot (`quchong.frames.neighbours.usual_neighbours`).
        usual: uint64, ascending: frame << 32 | token of the tokens that documents have in place of those of the model more than SELDOM.
    """

    listed: np.ndarray
    slot: np.ndarray
    value: np.ndarray
    neighbours: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))
    usual: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64))

    @staticmethod
    def count(filled: Filled, others: tuple[np.ndarray, np.ndarray] | None = None) -> KnownFillers:
        """Count how often each slot is filled by each value in the documents.

        Args:
            others: uint64 keys (frame << 32 | token) of tokens that documents have in place of those of the model, ascending, and how often
                each is there, int64. None if they are not known.
        """
        docs = filled.inside
        at, _ = filled.fillers(docs)
        slot, value = filled.slots_of(docs), filled.value[at]
        order = ordered(slot, value)
        new = np.flatnonzero(first_of_runs(slot[order], value[order]))
        times = np.diff(np.append(new, len(order)))
        several = new[times > 1]
        count = int(filled.slots[-1])
        shared = np.bincount(slot[order[several]], times[times > 1], minlength=count)
        listed = shared >= OFTEN * np.bincount(slot, minlength=count)
        distinct = order[new][value[order[new]] != 0]
        usual = usual_neighbours(filled.tokens, at[distinct], slot[distinct])
        out = KnownFillers(listed, slot[order[several]], value[order[several]], usual)
        if others is None:
            return out
        members = np.bincount(filled.frame[docs], minlength=len(filled.frames))
        often = others[1] > np.maximum(FEW, SELDOM * members[(others[0] >> np.uint64(32)).astype(np.int64)])
        return replace(out, usual=others[0][often])

    def has(self, slot: np.ndarray, value: np.ndarray) -> np.ndarray:
        """Return a mask of the fillers (slot and value of each) that are known."""
        keys = np.sort(self.value ^ well_mixed(self.slot))
        asked = value ^ well_mixed(slot)
        place = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
        known: np.ndarray = keys[place] == asked if len(keys) else np.zeros(len(slot), bool)
        return known


def fill(
    frames: Frames,
    label: np.ndarray,
    size: np.ndarray,
    read: Read,
    workers: int | None = None,
    known: KnownFillers | None = None,
) -> Filled:
    """Assign each document to the first frame of its component that it resembles; return the frames with all fillers.

    Args:
        label: int64, component of each document: one with frames, or any other number, such as -1.
        size: int64, bytes of each document.
        read: function that returns the tokens of documents as hashes of their letters.
        known: fillers that were counted before; None to count those of these documents.

    Deterministic; with `known` the result for a document does not depend on the others. Cost: each document of such a component is aligned
    with the frames of its component until one is near.
    """
    n = len(label)
    frame, first = np.full(n, -1, np.int32), np.zeros(n, np.int64)
    per = np.bincount(frames.slots.frame, minlength=len(frames))
    # First frame of the component of each document; frames are sorted by component.
    start_of = np.searchsorted(frames.component, label)
    some = np.flatnonzero(start_of < len(frames))
    some = some[frames.component[start_of[some]] == label[some]]
    values, likely, starts, tokens, made = [], [], [], [], 0
    others: list[tuple[np.ndarray, np.ndarray]] = []
    bag = np.zeros(n, np.uint64)
    for part in _pieces(some, size):
        docs = read(part)
        bag[part] = token_bags(docs)
        both = concat_documents([frames.tokens, docs])
        left = np.arange(len(part))
        for turn in range(len(frames)):
            # Each document asks the next frame of its component.
            asked = start_of[part[left]] + turn
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
            likely.append(found.likely)
            starts.append(found.start.astype(np.uint32))
            counts = found.end - found.start
            at = places_of(both.offsets[aligned.document[found.row]] + found.start, counts)
            tokens.append(Ragged(both.tokens[at], prefix_sums(counts)))
            left = left[~near]
            # Tokens in place of those of the model, each as often as documents have it.
            sizes = aligned.places[:, 3].astype(np.int64) - aligned.places[:, 2]
            at = places_of(both.offsets[aligned.document[aligned.row]] + aligned.places[:, 2], sizes)
            own = mine[aligned.row].astype(np.uint64) << np.uint64(32)
            others.append(np.unique(np.repeat(own, sizes) | both.tokens[at], return_counts=True))
    value, guessed = (np.concatenate([np.zeros(0, np.uint64), *parts]) for parts in (values, likely))
    starts.append(np.zeros(0, np.uint32))
    lone = np.zeros(len(value), bool)
    filled = Filled(frames, frame, first, value, guessed, lone, np.concatenate(starts), concat_documents(tokens), bag)
    known = KnownFillers.count(filled, _summed(others)) if known is None else known
    filled.lone[:] = _lone(filled, known)
    return replace(filled, known=known)


def _summed(counts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct keys (uint64, ascending) of several count tables, and the sum of each key's counts, int64."""
    keys = np.concatenate([np.zeros(0, np.uint64), *(part[0] for part in counts)])
    times = np.concatenate([np.zeros(0, np.int64), *(part[1] for part in counts)])
    order = ordered(keys)
    start = np.flatnonzero(first_of_runs(keys[order]))
    return keys[order][start], np.add.reduceat(times[order], start) if len(start) else times


def token_bags(docs: Ragged) -> np.ndarray:
    """Return a number for each document that depends on its tokens but not their order, uint64; 0 for an empty one."""
    sums = np.zeros(len(docs.tokens) + 1, np.uint64)
    np.cumsum(well_mixed(docs.tokens), out=sums[1:])
    out: np.ndarray = sums[docs.offsets[1:]] - sums[docs.offsets[:-1]]
    return out


def _pieces(some: np.ndarray, size: np.ndarray) -> Iterator[np.ndarray]:
    """Yield batches of consecutive documents, at most AT_ONCE and about BATCH_BYTES each."""
    if len(some):
        piece = np.cumsum(size[some]) // BATCH_BYTES + np.arange(len(some)) // AT_ONCE
        yield from np.split(some, np.flatnonzero(np.diff(piece)) + 1)


def _lone(filled: Filled, known: KnownFillers) -> np.ndarray:
    """Return a mask of the fillers that only one document has, in slots whose fillers are nearly all shared."""
    docs = filled.inside
    at, _ = filled.fillers(docs)
    slot = filled.slots_of(docs)
    out = np.zeros(len(filled.value), bool)
    out[at] = known.listed[slot] & ~known.has(slot, filled.value[at])
    return out
