"""Base class of methods that decide by coverage: the share of each document that the other contains.

A subclass finds candidates (`meet`), measures how much of each document its passages cover (`evidence_of`: `covered_left`, `covered_right`,
and `evidence` if its paper has one value for both) and, if known, gives their offsets (`passages`, see `quchong.seam.Extras`). The
relation follows in the usual order: contained, duplicate, partial.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quchong.errors import Param, UsageError
from quchong.methods.bases.papers import PaperMethod
from quchong.methods.bases.rules import OverlapRule
from quchong.parameters import CONTAINMENT, LEAST
from quchong.seam import Documents, Gate, Measures
from quchong.similarity.gates import number, reaching

OVERLAP_DECIDED = ("threshold", "containment", "least", "verify")
"""Values of `Traits.decided_by` for these methods: candidates are complete from `least` on, whatever the thresholds."""


@dataclass(frozen=True, slots=True)
class OverlapMethod(PaperMethod):
    """Base class of methods that decide by the share of each document that the other contains.

    `threshold` applies to the paper's one value for both documents (`evidence`); a pair that reaches it is a duplicate.
    """

    containment: float | None = CONTAINMENT(
        None,
        "minimum share of a document that must be covered for the document to be contained in another; if both "
        "documents reach this share, they are duplicates. Default: the value of the paper.",
    )
    least: float | None = LEAST(
        None,
        "minimum share of a document that must be covered for a pair to be listed as partial; no document is "
        "removed for such a pair. Default: the value of the paper.",
    )

    inside: ClassVar[float] = 0.8
    worth: ClassVar[float] = 0.1

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if not 0 < self.floor <= min(self.covering, self.limit):
            raise UsageError(
                "{} must be above 0 and at most threshold and containment ({:g}, {:g}), got {:g}: every removed "
                "pair must also be listed",
                Param("least"),
                self.limit,
                self.covering,
                self.floor,
            )

    @property
    def covering(self) -> float:
        """Share at or above which a document counts as contained in the other."""
        return self.inside if self.containment is None else self.containment

    @property
    def floor(self) -> float:
        """Share at or above which a pair is listed; by default at most the threshold and the containment."""
        return min(self.worth, self.covering, self.limit) if self.least is None else self.least

    def decided(self) -> dict[str, Any]:
        """Parameters in effect by name: threshold, containment and least, with the paper's values for those not given."""
        return PaperMethod.decided(self) | {"containment": self.covering, "least": self.floor}

    @property
    def rule(self) -> OverlapRule:
        """Rule by the covered share of each document, and by the paper's one value for both."""
        return self.rule_of(OverlapRule, covering=self.covering, least=self.floor)

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the floor, the paper's one value, and the covered share of each document."""
        most = float(np.maximum(measures["covered_left"], measures["covered_right"])[0])
        value = number(measures, "evidence") or 0.0
        return (
            Gate("floor.covered", most, self.floor, bool(self.rule.floor(measures)[0])),
            Gate(self.evidence_called, value, self.limit, value >= self.limit, "evidence"),
            reaching("covered.left", "covered_left", measures, self.covering),
            reaching("covered.right", "covered_right", measures, self.covering),
        )
