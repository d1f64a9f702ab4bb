"""What a method sees in documents, and what a pair has to pass, as data: four shapes, whatever the method.

A method says what it sees (`Method.sights`) and which tests a pair goes through (`Method.gates`) from its own features and
measures. Whoever shows them matches on the shape, never on the method's type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from quchong.kernels.arrays import FeatureSets


@dataclass(frozen=True, slots=True)
class Marks:
    """Stretches of texts a method knows documents by; document i owns those from offsets[i] to offsets[i + 1].

    Attributes:
        what: the kind, a key of the words that are shown: "shingles", "sentences".
        offsets: int64, one more than there are documents.
        places: (n, 2) int64: start and end, in characters of the texts given, half open.
        values: uint64: documents agree where these are equal.
        counted: bool: those that are compared. The others are seen, and left out.
        why: what the others are left out for, a key: "noise", "unselected".
        figures: numbers of each by name, such as the terms of a sentence, or its depth in a tree.
        words: what stands for each instead of its stretch of text; None where that says it.
        listed: each is worth a line of its own (sentences, features); else the text with its marks says more.
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

    def of(self, document: int) -> slice:
        """Where the marks of a document stand."""
        return slice(int(self.offsets[document]), int(self.offsets[document + 1]))

    def kept_by(self, sets: FeatureSets, why: str = "unselected") -> Marks:
        """The same, of which only those count whose value stands in the set of their document."""
        counted = np.zeros(len(self.values), bool)
        for i in range(len(self.offsets) - 1):
            mine = sets.values[sets.offsets[i] : sets.offsets[i + 1]]
            counted[self.of(i)] = np.isin(self.values[self.of(i)], mine)
        return replace(self, counted=counted, why=why)

    def of_documents(self, some: np.ndarray, why: str = "few") -> Marks:
        """The same, of which none count of documents outside of the mask."""
        mask = np.repeat(np.asarray(some, bool), np.diff(self.offsets))
        return self if mask.all() else replace(self, counted=self.counted & mask, why=why)


@dataclass(frozen=True, slots=True)
class Signature:
    """A fixed number of values for each document, compared place by place.

    Attributes:
        what: the kind, a key.
        values: (documents, places), uint64; of bits 0 and 1.
        defined: bool a document: it has a signature.
        bits: every value is one bit.
        band: documents meet where so many values in a row, from a multiple of it on, are equal; 1 where each stands alone.
    """

    what: str
    values: np.ndarray
    defined: np.ndarray
    bits: bool = False
    band: int = 1

    @staticmethod
    def of_words(what: str, words: np.ndarray, defined: np.ndarray) -> Signature:
        """Bits, from words of 64 (uint64), the low one first."""
        places = np.arange(64, dtype=np.uint64)
        bits = (words[:, :, None] >> places) & np.uint64(1)
        return Signature(what, bits.reshape(len(words), -1), defined, True)


@dataclass(frozen=True, slots=True)
class Values:
    """Sets of values that have no one place in a text: keys, numbers made of the whole."""

    what: str
    sets: FeatureSets


@dataclass(frozen=True, slots=True)
class Said:
    """One word or line a document, such as its address; None where it has none. Documents agree where it is equal."""

    what: str
    words: tuple[str | None, ...]


Sight = Marks | Signature | Values | Said


@dataclass(frozen=True, slots=True)
class Gate:
    """One test, or one figure, on the way to a decision about a pair.

    Attributes:
        what: the test, a key of the words that are shown.
        value: what was measured; None where it was not looked at.
        needed: what it is held to; None for a figure that is told alone.
        passed: None for a figure that is told alone.
        column: the column of PAIRS it stands in; "" where it is in none.
        at_most: the value must not be more than `needed`; else not less.
    """

    what: str
    value: float | str | None
    needed: float | None = None
    passed: bool | None = None
    column: str = ""
    at_most: bool = False
