"""Results of a run at other thresholds: decided again at each from its pairs, as `rethreshold` does."""

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
from quchong.relation_codes import LEADERS, NAMES
from quchong.relations import EXACT
from quchong.seam import settings_of

SLIDERS = ("threshold", "distance")
"""Parameters that a slider can vary; the first that is only used by a method's decision is taken."""
CONTAINMENT = "containment"
"""Parameter of the second slider."""
STEPS = ((100_000, 100), (400_000, 50), (1_500_000, 20))
"""Number of steps from 0 to 1 by the maximum number of pairs; 10 steps for more pairs."""
EXAMPLES = 20
"""Maximum number of documents named at each threshold that would be removed in addition, and that would be kept in addition."""


def at_thresholds(outcome: Outcome, advance: Callable[[int], None] = lambda done: None) -> dict[str, Any]:
    """Return the run decided again at thresholds in even steps, from the lowest that its pairs allow.

    Args:
        advance: function called with 1 after each threshold.

    Each figure equals that of `Result.rethreshold` with this parameter; nothing is approximated.

    Returns:
        `parameter`, `now` (its value in the run, None if it depends on length and script) and `values`, ascending.
        Aligned with `values`: `removed`, `relations` (removed by relation), and `gone` and `back`: the number of
        documents that would be removed in addition, or kept in addition, and the first EXAMPLES of them as (document,
        survivor). If the run cannot be decided again, only `why` and its details.
    """
    method = outcome.plan.method
    settings = settings_of(method)
    name = next((n for n in SLIDERS if n in method.traits.decided_by and n in settings), None)
    if name is None:
        return {"why": "method", "method": method.name}
    if name == "threshold" and "distance" in method.traits.decided_by:
        name = "distance"  # of two-stage, whose threshold is that of another test
    return _decided_at(outcome, name, advance)


def at_containments(outcome: Outcome, advance: Callable[[int], None] = lambda done: None) -> dict[str, Any] | None:
    """Return the run decided again at other containment thresholds, as `at_thresholds`; None if that is impossible."""
    method = outcome.plan.method
    if CONTAINMENT not in method.traits.decided_by or CONTAINMENT not in settings_of(method):
        return None
    found = _decided_at(outcome, CONTAINMENT, advance)
    return None if "why" in found else found


def _decided_at(outcome: Outcome, name: str, advance: Callable[[int], None]) -> dict[str, Any]:
    """Return the run decided again at values of one parameter."""
    method = outcome.plan.method
    settings = settings_of(method)
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
            found.append({"value": value} | _threshold_data(outcome, *decided_again(outcome, plan, pairs)))
            advance(1)
        except (QuchongError, ValueError) as error:
            why = error.english if isinstance(error, QuchongError) else str(error)
            if found:
                break
    if not found:
        return {"why": "refused", "method": method.name, "said": why}
    found.reverse()
    columns = {key: [one[key] for one in found] for key in ("removed", "relations", "gone", "back")}
    return {"parameter": name, "now": settings[name], "values": [one["value"] for one in found]} | columns


def _threshold_data(outcome: Outcome, pairs: DocumentPairs, fate: Fate) -> dict[str, Any]:
    """Return the data shown of one threshold."""
    removed, before = fate.removed, outcome.fate.removed
    codes = pairs.relation[fate.pair[removed & (fate.pair >= 0)]]
    counts = Counter(NAMES[LEADERS[codes]].tolist())
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
