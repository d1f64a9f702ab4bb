"""Two texts beside each other, without a corpus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.pipeline.ledger import find_passages
from quchong.report import Passage
from quchong.seam import Documents, Method
from quchong.tables import EXACT
from quchong.text import Preparer


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two texts have in common.

    Attributes:
        relation: of left to right; "none" below the floor.
        rule: what named it.
        jaccard, containment_left, containment_right: exact counts; containment_left is the share of left in right.
        measures: the other columns of PAIRS.
        passages: shared stretches in characters of both texts; start and end in left, survivor_* in right.
    """

    relation: str
    rule: str
    jaccard: float
    containment_left: float
    containment_right: float
    measures: dict[str, Any]
    passages: tuple[Passage, ...]

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        out = asdict(self)
        out["passages"] = [
            {
                "left_start": p.start,
                "left_end": p.end,
                "right_start": p.survivor_start,
                "right_end": p.survivor_end,
                "kind": p.kind,
            }
            for p in self.passages
        ]
        return out


def compare_texts(left: str, right: str, method: Method, preparer: Preparer | None = None) -> Comparison:
    """Judges one pair exactly as a run would."""
    prepared = (preparer or Preparer()).prepare(pa.array([left, right], pa.large_string()), 1)
    a, b = np.array([0], np.uint32), np.array([1], np.uint32)
    documents = Documents.of(prepared.texts)
    measures = method.judge(documents, a, b, 1)
    relation, rule = (x[0] for x in method.decide(measures))
    if not method.listed(measures)[0]:
        relation, rule = "none", "below the floor"
    features = method.features(prepared.texts, 1)
    n = int(features.tokens.min())
    same = bool(features.high[0] == features.high[1] and features.low[0] == features.low[1])
    if n and same:
        relation, rule = EXACT, "equal normal form"
        ones = dict.fromkeys(("jaccard", "containment_left", "containment_right"), np.ones(1))
        measures = dict(measures) | ones
    places: list[Passage] = []
    if n:
        tokens: np.ndarray = np.array([n], np.uint32)
        spans = find_passages(method, documents, a, b, tokens, np.array([same]), 1)
        for row, exact in zip(spans.places.tolist(), spans.exact.tolist(), strict=True):
            start, end = _back(prepared.edits.get(0), row[0], row[1])
            other_start, other_end = _back(prepared.edits.get(1), row[2], row[3])
            places.append(Passage(start, end, other_start, other_end, "exact" if exact else "near"))
    values = {k: v[0].item() for k, v in measures.items()}
    return Comparison(
        str(relation), str(rule), values.pop("jaccard"), values.pop("containment_left"), values.pop("containment_right"),
        values, tuple(places),
    )  # fmt: skip


def _back(edit: Any, start: int, end: int) -> tuple[int, int]:
    return (start, end) if edit is None else edit.back(start, end)
