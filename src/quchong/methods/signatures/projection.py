"""Random projection of weighted terms: documents at a small angle are duplicates (随机投影).

Source: Charikar 2002; Henzinger 2006 for the number of bits and the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from quchong.methods.bases.projections import ProjectionMethod
from quchong.parameters import THRESHOLD
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Traits


@dataclass(frozen=True, slots=True)
class RandomProjection(ProjectionMethod):
    """Method on random projections: 384 bits, each of which gives the side of a random plane that the vector of terms is on.

    The order of terms does not count: texts of the same words are alike. Two documents agree in a bit with probability 1 - angle / pi: 372
    of 384 bits correspond to a cosine of .995.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest share of equal bits at which two documents are duplicates; 372 of 384 in the paper."
    )

    name: ClassVar[str] = "random-projection"
    usual: ClassVar[float] = 372 / 384
    traits: ClassVar[Traits] = Traits(
        title="random projections of tf-idf vectors of terms; the share of equal bits is compared",
        paper="Charikar 2002; Henzinger 2006",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. A document has 13 keys. In a family of near-copies, the "
            "number of pairs grows quadratically until each document has 64 partners, then linearly"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )
