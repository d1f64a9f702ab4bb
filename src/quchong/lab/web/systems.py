"""Systems of a table: each swept over the thresholds, its rows, the best of them, and the sentence said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from quchong.lab.cells import cell
from quchong.lab.web.labelled import SWEEP, Labelled, best, sweep

System: TypeAlias = tuple[str, str, dict[str, Any]]
"""Name in the table, method, parameters."""


def swept(data: Labelled, systems: Sequence[System], **more: Any) -> list[dict[str, Any]]:
    """The rows of all systems over the pages, a cell each; `more` stands before them."""
    rows = []
    for name, method, parameters in systems:
        found = cell(f"{more} {name}", sweep, data, method, SWEEP, **parameters)
        rows += [more | {"system": name, **row} for row in found]
    return rows


def best_of(rows: Sequence[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """The best row of each group, in the order in which groups come."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return [best(group) for group in groups.values()]


def said(row: dict[str, Any]) -> str:
    """A remark: best F1, where it is reached, and how many relations are right there."""
    right, clear = row["relations_right"], row["clear_relations_right"]
    return (
        f"{row['system']}: best F1 {row['f1'] or 0:.3f}"
        + ("" if row["threshold"] is None else f" at {row['threshold']:g}")
        + f" (precision {row['precision'] or 0:.3f}, recall {row['recall'] or 0:.3f}"
        + ("" if right is None else f", relations right {right:.3f}")
        + (")" if clear is None else f", {clear:.3f} where sizes are not near the line between the two)")
    )
