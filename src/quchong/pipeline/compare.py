"""Two texts beside each other, without a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.alignment import align
from quchong.errors import Param, UsageError
from quchong.pipeline.ledger import find_passages, original
from quchong.report import Passage
from quchong.seam import Documents, Method, Spans
from quchong.tables import EXACT
from quchong.text import Edit, Preparer, form

QUOTE = 12
"""Words, or Chinese characters, of an equal stretch that is told of though it is too short to be aligned."""


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
    places: tuple[Passage, ...] = ()
    if n:
        tokens: np.ndarray = np.array([n], np.uint32)
        spans = find_passages(method, documents, a, b, tokens, np.array([same]), 1)
        places = _passages(spans, prepared.edits)
    values = {k: v[0].item() for k, v in measures.items()}
    return Comparison(
        str(relation), str(rule), values.pop("jaccard"), values.pop("containment_left"), values.pop("containment_right"),
        values, places,
    )  # fmt: skip


def aligned(left: str, right: str, min_chars: int | None = None, workers: int | None = 1) -> tuple[Passage, ...]:
    """The passages two texts share, copied or reworked (`quchong.alignment.align`), in the order of the left text.

    Equal stretches that are too short to be aligned, but of QUOTE tokens or more, are among them; with `min_chars` all those
    of so many characters on both sides.
    """
    if min_chars is not None and min_chars < 1:
        raise UsageError(Param("min_chars"), f" must be at least 1, got {min_chars}")
    prepared = Preparer().prepare(pa.array([left, right], pa.large_string()), 1)
    a, b = np.array([0]), np.array([1])
    wide = align(form(), prepared.texts, a, b, min_chars=min_chars, workers=workers)
    shortest = np.array([QUOTE if min_chars is None else 2], np.uint32)
    offsets, runs = kernels.passages(form(), prepared.texts, a, b, np.array([2], np.uint8), shortest, workers)
    found = list(_passages(wide, prepared.edits))
    for run in _passages(Spans.of(offsets, runs), prepared.edits):
        inside = any(p.start <= run.start and run.end <= p.end for p in found)
        if not inside and min(run.end - run.start, run.survivor_end - run.survivor_start) >= (min_chars or 0):
            found.append(run)
    return tuple(sorted(found, key=lambda p: (p.start, p.end, p.survivor_start)))


def _passages(spans: Spans, edits: Mapping[int, Edit]) -> tuple[Passage, ...]:
    """Spans of one pair of texts, 0 and 1, in characters of the originals."""
    none, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    places = original(edits, none, one, spans.offsets, spans.places)
    return tuple(
        Passage(a, b, c, d, "exact" if exact else "near")
        for (a, b, c, d), exact in zip(places.tolist(), spans.exact.tolist(), strict=True)
    )
