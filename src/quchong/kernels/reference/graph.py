"""Connected components."""

from __future__ import annotations

from collections.abc import Iterable


def components(n: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The least member of each node's component, by walking from every node not met yet in ascending order."""
    near: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    label = [-1] * n
    for start in range(n):
        waiting = [start] if label[start] < 0 else []
        while waiting:
            node = waiting.pop()
            if label[node] < 0:
                label[node] = start
                waiting += near[node]
    return label
