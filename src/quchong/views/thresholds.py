"""What a run would be under other thresholds: decided again at each, from the pairs, as `rethreshold` does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from quchong.decision.pairs import DocumentPairs, from_table
from quchong.decision.survivors import Fate
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.rethreshold import check_again, decided_again, looked_where_decisive
from quchong.errors import QuchongError
from quchong.plan.catalogue import altered
from quchong.tables import CONTAINED_IN, CONTAINS, EXACT, RELATIONS

SLIDERS = ("threshold", "distance")
"""Parameters a slider may move, the first that a method's decision alone knows."""
STEPS = ((100_000, 100), (400_000, 50), (1_500_000, 20))
"""Up to so many pairs: thresholds from 0 to 1. With more pairs 10."""
EXAMPLES = 20
"""Documents named at each threshold that would go, and as many that would come back."""


def at_thresholds(outcome: Outcome, advance: Callable[[int], None] = lambda done: None) -> dict[str, Any]:
    """The run decided again at thresholds in even steps, from the lowest that the pairs can tell.

    Args:
        advance: is told of every threshold that is decided.

    Each figure is that of `Result.rethreshold` with this parameter; nothing is approximated.

    Returns:
        `parameter`, `now` (its value in the run, None where lengths and scripts have their own), `values` ascending; aligned with
        them `removed`, `relations` (removed by relation), `gone` and `back`: how many documents would go that stay in the run,
        and the other way round, and the first EXAMPLES of each as (document, survivor). Or `why` there is none.
    """
    method = outcome.plan.method
    settings = method.settings()
    name = next((n for n in SLIDERS if n in method.traits.decided_by and n in settings), None)
    if name is None:
        return {"why": "method", "method": method.name}
    if name == "threshold" and "distance" in method.traits.decided_by:
        name = "distance"  # of two-stage, whose threshold is that of another test
    pairs = replace(from_table(outcome.corpus.documents, outcome.pairs), differences=None)
    if not len(pairs):
        return {"why": "no pairs", "method": method.name}
    steps = next((n for most, n in STEPS if len(pairs) <= most), 10)
    wanted = list(range(int(settings[name]) + 1)) if name == "distance" else [k / steps for k in range(steps + 1)]
    found: list[dict[str, Any]] = []
    why = ""
    for value in reversed(wanted):
        try:
            plan = replace(outcome.plan, method=altered(method, {name: value}))
            check_again(outcome, plan)
            pairs = looked_where_decisive(outcome, plan, pairs)
            found.append({"value": value} | _told(outcome, *decided_again(outcome, plan, pairs)))
            advance(1)
        except (QuchongError, ValueError) as error:
            why = str(error)
            if found:
                break
    if not found:
        return {"why": "refused", "method": method.name, "said": why}
    found.reverse()
    columns = {key: [one[key] for one in found] for key in ("removed", "relations", "gone", "back")}
    return {"parameter": name, "now": settings[name], "values": [one["value"] for one in found]} | columns


def _told(outcome: Outcome, pairs: DocumentPairs, fate: Fate) -> dict[str, Any]:
    """What is shown of one threshold."""
    removed, before = fate.removed, outcome.fate.removed
    codes = pairs.relation[fate.pair[removed & (fate.pair >= 0)]]
    counts = Counter(CONTAINED_IN if RELATIONS[c] == CONTAINS else RELATIONS[c] for c in codes.tolist())
    if alone := int((removed & (fate.pair < 0)).sum()):
        counts[EXACT] += alone
    gone, back = removed & ~before, before & ~removed
    return {
        "removed": int(removed.sum()),
        "relations": dict(counts),
        "gone": [int(gone.sum()), _examples(gone, fate.survivor)],
        "back": [int(back.sum()), _examples(back, outcome.fate.survivor)],
    }


def _examples(mask: np.ndarray, survivor: np.ndarray) -> list[tuple[int, int]]:
    return [(int(i), int(survivor[i])) for i in np.flatnonzero(mask)[:EXAMPLES]]
