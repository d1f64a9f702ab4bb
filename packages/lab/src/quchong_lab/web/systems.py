"""Systems of a table: their rows over the thresholds, the best rows, and remarks on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from quchong_lab.cells import cell
from quchong_lab.web.labelled import SWEEP, Labelled, best, sweep

System: TypeAlias = tuple[str, Any, dict[str, Any]]
"""Name in the table, method by name or class, parameters."""


def swept(data: Labelled, systems: Sequence[System], **more: Any) -> list[dict[str, Any]]:
    """Return the rows of all systems at all thresholds on the pages, one cell for each system; columns `more` come first."""
    rows = []
    for name, method, parameters in systems:
        found = cell(f"{more} {name}", sweep, data, method, SWEEP, **parameters)
        rows += [more | {"system": name, **row} for row in found]
    return rows


def best_of(rows: Sequence[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Return the best row of each group of rows with equal `keys`, in order of appearance."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[k] for k in keys), []).append(row)
    return [best(group) for group in groups.values()]


def remark(row: dict[str, Any]) -> str:
    """Format a remark on a row: best F1, its threshold, and the share of right relations."""
    right, clear = row["relations_right"], row["clear_relations_right"]
    return (
        f"{row['system']}: best F1 {row['f1'] or 0:.3f}"
        + ("" if row["threshold"] is None else f" at {row['threshold']:g}")
        + f" (precision {row['precision'] or 0:.3f}, recall {row['recall'] or 0:.3f}"
        + ("" if right is None else f", relations right {right:.3f}")
        + (")" if clear is None else f", {clear:.3f} where sizes are not near the line between the two)")
    )
