"""Slots: places of a frame that its documents fill with many different things, told from edits of copies by counting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from quchong.frames.columns import Aligned, range_hashes, replaced, stretches_at
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import ordered

VARIABLE = 0.2
"""Share of the documents that have other tokens at a place than the model, from which on the place is variable; at least two documents."""
FILLERS, FREQUENT, FILLED = 3, 0.5, 0.8
"""Least number of different fillers of a slot, greatest share of documents with the most frequent one, least share that fills it."""
LONG, LONG_AT_END, LONG_OF_BRIEF = 24, 6, 12
"""Mean length in tokens beyond which fillers are passages, not slots: inside of a text, at its ends (headlines, comments), and at those of
a brief text.
"""
BRIEF = 60
"""Tokens up to which a model is brief."""
SEVERAL_NOISE, FEW_NOISE, MANY_NOISE = 0.05, 0.01, 0.15
"""Greatest share of tokens that documents change outside the slots: of a frame with several slots, of one with fewer than FIVE documents,
and of one with MANY slots; the last two of one with many slots and few documents are the first.
"""
TENTH = 10
"""Documents of which the one that changes most is not counted."""
UNKNOWN, NEAR = 0.02, 6
"""Share of documents of which it is not known what stands in a slot, beyond which it is joined with slots fewer places away: two tokens."""
FIVE, MANY = 5, 4
"""Documents from which on a frame is large, and slots from which on it has many."""
ALONE, ALONE_FREQUENT, ALONE_FILLED, ALONE_FILLERS, ALONE_AT_END = 8, 0.3, 0.95, 0.2, 0.5
"""The same limits of a slot that is the only variable place of its frame; the last two are the least number of fillers for each document,
and that at the beginning or end of a brief model; of a longer one such a slot may be a headline or a comment.
"""
COUNTED = 25
"""Documents from which on ALONE_FILLERS asks for no more fillers."""

Breaks = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of documents and tokens (int64) that returns a mask of the tokens before which a line break or a mark ends what stands there."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Slots of frames.

    Attributes:
        frame: int64, number of the model of each slot, ascending.
        places: int64, (slots, 2): first place in the model and the place behind the last.
    """

    frame: np.ndarray
    places: np.ndarray

    def select(self, mask: np.ndarray) -> Slots:
        """Return the slots of a mask."""
        return Slots(self.frame[mask], self.places[mask])


@dataclass(frozen=True, slots=True)
class Fillers:
    """What documents have in the slots of their frames.

    Attributes:
        row, slot: int64, row of an alignment and slot of each filler.
        start, end: int64, its tokens in the document.
        value: uint64, hash of the tokens; 0 where nothing stands, or it is not known what.
        known: bool, False where it is not known what stands there.
    """

    row: np.ndarray
    slot: np.ndarray
    start: np.ndarray
    end: np.ndarray
    value: np.ndarray
    known: np.ndarray


def fillers_of(docs: Ragged, aligned: Aligned, group: np.ndarray, slots: Slots, frames: int) -> Fillers:
    """Return what each aligned document has in each slot of its frame, row by row, slots in order.

    Args:
        group: int64 per row, number of its frame.
        frames: number of frames.
    """
    per = np.bincount(slots.frame, minlength=frames)
    row = np.repeat(np.arange(len(group)), per[group])
    slot = prefix_sums(per)[group[row]] + positions_in_items(per[group])
    start, end, known = stretches_at(docs, aligned, row, slots.places[slot, 0], slots.places[slot, 1])
    return Fillers(row, slot, start, end, range_hashes(docs, aligned.document[row], start, end - start), known)


def find_slots(
    docs: Ragged, aligned: Aligned, group: np.ndarray, models: np.ndarray, breaks: Breaks | None = None
) -> Slots:
    """Return the slots of the frames that are templates; a frame of copies has none.

    A template has several slots that most of its documents fill, with many different things of which none is in most documents, and hardly
    any change elsewhere. Copies are edited at scattered places, each in few of them, or at one place that is a headline or a source.

    Args:
        docs: documents and models.
        aligned, group: documents aligned with the model of their frame, the model itself among them, and the number of that frame.
        models: int64, index of each model.
        breaks: function that tells a slot at the beginning or end of a text that runs on in a sentence from a headline or a source. None:
            every one may be such a line.

    Deterministic. Cost: O(edits + tokens of models + documents * slots).
    """
    count, lengths = len(models), docs.lengths[models]
    base = prefix_sums(2 * lengths + 1)
    owner = np.repeat(np.arange(count), 2 * lengths + 1)
    members = np.bincount(group, minlength=count)
    changed = replaced(aligned, group, base)
    runs = _variable_runs(changed, members, owner, base)
    fillers = fillers_of(docs, aligned, group, runs, count)
    runs, merged = _merged(runs, fillers, members)
    if merged:
        fillers = fillers_of(docs, aligned, group, runs, count)
    known = _statistics(fillers, runs, members, lengths, _at_ends(runs, models, lengths, breaks))
    good = known.as_slot()
    slots, known = runs.select(good), known.select(good)
    noise = _changes_elsewhere(aligned, group, slots, base, members)
    several = np.bincount(runs.frame, minlength=count)
    return slots.select(_is_template(slots, known, several, noise, members)[slots.frame])


