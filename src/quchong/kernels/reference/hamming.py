"""Pairs of signatures within a Hamming distance: all with all."""

from __future__ import annotations

from collections.abc import Sequence


def hamming_distances(left: Sequence[int], right: Sequence[int]) -> int:
    """Bits in which the words of two signatures differ."""
    return sum((a ^ b).bit_count() for a, b in zip(left, right, strict=True))


def hamming_pairs(
    signatures: Sequence[Sequence[int]],
    distance: int,
    *,
    defined: Sequence[bool] | None = None,
    scope: Sequence[int] | None = None,
    cap: int = 0,
    references: int = 0,
) -> list[tuple[int, int, int]]:
    """(left, right, distance) of all pairs at most `distance` apart, sorted by right, then left.

    With a cap: equal signatures form groups; each group keeps the first cap + 1 groups before it, a group of more than
    cap members is met in its first one only (its own members meet first ones only), and each signature is paired with
    the first cap of those it meets.
    """
    n = len(signatures)
    codes = scope or [0] * n
    group: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for i, words in enumerate(signatures):
        if defined is None or defined[i]:
            group.setdefault((codes[i], tuple(words)), []).append(i)
    groups = list(group.items())
    near: dict[int, list[int]] = {g: [] for g in range(len(groups))}
    for b, ((code, bits), members) in enumerate(groups):
        before = [
            a
            for a, ((other, others), mine) in enumerate(groups[:b])
            if other == code
            and hamming_distances(others, bits) <= distance
            and (mine[-1] >= references or members[-1] >= references)
        ]
        for a in before[: cap + 1] if cap else before:
            near[b].append(a)
            near[a].append(b)
    out = []
    for g, ((_, bits), members) in enumerate(groups):
        free = not cap or len(members) <= cap
        for x in members:
            met = []
            for other in [g, *near[g]]:
                theirs = groups[other][1]
                met += theirs if free and (not cap or len(theirs) <= cap) else theirs[:1]
            first = sorted(y for y in met if y < x)
            for y in first[:cap] if cap else first:
                if x >= references:
                    out.append((y, x, hamming_distances(signatures[y], bits)))
    return sorted(out, key=lambda p: (p[1], p[0]))
