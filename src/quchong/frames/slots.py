"""Slots: places of a frame that its documents fill with many different things, told from edits of copies by counting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quchong.frames.columns import Aligned, replaced_runs
from quchong.frames.counting import FIVE, LONG, Statistics, counted
from quchong.frames.fillers import Fillers, Slots, fillers_of, without_additions
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import positions_in_items, prefix_sums
from quchong.kernels.sorting import ordered

VARIABLE = 0.2
"""Share of documents with other tokens at a place than the model, at or above which the place is variable; at least two documents."""
SEVERAL_NOISE, FEW_NOISE, MANY_NOISE = 0.05, 0.01, 0.15
"""Greatest share of tokens that documents change outside the slots: of a frame with several slots, of one with fewer than FIVE documents,
and of one with MANY slots; the last two of one with many slots and few documents are the first.
"""
TENTH = 10
"""Documents of which the one that changes most is not counted."""
UNKNOWN, NEAR = 0.02, 6
"""Share of documents of which it is not known what stands in a slot, beyond which it is joined with slots fewer places away: two tokens."""
DOUBTS = 3
"""Documents in doubt, beyond UNKNOWN, at or above which they tell at which end of a slot the doubt is."""
MANY = 4
"""Slots at or above which a frame has many."""

Breaks = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of documents and tokens (int64) that returns a mask of the tokens before which a line break or a mark ends what stands there."""


def find_slots(
    docs: Ragged, aligned: Aligned, group: np.ndarray, models: np.ndarray, breaks: Breaks | None = None
) -> Slots:
    """Return the slots of the groups that are templates; groups that are edited copies get none.

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
    members = np.bincount(group, minlength=count)
    runs = _variable_runs(aligned, group, members)
    fillers = fillers_of(docs, aligned, group, runs, count)
    single = runs
    runs, merged = _merged(single, fillers, members)
    if merged:
        fillers = fillers_of(docs, aligned, group, runs, count)
        runs, parted = _taken_apart(runs, fillers, single)
        if parted:
            fillers = fillers_of(docs, aligned, group, runs, count)
    starts, ends = _outer(runs, lengths)
    value = without_additions(docs, aligned, fillers, starts, ends)
    at_end = _at_end(runs, models, lengths, (starts, ends), breaks)
    known = counted(fillers, value, runs, members, lengths, (starts | ends, at_end))
    good = known.as_slot()
    slots, known = runs.select(good), known.select(good)
    noise = _changes_elsewhere(aligned, group, slots, lengths, members)
    several = np.bincount(runs.frame, minlength=count)
    return slots.select(_is_template(slots, known, several, noise, members)[slots.frame])


def _outer(runs: Slots, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two masks of the runs: those at the beginning of their model, and those at its end."""
    return runs.places[:, 0] == 0, runs.places[:, 1] > 2 * lengths[runs.frame]


def _at_end(
    runs: Slots, models: np.ndarray, lengths: np.ndarray, outer: tuple[np.ndarray, np.ndarray], breaks: Breaks | None
) -> np.ndarray:
    """Return a mask of the runs at the beginning or end of their model, without those that begin or end within a sentence of it."""
    start, end = outer
    out: np.ndarray = start | end
    if breaks is not None:
        token = np.where(start, runs.places[:, 1], runs.places[:, 0]) // 2
        some = np.flatnonzero((start ^ end) & (token > 0) & (token < lengths[runs.frame]))
        if len(some):
            out[some] = breaks(models[runs.frame[some]], token[some])
    return out


def _variable_runs(aligned: Aligned, group: np.ndarray, members: np.ndarray) -> Slots:
    """Return the longest runs of variable places of each model, with the gaps before and behind them: what is inserted there fills them."""
    frame, start, end = replaced_runs(aligned, group, np.maximum(2, np.ceil(VARIABLE * members)))
    return _join_runs(Slots(frame, np.stack([start - start % 2, end + 1 - end % 2], 1)), 0)


def _join_runs(runs: Slots, apart: int | np.ndarray) -> Slots:
    """Return the runs with neighbouring runs of one frame joined if fewer than `apart` positions lie between."""
    near = np.zeros(len(runs.frame), bool)
    space = runs.places[1:, 0] - runs.places[:-1, 1]
    near[1:] = (runs.frame[1:] == runs.frame[:-1]) & (space < (apart if isinstance(apart, int) else apart[1:]))
    new = np.flatnonzero(~near)
    last = np.append(new[1:], len(near)) - 1
    return Slots(runs.frame[new], np.stack([runs.places[new, 0], runs.places[last, 1]], 1) if len(new) else runs.places)


