"""SimHash: signatures whose Hamming distance grows with the angle between two texts.

Source: Charikar 2002; Manku 2007; Gao 2014 (section 4.3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from quchong import kernels
from quchong.errors import Param, UsageError
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import AnyTexts, Names, Ragged
from quchong.kernels.checked import MAX_NGRAM
from quchong.kernels.sketch import FeatureWeights, Signatures
from quchong.kernels.text import Form


@dataclass(frozen=True, slots=True)
class SimHash:
    """Signatures of the shingle counts of token sequences.

    Args:
        bits: 64 or 128; the low word of 128 bits is the signature of 64.
        ngram: tokens a shingle has.
        statistics: document frequencies for IDF weights; None counts every shingle 1.
    """

    bits: int = 64
    ngram: int = 2
    statistics: FeatureStatistics | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.bits not in (64, 128):
            raise UsageError("{} must be 64 or 128, got {}", Param("bits"), self.bits)
        if not 1 <= self.ngram <= MAX_NGRAM:
            raise UsageError("{} must be 1 to {}, got {}", Param("ngram_size"), MAX_NGRAM, self.ngram)
        if self.statistics is not None and self.statistics.ngram != self.ngram:
            raise UsageError(
                "the statistics count shingles of {} tokens, but the signature uses shingles of {} tokens: use "
                "{}, or make new statistics",
                self.statistics.ngram,
                self.ngram,
                Param("ngram_size", self.statistics.ngram),
            )

    def sign(self, docs: Ragged | Names, workers: int | None = None) -> Signatures:
        """Return the signatures of documents. An empty document is undefined and near to none.

        Deterministic: whole-number weights, the same on every machine and for any number of workers.
        """
        words = kernels.sketch.simhash(docs, self.ngram, self.bits, self._weights, workers)
        return Signatures(words, docs.lengths > 0)

    def sign_texts(self, form: Form, texts: AnyTexts, workers: int | None = None) -> Signatures:
        """Return the signatures of texts, without keeping their tokens."""
        return kernels.sketch.simhash_texts(form, texts, self.ngram, self.bits, self._weights, workers)

    @property
    def _weights(self) -> FeatureWeights | None:
        return None if self.statistics is None else self.statistics.table
