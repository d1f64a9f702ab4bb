"""Words of texts in order, windows of words, and the best words as keywords."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.features.sentences import SentenceTerms
from quchong.kernels.arrays import AnyTexts, FeatureSets, places_of
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import positions_in_items, prefix_sums


@dataclass(frozen=True, slots=True)
class Words:
    """Words of texts in text order, without stop words.

    Attributes:
        values: uint64: hash of each word.
        sentence: int64: sentence of each word, ascending over all texts.
        offsets: int64: text i owns values[offsets[i]:offsets[i + 1]].
    """

    values: np.ndarray
    sentence: np.ndarray
    offsets: np.ndarray

    @staticmethod
    def from_texts(texts: AnyTexts, terms: SentenceTerms, workers: int | None = None) -> Words:
        """Return the words of texts. Cost: that of `SentenceTerms.pieces`; memory 16 bytes a word."""
        sentences, found = terms.sentences_and_terms(texts, workers)
        counts = np.bincount(sentences.document[found.sentence], minlength=len(sentences.offsets) - 1)
        return Words(found.value, found.sentence, prefix_sums(counts))

    def select(self, keep: np.ndarray) -> Words:
        """Return the words selected by a mask; those around a dropped word become neighbours."""
        kept = prefix_sums(keep)
        return Words(self.values[keep], self.sentence[keep], kept[self.offsets])

    @property
    def document(self) -> np.ndarray:
        """Text of each word, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def counted(self, workers: int | None = None) -> FeatureSets:
        """Return the words of each text with their frequencies."""
        return kernels.sets.feature_sets(self.values, self.offsets, weighted=True, workers=workers)


def windows(values: np.ndarray, offsets: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return hashes of `width` successive values of each sequence: uint64 values, int64 offsets. A shorter sequence has none.

    The order of the values counts. Cost: O(values * width).
    """
    lengths = np.maximum(np.diff(offsets) - width + 1, 0)
    ends = prefix_sums(lengths)
    at = places_of(offsets[:-1], lengths)
    out = np.zeros(len(at), np.uint64)
    with np.errstate(over="ignore"):
        for k in range(width):
            out += mix64(values[at + k] + np.uint64(k + 1) * GOLDEN)
        return mix64(out), ends


def best_words(counted: FeatureSets, weight: np.ndarray, count: int) -> FeatureSets:
    """Return the `count` heaviest words of each text as sets; of equal weight those of lower hash. `weight`: float64 a value."""
    order = np.lexsort((counted.values, -weight, counted.document))
    place = positions_in_items(counted.lengths)
    keep = np.zeros(len(order), bool)
    keep[order[place < count]] = True
    kept = counted.select_values(keep)
    return kept.weighing(np.ones(len(kept.values), np.uint32))
