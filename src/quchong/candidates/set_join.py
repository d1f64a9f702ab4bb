"""Join of feature sets within a method's limits, and the note on lists that were bounded."""

from __future__ import annotations

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.kernels.sets import meet_sets
from quchong.languages import Message
from quchong.seam import JoinLimits, Meetings

ANY = 1e-9
"""Share that a single common feature reaches."""


def met_by(
    sets: FeatureSets, limits: JoinLimits, scope: np.ndarray | None, references: int, workers: int | None = None
) -> Meetings:
    """Return the pairs of documents whose sets share as much as `limits` ask for, and notes on what the limits cut off."""
    met = meet_sets(
        sets, max(limits.share, ANY), min_shared=limits.min_shared, cap=limits.cap, scope=scope, references=references,
        most=limits.most, workers=workers,
    )  # fmt: skip
    notes = capped_note(met.capped, met.largest, limits.cap) + limits.notes(met.bounded)
    return Meetings(met.left, met.right, notes, sets.lengths == 0)


_FEATURES, _FIRST = Message("features"), Message("the documents that the policy prefers")


def capped_note(
    capped: int, largest: int, cap: int, *, what: str = _FEATURES, met: str = _FIRST
) -> tuple[tuple[str, dict[str, int]], ...]:
    """Return the note on lists longer than the cap, for `Meetings.bounded`; empty if there are none.

    `what` the lists contain, and which documents of a longer list are compared (`met`), are words of the message.
    """
    if not capped:
        return ()
    message = Message(
        "{:,} {} occur in more than {:,} documents each (the most frequent in {:,}). Documents that are "
        "candidates because of these were compared only with {}",
        capped,
        what,
        cap,
        largest,
        met,
    )
    return ((message, {"features": capped, "cap": cap, "largest": largest}),)
