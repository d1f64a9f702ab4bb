"""Precision, recall and F1 of subsets of the pairs: by length, and by the values of a column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.evaluation.claims import Claims
from quchong.evaluation.estimates import NOTHING, Share, f_measure, share
from quchong.evaluation.labelled_pairs import JudgedPairs
from quchong.evaluation.labels import Truth
from quchong.languages import Message

LENGTHS = (
    (0, Message("under 60 tokens")),
    (60, Message("60 to 199 tokens")),
    (200, Message("200 to 999 tokens")),
    (1000, Message("1,000 tokens and more")),
)
"""Slices by length: minimum number of tokens of the shorter document, and the name of the slice."""
WITHIN, ACROSS = Message("within one value"), Message("across two values")
"""Names of the slices of pairs within one value, and across two values."""
SITES = 20
"""Maximum number of values listed, those with most pairs."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Precision, recall and F1 of a subset of the pairs."""

    name: str
    precision: Share
    recall: Share
    f1: Share

    def describe(self) -> dict[str, Any]:
        """Return the name and the measures as a dict for JSON."""
        return {"name": self.name} | {k: getattr(self, k).describe() for k in ("precision", "recall", "f1")}


def empty_slice(name: str) -> Slice:
    """Return a slice without pairs."""
    return Slice(name, NOTHING, NOTHING, NOTHING)


def precise(truth: Truth) -> bool:
    """Return True if the labels include non-copies, without which precision cannot be estimated."""
    return truth.told or truth.complete


def by_length(claims: Claims, judged: JudgedPairs, truth: Truth) -> list[Slice]:
    """Return slices by the tokens of the shorter document; a slice without a pair that was found or is right is left out."""
    shorter = np.minimum(claims.tokens[judged.left], claims.tokens[judged.right])
    slot = np.searchsorted([least for least, _ in LENGTHS], shorter, side="right") - 1
    matters = judged.found | judged.right_pair
    return [
        _slice(name, judged, mine, precise(truth))
        for i, (_, name) in enumerate(LENGTHS)
        if (mine := (slot == i) & matters).any()
    ]


@dataclass(frozen=True, slots=True)
class Valued:
    """Pairs that count, with the values of their documents in a column.

    Attributes:
        judged: the pairs. told: True if precision can be estimated.
        place: index of each value. code: int64 per document: index of its value, -1 without one.
    """

    judged: JudgedPairs
    told: bool
    place: dict[str, int]
    code: np.ndarray

    @classmethod
    def from_values(cls, values: Sequence[str | None], judged: JudgedPairs, truth: Truth) -> Valued:
        """Build it from the value of each document, which may be None."""
        place = {name: i for i, name in enumerate(sorted({v for v in values if v is not None}))}
        code = np.array([-1 if v is None else place[v] for v in values], np.int64)
        return cls(judged, precise(truth), place, code)

    def counts(self) -> dict[str, int]:
        """Count pairs that were found or are right, for each value that has any; a pair counts once for each of its two values."""
        one, two = self.code[self.judged.left], self.code[self.judged.right]
        matters = self.judged.found | self.judged.right_pair
        count = np.bincount(one[matters & (one >= 0)], minlength=len(self.place))
        count += np.bincount(two[matters & (two >= 0) & (two != one)], minlength=len(self.place))
        return {name: int(count[i]) for name, i in self.place.items() if count[i]}

    def slices(self, listed: Iterable[str]) -> list[Slice]:
        """Return slices of pairs within one value and across two, then of each listed value; slices without pairs are left out."""
        one, two = self.code[self.judged.left], self.code[self.judged.right]
        matters = self.judged.found | self.judged.right_pair
        both = matters & (one >= 0) & (two >= 0)
        masks: list[tuple[str, np.ndarray]] = [(WITHIN, both & (one == two)), (ACROSS, both & (one != two))]
        for name in listed:
            if (i := self.place.get(name)) is not None:
                masks.append((name, matters & ((one == i) | (two == i))))
        return [_slice(name, self.judged, mine, self.told) for name, mine in masks if mine.any()]


def most(counts: Collection[dict[str, int]]) -> list[str]:
    """Return the SITES values with most pairs in any one run, by that number, then by name.

    >>> most([{"a": 3, "b": 9}, {"a": 4, "c": 4}])
    ['b', 'a', 'c']
    """
    largest: dict[str, int] = {}
    for one in counts:
        for name, n in one.items():
            largest[name] = max(n, largest.get(name, 0))
    return sorted(largest, key=lambda name: (-largest[name], name))[:SITES]


def _slice(name: str, judged: JudgedPairs, mine: np.ndarray, told: bool) -> Slice:
    found, right, group = judged.found[mine], judged.right_pair[mine], judged.group[mine]
    precision = share(right[found], group[found]) if told else NOTHING
    return Slice(name, precision, share(found[right], group[right]), f_measure(found, right, group))
