"""Differences between the two texts of a pair, as arrays, and the steps of a method that finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa

from quchong.seam.batches import Documents, Measures
from quchong.tables import FACTS


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences of pairs of texts: those of pair i are rows offsets[i]:offsets[i + 1].

    Attributes:
        offsets: int64, one entry more than pairs.
        kind: uint8 per difference: its index in `quchong.tables.DIFFERENCES`.
        conflict: bool per difference: True if both texts state a fact there and the facts differ.
        places: (n, 4) int64: left start, left end, right start, right end, in characters of the texts given, half open; one
            side may be empty (an insertion). Sorted within a pair.
        left, right: the words of either side, large strings, as in the texts given; only the first 200 tokens of a longer side.
        aligned_left, aligned_right: float64 per pair: share of each text's tokens that the other has in the same order; 0 if the
            pair was not examined.
        unexplained: uint32 per pair: number of differing content tokens that are neither noise nor boilerplate.
        told: bool per pair: True if its differences were examined. A pair that was not examined has no rows here, though its texts
            may differ.
    """

    offsets: np.ndarray
    kind: np.ndarray
    conflict: np.ndarray
    places: np.ndarray
    left: pa.Array
    right: pa.Array
    aligned_left: np.ndarray
    aligned_right: np.ndarray
    unexplained: np.ndarray
    told: np.ndarray

    @staticmethod
    def none(pairs: int) -> Differences:
        """Build the value for pairs of which none was examined."""
        nothing, share = pa.array([], pa.large_string()), np.zeros(pairs)
        return Differences(
            np.zeros(pairs + 1, np.int64), np.zeros(0, np.uint8), np.zeros(0, bool), np.zeros((0, 4), np.int64), nothing, nothing,
            share, share, np.zeros(pairs, np.uint32), np.zeros(pairs, bool),
        )  # fmt: skip

    @property
    def pair(self) -> np.ndarray:
        """Index of the pair of each difference, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @property
    def facts(self) -> np.ndarray:
        """Kinds of facts in conflict in each pair, uint16: bit k means FACTS[k]."""
        out = np.zeros(len(self.offsets) - 1, np.uint16)
        at = (self.conflict & (self.kind < len(FACTS))).nonzero()[0]
        if not len(at):
            return out
        np.bitwise_or.at(out, self.pair[at], np.left_shift(1, self.kind[at].astype(np.int64)).astype(np.uint16))
        return out

    @property
    def measures(self) -> dict[str, np.ndarray]:
        """Columns of each pair to join with those of `score`: `facts`, `aligned_left`, `aligned_right`, `unexplained`, `told`."""
        return {
            "facts": self.facts,
            "aligned_left": self.aligned_left,
            "aligned_right": self.aligned_right,
            "unexplained": self.unexplained,
            "told": self.told,
        }


class DifferenceSteps(Protocol):
    """Steps of a method that examines the differences of listed pairs, and decides by the facts among them."""

    @property
    def active(self) -> bool:
        """True if differences are examined; False if the method's parameters switch that off."""
        ...

    @property
    def mode(self) -> str:
        """Treatment of variants: "keep", or "remove", which adds them to the relations that remove a document."""
        ...

    @property
    def counted(self) -> np.uint16:
        """Kinds of facts that make a pair a variant: bit k for FACTS[k]."""
        ...

    def examined(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs whose differences are reported, by their measures and the thresholds of the rule."""
        ...

    def find(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None
    ) -> Differences:
        """Find the differences of listed pairs, given their measures.

        The measures of each pair (`Differences.measures`) are added to the others before the rule decides.
        """
        ...


def may_decide(steps: DifferenceSteps, measures: Measures) -> np.ndarray | None:
    """Return a mask of the pairs whose relation may depend on their differences, or None if the steps cannot tell.

    Steps that have a method `may_decide` say with it that each outcome of `find` lies between those of
    `quchong.decision.hypotheses.OUTCOMES`, so that pairs which decide nothing need not be examined. Otherwise every pair is examined.
    """
    tells = getattr(steps, "may_decide", None)
    return None if tells is None else np.asarray(tells(measures), bool)


def load_steps(steps: DifferenceSteps) -> None:
    """Load dictionaries and tables of the steps now, through their method `load` if they have one."""
    loads = getattr(steps, "load", None)
    if loads is not None:
        loads()


def template_pairs(steps: DifferenceSteps, measures: Measures) -> np.ndarray | None:
    """Return a mask of the pairs among which records on one template are searched, or None if the steps search none.

    Steps that have a method `template_pairs` choose with it pairs that may be copies under any thresholds, so that what is found does not
    depend on those of a run.
    """
    chooses = getattr(steps, "template_pairs", None)
    return None if chooses is None else np.asarray(chooses(measures), bool)


def find_all(
    steps: DifferenceSteps, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None
) -> Differences | None:
    """Find the differences of pairs that were not scored, or return None if the steps have no method `find_all`."""
    finds = getattr(steps, "find_all", None)
    return None if finds is None else finds(documents, left, right, workers)
