"""LSH for Jaccard: bands of MinHash values over shingles, spot signatures or features of full stops (局部敏感哈希).

Source: Indyk 1998; Gionis 1999; Wei 2013 for the names LSH-S and LSH-P.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates import Bands
from quchong.candidates.keyed import rows_as_keys
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least, occurrences
from quchong.features.located_features import periods_placed, shingles_placed, spots_placed
from quchong.features.periods import period_sets
from quchong.features.shingles import shingle_sets
from quchong.features.spot_signatures import Spots
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.parameters import (
    ANTECEDENTS,
    BANDS,
    CAP,
    CHAIN,
    DISTANCE,
    MIN_FEATURES,
    MOST,
    NGRAM_SIZE,
    ROWS,
    SEED,
    STOP_WORDS,
    TAIL,
    THRESHOLD,
    TOKENS,
    WITH_ANTECEDENT,
)
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Marks, Sight, Signature, Traits
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form


def _traits(title: str) -> Traits:
    return Traits(
        title=title,
        paper="Indyk 1998; Gionis 1999 (LSH)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. A signature has `rows` x `bands` MinHash values. The "
            "number of pairs grows with the sum of the squared posting-list lengths of the bands, but each "
            "document is compared with at most 128 earlier ones"
        ),
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
    )


@dataclass(frozen=True, slots=True)
class BandMethod(BySets, PaperMethod):
    """Base class of the LSH variants: bands of MinHash values find candidates, whose Jaccard is counted exactly."""

    threshold: float | None = THRESHOLD(None, "exact Jaccard of the features.")

    cap: int = CAP(1000, "maximum number of documents with the same key that are compared with others.")
    most: int = MOST(128)
    rows: int = ROWS(6, "k, the number of MinHash values in the key of a band.")
    bands: int = BANDS(
        32, "l, the number of bands; a pair of similarity s is found with probability 1 - (1 - s^rows)^bands."
    )
    min_features: int = MIN_FEATURES(4)
    seed: int = SEED(1)

    usual: ClassVar[float] = 0.6

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if self.rows * self.bands > 4096:
            raise UsageError(
                "{} times {} must be at most 4096, got {} x {}",
                Param("rows"),
                Param("bands"),
                self.rows,
                self.bands,
            )
        self.check_features()

    def check_features(self) -> None:
        """Raise UsageError for features that cannot be made."""

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the features of each document."""
        raise NotImplementedError

    def _enough(self, documents: Documents, workers: int | None) -> FeatureSets:
        sets = self.sets(documents, workers)
        return at_least(sets, sets.lengths, self.min_features)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if the values of one band are equal."""
        return JoinLimits(self.cap, most=self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the band keys of each document."""
        sets = self._enough(documents, workers)
        mins = kernels.sketch.set_mins(sets, self.rows * self.bands, self.seed, workers)
        keys = rows_as_keys(Bands(self.bands, self.rows).keys(mins, workers), sets.lengths > 0)
        return kernels.sets.feature_sets(*keys, workers=workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the exact Jaccard of the features, and their number in each document."""
        return set_evidence(self._enough(documents, workers), left, right, jaccard=True, workers=workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return the features as marks with their offsets."""
        raise NotImplementedError

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the features, and MinHash values in their bands."""
        sets = self._enough(documents, workers)
        mins = kernels.sketch.set_mins(sets, self.rows * self.bands, self.seed, workers).astype(np.uint64)
        marks = self.placed(documents, workers).of_documents(sets.lengths > 0)
        return (marks, Signature("minhash", mins, sets.lengths > 0, band=self.rows))


@dataclass(frozen=True, slots=True)
class Lsh(BandMethod):
    """LSH for the Jaccard of shingles."""

    ngram_size: int = NGRAM_SIZE(8)
    tokens: str = TOKENS("auto")

    name: ClassVar[str] = "lsh"
    traits: ClassVar[Traits] = _traits("MinHash values of shingles, in bands")

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the distinct shingles of each document."""
        return shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return every shingle as a mark."""
        return shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)


@dataclass(frozen=True, slots=True)
class LshS(BandMethod):
    """LSH for the Jaccard of spot signatures, as multisets; fields as in `quchong.features.spot_signatures.Spots`."""

    antecedents: str = ANTECEDENTS("standard")
    stop_words: str = STOP_WORDS("standard")
    chain: int = CHAIN(3)
    distance: int = DISTANCE(1)
    with_antecedent: bool = WITH_ANTECEDENT(True)

    name: ClassVar[str] = "lsh-s"
    traits: ClassVar[Traits] = _traits("MinHash values of spot signatures, in bands")

    def check_features(self) -> None:
        """Raise UsageError for spots that cannot be made."""
        self.spots.words(self.form)

    @property
    def spots(self) -> Spots:
        """Settings of the spot signatures of a text."""
        return Spots(self.antecedents, self.stop_words, self.chain, self.distance, self.with_antecedent)

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the spot signatures of each document; repeated ones are distinguished by their number."""
        return occurrences(self.spots.sets(self.form, documents.texts, workers))

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return every spot as a mark."""
        return spots_placed(self.form, self.spots, documents, workers)


@dataclass(frozen=True, slots=True)
class LshP(BandMethod):
    """LSH for the Jaccard of features of full stops (CCDet's)."""

    tail: int = TAIL(10)

    name: ClassVar[str] = "lsh-p"
    traits: ClassVar[Traits] = _traits("MinHash values of features of full stops, in bands")

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the features of full stops of each document."""
        return period_sets(documents.texts, self.tail, workers)

    def placed(self, documents: Documents, workers: int | None) -> Marks:
        """Return the text before every full stop as a mark."""
        return periods_placed(documents, self.tail, workers=workers)
