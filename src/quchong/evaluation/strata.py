"""Strata of the listed pairs of a run: by relation, and by distance from the threshold.

Exact copies are in no stratum: they are equal in normal form, and need no label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CUTS = ((20, (1.0,)), (60, (0.3, 1.0)))
"""Shares at which the pairs of a relation, sorted by distance from the threshold, are cut into strata.

Each entry is a maximum number of pairs and its cuts; with more pairs SHARES is used.
"""
SHARES = (0.05, 0.2, 0.5, 1.0)
FAR = (0.0, 0.2, 0.4, 0.47)
"""Distance of the expected share of copies from one half, for each stratum, from the one nearest to the threshold."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """Pairs of one relation with similar distances from the threshold.

    Attributes:
        relation: relation in the run.
        called: True if the run treats them as copies.
        place, of: index of the stratum, from the nearest to the threshold, and number of strata of its relation.
        size: number of pairs.
        low, high: range of their scores.
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
        """Share of copies expected before any label: one half near the threshold, almost all or almost none far from it."""
        far = (FAR if self.of > 1 else FAR[1:])[self.place]
        return 0.5 + far if self.called else 0.5 - far


@dataclass(frozen=True, slots=True)
class Strata:
    """Strata of a run, with the stratum of each pair.

    Attributes:
        kinds: the strata, by relation, from the nearest to the threshold.
        of: int64, stratum of each row of PAIRS, -1 for exact copies.
    """

    kinds: tuple[Stratum, ...]
    of: np.ndarray

    @property
    def called(self) -> np.ndarray:
        """Mask of the rows of PAIRS that the run treats as copies, without exact ones."""
        known = np.array([kind.called for kind in self.kinds] + [False], bool)
        mask: np.ndarray = known[self.of]
        return mask


def strata(
    relation: np.ndarray,
    names: tuple[str, ...],
    called: np.ndarray,
    score: np.ndarray,
    distance: np.ndarray,
    equal: np.ndarray,
) -> Strata:
    """Divide pairs into strata by relation and distance from the threshold; pairs of equal texts are in none.

    Args:
        relation: integers, relation of each pair as an index in `names`.
        names: names of relations.
        called: bool per relation of `names`: True if the run treats such pairs as copies.
        score: float64 per pair, its similarity.
        distance: float64 per pair, distance from the threshold; NaN if unknown, which counts as farthest.
        equal: bool per relation of `names`: True if its texts are equal in normal form.

    Deterministic; pairs with equal distances keep the order of the rows. Cost: a sort of the pairs.
    """
    of = np.full(len(relation), -1, np.int64)
    kinds: list[Stratum] = []
    for code, name in enumerate(names):
        rows = np.flatnonzero(relation == code)
        if equal[code] or not len(rows):
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
