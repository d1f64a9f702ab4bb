"""Fillers: what documents have in the slots of their frames.

A filler at the beginning or end of a text may have another one of its slot with something added before or behind it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.frames.columns import Aligned, range_hashes, stretches_at, well_mixed
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import positions_in_items, prefix_sums

WITHIN = 24
"""Most tokens of a filler that are looked for at the end or beginning of a longer one."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Slots of frames: for each the range of positions in the model that documents fill differently.

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
    """Fillers: the texts of documents (token ranges) in the slots of their frames.

    Attributes:
        row, slot: int64, row of an alignment and slot of each filler.
        start, end: int64, its tokens in the document; none where it is not known what stands there.
        value: uint64, hash of the tokens; 0 where nothing stands, or it is not known what.
        ends: bool, (fillers, 2), True where it is known at which token the filler begins, and where it ends.
        likely: uint64, the value, and where it is not known that of the tokens that stand there if noise replaced others one for one.
    """

    row: np.ndarray
    slot: np.ndarray
    start: np.ndarray
    end: np.ndarray
    value: np.ndarray
    ends: np.ndarray
    likely: np.ndarray


def fillers_of(docs: Ragged, aligned: Aligned, group: np.ndarray, slots: Slots, frames: int) -> Fillers:
    """Return the filler of every slot of its frame for each aligned document, ordered by document, then slot.

    Args:
        group: int64 per row, number of its frame.
        frames: number of frames.
    """
    per = np.bincount(slots.frame, minlength=frames)
    row = np.repeat(np.arange(len(group)), per[group])
    slot = prefix_sums(per)[group[row]] + positions_in_items(per[group])
    start, end, ends = stretches_at(docs, aligned, row, slots.places[slot, 0], slots.places[slot, 1])
    known = ends.all(1)
    likely = range_hashes(docs, aligned.document[row], start, end - start)
    start, end = np.where(known, start, 0), np.where(known, end, 0)
    return Fillers(row, slot, start, end, np.where(known, likely, np.uint64(0)), ends, likely)


def without_additions(
    docs: Ragged, aligned: Aligned, fillers: Fillers, at_start: np.ndarray, at_end: np.ndarray
) -> np.ndarray:
    """Return a value for each filler, uint64: of the shortest filler of its slot that it extends at an end of the text, else its own.

    At the beginning of a text a longer filler ends with the other one, at the end it begins with it. Inside of a text nothing is added:
    `water bottle` is no `bottle` there.

    Args:
        docs: documents and models.
        aligned: documents aligned with their models, rows of the fillers.
        at_start, at_end: bool per slot; one of both makes it a slot at that end.

    Deterministic. Cost: for each different filler of such slots the square of its tokens, of at most WITHIN.
    """
    out = fillers.value.copy()
    outer = np.flatnonzero((at_start ^ at_end)[fillers.slot] & (fillers.value != 0))
    if not len(outer):
        return out
    key = fillers.value[outer] ^ well_mixed(fillers.slot[outer])
    keys, first, of = np.unique(key, return_index=True, return_inverse=True)
    one = outer[first]
    size = fillers.end[one] - fillers.start[one]
    root = fillers.value[one]
    tried = np.minimum(size - 1, WITHIN)
    long = np.repeat(np.arange(len(one)), tried)
    part = positions_in_items(tried) + 1
    begin = np.where(at_start[fillers.slot[one]][long], fillers.end[one][long] - part, fillers.start[one][long])
    value = range_hashes(docs, aligned.document[fillers.row[one]][long], begin, part)
    asked = value ^ well_mixed(fillers.slot[one][long])
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    found = np.flatnonzero(keys[place] == asked)
    # The shortest is the first; those found later are overwritten by it.
    root[long[found[::-1]]] = value[found[::-1]]
    out[outer] = root[of]
    return out
