"""Gates: the default method's tests of one pair, one by one, for display.

They read the same columns and thresholds as `quchong.similarity.relations.decide`, which alone decides the relation.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quchong.seam import Gate
from quchong.similarity.guards import UNSEEN, names_conflict, numbers_conflict
from quchong.similarity.relations import counted_conflicts
from quchong.similarity.thresholds import Thresholds
from quchong.tables import FACTS


def number(measures: Mapping[str, np.ndarray], name: str) -> float | None:
    """Return a measure of one pair, or None if it was not computed."""
    column = measures.get(name)
    return None if column is None or not len(column) else float(column[0])


def reaching(what: str, column: str, measures: Mapping[str, np.ndarray], needed: float) -> Gate:
    """Build the gate of a measure that must reach a value."""
    value = number(measures, column)
    return Gate(what, value, needed, None if value is None else value >= needed, column)


def floor_gates(measures: Mapping[str, np.ndarray], thresholds: Thresholds) -> tuple[Gate, ...]:
    """Return the gates of the floor below which pairs are not listed: Jaccard or the larger containment."""
    largest = max(number(measures, "containment_left") or 0.0, number(measures, "containment_right") or 0.0)
    least = thresholds.floor_containment
    return (
        reaching("floor.jaccard", "jaccard", measures, thresholds.floor_jaccard),
        Gate("floor.containment", largest, least, largest >= least),
    )


def relation_gates(
    measures: Mapping[str, np.ndarray], thresholds: Thresholds, *, guards: bool, strict: bool = False
) -> tuple[Gate, ...]:
    """Return the tests that `decide` applies to one pair: containments, Jaccard, alignment and guards."""
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"]).astype(np.int64)
    han = measures["han"]
    least, inside = float(thresholds.jaccard_for(shorter, han)[0]), float(thresholds.containment_for(han)[0])
    out = [
        Gate("tokens", float(shorter[0])),
        Gate("width", number(measures, "ngram_size"), column="ngram_size"),
        reaching("containment.left", "containment_left", measures, inside),
        reaching("containment.right", "containment_right", measures, inside),
        reaching("jaccard", "jaccard", measures, least),
    ]
    if "aligned_left" in measures and thresholds.aligned < 1:
        value = float(np.minimum(measures["aligned_left"], measures["aligned_right"])[0])
        out.append(Gate("aligned", value, thresholds.aligned, value >= thresholds.aligned))
        out.append(Gate("unexplained", number(measures, "unexplained"), column="unexplained"))
    if guards:
        seen = measures["name_swap"][0] != UNSEEN
        conflict, swap = bool(numbers_conflict(measures, strict=strict)[0]), bool(names_conflict(measures)[0])
        out.append(Gate("numbers", number(measures, "conflicting_numbers"), None, not conflict, "conflicting_numbers"))
        out.append(Gate("names", float(swap) if seen else None, None, not swap if seen else None, "name_swap"))
    return tuple(out)


def facts_gates(measures: Mapping[str, np.ndarray], counted: int, brief: int, guards: bool) -> tuple[Gate, ...]:
    """Return the gate of the facts in conflict that count; none if no guards or no differences.

    Bit k of `counted`, and in short texts of `brief`, is FACTS[k].
    """
    if not guards or "facts" not in measures:
        return ()
    bits = int(counted_conflicts(measures, counted, brief)[0])
    return (Gate("facts", ", ".join(kind for k, kind in enumerate(FACTS) if bits >> k & 1), None, not bits, "facts"),)
