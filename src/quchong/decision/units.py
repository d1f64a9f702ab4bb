"""Decisions about repeated units: which lines or paragraphs are one, which are cut, and which documents are removed entirely."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from quchong.errors import Param, UsageError, check_choice
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import ordered
from quchong.text.units import UNITS

REPEATS = ("keep", "cut")
"""Treatments of a unit that its document has more than once."""
COPY, REPEAT, COMMON, FLOOR = 0, 1, 2, 3
REASONS = ("copy", "repeat", "common", "floor")
"""Reasons in the table of units, by code."""

Equal = Callable[["UnitRows", np.ndarray, np.ndarray], np.ndarray]
"""Return a mask of the pairs (rows `members` and rows `firsts`) whose letters are equal."""


@dataclass(frozen=True, slots=True)
class UnitRule:
    """Rule by which units are compared and cut.

    Attributes:
        unit: "line" or "paragraph".
        words: least words or Chinese characters of a unit that is compared; shorter ones are never cut.
        common: None to keep the first copy of each unit; else units in this many documents or more are cut from all of them, and all
            others are kept.
        repeats: "keep" to keep a unit as often as the document that keeps it has it; "cut" to cut it there too but for the first time.
        floor: a document that loses units is removed entirely if less is left: below 1 a share of its words, else a number of words.
    """

    unit: str = "line"
    words: int = 4
    common: int | None = None
    repeats: str = "keep"
    floor: float = 1.0

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, UNITS)
        if self.words < 1:
            raise UsageError("{} must be at least 1, got {}", Param("unit_words"), self.words)
        if self.common is not None and self.common < 2:
            raise UsageError("{} must be at least 2, got {}", Param("unit_common"), self.common)
        check_choice("unit_repeats", self.repeats, REPEATS)
        if self.floor < 0:
            raise UsageError("{} must be at least 0, got {}", Param("unit_floor"), self.floor)
        if self.floor >= 1 and self.floor != int(self.floor):
            raise UsageError(
                "{} must be a share below 1 or a whole number of words, got {}", Param("unit_floor"), self.floor
            )

    def least_left(self, words: np.ndarray) -> np.ndarray:
        """Return how many words must be left of documents for them to be kept, float64, by their numbers of words."""
        out: np.ndarray = self.floor * words if self.floor < 1 else np.full(len(words), float(self.floor))
        return out

    def describe(self) -> dict[str, Any]:
        """Return the rule as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class UnitRows:
    """Units of some documents, as columns of one length.

    Attributes:
        high, low: uint64, digest of the normal form.
        number: int64, number of the unit in the corpus, in the order of documents.
        document: int64.
        start, length: int64, bytes of the content in the text of the document.
        words: int64, words and Chinese characters.
    """

    high: np.ndarray
    low: np.ndarray
    number: np.ndarray
    document: np.ndarray
    start: np.ndarray
    length: np.ndarray
    words: np.ndarray

    def __len__(self) -> int:
        return len(self.number)

    def take(self, index: np.ndarray) -> UnitRows:
        """Return the rows at an index or under a mask."""
        return UnitRows(*(getattr(self, name)[index] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Classes:
    """Units that occur more than once in a corpus, sorted by class of equal units, within a class the preferred document first.

    Attributes:
        one: int64, number of the class of each unit, ascending.
        number, document, words: of each unit, as in `UnitRows`.
        rank: int64, rank of its document.
    """

    one: np.ndarray
    number: np.ndarray
    document: np.ndarray
    words: np.ndarray
    rank: np.ndarray

    @property
    def leads(self) -> np.ndarray:
        """Mask of the units that are the first of their class."""
        return first_of_runs(self.one)

    @property
    def comes_again(self) -> np.ndarray:
        """Mask of the units that repeat an earlier unit of the same document."""
        return ~first_of_runs(self.one, self.document)


def unit_classes(rows: UnitRows, rank: np.ndarray, equal: Equal) -> Classes:
    """Return the classes of two units or more that are equal letter by letter.

    A digest proposes, and `equal` decides. Units of one digest that are not equal to the first of them are compared among themselves.

    Args:
        rows: units, all of any digest that is among them.
        rank: int64 (documents,), rank by policy.
        equal: comparison of pairs.
    """
    order = ordered(rows.high, rows.low, rank[rows.document], rows.number)
    leads = first_of_runs(rows.high[order], rows.low[order])
    group = np.cumsum(leads) - 1
    several = np.bincount(group, minlength=1)[group] > 1
    rows, group = rows.take(order[several]), group[several]
    one = np.full(len(rows), -1, np.int64)
    left = np.arange(len(rows))
    made = 0
    while len(left):
        leads = first_of_runs(group[left])
        first = left[leads][np.cumsum(leads) - 1]
        same = first == left
        same[~same] = equal(rows, left[~same], first[~same])
        one[left[same]] = made + np.cumsum(leads)[same] - 1
        made += int(leads.sum())
        left = left[~same]
    order = ordered(one, np.arange(len(one)))
    order = order[np.bincount(one, minlength=1)[one[order]] > 1]
    document = rows.document[order]
    return Classes(one[order], rows.number[order], document, rows.words[order], rank[document])


@dataclass(frozen=True, slots=True)
class ListedUnits:
    """Units that a run lists, as columns of one length: those that are cut, and those that a document repeats and keeps.

    Attributes:
        number, document, words: int64, as in `UnitRows`.
        kept: int64, number of the unit that is kept for it; -1 if none is.
        kept_document: int64, its document; -1 if none is kept.
        copies: int64, how often the unit occurs in the corpus.
        documents: int64, in how many documents.
        reason: uint8, index in `REASONS`.
        cut: bool.
    """

    number: np.ndarray
    document: np.ndarray
    words: np.ndarray
    kept: np.ndarray
    kept_document: np.ndarray
    copies: np.ndarray
    documents: np.ndarray
    reason: np.ndarray
    cut: np.ndarray

    def __len__(self) -> int:
        return len(self.number)

    def between(self, first: int, last: int) -> ListedUnits:
        """Return the units with numbers from `first` to `last`, without `last`; the numbers must ascend."""
        start, end = np.searchsorted(self.number, (first, last)).tolist()
        return ListedUnits(*(column[start:end] for column in self.columns()))

    def take(self, index: np.ndarray) -> ListedUnits:
        """Return the units at an index or under a mask."""
        return ListedUnits(*(column[index] for column in self.columns()))

    def columns(self) -> list[np.ndarray]:
        """Return the columns in the order of the attributes."""
        return [getattr(self, name) for name in self.__slots__]


def listed_units(classes: Classes, rule: UnitRule, gone: np.ndarray | None = None) -> ListedUnits:
    """Return the units of classes that are cut or repeated, in the order of their numbers.

    Args:
        classes: of the corpus or of a part of it that has each class whole.
        rule: of the run.
        gone: mask of the documents that are removed entirely, which keep no copy; None for none.
    """
    n = len(classes.one)
    leads = classes.leads
    size = np.diff(np.append(np.flatnonzero(leads), n))
    run = np.cumsum(leads) - 1  # the class of each unit, from 0 on
    again = classes.comes_again
    spread = np.bincount(run[~again], minlength=len(size))
    # The first unit in a document that stays keeps the text.
    stays = np.ones(n, bool) if gone is None else ~gone[classes.document]
    place = np.full(len(size), n, np.int64)
    np.minimum.at(place, run[stays], np.flatnonzero(stays))
    keeps = np.append(np.arange(n), -1)[np.minimum(place, n)]  # -1 where no document stays
    there = keeps >= 0
    kept = np.where(there, classes.number[np.maximum(keeps, 0)], -1)[run] if n else classes.number
    kept_document = np.where(there, classes.document[np.maximum(keeps, 0)], -1)[run] if n else classes.document
    at_home = classes.document == kept_document
    if rule.common is None:
        reason = np.where(kept < 0, FLOOR, np.where(at_home, REPEAT, COPY))
        cut = ~at_home if rule.repeats == "keep" else classes.number != kept
        some = classes.number != kept
    else:
        common = spread[run] >= rule.common if n else np.zeros(0, bool)
        reason = np.where(common, COMMON, REPEAT)
        cut = common | (again if rule.repeats == "cut" else np.zeros(n, bool))
        some = common | again
        # Of a repeat the first one in its own document is kept, of what is cut everywhere none.
        opening = np.maximum.accumulate(np.where(again, 0, np.arange(n))) if n else np.zeros(0, np.int64)
        kept = np.where(common, -1, classes.number[opening])
        kept_document = np.where(common, -1, classes.document)
    if gone is not None:
        # A document that is removed loses all of its units; their counts are told.
        some = some | ~stays
        reason = np.where(~stays & (reason == REPEAT), FLOOR, reason)
        cut = cut | ~stays
    found = np.flatnonzero(some)
    found = found[ordered(classes.number[found])] if len(found) else found
    return ListedUnits(
        classes.number[found], classes.document[found], classes.words[found], kept[found], kept_document[found],
        size[run[found]], spread[run[found]], reason[found].astype(np.uint8), cut[found],
    )  # fmt: skip


def removed_whole(
    least: np.ndarray, words: np.ndarray, lost: np.ndarray, parts: list[Classes], rule: UnitRule
) -> np.ndarray:
    """Return a mask of the documents that are removed entirely because too few words are left of them.

    Documents are decided in the order of the policy. One that is removed keeps no copy, so that a later document keeps it, and no text
    is lost from all documents.

    Args:
        least: float64 (documents,), words that a document must keep.
        words: int64, words of each document; lost: int64, words that it loses if all documents before it are kept.
        parts: the classes of the corpus.
        rule: of the run.

    Cost: one step for each unit of a class whose first document may be removed. There is none at a floor of one word.
    """
    gone: np.ndarray = (lost > 0) & (words - lost < least)
    if rule.common is not None or not gone.any():
        return gone
    # Classes whose first document may be removed: events are one document of such a class each.
    doc: list[np.ndarray] = []
    one: list[np.ndarray] = []
    weight: list[np.ndarray] = []
    rank: list[np.ndarray] = []
    for k, part in enumerate(parts):
        leads = part.leads
        open_class = gone[part.document[leads]][np.cumsum(leads) - 1] if len(leads) else leads
        some = np.flatnonzero(open_class)
        fresh = ~part.comes_again[some]
        starts = np.flatnonzero(fresh)
        counted = part.words[some] * (fresh if rule.repeats == "cut" else 1)
        weight.append(np.add.reduceat(counted, starts) if len(starts) else np.zeros(0, np.int64))
        some = some[fresh]
        doc.append(part.document[some])
        one.append((part.one[some] << 16) + k)
        rank.append(part.rank[some])
    documents, classes, gains, ranks = (np.concatenate(x) for x in (doc, one, weight, rank))
    if not len(documents):
        return gone
    order = ordered(ranks)
    documents, classes, gains = documents[order], classes[order], gains[order]
    settled: set[int] = set()
    seen: set[int] = set()
    edges = [*np.flatnonzero(first_of_runs(documents)).tolist(), len(documents)]
    for start, end in pairwise(edges):
        document, mine = int(documents[start]), classes[start:end].tolist()
        if gone[document]:
            # What the first document of a class has counts as left already; a later one gains what nobody before it keeps.
            gain = sum(
                g for c, g in zip(mine, gains[start:end].tolist(), strict=True) if c in seen and c not in settled
            )
            gone[document] = words[document] - lost[document] + gain < least[document]
        seen.update(mine)
        if not gone[document]:
            settled.update(mine)
    return gone
