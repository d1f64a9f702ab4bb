"""The biggest clusters of a run: members, pairs among them, time line."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from quchong.tables import RELATIONS
from quchong.views.chronology import chronology
from quchong.views.register import Register
from quchong.views.subject import Subject

CLUSTERS, MEMBERS, EDGES = 200, 40, 61
"""Clusters that are shown, documents of each, and pairs between documents that went."""


def biggest(subject: Subject) -> list[tuple[int, list[int]]]:
    """Survivor and removed documents of the clusters that are shown, the largest first; ties by id."""
    clusters = subject.tables["clusters"]
    groups: dict[int, list[int]] = defaultdict(list)
    for survivor, member in zip(
        subject.places(clusters["survivor_id"]).tolist(), subject.places(clusters["id"]).tolist(), strict=True
    ):
        if member != survivor:
            groups[survivor].append(member)
    order = sorted(groups, key=lambda s: (-len(groups[s]), subject.ids[s]))
    return [(survivor, groups[survivor]) for survivor in order[:CLUSTERS]]


def described(
    subject: Subject, shown: list[tuple[int, list[int]]], row_of: dict[int, int], register: Register
) -> list[dict[str, Any]]:
    """The clusters as the page takes them.

    Args:
        shown: survivors and removed documents.
        row_of: the row of each removed document in the list of removals.
        register: numbers documents.
    """
    edges = _edges(subject, shown)
    out = []
    for survivor, members in shown:
        named = members[:MEMBERS]
        steps = chronology([survivor, *named], subject.seconds)
        out.append(
            {
                "survivor": register(survivor),
                "size": len(members) + 1,
                "members": [register(i) for i in named],
                "rows": [row_of.get(i, -1) for i in named],
                "edges": [[register(a), register(b), r, j] for a, b, r, j in edges.get(survivor, [])],
                "line": [[register(s.document), None if s.origin is None else register(s.origin)] for s in steps],
            }
        )
    return out


def _edges(subject: Subject, shown: list[tuple[int, list[int]]]) -> dict[int, list[tuple[int, int, int, float]]]:
    """Listed pairs between removed documents of one cluster, by its survivor: both, code of the relation, Jaccard."""
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
