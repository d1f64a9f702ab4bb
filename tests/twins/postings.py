"""Posting lists: the candidates of one document, chosen within the limits of a join."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Sizes(NamedTuple):
    """What a join compares of a document besides its keys."""

    size: float
    window: int = 1
    time: float = 0.0
    scope: int = 0


Posting = tuple[int, int]
"""A document of a list, and what the key weighs in it."""


def select_candidates(
    lists: Sequence[tuple[int, Sequence[Posting]]],
    before: int,
    mine: Sizes,
    documents: Sequence[Sizes],
    *,
    rule: str = "keys",
    cap: int | None = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    few: int = 0,
    crowd: int = 0,
    references: int = 0,
    within: float | None = None,
    exact: bool = False,
) -> tuple[list[tuple[int, int]], bool, bool]:
    """The candidates of one document with what they share; whether some were left out, and whether this was in a crowd.

    `lists` are (weight of the key in the document, posting list) for each of its keys.
    """
    if before < references:
        return [], False, False
    met, everything = Counter[int](), Counter[int]()
    weight, whole_weight = Counter[int](), Counter[int]()
    unseen, crowded = 0, False
    for own, postings in lists:
        here = [(d, w) for d, w in postings if d < before]
        crowded |= crowd > 0 and len(here) + 1 > crowd
        groups = [here]
        if rule == "keys":
            others = [(d, w) for d, w in here if d >= references]
            if within is not None:
                others = [(d, w) for d, w in others if documents[d].time >= mine.time - within]
            groups = [[(d, w) for d, w in here if d < references], others]
        for group in groups:
            seen = group[:cap]
            unseen += len(seen) < len(group)
            met.update(d for d, _ in seen)
            everything.update(d for d, _ in group)
            for d, w in seen:
                weight[d] += min(own, w)
            for d, w in group:
                whole_weight[d] += min(own, w)
    found: list[tuple[int, int]] = []
    for d, lists_shared in sorted(met.items()):
        other, shared = documents[d], lists_shared
        if rule == "keys":
            least = float(min_shared)
            if share > 0:
                expected = min(other.size, mine.size) * 2.0 / (max(other.window, mine.window) + 1.0)
                least = max(least, math.ceil(share * expected - 1e-9))
            near = within is None or abs(mine.time - other.time) <= within
            if near and shared >= least:
                found.append((d, shared))
            continue
        common, shared = (everything[d], whole_weight[d]) if exact else (lists_shared + unseen, lists_shared + unseen)
        whole = other.size + mine.size - shared if rule == "jaccard" else min(other.size, mine.size)
        if (
            other.scope == mine.scope
            and common >= min_shared
            and shared >= share * whole - 1e-9 * (other.size + mine.size)
        ):
            found.append((d, shared))
    bounds = (min(most, 3 * few), few) if crowded else (most, most)
    sides = ([f for f in found if f[0] < references], [f for f in found if f[0] >= references])
    kept = [f for side in sides for f in keep_most(side, *bounds)]
    bounded = len(kept) < len(found)
    return kept, bounded, bool(crowded) and bounded


def keep_most(found: list[tuple[int, int]], most: int, kept: int | None = None) -> list[tuple[int, int]]:
    """One document's candidates; of more than `most` so many (or `kept`): half the first in order, half those that share most keys."""
    if not most or len(found) <= most:
        return found
    most = most if kept is None else min(kept, most)
    first = (most + 1) // 2
    nearest = sorted(found[first:], key=lambda f: (-f[1], f[0]))[: most - first]
    return found[:first] + sorted(nearest)
