"""Passages that stand in two documents, pair by pair and diagonal by diagonal."""

from __future__ import annotations

from collections.abc import Sequence

Tokens = Sequence[int]
Run = tuple[int, int, int]
"""Place in the one document, place in the other, tokens."""


def maximal_runs(a: Tokens, b: Tokens, shortest: int) -> list[Run]:
    """All equal runs of at least `shortest` tokens that cannot be made longer, sorted."""
    out = []
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] != b[j] or (i and j and a[i - 1] == b[j - 1]):
                continue
            k = 1
            while i + k < len(a) and j + k < len(b) and a[i + k] == b[j + k]:
                k += 1
            if k >= shortest:
                out.append((i, j, k))
    return sorted(out)


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
            for i, j, k in outer_runs(maximal_runs(mine, docs[e], shortest)):
                holders = [len(x) for x in docs if holds(x, mine[i : i + k])]
                out.append((d, e, i, j, k, len(holders), sum(k / n for n in holders) / len(holders)))
    return out
