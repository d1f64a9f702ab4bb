"""Fillers of slots counted, and whether their numbers are those of a slot."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from quchong.frames.fillers import Fillers, Slots
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import ordered

FIVE = 5
"""Documents at or above which a frame is large."""
FILLERS, FREQUENT, FILLED = 3, 0.5, 0.8
"""Least number of different fillers of a slot, greatest share of documents with the most frequent one, least share that fills it."""
LONG, LONG_AT_END, LONG_OF_BRIEF = 24, 6, 12
"""Mean length in tokens beyond which fillers are passages, not slots: inside of a text, at its ends (headlines, comments), and at those of
a brief text.
"""
BRIEF = 60
"""Tokens up to which a model is brief."""
ALONE, ALONE_FREQUENT, ALONE_FILLED, ALONE_FILLERS, ALONE_AT_END = 8, 0.3, 0.95, 0.2, 0.5
"""The same limits of a slot that is the only variable place of its frame; the last two are the least number of fillers for each document,
and that at the beginning or end of a brief model; of a longer one such a slot may be a headline or a comment.
"""
COUNTED = 25
"""Documents at or above which ALONE_FILLERS asks for no more fillers."""
SAYING = 7
"""Tokens outside of its only slot, at the beginning or end, up to which a text is a saying that people use in their way, no template."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts by which runs of variable positions are judged to be slots.

    Attributes:
        documents: of its frame. filled: documents that have something there. different: different fillers, without those that only add
            something to another one. frequent: documents with the most frequent filler. size: mean tokens of a filler. outer: True at the
            beginning or end of the model. at_end: True there, unless it runs on in a sentence. brief: True in a brief model. rest: tokens
            of the model outside of the run.
    """

    documents: np.ndarray
    filled: np.ndarray
    different: np.ndarray
    frequent: np.ndarray
    size: np.ndarray
    outer: np.ndarray
    at_end: np.ndarray
    brief: np.ndarray
    rest: np.ndarray

    def select(self, mask: np.ndarray) -> Statistics:
        """Return the counts of the runs that a mask selects."""
        return Statistics(*(getattr(self, one.name)[mask] for one in fields(self)))

    def as_slot(self) -> np.ndarray:
        """Return a mask of the runs whose fillers vary as those of slots do."""
        mask: np.ndarray = (self.different >= FILLERS) & (self.frequent <= np.maximum(1, FREQUENT * self.filled))
        mask &= self.filled >= FILLED * self.documents
        longest = np.where(self.at_end, np.where(self.brief, LONG_OF_BRIEF, LONG_AT_END), LONG)
        return mask & (self.size <= longest)

    def as_inner_slot(self) -> np.ndarray:
        """Return a mask of the runs that count as evidence of a template: inside the text, or with hardly any filler twice.

        Copies often have other beginnings and ends, in a few groups.
        """
        mask: np.ndarray = ~self.outer | (~self.at_end & (self.frequent <= self._seldom()))
        return mask

    def _seldom(self) -> np.ndarray:
        # Of a few documents one may be there twice.
        return np.maximum(np.where(self.documents > FILLERS, 2, 1), ALONE_FREQUENT * self.filled)

    def as_only_slot(self) -> np.ndarray:
        """Return a mask of the runs that are slots even without a second slot: short, with a different filler in nearly every document."""
        mask: np.ndarray = (self.different >= FILLERS) & (self.filled >= ALONE_FILLED * self.documents)
        mask &= self.frequent <= self._seldom()
        inside = ~self.at_end & (self.size <= np.where(self.outer & self.brief, LONG_OF_BRIEF, ALONE))
        inside &= self.different >= ALONE_FILLERS * np.minimum(self.documents, COUNTED)
        outside = self.outer & self.brief & (self.documents >= FIVE) & (self.different >= ALONE_AT_END * self.documents)
        mask &= (inside | outside) & (~self.outer | (self.rest > SAYING))
        return mask


def counted(
    fillers: Fillers,
    value: np.ndarray,
    runs: Slots,
    members: np.ndarray,
    lengths: np.ndarray,
    ends: tuple[np.ndarray, np.ndarray],
) -> Statistics:
    """Count the fillers of each run of variable positions; return the counts.

    Args:
        fillers: of the runs.
        value: uint64, these fillers without what is added to others (`quchong.frames.fillers.without_additions`).
        members, lengths: documents of each frame, tokens of its model.
        ends: `outer` and `at_end` of the result.

    Cost: a sort of the fillers.
    """
    count, real = len(runs.frame), fillers.value != 0
    slot, value = fillers.slot[real], value[real]
    order = ordered(slot, value)
    new = first_of_runs(slot[order], value[order])
    of, times = slot[order][new], np.diff(np.append(np.flatnonzero(new), len(order)))
    frequent = np.zeros(count, np.int64)
    np.maximum.at(frequent, of, times)
    filled = np.bincount(slot, minlength=count)
    size = np.bincount(slot, (fillers.end - fillers.start)[real], minlength=count) / np.maximum(filled, 1)
    return Statistics(
        members[runs.frame],
        filled,
        np.bincount(of, minlength=count),
        frequent,
        size,
        *ends,
        lengths[runs.frame] <= BRIEF,
        lengths[runs.frame] - (runs.places[:, 1] // 2 - runs.places[:, 0] // 2),
    )
