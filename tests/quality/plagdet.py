"""The measures of text alignment at PAN: precision, recall, granularity, plagdet (Potthast 2010).

A case s is a passage of one text with its counterpart in the other, known to be reused; a detection r is such a pair of
passages reported. Both are seen as sets of characters, those of the left text and those of the right. r detects s when
they belong to one pair of texts and overlap in the left text and in the right; s ⊓ r is then s ∩ r, otherwise empty.

    precision   = 1/|R| sum over detections r of |union over cases s of (s ⊓ r)| / |r|
    recall      = 1/|S| sum over cases s of |union over detections r of (s ⊓ r)| / |s|
    granularity = mean, over the cases that are detected at all, of how many detections detect each
    plagdet     = F1 of precision and recall / log2(1 + granularity)

So recall is macro-averaged over the true cases and precision over the detections, of all pairs of texts together: a
case counts the same however long it is. An overlap counts once, however many detections cover it.

Source: Potthast 2010; the macro-averaged variant, as the competition ranks by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import TypeAlias

Place: TypeAlias = tuple[int, int, int, int]
"""Left start, left end, right start, right end: characters, half open."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and plagdet from 0 to 1, granularity from 1 on; how many cases and detections there were."""

    precision: float
    recall: float
    granularity: float
    plagdet: float
    cases: int
    detections: int


def detects(r: Place, s: Place) -> bool:
    """Do two pairs of passages overlap on both sides, by one character at least?"""
    return min(r[1], s[1]) > max(r[0], s[0]) and min(r[3], s[3]) > max(r[2], s[2])


def covered(s: Place, others: Iterable[Place]) -> float:
    """The share of the characters of s, of both sides together, that lie in places which overlap it on both sides.

    Raises:
        ValueError: s has no characters, or ends before it starts.
    """
    if s[0] > s[1] or s[2] > s[3] or s[1] - s[0] + s[3] - s[2] == 0:
        raise ValueError(f"a place needs characters, and a start before its end: got {s}")
    met = [r for r in others if detects(r, s)]
    shared = sum(_union([(max(r[k], s[k]), min(r[k + 1], s[k + 1])) for r in met]) for k in (0, 2))
    return shared / (s[1] - s[0] + s[3] - s[2])


def plagdet(cases: Sequence[Sequence[Place]], detections: Sequence[Sequence[Place]]) -> Scores:
    """All measures over pairs of texts; entry i of both lists holds the places of pair i.

    Empty cases, as the organisers' program has them: with neither cases nor detections precision and recall are 1;
    with only one of the two they are 0. Granularity is 1 where nothing is detected. Cost: O(cases * detections) a pair.

    Raises:
        ValueError: the lists differ in length, or a place has no characters.
    """
    if len(cases) != len(detections):
        raise ValueError(f"cases are of {len(cases)} pairs, detections of {len(detections)}")
    pairs = list(zip(cases, detections, strict=True))
    recalls = [covered(s, found) for true, found in pairs for s in true]
    precisions = [covered(r, true) for true, found in pairs for r in found]
    counts = [sum(detects(r, s) for r in found) for true, found in pairs for s in true]
    hit = [n for n in counts if n]
    granularity = sum(hit) / len(hit) if hit else 1.0
    if recalls and precisions:
        recall, precision = sum(recalls) / len(recalls), sum(precisions) / len(precisions)
    else:
        recall = precision = 0.0 if recalls or precisions else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Scores(precision, recall, granularity, f1 / log2(1 + granularity), len(recalls), len(precisions))


def score(pairs: Iterable[tuple[str, str, Sequence[Place]]], find: Callable[[str, str], Sequence[Place]]) -> Scores:
    """`plagdet` of a function from two texts to places, over pairs of texts with their cases."""
    listed = list(pairs)
    return plagdet([true for _, _, true in listed], [find(left, right) for left, right, _ in listed])


def _union(spans: list[tuple[int, int]]) -> int:
    """Characters in any of the spans."""
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total
