"""Join of signatures within a method's distance, and the notes on what was bounded."""

from __future__ import annotations

import numpy as np

from quchong.candidates.bitblocks import near_wide_signatures
from quchong.candidates.hamming import HammingIndex
from quchong.kernels.sketch import Signatures
from quchong.languages import Message
from quchong.seam import HammingJoin, Meetings

WIDEST = 128
"""Bits of the widest signature that block tables accept."""


def near_signatures(
    join: HammingJoin, signed: Signatures, scope: np.ndarray | None, references: int, workers: int | None = None
) -> Meetings:
    """Find the pairs of signatures within the distance of a join, and what was bounded.

    Args:
        join: distance and bounds; its `sign` is not asked.
        signed: the signatures of documents, the best by policy first.
        scope, references: see `quchong.seam.Search`.
    """
    if join.bits > WIDEST:
        return near_wide_signatures(join, signed, scope, references, workers)
    index = HammingIndex(join.bits, join.distance)
    if join.all_pairs:
        found = index.pairs(signed, scope=scope, references=references, all_pairs=True, workers=workers)
    else:
        found = index.candidates(signed, cap=join.cap, scope=scope, references=references, workers=workers)
    notes = []
    if found.capped:
        message = Message(
            "{:,} texts differ by at most {} bits from more than {} other texts, or have a signature equal to "
            "those of so many texts (largest group: {:,}). Each was compared with only some of them; the policy "
            "(--keep) chose which",
            found.capped,
            join.distance,
            join.cap,
            found.largest_group,
        )
        notes.append((message, {"documents": found.capped, "cap": join.cap, "largest": found.largest_group}))
    if found.led:
        message = Message(
            "one group of up to {:,} nearly equal signatures could not be split, so each of its texts was "
            "compared with only a few others",
            found.led,
        )
        notes.append((message, {"largest_bucket": found.led}))
    return Meetings(found.left.astype(np.int64), found.right.astype(np.int64), tuple(notes), ~signed.defined)
