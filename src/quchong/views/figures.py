"""Data of the charts of a run: documents by source and time, scores of pairs, sizes of clusters."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.relation_codes import LEADERS, NAMES, codes_in
from quchong.views.cut import short
from quchong.views.subject import Subject

SOURCES = 20
"""Maximum number of sources shown by name."""
BINS, TICKS = 50, 400
SCORES = ("jaccard", "containment", "evidence")
_HOUR, _DAY = 3600, 86400
SPANS = (("hour", 3 * _DAY, 13), ("day", 150 * _DAY, 10), ("month", 12 * 366 * _DAY, 7), ("year", float("inf"), 4))
"""Units of the time axis: name, the longest time span it is used for, and the number of characters of an ISO date."""


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
    """Count documents read and removed by hour, day, month or year; None if no document has a time."""
    own, removed, seconds = ~subject.flags("reference"), subject.flags("removed"), subject.seconds
    dated = own & np.isfinite(seconds) & (np.abs(seconds) < 4e10)  # years 700 to 3200
    if not dated.any():
        return None
    low, high = np.quantile(seconds[dated], [0.005, 0.995])  # one wrong year must not flatten all others
    days = not (seconds[dated] % _DAY).any()  # no time of day is told
    unit, _, characters = next(span for span in SPANS[days:] if high - low <= span[1])
    margin = (high - low) * 0.5 + _DAY
    inside = dated & (seconds >= low - margin) & (seconds <= high + margin)
    labels = [_iso(s)[:characters] for s in seconds[inside].tolist()]
    read = Counter(labels)
    gone = Counter(label for label, out in zip(labels, removed[inside].tolist(), strict=True) if out)
    axis = _filled(sorted(read), unit)
    return {
        "unit": unit, "labels": axis, "read": [read[a] for a in axis], "removed": [gone[a] for a in axis],
        "undated": int((own & ~dated).sum()), "outside": int((dated & ~inside).sum()),
    }  # fmt: skip


def _filled(labels: list[str], unit: str) -> list[str]:
    """Return the labels with the missing ones between them, or the labels alone if all would be too many to draw."""
    first = datetime.datetime.fromisoformat((labels[0] + "-01-01"[len(labels[0]) - 4 :])[:10] + labels[0][10:])
    moments, end = [first], labels[-1]
    while len(moments) < TICKS and _iso_of(moments[-1])[: len(end)] < end:
        now = moments[-1]
        match unit:
            case "hour":
                moments.append(now + datetime.timedelta(hours=1))
            case "day":
                moments.append(now + datetime.timedelta(days=1))
            case "month":
                moments.append(now.replace(year=now.year + now.month // 12, month=now.month % 12 + 1))
            case _:
                moments.append(now.replace(year=now.year + 1))
    found = [_iso_of(m)[: len(end)] for m in moments]
    return found if found[-1] == end else labels


def _iso(seconds: float) -> str:
    return _iso_of(datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds))


def _iso_of(moment: datetime.datetime) -> str:
    return moment.isoformat(sep=" ", timespec="hours")


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
