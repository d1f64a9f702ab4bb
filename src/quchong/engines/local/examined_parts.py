"""Differences of candidate pairs that parts of a run have examined, in place of comparing the texts again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.decision.difference_lists import ChosenLists, DifferenceLists
from quchong.decision.documents import pair_codes
from quchong.decision.examination import Examined
from quchong.decision.expansion import ClassPairs
from quchong.engines.local.group_scores import Examinations
from quchong.engines.local.run_kinds import check_lists, check_measures, check_pairs
from quchong.work import Damaged
from quchong.work.checks import check_type


@dataclass(frozen=True, slots=True)
class PairExaminations:
    """Examined pairs of classes, as one part stores them.

    Attributes:
        left, right: int64, classes of each pair.
        scores: measures of each pair that the examination began with.
        found: measures of the differences of each pair.
        lists: lists of differences, one a pair, in several parts.
    """

    left: np.ndarray
    right: np.ndarray
    scores: dict[str, np.ndarray]
    found: dict[str, np.ndarray]
    lists: Sequence[DifferenceLists]

    @classmethod
    def of_pairs(cls, pairs: ClassPairs, some: np.ndarray, told: Examined) -> PairExaminations:
        """Build the record of the examination `told` of the pairs with the indices `some`."""
        scores = {name: values[some] for name, values in pairs.measures.items()}
        lists = [one if isinstance(one, DifferenceLists) else DifferenceLists.packed(one) for one in told.lists]
        return cls(pairs.left[some], pairs.right[some], scores, dict(told.measures), lists)

    def values(self) -> tuple[Any, ...]:
        """Return the fields as a tuple, to be stored."""
        return self.left, self.right, self.scores, self.found, list(self.lists)


def check_examinations(value: Any, classes: int | None = None) -> None:
    """Raise Damaged unless `value` has the fields of `PairExaminations` with valid types and classes."""
    check_type(value, tuple)
    if len(value) != 5:
        raise Damaged("no examination of pairs")
    left, right, scores, found, lists = value
    check_pairs(left, right, 2**62 if classes is None else classes)
    check_measures(scores, len(left))
    check_measures(found, len(left))
    check_type(lists, list)
    for one in lists:
        check_type(one, DifferenceLists)
        check_lists(one, len(one))
    if sum(map(len, lists)) not in (0, len(left)):
        raise Damaged("differences of other pairs")


class KnownExaminations:
    """Stored examinations of all parts of a run, looked up by pair; one is used only if the pair's scores are still the same.

    Args:
        stored: of each part that has any.
        classes: number of classes of the run.
    """

    def __init__(self, stored: Sequence[PairExaminations], classes: int) -> None:
        self._classes = classes
        some = [one for one in stored if len(one.left) and one.lists]
        self._names = tuple(some[0].found) if some else ()
        codes = [pair_codes(one.left, one.right, classes) for one in some]
        self._codes = np.concatenate([np.zeros(0, np.int64), *codes])
        self._order = np.argsort(self._codes, kind="stable")
        self._scores = {
            name: np.concatenate([one.scores[name] for one in some]) for name in (some[0].scores if some else ())
        }
        self._found = {name: np.concatenate([one.found[name] for one in some]) for name in self._names}
        self._lists = [lists for one in some for lists in one.lists]

    def completed(self, pairs: ClassPairs, some: np.ndarray, examine: Callable[[np.ndarray], Examined]) -> Examined:
        """Return the examination of the pairs `some` (indices): stored ones, and the results of `examine` for the others."""
        place = self._places(pairs, some)
        known = place >= 0
        if not known.any():
            return examine(some)
        rest = (
            examine(some[~known])
            if not known.all()
            else Examined({name: values[:0] for name, values in self._found.items()}, [])
        )
        measures = {}
        for name, values in rest.measures.items():
            measures[name] = np.empty(len(some), self._found[name].dtype)
            measures[name][known], measures[name][~known] = self._found[name][place[known]], values
        index = np.empty(len(some), np.int64)
        index[known] = place[known]
        index[~known] = sum(map(len, self._lists)) + np.arange(len(some) - int(known.sum()))
        chosen = ChosenLists([*self._lists, *rest.lists], index, np.zeros(len(some), bool))
        return Examined(measures, [DifferenceLists.packed(chosen.column())])

    def _places(self, pairs: ClassPairs, some: np.ndarray) -> np.ndarray:
        """Return for each pair the index of its stored examination; -1 if there is none or its scores differ."""
        place = np.full(len(some), -1)
        if not len(self._codes):
            return place
        codes = pair_codes(pairs.left[some], pairs.right[some], self._classes)
        at = np.minimum(np.searchsorted(self._codes, codes, sorter=self._order), len(self._codes) - 1)
        found = self._order[at]
        same = self._codes[found] == codes
        for name, values in self._scores.items():
            if name not in pairs.measures:
                return place
            mine, theirs = pairs.measures[name][some], values[found]
            same &= (mine == theirs) | ((mine != mine) & (theirs != theirs))  # NaN: without headers, as before
        place[same] = found[same]
        return place


class RememberedExaminations:
    """Cache of the examinations of a run, so that no pair is examined twice.

    Args:
        classes: number of classes of the run.
        known: examinations of before, asked first; None without any.
    """

    def __init__(self, classes: int, known: Examinations | None = None) -> None:
        self._classes, self._known = classes, known
        self._made: list[PairExaminations] = []

    def completed(self, pairs: ClassPairs, some: np.ndarray, examine: Callable[[np.ndarray], Examined]) -> Examined:
        """Return the examination of the pairs `some` (indices): cached ones, and the results of `examine` for the others."""

        def made(rest: np.ndarray) -> Examined:
            told = examine(rest) if self._known is None else self._known.completed(pairs, rest, examine)
            self._made.append(PairExaminations.of_pairs(pairs, rest, told))
            return told

        return KnownExaminations(self._made, self._classes).completed(pairs, some, made)
