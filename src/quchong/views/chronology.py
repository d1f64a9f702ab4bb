"""The time line of a cluster: who had the text first, who next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Step:
    """One document on the time line.

    Attributes:
        document: its place among the documents.
        origin: the document it was most likely copied from; None where nobody has looked.
    """

    document: int
    origin: int | None = None


def chronology(members: Sequence[int], seconds: np.ndarray) -> list[Step]:
    """The documents of a cluster in the order of their times, the earliest first; those without one last, in the order given.

    Args:
        members: places of the documents.
        seconds: the time of every document of the run, NaN where it has none.
    """
    known = np.isfinite(seconds)
    order = sorted(
        range(len(members)), key=lambda k: (not known[members[k]], seconds[members[k]] if known[members[k]] else 0, k)
    )
    return [Step(members[k]) for k in order]
