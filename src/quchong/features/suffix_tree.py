"""Maximal equal passages of two sequences by a suffix tree, in time linear in both and in the passages (后缀树, 后缀自动机).

The tree is the link tree of the suffix automaton of the reversed sequence: each state is a node, its length the node's depth.

Source: Feng 2015a (SL+ST), which claims O(m + n); Blumer 1985 for the automaton; Gusfield 1997, 7.12.3, for maximal pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Run = tuple[int, int, int]
"""Left position, right position, length."""
_Rope = Any
"""Positions as a pair of ropes, or one position: concatenated without a copy."""


class SuffixTree:
    """The suffix tree of a sequence of integers whose last one occurs once.

    Attributes:
        depth: depth of each node in symbols; node 0 is the root.
        parent: parent of each node, -1 for the root.
        suffix: position at which the suffix begins that ends at a node; -1 for a node at which none ends.
        steps: links followed, edges made and edges copied while it was made. For an alphabet of a fixed size they are O(n).
    """

    def __init__(self, text: Sequence[int]) -> None:
        self.depth, self.parent, self.suffix, self.steps = [0], [-1], [-1], 0
        self._next: list[dict[int, int]] = [{}]
        last = 0
        for place in range(len(text) - 1, -1, -1):
            last = self._extended(last, text[place], place)

    def _state(self, depth: int, suffix: int, edges: dict[int, int]) -> int:
        self.depth.append(depth)
        self.parent.append(0)
        self.suffix.append(suffix)
        self._next.append(edges)
        self.steps += 1 + len(edges)
        return len(self.depth) - 1

    def _extended(self, last: int, symbol: int, place: int) -> int:
        """Add one symbol in front of the suffixes; return the state of the whole sequence."""
        following, depth, parent = self._next, self.depth, self.parent
        new = self._state(depth[last] + 1, place, {})
        at = last
        while at >= 0 and symbol not in following[at]:
            following[at][symbol] = new
            at = parent[at]
            self.steps += 1
        if at < 0:
            return new
        found = following[at][symbol]
        if depth[found] == depth[at] + 1:
            parent[new] = found
            return new
        # The longest one that ends here gets a node of its own, with the edges of the one it is cut from.
        twin = self._state(depth[at] + 1, -1, following[found].copy())
        parent[twin] = parent[found]
        parent[new] = parent[found] = twin
        while at >= 0 and following[at].get(symbol) == found:
            following[at][symbol] = twin
            at = parent[at]
            self.steps += 1
        return new

    def deepest_first(self) -> list[int]:
        """Return all nodes but the root, every node before its parent. Linear: nodes are counted by depth."""
        at: list[list[int]] = [[] for _ in range(max(self.depth) + 1)]
        for node in range(1, len(self.depth)):
            at[self.depth[node]].append(node)
        return [node for nodes in reversed(at) for node in nodes]


def maximal_runs(left: Sequence[int], right: Sequence[int], shortest: int = 1) -> list[Run]:
    """Return all maximal equal passages of two sequences, of at least `shortest` symbols, sorted: (left, right, length).

    Symbol 0 equals nothing.

    The same as `quchong.kernels.runs.maximal_runs`, without its limit. Cost: O(m + n + runs) expected for an alphabet of a fixed size, such
    as that of sentence lengths; sorting the runs comes on top. Memory: about 500 bytes a symbol, and 100 a run.
    """
    text = _joined_sequence(left, right)
    if text is None:
        return []
    tree, m = SuffixTree(text), len(left)
    depth, parent = tree.depth, tree.parent
    # Of each node the suffixes below it, by side, then by the symbol before them.
    below: list[tuple[dict[int, _Rope], dict[int, _Rope]]] = [({}, {}) for _ in depth]
    for node, place in enumerate(tree.suffix):
        if place >= 0 and place != m:
            below[node][place > m][text[place - 1] if place else -1] = place
    out: list[Run] = []
    for node in tree.deepest_first():
        above = parent[node]
        if depth[above] < max(1, shortest):
            continue
        for mine, other in ((below[above], below[node]), (below[node], below[above])):
            out.extend((i, j - m - 1, depth[above]) for i, j in _pairs(mine[0], other[1]))
        for side in (0, 1):
            one, two = below[above][side], below[node][side]
            for before, places in two.items():
                one[before] = (one[before], places) if before in one else places
        below[node] = ({}, {})
    return sorted(out)


def steps(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the number of steps that building the tree of two sequences takes; 0 if they share no symbol.

    >>> steps([1, 2, 3], [2, 3, 1]), steps([1], [2])
    (25, 0)
    """
    text = _joined_sequence(left, right)
    return 0 if text is None else SuffixTree(text).steps


def _joined_sequence(left: Sequence[int], right: Sequence[int]) -> list[int] | None:
    """Concatenate both sequences around a unique symbol, unshared symbols renumbered; None if they share no symbol."""
    known = {s: k for k, s in enumerate(dict.fromkeys(set(left) & set(right) - {0}))}
    if not known:
        return None
    fresh = iter(range(len(known), len(known) + len(left) + len(right) + 1))
    text = [known[s] if s in known else next(fresh) for s in left]
    text.append(next(fresh))
    text += [known[s] if s in known else next(fresh) for s in right]
    return text


def _pairs(lefts: dict[int, _Rope], rights: dict[int, _Rope]) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions, one of each side, whose preceding symbols differ."""
    for before, mine in lefts.items():
        for other, theirs in rights.items():
            if before != other:
                there = list(_places(theirs))
                yield from ((i, j) for i in _places(mine) for j in there)


def _places(rope: _Rope) -> Iterator[int]:
    stack = [rope]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            stack.extend(one)
        else:
            yield one


def split_runs(runs: list[Run], left: Sequence[int], right: Sequence[int], shortest: int) -> list[Run]:
    """Split passages where the check values of both sides differ; parts shorter than `shortest` symbols are dropped."""
    out = []
    for i, j, length in runs:
        start = 0
        for t in range(length + 1):
            if t == length or left[i + t] != right[j + t]:
                if t - start >= shortest:
                    out.append((i + start, j + start, t - start))
                start = t + 1
    return out


def placed_runs(runs: list[Run], shortest: int) -> list[Run]:
    """Make passages one-to-one: the longest first, each is cut to the positions still free on both sides; return them sorted."""
    left: set[int] = set()
    right: set[int] = set()
    out = []
    for i, j, length in sorted(runs, key=lambda r: (-r[2], r[0], r[1])):
        start, pieces = 0, []
        for t in range(length + 1):
            if t == length or i + t in left or j + t in right:
                if t - start >= shortest:
                    pieces.append((i + start, j + start, t - start))
                start = t + 1
        for x, y, n in pieces:
            left.update(range(x, x + n))
            right.update(range(y, y + n))
        out += pieces
    return sorted(out)
