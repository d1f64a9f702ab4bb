"""Passages that stand in two documents, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.kernels.reference.runs import Run, maximal_runs

Tokens = Sequence[int]


def outer_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs without those that lie within another one in the first document; of equal ones the first is left."""
    out: list[Run] = []
    end = 0
    for i, j, k in sorted(runs, key=lambda r: (r[0], -r[2], r[1])):
        if i + k > end:
            out.append((i, j, k))
            end = i + k
    return out


def repeated_passages(docs: Sequence[Tokens], shortest: int) -> list[tuple[int, int, int, int, int, int, float]]:
    """(document, earlier document, start, start there, tokens, documents that hold it, its mean share of them)."""

    def holds(d: Tokens, passage: Tokens) -> bool:
        return any(d[i : i + len(passage)] == passage for i in range(len(d) - len(passage) + 1))

    out = []
    for d, mine in enumerate(docs):
        for e in range(d):
            for i, j, k in outer_runs(maximal_runs(mine, docs[e], shortest, gap=None)):
                holders = [len(x) for x in docs if holds(x, mine[i : i + k])]
                out.append((d, e, i, j, k, len(holders), sum(k / n for n in holders) / len(holders)))
    return out
