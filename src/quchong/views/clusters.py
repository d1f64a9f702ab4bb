"""Biggest clusters of a run: their members, the pairs among them, and their time line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from quchong.relations import EQUAL, RELATIONS
from quchong.report.chains import LEAST
from quchong.views.chronology import Step
from quchong.views.cut import short
from quchong.views.register import Register
from quchong.views.subject import Subject

CLUSTERS, MEMBERS, EDGES, STEPS = 200, 40, 61, 60
"""Maximum numbers: clusters shown, documents of each, pairs between removed documents of each, and documents of a time line."""
CHANGED = 300
"""Maximum number of characters in the description of a step's changes."""


def biggest(subject: Subject) -> list[tuple[int, list[int]]]:
    """Return the survivor and the removed documents of each cluster shown, largest first; ties by id."""
    return all_clusters(subject)[:CLUSTERS]


def all_clusters(subject: Subject) -> list[tuple[int, list[int]]]:
    """Return the survivor and the removed documents of each cluster, largest first; ties by id."""
    clusters = subject.tables["clusters"]
    groups: dict[int, list[int]] = defaultdict(list)
    for survivor, member in zip(
        subject.places(clusters["survivor_id"]).tolist(), subject.places(clusters["id"]).tolist(), strict=True
    ):
        if member != survivor:
            groups[survivor].append(member)
    order = sorted(groups, key=lambda s: (-len(groups[s]), subject.ids[s]))
    return [(survivor, groups[survivor]) for survivor in order]


def shown_of(clusters: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """Return all clusters with at most MEMBERS removed documents each."""
    return [(survivor, members[:MEMBERS]) for survivor, members in clusters]


def described(
    subject: Subject,
    shown: list[tuple[int, list[int]]],
    row_of: dict[int, int],
    lines: Sequence[Sequence[Step]],
    register: Register,
) -> list[dict[str, Any]]:
    """Return the clusters as JSON values for the page.

    Args:
        shown: survivor and removed documents of each cluster.
        row_of: the row of each removed document in the list of removals.
        lines: the time line of each cluster.
        register: the register that numbers documents.
    """
    edges = _edges(subject, shown)
    out = []
    for (survivor, members), (_, named), steps in zip(shown, shown_of(shown), lines, strict=True):
        out.append(
            {
                "survivor": register(survivor),
                "size": len(members) + 1,
                "members": [register(i) for i in named],
                "rows": [row_of.get(i, -1) for i in named],
                "edges": [[register(a), register(b), r, j] for a, b, r, j in edges.get(survivor, [])],
                "line": [_step(s, register) for s in steps[:STEPS]],
                "line_more": max(0, len(steps) - STEPS),
            }
        )
    return out


def _step(step: Step, register: Register) -> dict[str, Any]:
    """Return a step of a time line for the page; only its document if chains were not made."""
    told: dict[str, Any] = {"document": register(step.document)}
    if not step.row:
        return told
    row, second = step.row, step.second
    told |= {
        "role": row["role"],
        "first": row["position"] == 1,
        "basis": row["basis"],
        "parts": [register(p) for p in step.parts[:10]],
    }
    if step.origin is None:
        return told
    changed = {"en": row["changed"] or "", "zh": row["changed_zh"] or ""} if row["relation"] not in EQUAL else None
    return told | {
        "origin": register(step.origin),
        "relation": RELATIONS.index(row["relation"]),
        "choices": row["choices"],
        "certainty": row["certainty"],
        "second": None if second is None or not _as_likely(row) else register(second),
        "shared": round(row["shared"], 3),
        "changed": changed and {lang: short(words, CHANGED) for lang, words in changed.items()},
    }


def _as_likely(row: Mapping[str, Any]) -> bool:
    """Return True if the next likely source of an undecided document is worth naming."""
    return row["certainty"] == "undecided" and (row["runner_up_confidence"] or 0.0) >= LEAST


def _edges(subject: Subject, shown: list[tuple[int, list[int]]]) -> dict[int, list[tuple[int, int, int, float]]]:
    """Return for each survivor the listed pairs between its removed documents: both documents, relation code, Jaccard."""
    cluster = np.full(len(subject.ids), -1, np.int64)
    for survivor, members in shown:
        cluster[members[:MEMBERS]] = survivor
    left, right = subject.paired
    inside = np.flatnonzero((cluster[left] >= 0) & (cluster[left] == cluster[right]))
    some = subject.tables["pairs"].select(["relation", "jaccard"]).take(inside).to_pydict()
    found: dict[int, list[tuple[int, int, int, float]]] = defaultdict(list)
    for k, i in enumerate(inside.tolist()):
        of = found[int(cluster[left[i]])]
        if len(of) < EDGES:
            of.append((int(left[i]), int(right[i]), RELATIONS.index(some["relation"][k]), round(some["jaccard"][k], 3)))
    return found
