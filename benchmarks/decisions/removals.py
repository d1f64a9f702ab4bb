"""Removals of a tool: read from CSV, or made of the pairs it gives."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

Removals = dict[str, str | None]
"""Removed id -> id of the row it was removed for; None where the tool does not say."""
COLUMNS = {
    "removed": ("removed", "id"),
    "kept": ("kept", "survivor_id"),
    "left": ("left", "left_id"),
    "right": ("right", "right_id"),
}
"""Names a column may have; the second ones are those of quchong's tables."""
POLICIES = ("greedy", "united")


def _column(names: Sequence[str], wanted: str) -> str | None:
    return next((name for name in COLUMNS[wanted] if name in names), None)


def read_removals(path: Path, ids: Sequence[str], policy: str = "greedy") -> Removals:
    """Read a CSV file that has the columns `removed` and, if the tool says so, `kept`; or `left` and `right` for pairs of copies.

    Args:
        path: the file.
        ids: all ids of the corpus, in its order.
        policy: how pairs become removals, see `removals_of_pairs`.

    Raises:
        ValueError: a column is missing, an id is not in the corpus, a row is removed twice or for itself.
    """
    known = set(ids)
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        names = reader.fieldnames or []
        first, second = (_column(names, side) for side in ("left", "right"))
        if first and second:
            return removals_of_pairs(
                ids, ((_known(row[first], known), _known(row[second], known)) for row in reader), policy
            )
        removed, kept = (_column(names, side) for side in ("removed", "kept"))
        if not removed:
            raise ValueError(
                f"{path}: no column removed (with kept), nor left and right; it has {', '.join(names) or 'none'}"
            )
        found: Removals = {}
        for row in reader:
            one, other = _known(row[removed], known), row[kept] if kept else ""
            if one in found or one == other:
                raise ValueError(f"{path}: {one} is removed {'for itself' if one == other else 'twice'}")
            found[one] = _known(other, known) if other else None
        return found


def _known(id_: str, known: set[str]) -> str:
    if id_ not in known:
        raise ValueError(f"{id_} is not in the corpus")
    return id_


def removals_of_pairs(ids: Sequence[str], pairs: Iterable[tuple[str, str]], policy: str = "greedy") -> Removals:
    """Return what is removed if copies are given as pairs.

    "greedy": rows are looked at in the order of the corpus; one is removed if it is paired with a row before it that is kept, for the first
    such row. "united": rows that are connected by pairs are one cluster; all but its first row are removed, for the first one.
    Time and memory are linear in the pairs.
    """
    place = {id_: i for i, id_ in enumerate(ids)}
    before: dict[int, list[int]] = {}
    parent = list(range(len(ids)))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    for left, right in pairs:
        first, second = sorted((place[left], place[right]))
        if policy == "united":
            first, second = sorted((root(first), root(second)))
            parent[second] = first
        elif first != second:
            before.setdefault(second, []).append(first)
    if policy == "united":
        return {ids[i]: ids[root(i)] for i in range(len(ids)) if root(i) != i}
    found: Removals = {}
    for row in sorted(before):
        kept = min((other for other in before[row] if ids[other] not in found), default=None)
        if kept is not None:
            found[ids[row]] = ids[kept]
    return found


def write_removals(path: Path, removals: Removals) -> None:
    """Write removals as CSV with the columns `removed` and `kept`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("removed", "kept"))
        writer.writerows((removed, kept or "") for removed, kept in removals.items())