def _at_ends(
    runs: Slots, models: np.ndarray, lengths: np.ndarray, breaks: Breaks | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return masks of the runs at the beginning or end of their model, and of those among them that do not run on in a sentence of it."""
    start, end = runs.places[:, 0] == 0, runs.places[:, 1] > 2 * lengths[runs.frame]
    outer = start | end
    out = outer.copy()
    if breaks is not None:
        token = np.where(start, runs.places[:, 1], runs.places[:, 0]) // 2
        some = np.flatnonzero((start ^ end) & (token > 0) & (token < lengths[runs.frame]))
        if len(some):
            out[some] = breaks(models[runs.frame[some]], token[some])
    return outer, out


def _variable_runs(changed: np.ndarray, members: np.ndarray, owner: np.ndarray, base: np.ndarray) -> Slots:
    """Return the longest runs of variable places of each model, with the gaps before and behind them: what is inserted there fills them."""
    least = np.maximum(2, np.ceil(VARIABLE * members))
    at = np.flatnonzero(changed >= least[owner])
    if not len(at):
        return Slots(at, np.zeros((0, 2), np.int64))
    frame = owner[at]
    new = first_of_runs(frame, at - np.arange(len(at)))
    last = np.append(new[1:], True)
    places = np.stack([at[new], at[last] + 1], 1) - base[frame[new], None]
    places[:, 0] -= places[:, 0] % 2
    places[:, 1] += 1 - places[:, 1] % 2
    return _join_runs(Slots(frame[new], places), 0)


def _join_runs(runs: Slots, apart: int | np.ndarray) -> Slots:
    """Return the runs with those of one frame made one that follow each other after fewer than `apart` places (of the later one)."""
    near = np.zeros(len(runs.frame), bool)
    space = runs.places[1:, 0] - runs.places[:-1, 1]
    near[1:] = (runs.frame[1:] == runs.frame[:-1]) & (space < (apart if isinstance(apart, int) else apart[1:]))
    new = np.flatnonzero(~near)
    last = np.append(new[1:], len(near)) - 1
    return Slots(runs.frame[new], np.stack([runs.places[new, 0], runs.places[last, 1]], 1) if len(new) else runs.places)


def _merged(runs: Slots, fillers: Fillers, members: np.ndarray) -> tuple[Slots, bool]:
    """Return the runs, those near to each other made one if what stands in one of them is often unknown; and whether any were.

    Where the few tokens between two slots are missing in some documents, what these have in either cannot be told, but in both together.
    """
    lost = np.bincount(fillers.slot[~fillers.known], minlength=len(runs.frame)) > UNKNOWN * members[runs.frame]
    apart = np.zeros(len(lost), np.int64)
    apart[1:] = np.where(lost[1:] | lost[:-1], NEAR, 0)
    out = _join_runs(runs, apart)
    return out, len(out.frame) < len(runs.frame)


@dataclass(frozen=True, slots=True)
class _Statistics:
    """Numbers of each run of variable places.

    Attributes:
        documents: of its frame. filled: documents that have something there. different: different fillers. frequent: documents with the
            most frequent filler. size: mean tokens of a filler. outer: True at the beginning or end of the model. at_end: True there,
            unless it runs on in a sentence. brief: True in a brief model.
    """

    documents: np.ndarray
    filled: np.ndarray
    different: np.ndarray
    frequent: np.ndarray
    size: np.ndarray
    outer: np.ndarray
    at_end: np.ndarray
    brief: np.ndarray

    def select(self, mask: np.ndarray) -> _Statistics:
        """Return the numbers of the runs of a mask."""
        return _Statistics(*(getattr(self, one.name)[mask] for one in fields(self)))

    def as_slot(self) -> np.ndarray:
        """Return a mask of the runs that are filled as slots are."""
        mask: np.ndarray = (self.different >= FILLERS) & (self.frequent <= np.maximum(1, FREQUENT * self.filled))
        mask &= self.filled >= FILLED * self.documents
        longest = np.where(self.at_end, np.where(self.brief, LONG_OF_BRIEF, LONG_AT_END), LONG)
        return mask & (self.size <= longest)

    def as_only_slot(self) -> np.ndarray:
        """Return a mask of the runs that are slots even if nothing else varies: short, and with another filler in nearly every document."""
        # Of a few documents one may be there twice.
        twice = np.where(self.documents > FILLERS, 2, 1)
        mask: np.ndarray = (self.different >= FILLERS) & (self.filled >= ALONE_FILLED * self.documents)
        mask &= self.frequent <= np.maximum(twice, ALONE_FREQUENT * self.filled)
        inside = ~self.at_end & (self.size <= np.where(self.outer & self.brief, LONG_OF_BRIEF, ALONE))
        inside &= self.different >= ALONE_FILLERS * np.minimum(self.documents, COUNTED)
        outside = self.outer & self.brief & (self.documents >= FIVE) & (self.different >= ALONE_AT_END * self.documents)
        mask &= inside | outside
        return mask


def _statistics(
    fillers: Fillers, runs: Slots, members: np.ndarray, lengths: np.ndarray, ends: tuple[np.ndarray, np.ndarray]
) -> _Statistics:
    """Count the fillers of each run; `ends` are `outer` and `at_end` of the result."""
    count, real = len(runs.frame), fillers.value != 0
    slot, value = fillers.slot[real], fillers.value[real]
    order = ordered(slot, value)
    new = first_of_runs(slot[order], value[order])
    of, times = slot[order][new], np.diff(np.append(np.flatnonzero(new), len(order)))
    frequent = np.zeros(count, np.int64)
    np.maximum.at(frequent, of, times)
    filled = np.bincount(slot, minlength=count)
    size = np.bincount(slot, (fillers.end - fillers.start)[real], minlength=count) / np.maximum(filled, 1)
    return _Statistics(
        members[runs.frame],
        filled,
        np.bincount(of, minlength=count),
        frequent,
        size,
        *ends,
        lengths[runs.frame] <= BRIEF,
    )


def _changes_elsewhere(
    aligned: Aligned, group: np.ndarray, slots: Slots, base: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Return the mean share of the tokens of a frame outside its slots that documents change, float64 per frame.

    Of FIVE documents and more the one that changes most is left out, of many one of TENTH: a scanned copy tells nothing of the others.
    """
    count = len(members)
    # Tokens outside of slots before each place.
    outside = np.ones(int(base[-1]), np.int64)
    first, last = base[slots.frame] + slots.places[:, 0], base[slots.frame] + slots.places[:, 1]
    outside[places_of(first, last - first)] = 0
    outside *= (np.arange(len(outside)) - np.repeat(base[:-1], np.diff(base))) % 2
    before = prefix_sums(outside)
    # Those that each document changes; an omission changes none.
    other = np.flatnonzero(aligned.places[:, 3] > aligned.places[:, 2])
    row = aligned.row[other]
    start = base[group[row]]
    tokens = before[start + aligned.last[other]] - before[start + aligned.first[other]]
    changed = np.bincount(row, tokens, minlength=len(group)).astype(np.int64)
    order = ordered(group, -changed)
    left_out = np.where(members >= FIVE, np.maximum(1, members // TENTH), 0)
    kept = order[positions_in_items(members) >= np.repeat(left_out, members)]
    cells = (before[base[1:]] - before[base[:-1]]) * (members - left_out)
    share: np.ndarray = np.bincount(group[kept], changed[kept], minlength=count) / np.maximum(cells, 1)
    return share


def _is_template(
    slots: Slots, known: _Statistics, runs: np.ndarray, noise: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Return a mask of the frames whose slots cannot be edits of copies.

    Args:
        runs: int64 per frame, number of all its runs of variable places.
        noise: float64 per frame, share of its tokens that documents change outside the slots.
    """
    count = len(members)
    good = np.bincount(slots.frame, minlength=count)
    inner = np.bincount(slots.frame[~known.at_end], minlength=count)
    # Most of what varies must be slots: versions of one document vary at many places.
    most = 2 * good >= runs
    several = (good >= 2) & (inner >= 1) & (noise <= np.where(members >= FIVE, SEVERAL_NOISE, FEW_NOISE)) & most
    many = (good >= MANY) & (inner >= MANY - 1) & (noise <= np.where(members >= FIVE, MANY_NOISE, SEVERAL_NOISE)) & most
    alone = np.zeros(count, bool)
    alone[slots.frame[known.as_only_slot()]] = True
    mask: np.ndarray = several | many | (alone & (runs == 1) & (noise <= FEW_NOISE))
    return mask
