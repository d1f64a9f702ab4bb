"""What quchong says of the pairs of a cell, and how many of them it has right."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cells import PAIRS, Pair, cell
from kinds import APART, WITH_ANY

import quchong
from quchong.relations import ACCEPTED

METHODS = ("hybrid", "short-text")


@dataclass(frozen=True, slots=True)
class Score:
    """One cell under one method: right of how many, and how often each relation was given ("none": not listed)."""

    method: str
    kind: str
    length: int
    half: str
    right: int
    pairs: int
    relations: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def relations(pairs: list[Pair], method: str, facts: str | None = None) -> list[str]:
    """How each original and its copy are related in one run over all texts of the cell."""
    rows = [
        {"id": f"{side}{i}", "text": getattr(p, name)}
        for i, p in enumerate(pairs)
        for side, name in (("a", "original"), ("b", "edited"))
    ]
    table = quchong.dedup(rows, method=method, facts=facts, differences="all", recall_sample=0).pairs
    found = {
        frozenset(ids): relation
        for *ids, relation in zip(*(table[c].to_pylist() for c in ("left_id", "right_id", "relation")), strict=True)
    }
    return [found.get(frozenset((f"a{i}", f"b{i}")), "none") for i in range(len(pairs))]


def right(kind: str, relation: str) -> bool:
    """Is it what the kind asks for?"""
    return (relation in ACCEPTED) != (kind in APART)


def facts_of(kind: str) -> str | None:
    """The value of `--facts` that a kind is judged with."""
    return "any" if kind in WITH_ANY else None


def score(folder: Path, method: str, kind: str, length: int, half: str, *, count: int = PAIRS, seed: int = 1) -> Score:
    """Makes a cell and judges it."""
    given = relations(cell(folder, kind, length, half, count=count, seed=seed), method, facts_of(kind))
    return Score(
        method, kind, length, half, sum(right(kind, r) for r in given), len(given), dict(Counter(given).most_common())
    )
