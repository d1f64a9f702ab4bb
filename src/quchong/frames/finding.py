"""Frames found among documents that are pairwise alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from quchong.frames.columns import Aligned, align, covered
from quchong.frames.fillers import Slots
from quchong.frames.slots import Breaks, find_slots
from quchong.kernels import graph
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import ordered
from quchong.kernels.text import take_tokens

FEWEST = 3
"""Least number of documents of a frame: in two there is nothing to count."""
ROUNDS = 4
"""Models tried in one connected component."""
COVERED = 0.5
"""Share of its tokens that a document has in common with its model, and the model with it."""
SAMPLE, SAMPLE_BYTES = 4096, 32 << 20
"""Documents of a component, and bytes of text of one batch, in which slots are searched."""
CANDIDATES, PROBES = 16, 32
"""Documents of a sample among which its model is chosen, and documents that each of them is compared with."""

ASKED, COPIES = 12, 0.5
"""Documents of a frame that are read beside its model, and share of them that are its reprints in a frame that is no template."""

Read = Callable[[np.ndarray], Ragged]
"""Function that returns the tokens of documents as hashes of their letters."""
Reprints = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of documents and others (int64) that returns a mask of the pairs that differ in a source, an editor or other furniture alone."""


@dataclass(frozen=True, slots=True)
class Frames:
    """Frames: for each the model document with its slots.

    Attributes:
        model: int64, the model of each frame, among the documents. component: int64, the component that it was found in.
        tokens: tokens of each model, hashes of their letters.
        slots: slots of all frames.
    """

    model: np.ndarray
    component: np.ndarray
    tokens: Ragged
    slots: Slots

    def __len__(self) -> int:
        return len(self.model)


def find_frames(
    documents: int, left: np.ndarray, right: np.ndarray, size: np.ndarray, read: Read, workers: int | None = None,
    breaks: Breaks | None = None, reprints: Reprints | None = None,
) -> tuple[Frames, np.ndarray]:  # fmt: skip
    """Find the frames among documents linked by pairs; return them, and the component of each document.

    Args:
        documents: number of documents.
        left, right: int64, pairs of documents that are alike.
        size: int64, bytes of each document.
        read: function that returns the tokens of documents.
        workers: threads.
        breaks: function that tells where a headline or a source ends (`quchong.frames.slots.find_slots`).
        reprints: function that tells reprints of one text, whose sources fill no slot. None: what many fill otherwise is a slot.

    Returns:
        The frames, and the component of each document: int64, the least document that pairs connect with it.

    Deterministic; frames of a component do not depend on other components. Cost: each document of a component of at least FEWEST documents
    is aligned up to ROUNDS times, of a component at most SAMPLE documents.
    """
    label = graph.components(documents, left, right)
    found: list[tuple[np.ndarray, Ragged, Slots]] = []
    for some, in_sample in _batches(documents, left, right, label, size):
        docs = read(some)
        # The pairs within the batch, as places in it.
        place = np.full(documents, -1)
        place[some] = np.arange(len(some))
        a, b = place[left], place[right]
        inside = (a >= 0) & (b >= 0)
        mine = None if breaks is None else partial(_breaks_among, breaks, some)
        same = None if reprints is None else partial(_reprints_among, reprints, some)
        found += [
            (some[models], tokens, slots)
            for models, tokens, slots in _rounds(
                docs, label[some], in_sample, a[inside], b[inside], workers, mine, same
            )
        ]
    return _together(found, label), label


