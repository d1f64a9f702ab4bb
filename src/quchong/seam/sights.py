"""Data for `inspect`: what a method sees in documents, in four shapes, and the tests that a pair must pass.

A method returns its own features (`Extras.sights`) and the tests of a pair (`Extras.gates`). Code that shows them
matches on the shape, never on the method's type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from quchong.kernels.arrays import FeatureSets


@dataclass(frozen=True, slots=True)
class Marks:
    """Character ranges of texts that are features of documents; those of document i are rows offsets[i] to offsets[i + 1].

    Attributes:
        what: the kind, a key of the words that are shown: "shingles", "sentences".
        offsets: int64, one entry more than documents.
        places: (n, 2) int64: start and end, in characters of the texts given, half open.
        values: uint64: documents agree where these are equal.
        counted: bool: True for features that are compared; the others are shown, but left out of the comparison.
        why: key of the reason why the others are left out: "noise", "unselected".
        figures: numbers of each feature by name, such as the terms of a sentence, or its depth in a tree.
        words: words shown for each feature instead of its stretch of text; None to show the stretch.
        listed: True if each feature deserves a line of its own (sentences, features), else the text with marks is shown.
    """

    what: str
    offsets: np.ndarray
    places: np.ndarray
    values: np.ndarray
    counted: np.ndarray
    why: str = "unselected"
    figures: Mapping[str, np.ndarray] = field(default_factory=dict)
    words: Sequence[str] | None = None
    listed: bool = False

    def rows_of(self, document: int) -> slice:
        """Return the slice of the rows of a document."""
        return slice(int(self.offsets[document]), int(self.offsets[document + 1]))

    def kept_by(self, sets: FeatureSets, why: str = "unselected") -> Marks:
        """Return the marks with `counted` True only for values in their document's set, with the reason `why` for the others."""
        counted = np.zeros(len(self.values), bool)
        for i in range(len(self.offsets) - 1):
            mine = sets.values[sets.offsets[i] : sets.offsets[i + 1]]
            counted[self.rows_of(i)] = np.isin(self.values[self.rows_of(i)], mine)
        return replace(self, counted=counted, why=why)

    def of_documents(self, some: np.ndarray, why: str = "few") -> Marks:
        """Return the marks with `counted` True only for the documents of a mask, with the reason `why` for the others."""
        mask = np.repeat(np.asarray(some, bool), np.diff(self.offsets))
        return self if mask.all() else replace(self, counted=self.counted & mask, why=why)


@dataclass(frozen=True, slots=True)
class Signature:
    """Fixed number of values for each document, compared position by position.

    Attributes:
        what: the kind, a key.
        values: (documents, positions), uint64; 0 or 1 for bits.
        defined: bool per document: True if it has a signature.
        bits: True if every value is one bit.
        band: number of consecutive values, from a multiple of it, that must be equal to make a candidate; 1 for single values.
    """

    what: str
    values: np.ndarray
    defined: np.ndarray
    bits: bool = False
    band: int = 1

    @staticmethod
    def of_words(what: str, words: np.ndarray, defined: np.ndarray) -> Signature:
        """Build a signature of bits from words of 64 bits (uint64), the lowest bit first."""
        places = np.arange(64, dtype=np.uint64)
        bits = (words[:, :, None] >> places) & np.uint64(1)
        return Signature(what, bits.reshape(len(words), -1), defined, True)


@dataclass(frozen=True, slots=True)
class Values:
    """Sets of values without one position in a text, such as keys and numbers made of the whole text."""

    what: str
    sets: FeatureSets


@dataclass(frozen=True, slots=True)
class TextValues:
    """One word or line per document, such as its address; None if it has none. Documents agree where it is equal."""

    what: str
    words: tuple[str | None, ...]


Sight = Marks | Signature | Values | TextValues


@dataclass(frozen=True, slots=True)
class Gate:
    """One test, or one measure, on the way to the decision about a pair.

    Attributes:
        what: the test, a key of the words that are shown.
        value: the measured value; None if it was not measured.
        needed: the value to reach; None for a measure without a test.
        passed: True if the test was passed; None for a measure without a test.
        column: the column of PAIRS that contains the value; "" for none.
        at_most: True if the value must not exceed `needed`, False if it must not be less.
    """

    what: str
    value: float | str | None
    needed: float | None = None
    passed: bool | None = None
    column: str = ""
    at_most: bool = False
