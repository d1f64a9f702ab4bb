"""Data of the charts of a run: documents by source and time, scores of pairs, sizes of clusters."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.relation_codes import LEADERS, NAMES, codes_in
from quchong.views.cut import short
from quchong.views.subject import Subject
from quchong.views.time_axis import iso, time_axis

SOURCES = 20
"""Maximum number of sources shown by name."""
BINS = 50
SCORES = ("jaccard", "containment", "evidence")
_DAY = 86400


def by_source(subject: Subject) -> dict[str, Any]:
    """Count documents read and removed for the sources with most removals, largest first, and for all others together."""
    own, removed = ~subject.flags("reference"), subject.flags("removed")
    read = Counter(name for name, mine in zip(subject.sources, own, strict=True) if mine)
    gone = Counter(name for name, out in zip(subject.sources, removed, strict=True) if out)
    order = sorted(read, key=lambda name: (-gone[name], -read[name], name))
    shown, rest = order[:SOURCES], order[SOURCES:]
    return {
        "column": subject.has_sources,
        "names": [short(name, 80) for name in shown],
        "read": [read[name] for name in shown],
        "removed": [gone[name] for name in shown],
        "others": {"sources": len(rest), "read": sum(read[n] for n in rest), "removed": sum(gone[n] for n in rest)},
    }


def by_time(subject: Subject) -> dict[str, Any] | None:
    """Count documents read and removed by hour, day, month or year; None if no document has a time.

    `labels` has None for a long span without documents, which is left out of the axis.
    """
    own, removed, seconds = ~subject.flags("reference"), subject.flags("removed"), subject.seconds
    dated = own & np.isfinite(seconds) & (np.abs(seconds) < 4e10)  # years 700 to 3200
    if not dated.any():
        return None
    low, high = np.quantile(seconds[dated], [0.005, 0.995])  # one wrong year must not flatten all others
    days = bool(not (seconds[dated] % _DAY).any())  # no time of day is told
    margin = (high - low) * 0.5 + _DAY
    inside = dated & (seconds >= low - margin) & (seconds <= high + margin)
    some = seconds[inside].tolist()
    axis = time_axis(some, days)
    labels = [iso(s)[: axis.characters] for s in some]
    read = Counter(labels)
    gone = Counter(label for label, out in zip(labels, removed[inside].tolist(), strict=True) if out)
    return {
        "unit": axis.unit, "labels": axis.labels, "undated": int((own & ~dated).sum()), "outside": int((dated & ~inside).sum()),
        "read": [read[a] if a else 0 for a in axis.labels], "removed": [gone[a] if a else 0 for a in axis.labels],
    }  # fmt: skip


def scores(pairs: pa.Table) -> dict[str, Any]:
    """Count listed pairs by score, for each relation: Jaccard, the larger containment, and the evidence of a paper's rule."""
    relation = LEADERS[codes_in(pairs["relation"])]
    larger = pc.max_element_wise(pairs["containment_left"], pairs["containment_right"])
    found = {}
    for name, column in zip(SCORES, (pairs["jaccard"], larger, pairs["evidence"]), strict=True):
        values = column.to_numpy(zero_copy_only=False).astype(np.float64)
        some = np.isfinite(values)
        if not some.any() and name == "evidence":
            continue
        top = max(1.0, float(values[some].max(initial=0.0)))
        edges = np.linspace(0.0, top, BINS + 1)
        counts = {}
        for code in np.unique(relation).tolist():
            mine, _ = np.histogram(values[some & (relation == code)], edges)
            if mine.any():
                counts[NAMES[code]] = mine.tolist()
        found[name] = {"top": top, "counts": counts}
    return found


def sizes(clusters: pa.Table) -> list[tuple[int, int]]:
    """Count clusters by size, with the survivor included; sorted by size."""
    if not len(clusters):
        return []
    counts = pc.value_counts(pc.value_counts(clusters["cluster_id"]).field("counts")).to_pylist()
    return sorted((row["values"], row["counts"]) for row in counts)
