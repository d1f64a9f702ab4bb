"""Relations that a run has decided before it measures recall, so that the pairs of the sample are not compared again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.decision.expansion import ClassPairs
from quchong.plan.plan import Plan
from quchong.tables import BY_TEMPLATES

UNKNOWN = None
"""Value in place of a relation: the pair was not compared, or its differences were not examined."""


@dataclass(frozen=True, slots=True)
class KnownRelations:
    """Relations of pairs of classes.

    Attributes:
        classes: number of classes.
        code: int64, ascending: left * classes + right of each pair, left < right.
        relation: object: name of the relation, "" for a pair below the floor of the rule.
    """

    classes: int
    code: np.ndarray
    relation: np.ndarray

    def relations_of(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the relation name of each pair (left < right), UNKNOWN for pairs without a known relation; object array."""
        out = np.full(len(left), UNKNOWN, object)
        if len(self.code):
            code = left * self.classes + right
            at = np.minimum(np.searchsorted(self.code, code), len(self.code) - 1)
            same = self.code[at] == code
            out[same] = self.relation[at[same]]
        return out


def known_relations(plan: Plan, classes: int, found: ClassPairs, sample: np.ndarray | None) -> KnownRelations:
    """Return the known relations of found pairs that involve a class of the sample and need no further examination.

    Pairs that templates decided are left out: they are judged by their texts alone.

    Args:
        plan: whose rule decides. classes: number of classes.
        found: scored pairs, examined where their differences decide.
        sample: int64, the sampled classes; None for none.
    """
    if sample is None or not len(sample):
        return KnownRelations(classes, np.zeros(0, np.int64), np.zeros(0, object))
    inside = np.zeros(classes, bool)
    inside[sample] = True
    mask = (inside[found.left] | inside[found.right]) & (found.left < found.right)
    if found.open is not None:
        mask &= ~found.open
    if (facts := found.measures.get("facts")) is not None:
        mask &= (facts & np.uint16(BY_TEMPLATES)) == 0
    some = np.flatnonzero(mask)
    code = found.left[some].astype(np.int64) * classes + found.right[some]
    some, code = some[order := np.argsort(code)], code[order]
    measures = {name: values[some] for name, values in found.measures.items()}
    listed = plan.method.rule.floor(measures)
    relation = np.full(len(some), "", object)
    relation[listed], _ = plan.method.rule.decide({name: values[listed] for name, values in measures.items()})
    return KnownRelations(classes, code, relation)