def _merged(runs: Slots, fillers: Fillers, members: np.ndarray) -> tuple[Slots, bool]:
    """Return the runs with neighbours joined where documents often leave the border unclear, and True if any were joined.

    Where the few tokens between two slots are missing in some documents, what these have in either cannot be told, but in both together.
    """
    most = UNKNOWN * members[runs.frame]
    # Where so few documents are in doubt, they do not tell at which end.
    few = (most < DOUBTS)[fillers.slot] & ~fillers.ends.all(1)
    begins, ends = (
        np.bincount(fillers.slot[few | ~fillers.ends[:, side]], minlength=len(runs.frame)) > most for side in (0, 1)
    )
    apart = np.zeros(len(begins), np.int64)
    apart[1:] = np.where(begins[1:] | ends[:-1], NEAR, 0)
    out = _join_runs(runs, apart)
    return out, len(out.frame) < len(runs.frame)


def _taken_apart(runs: Slots, fillers: Fillers, single: Slots) -> tuple[Slots, bool]:
    """Return the runs with joined runs of too long fillers taken apart again, and True if any were.

    The rows of a table are such a run: each cell is a slot, and all together are a passage. In the few documents of which it is not known
    what a cell holds, nothing is held against them.

    Args:
        single: the runs before they were made one.
    """
    real = fillers.value != 0
    tokens = np.bincount(fillers.slot[real], (fillers.end - fillers.start)[real], minlength=len(runs.frame))
    long = tokens > LONG * np.bincount(fillers.slot[real], minlength=len(runs.frame))
    # Runs of one frame follow each other: a single one is part of the last run that begins no later.
    wide = int(max(runs.places.max(initial=0), single.places.max(initial=0))) + 1
    begins = runs.frame * wide + runs.places[:, 0]
    part_of = np.searchsorted(begins, single.frame * wide + single.places[:, 0], "right") - 1
    several = np.bincount(part_of, minlength=len(runs.frame)) > 1
    apart = long & several
    if not apart.any():
        return runs, False
    inside = apart[part_of]
    frame = np.concatenate([runs.frame[~apart], single.frame[inside]])
    places = np.concatenate([runs.places[~apart], single.places[inside]])
    order = ordered(frame, places[:, 0])
    return Slots(frame[order], places[order]), True


def _changes_elsewhere(
    aligned: Aligned, group: np.ndarray, slots: Slots, lengths: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Return for each frame the mean share of tokens outside its slots that documents change, float64.

    Of FIVE documents and more the one that changes most is left out, of many one of TENTH: a scanned copy tells nothing of the others.
    """
    # Tokens outside of slots that each document changes; an omission changes none.
    other = aligned.replacing
    row = aligned.row[other]
    begins, ends = (
        _tokens_outside(slots, group[row], places) for places in (aligned.first[other], aligned.last[other])
    )
    changed = np.bincount(row, ends - begins, minlength=len(group)).astype(np.int64)
    order = ordered(group, -changed)
    left_out = np.where(members >= FIVE, np.maximum(1, members // TENTH), 0)
    kept = order[positions_in_items(members) >= np.repeat(left_out, members)]
    outside = _tokens_outside(slots, np.arange(len(members)), 2 * lengths + 1)
    cells = outside * (members - left_out)
    share: np.ndarray = np.bincount(group[kept], changed[kept], minlength=len(members)) / np.maximum(cells, 1)
    return share


def _tokens_outside(slots: Slots, frame: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return for each place of a frame the number of tokens before it that are in no slot, int64."""
    tokens: np.ndarray = place // 2
    if not len(slots.frame):
        return tokens
    start, end = slots.places[:, 0], slots.places[:, 1]
    before = prefix_sums(end // 2 - start // 2)
    first = np.searchsorted(slots.frame, frame)
    # The last slot of the frame that begins before the place: of it the tokens before the place count, of those before it all.
    wide = int(max(end.max(), place.max(initial=0))) + 1
    at = np.searchsorted(slots.frame * wide + start, frame * wide + place) - 1
    some = at >= first
    at = np.maximum(at, 0)
    within = before[at] - before[first] + np.minimum(place, end[at]) // 2 - start[at] // 2
    return tokens - np.where(some, within, 0)


def _is_template(
    slots: Slots, known: Statistics, runs: np.ndarray, noise: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Return a mask of the frames whose slots are a template's and not edits of copies.

    Args:
        runs: int64 per frame, number of all its runs of variable places.
        noise: float64 per frame, share of its tokens that documents change outside the slots.
    """
    count = len(members)
    good = np.bincount(slots.frame, minlength=count)
    inner = np.bincount(slots.frame[known.as_inner_slot()], minlength=count)
    # Most of what varies must be slots: versions of one document vary at many places.
    most = 2 * good >= runs
    several = (good >= 2) & (inner >= 1) & (noise <= np.where(members >= FIVE, SEVERAL_NOISE, FEW_NOISE)) & most
    many = (good >= MANY) & (inner >= MANY - 1) & (noise <= np.where(members >= FIVE, MANY_NOISE, SEVERAL_NOISE)) & most
    alone = np.zeros(count, bool)
    alone[slots.frame[known.as_only_slot()]] = True
    mask: np.ndarray = several | many | (alone & (runs == 1) & (noise <= FEW_NOISE))
    return mask
