"""The listed pairs of a run in strata: by what the run calls them, and by how near they are to the line.

Exact copies are no part of it: they are equal in normal form, and nobody has to look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CUTS = ((20, (1.0,)), (60, (0.3, 1.0)))
"""Up to so many pairs of a relation, and where they are cut by nearness to the line; with more at SHARES."""
SHARES = (0.05, 0.2, 0.5, 1.0)
FAR = (0.0, 0.2, 0.4, 0.47)
"""How far from one half the share of copies is expected to be, from the stratum at the line on."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """Pairs of one relation that are about equally near to the line.

    Attributes:
        relation: what the run calls them.
        called: does the run take them for copies?
        place, of: which of how many it is, from the nearest to the line.
        size: pairs.
        low, high: of their scores.
    """

    relation: str
    called: bool
    place: int
    of: int
    size: int
    low: float
    high: float

    @property
    def prior(self) -> float:
        """The share of copies to be expected before anybody looked: one half at the line, nearly all or nearly none far from it."""
        far = (FAR if self.of > 1 else FAR[1:])[self.place]
        return 0.5 + far if self.called else 0.5 - far


@dataclass(frozen=True, slots=True)
class Strata:
    """Pairs in strata.

    Attributes:
        kinds: the strata, by relation, from the nearest to the line.
        of: int64, one entry a row of PAIRS: number of its stratum, -1 of exact copies.
    """

    kinds: tuple[Stratum, ...]
    of: np.ndarray

    @property
    def called(self) -> np.ndarray:
        """Mask of the rows of PAIRS that the run takes for copies, exact ones left out."""
        known = np.array([kind.called for kind in self.kinds] + [False], bool)
        mask: np.ndarray = known[self.of]
        return mask


def strata(
    relation: np.ndarray,
    names: tuple[str, ...],
    called: np.ndarray,
    score: np.ndarray,
    distance: np.ndarray,
    exact: int,
) -> Strata:
    """Puts pairs in strata.

    Args:
        relation: integers, the relation of each pair as a place in `names`.
        names: of relations.
        called: bool per relation of `names`: does the run take such pairs for copies?
        score: float64 per pair, how alike they are.
        distance: float64 per pair, how far from the line; not a number where nobody knows, which is farthest.
        exact: place of exact copies in `names`.

    Deterministic; equal distances stay in the order of the rows. Cost: a sort of the pairs.
    """
    of = np.full(len(relation), -1, np.int64)
    kinds: list[Stratum] = []
    for code, name in enumerate(names):
        rows = np.flatnonzero(relation == code)
        if code == exact or not len(rows):
            continue
        rows = rows[np.argsort(np.nan_to_num(distance[rows], nan=np.inf), kind="stable")]
        shares = next((cuts for most, cuts in CUTS if len(rows) <= most), SHARES)
        ends = [int(np.ceil(share * len(rows))) for share in shares]
        for place, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
            some = rows[start:end]
            of[some] = len(kinds)
            low, high = float(score[some].min()), float(score[some].max())
            kinds.append(Stratum(name, bool(called[code]), place, len(ends), len(some), low, high))
    return Strata(tuple(kinds), of)
