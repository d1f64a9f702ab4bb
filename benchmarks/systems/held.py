"""What a method holds to find candidates, and how often it says the right relation of a pair it found."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from losses import judged_half

import quchong as qc
from quchong.evaluation.label_halves import REPORTED
from quchong.evaluation.labels import CONTAINED, LABELS
from quchong.relations import CONTAINED_IN, CONTAINS, RELATIONS
from quchong.seam import HammingJoin, KeyJoin, SetJoin, with_statistics

INSIDE = [RELATIONS.index(name) for name in (CONTAINS, CONTAINED_IN)]


def index_mb(result: qc.Result) -> float | None:
    """Keys, sets or signatures of all documents, in 10^6 bytes; None of a method that searches by itself."""
    corpus, plan = result._outcome.corpus, result._outcome.plan
    documents = corpus.take(np.flatnonzero(~corpus.documents.unscored), plan.method.traits.needs)
    method = with_statistics(plan.method, documents, plan.workers)
    match method.candidates:
        case KeyJoin(keys=keys):
            return 1e-6 * array_bytes(keys(method.represent(documents.texts, plan.workers)))
        case SetJoin(sets=sets):
            return 1e-6 * array_bytes(sets(documents, plan.workers))
        case HammingJoin(sign=sign):
            return 1e-6 * array_bytes(sign(documents, plan.workers))
    return None


def array_bytes(value: Any) -> int:
    """Bytes of the arrays of a value."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple | list):
        return sum(map(array_bytes, value))
    if is_dataclass(value):
        return sum(array_bytes(getattr(value, one.name)) for one in fields(value))
    return 0


def relation_accuracy(result: qc.Result, truth: Path) -> dict[str, Any]:
    """Of the copies found on the half held back: how many are called contained where the truth says so, and not where it does not.

    Returns:
        `right`, `of`: counts. `f1`: on that half, by which an earlier measurement can be held to the code of now.
    """
    _, judged, mine = judged_half(result, truth, REPORTED)
    both = mine & judged.found & judged.right_pair
    true = judged.label[both] == LABELS.index(CONTAINED)
    said = np.isin(judged.relation[both], INSIDE)
    found, right = int((mine & judged.found).sum()), int((mine & judged.right_pair).sum())
    f1 = 2 * int(both.sum()) / max(found + right, 1)
    return {"right": int((true == said).sum()), "of": int(both.sum()), "f1": f1}
