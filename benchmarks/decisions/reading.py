"""Removals to read: drawn by chance for each rule, with the lines in which both texts differ."""

from __future__ import annotations

import csv
import difflib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from corpora import seeded
from making import read_rows
from removals import COLUMNS

AROUND = 2
"""Equal lines shown beside changed ones."""
MOST = 60
"""Lines shown of a pair."""


def drawn(removals: Path, count: int, rule: str = "", seed: int = 1) -> dict[str, list[dict[str, str]]]:
    """Return up to `count` rows of a file of removals for each rule, or for one.

    Args:
        removals: CSV with the columns removed and kept, and rule if the tool names one (quchong's ledger does).
        count: rows of a rule.
        rule: this rule alone; all if empty.
        seed: of the draw.
    """
    with removals.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    groups: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        groups[row.get("rule") or "removed"].append(row)
    return {
        name: seeded(seed, name).sample(mine, min(count, len(mine)))
        for name, mine in sorted(groups.items())
        if not rule or name == rule
    }


def told(corpus: Path, removals: Path, count: int, rule: str = "", seed: int = 1) -> Iterator[str]:
    """Yield the pairs to read, as text."""
    texts = {row["id"]: row["text"] for row in read_rows(corpus)}
    for name, rows in drawn(removals, count, rule, seed).items():
        for i, row in enumerate(rows, 1):
            left, right = (
                next(row[column] for column in COLUMNS[side] if column in row) for side in ("removed", "kept")
            )
            first, second = texts[left], texts[right]
            measures = " ".join(f"{key} {row[key]}" for key in ("relation", "jaccard", "containment") if row.get(key))
            yield f"== {name} {i} of {len(rows)}: {left} ({len(first):,}) removed for {right} ({len(second):,}) {measures}"
            lines = list(difflib.unified_diff(first.splitlines(), second.splitlines(), lineterm="", n=AROUND))[2:]
            yield "\n".join([*lines[:MOST], *([f"... {len(lines) - MOST} lines more"] if len(lines) > MOST else [])])