def _breaks_among(breaks: Breaks, some: np.ndarray, documents: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens before which a line break or a mark ends the text (`breaks`); documents are positions in `some`."""
    return breaks(some[documents], tokens)


def _reprints_among(reprints: Reprints, some: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs that are reprints of one text (`reprints`), for documents given as positions in `some`."""
    return reprints(some[left], some[right])


def _batches(
    documents: int, left: np.ndarray, right: np.ndarray, label: np.ndarray, size: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield documents of whole components of at least FEWEST, and a mask of those that are only a sample of a large component."""
    paired = np.zeros(documents, bool)
    paired[left] = paired[right] = True
    some = np.flatnonzero(paired)
    some = some[np.bincount(label[some], minlength=documents)[label[some]] >= FEWEST]
    some = some[ordered(label[some], some)]
    if not len(some):
        return
    first = np.flatnonzero(first_of_runs(label[some]))
    counts = np.diff(np.append(first, len(some)))
    # Of a component beyond the limits every k-th document is taken.
    total = np.add.reduceat(size[some], first)
    step = np.maximum(1, np.maximum(-(-counts // SAMPLE), -(-total // SAMPLE_BYTES)))
    step = np.repeat(step, counts)
    taken = positions_in_items(counts) % step == 0
    some, in_sample = some[taken], step[taken] > 1
    owner = label[some]
    first = np.flatnonzero(first_of_runs(owner))
    batch = np.cumsum(np.add.reduceat(size[some], first)) // SAMPLE_BYTES
    piece = np.repeat(batch, np.diff(np.append(first, len(some))))
    for part in np.split(np.arange(len(some)), np.flatnonzero(np.diff(piece)) + 1):
        order = np.argsort(some[part])
        yield some[part][order], in_sample[part][order]


def _rounds(
    docs: Ragged, label: np.ndarray, in_sample: np.ndarray, left: np.ndarray, right: np.ndarray, workers: int | None,
    breaks: Breaks | None, reprints: Reprints | None,
) -> Iterator[tuple[np.ndarray, Ragged, Slots]]:  # fmt: skip
    """Yield models with tokens and slots, round by round: the model is the document with most pairs to documents still free.

    Documents near a model are free no more. Few documents of a sample are paired with each other, so that those in no pair are tried too:
    the documents that connect them are not in the sample. Pairs do not tell their model either: it is the one that is most like others.

    Args:
        label: component of each document. in_sample: True if it is one of a sample of its component.
        left, right: pairs of these documents.
    """
    n = len(docs.offsets) - 1
    label, free = np.unique(label, return_inverse=True)[1], np.ones(n, bool)
    for _ in range(ROUNDS):
        both = free[left] & free[right]
        degree = np.bincount(left[both], minlength=n) + np.bincount(right[both], minlength=n)
        some = np.flatnonzero(free & ((degree > 0) | in_sample))
        some = some[np.bincount(label[some], minlength=n)[label[some]] >= FEWEST]
        if not len(some):
            return
        order = some[ordered(label[some], -degree[some], some)]
        new = first_of_runs(label[order])
        group = np.cumsum(new) - 1
        models = _models(docs, order, new, in_sample, workers)
        aligned = align(docs, models[group], order, workers)
        near = covered(docs, aligned, COVERED)
        near[order == models[group]] = True
        aligned, group = aligned.select(near), group[near]
        free[aligned.document] = False
        slots = find_slots(docs, aligned, group, models, breaks)
        if reprints is not None:
            slots = _without_reprints(slots, aligned, group, models, reprints)
        yield _templates(docs, models, slots)


def _models(docs: Ragged, order: np.ndarray, new: np.ndarray, in_sample: np.ndarray, workers: int | None) -> np.ndarray:
    """Return the model of each component, int64: its first document; in a sample the candidate most like PROBES others.

    A copy with slips, taken for the model, would make each slip a place at which all other documents differ.

    Args:
        order: int64, documents by component. new: True at the first of each component.
    """
    first = np.flatnonzero(new)
    ends = np.append(first[1:], len(order))
    models: np.ndarray = order[first]
    for component in np.flatnonzero(in_sample[models]):
        members = order[first[component] : ends[component]]
        candidates, probes = (members[:: -(-len(members) // most)] for most in (CANDIDATES, PROBES))
        aligned = align(docs, np.repeat(candidates, len(probes)), np.tile(probes, len(candidates)), workers)
        longer = np.maximum(docs.lengths[aligned.model], docs.lengths[aligned.document])
        like = np.where(covered(docs, aligned, COVERED), aligned.matched / np.maximum(longer, 1), 0)
        models[component] = candidates[np.argmax(like.reshape(len(candidates), len(probes)).sum(1))]
    return models


def _without_reprints(
    slots: Slots, aligned: Aligned, group: np.ndarray, models: np.ndarray, reprints: Reprints
) -> Slots:
    """Return the slots without frames in which most documents are mere reprints.

    Reprints of one text name their sources at one place, each another one, as records fill a slot: what stands there tells them apart.
    """
    has_slots = np.zeros(len(models), bool)
    has_slots[slots.frame] = True
    # Up to ASKED documents of each frame, those that differ from the model, at equal distances.
    rows = np.flatnonzero(has_slots[group] & (np.diff(aligned.offsets) > 0))
    if not len(rows):
        return slots
    rows = rows[ordered(group[rows], rows)]
    counts = np.bincount(group[rows], minlength=len(models))
    place = positions_in_items(counts[counts > 0])
    step = np.maximum(1, -(-counts[group[rows]] // ASKED))
    rows = rows[place % step == 0]
    copies = reprints(models[group[rows]], aligned.document[rows])
    told = np.bincount(group[rows], copies, minlength=len(models))
    asked = np.bincount(group[rows], minlength=len(models))
    return slots.select((told < COPIES * asked)[slots.frame])


def _templates(docs: Ragged, models: np.ndarray, slots: Slots) -> tuple[np.ndarray, Ragged, Slots]:
    """Return the models with at least one slot, their tokens, and the slots renumbered by these models."""
    kept, frame = np.unique(slots.frame, return_inverse=True)
    return models[kept], take_tokens(docs, models[kept]), Slots(frame, slots.places)


def concat_documents(parts: list[Ragged]) -> Ragged:
    """Return the documents of all parts as one ragged array."""
    lengths = np.concatenate([np.zeros(0, np.int64), *(part.lengths for part in parts)])
    tokens = [part.tokens[part.offsets[0] : part.offsets[-1]] for part in parts]
    return Ragged(np.concatenate([np.zeros(0, np.uint32), *tokens]), prefix_sums(lengths))


def _together(found: list[tuple[np.ndarray, Ragged, Slots]], label: np.ndarray) -> Frames:
    """Return all frames, sorted by component, then in the order in which they were found."""
    nothing = np.zeros(0, np.int64)
    model = np.concatenate([nothing, *(part[0] for part in found)])
    before = prefix_sums([len(part[0]) for part in found])
    tokens = concat_documents([part[1] for part in found])
    frame = np.concatenate([nothing, *(part[2].frame + start for part, start in zip(found, before[:-1], strict=True))])
    places = np.concatenate([np.zeros((0, 2), np.int64), *(part[2].places for part in found)])
    order = ordered(label[model], np.arange(len(model))) if len(model) else nothing
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    by_frame = ordered(place[frame], np.arange(len(frame))) if len(frame) else nothing
    return Frames(
        model[order],
        label[model[order]],
        take_tokens(tokens, order),
        Slots(place[frame[by_frame]], places[by_frame]),
    )
