"""Hamming-LSH: documents whose folded columns agree in sampled rows are compared.

Source: Cohen 2001 (H-LSH).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.candidates.folding import Folding
from quchong.features.feature_sets import at_least
from quchong.features.located_features import shingles_placed
from quchong.features.shingles import shingle_sets
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.join_sights import seen_by_join
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.parameters import BANDS, CAP, MIN_FEATURES, MOST, NGRAM_SIZE, SEED, THRESHOLD, TOKENS, parameter
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Sight, Traits
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form


@dataclass(frozen=True, slots=True)
class HammingLsh(BySets, PaperMethod):
    """Method on the Jaccard of shingles, with candidates found by bits of the sets themselves, without a sketch.

    A set is a column of bits, mostly 0. Rows are combined in pairs until a quarter to three quarters of the column's bits are 1; then few
    sampled rows distinguish columns.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest exact Jaccard of the shingles at which two documents are duplicates."
    )

    cap: int = CAP(1000, "maximum number of documents with the same key that are compared with others.")
    most: int = MOST(128)
    ngram_size: int = NGRAM_SIZE(8)
    tokens: str = TOKENS("auto")
    sampled: int = parameter(
        16,
        "number of rows whose bits form a key. If two columns (documents) agree in a share s of the rows, one of "
        "their keys is equal with probability s^n, where n is this number.",
        least=1,
        most=64,
    )
    bands: int = BANDS(20, "number of keys of a document at each level of folding.")
    density: float = parameter(
        0.25,
        "a document has keys at a level only if its share of 1 bits there is above this value and below 1 "
        "minus this value.",
        above=0,
        below=0.5,
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer shingles than this are not compared.")
    seed: int = SEED(1)

    name: ClassVar[str] = "hamming-lsh"
    usual: ClassVar[float] = 0.6
    traits: ClassVar[Traits] = Traits(
        title="bits of the folded columns of shingles; the keys are the bits of sampled rows",
        paper="Cohen 2001 (H-LSH)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. A document has 20 to 40 keys. The number of pairs grows "
            "with the sum of the squared posting-list lengths of the keys, but each document is compared with at "
            "most 128 earlier ones"
        ),
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    @property
    def folding(self) -> Folding:
        """Parameters by which the columns of bits, one for each document's shingles, are folded and become keys."""
        return Folding(self.sampled, self.bands, self.density, self.seed)

    def _shingles(self, documents: Documents, workers: int | None) -> FeatureSets:
        sets = shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        return at_least(sets, sets.lengths, self.min_features)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the keys of each document, made of sampled bits of its folded column of shingles (`quchong.candidates.folding`)."""
        return self.folding.keys(self._shingles(documents, workers), workers)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: one common key, within `cap` documents of a key and `most` candidates of a document."""
        return JoinLimits(self.cap, most=self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the exact Jaccard of the shingles, and the number of shingles of both documents."""
        return set_evidence(self._shingles(documents, workers), left, right, jaccard=True, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, and the keys of the folded columns."""
        marks = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        return (marks.kept_by(self._shingles(documents, workers)), *seen_by_join(self, documents, workers))
