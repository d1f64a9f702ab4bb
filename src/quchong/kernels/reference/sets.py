"""Sets of features: what two documents share, who reaches a threshold, and the features of full stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from quchong.kernels.reference.hashing import sequence_hash

PERIOD_SEED = 0x3002
CLOSERS = "”’」』》〉】）)\"']］〕"
_BLANKS = {*range(0x21), *range(0x7F, 0xA1), 0x1680, *range(0x2000, 0x200E), 0x2028, 0x2029, 0x202F, 0x205F, 0x2060,
           0x3000, 0xFEFF}  # fmt: skip


def feature_sets(documents: Sequence[Sequence[int]]) -> list[dict[int, int]]:
    """Values of each document in ascending order, and how often each occurs."""
    return [dict(sorted(Counter(d).items())) for d in documents]


def shared_sets(a: Mapping[int, int], b: Mapping[int, int]) -> tuple[int, int]:
    """Sum of the lesser weights of common values, and their number."""
    common = a.keys() & b.keys()
    return sum(min(a[v], b[v]) for v in common), len(common)


def meet_sets(
    sets: Sequence[Mapping[int, int]], threshold: float, jaccard: bool, min_shared: int, scope: Sequence[int],
    references: int,
) -> list[tuple[int, int]]:  # fmt: skip
    """All pairs at or above the threshold, by comparing every two documents; without a cap."""
    found = []
    for i, j in combinations(range(len(sets)), 2):
        weight, common = shared_sets(sets[i], sets[j])
        a, b = sum(sets[i].values()), sum(sets[j].values())
        whole = a + b - weight if jaccard else min(a, b)
        if (
            scope[i] == scope[j]
            and j >= references
            and common >= min_shared
            and weight >= threshold * whole - 1e-9 * (a + b)
        ):
            found.append((i, j))
    return sorted(found, key=lambda p: (p[1], p[0]))


def period_segments(text: str) -> list[str]:
    """What stands before each full stop and behind the last, white space and closers behind a full stop left out."""
    out, closing = [""], False
    for c in text.replace("｡", "。"):
        if ord(c) in _BLANKS or (closing and c in CLOSERS):
            continue
        closing = c == "。"
        if closing:
            out.append("")
        else:
            out[-1] += c
    return out


def period_strings(text: str, before: int, after: int = 0) -> list[str]:
    """The features of a text before they are hashed, in order."""
    parts = period_segments(text)
    return [part[-before:] + ("。" + following[:after] if after else "") for part, following in pairwise(parts) if part]


def period_features(text: str, before: int, after: int = 0) -> list[int]:
    """Hashes of the features of a text."""
    return [sequence_hash([ord(c) for c in s], PERIOD_SEED) for s in period_strings(text, before, after)]
