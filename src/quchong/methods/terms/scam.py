"""SCAM: documents by the words they use about equally often (相对词频).

Source: Shivakumar 1995 (SCAM).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from quchong.methods.bases.coverage import OVERLAP_DECIDED
from quchong.methods.bases.relative_frequency import RelativeFrequency
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Traits


@dataclass(frozen=True, slots=True)
class Scam(RelativeFrequency):
    """Method on relative word frequencies: the share of each document's words that the other uses about as often.

    The order of words does not count, so that texts on one subject are fairly similar. The paper's one value is the greater of both shares.
    """

    name: ClassVar[str] = "scam"
    traits: ClassVar[Traits] = Traits(
        title="share of words that both texts use about equally often",
        paper="Shivakumar 1995 (SCAM)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths of rarer words, but each document is compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
        engines=("local",),  # its weights are squares: an executor would write a word as often as it weighs
    )
