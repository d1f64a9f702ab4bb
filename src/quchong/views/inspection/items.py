"""Features of each document in order, for display, marked as compared or not and as common to both documents or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.seam import Marks, Signature, Values


@dataclass(frozen=True, slots=True)
class Item:
    """One feature: its offsets in the text, its words, whether it is compared, and whether both documents have it."""

    start: int
    end: int
    said: str
    counted: bool
    common: bool
    figures: dict[str, int]


@dataclass(frozen=True, slots=True)
class Side:
    """Features of one document, and how many are compared and common to both."""

    items: list[Item]
    counted: int
    common: int

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Character ranges of the features that both documents have; empty for a single document."""
        return [(i.start, i.end) for i in self.items if i.common]

    @property
    def counting(self) -> list[tuple[int, int]]:
        """Character ranges of the features that are compared."""
        return [(i.start, i.end) for i in self.items if i.counted]


def sides(marks: Marks, texts: tuple[str, ...]) -> list[Side]:
    """Return the features of each document; a feature of value 0 equals no other."""
    own = [np.unique(marks.values[marks.rows_of(i)][marks.counted[marks.rows_of(i)]]) for i in range(len(texts))]
    out = []
    for i, text in enumerate(texts):
        here = marks.rows_of(i)
        values, counted = marks.values[here], marks.counted[here]
        common = np.zeros(len(values), bool)
        if len(texts) == 2:
            common = counted & (values != 0) & np.isin(values, own[1 - i])
        said = marks.words[here] if marks.words is not None else None
        names = list(marks.figures)
        figures = zip(*(marks.figures[name][here].tolist() for name in names), strict=True) if names else None
        items = []
        for k, (start, end) in enumerate(marks.places[here].tolist()):
            told: dict[str, Any] = dict(zip(names, next(figures), strict=True)) if figures is not None else {}
            words = said[k] if said is not None else text[start:end]
            items.append(Item(start, end, words, bool(counted[k]), bool(common[k]), told))
        out.append(Side(items, int(counted.sum()), int(common.sum())))
    return out


def comparable(marks: Marks) -> bool:
    """Return True if the marks are compared; False if all values are 0, and they only show structure."""
    return bool(len(marks.values) == 0 or marks.values.any())


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two signatures: masks of the equal positions and of the bands that are equal as a whole."""

    equal: np.ndarray
    bands: np.ndarray


def agreement(signature: Signature) -> Agreement | None:
    """Return the agreement of two documents' signatures; None for one document, or if a signature is missing."""
    if len(signature.values) != 2 or not signature.defined.all():
        return None
    equal = signature.values[0] == signature.values[1]
    whole = len(equal) // signature.band * signature.band
    return Agreement(equal, equal[:whole].reshape(-1, signature.band).all(axis=1))


def in_common(values: Values) -> tuple[list[int], int | None]:
    """Return the number of values of each document, and the number that two documents share (None for one document)."""
    sets = values.sets
    own = [sets.values[sets.offsets[i] : sets.offsets[i + 1]] for i in range(len(sets))]
    return [len(one) for one in own], len(np.intersect1d(own[0], own[1])) if len(own) == 2 else None
