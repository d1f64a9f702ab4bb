"""LSH forest: each document is compared with its nearest in prefix trees of MinHash bits (LSH 森林).

Source: Bawa 2005 (LSH forest).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.candidates.forest import Forest
from quchong.features.feature_sets import at_least
from quchong.features.located_features import shingles_placed
from quchong.features.shingles import shingle_sets
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.papers import PaperMethod
from quchong.parameters import CAP, MIN_FEATURES, MOST, NGRAM_SIZE, SEED, THRESHOLD, TOKENS, parameter
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Meetings, Sight, Signature, Traits
from quchong.similarity.paper_rules import set_evidence
from quchong.text import form

BOUNDED = "the method compares a document with its nearest ones"


@dataclass(frozen=True, slots=True)
class LshForest(PaperMethod):
    """Method on the Jaccard of shingles, counted for the nearest documents in an LSH forest.

    Labels are as long as needed to distinguish documents, so that no number of rows has to be chosen for a threshold.

    A pair of Jaccard 0.8 alone is compared with probability 0.9 by one tree, 0.99 by two, 0.999 by three; among 10,000 unrelated documents
    with at least 0.39 by one tree, 0.85 by five, 0.96 by ten (`quchong.candidates.forest.Forest.least_chance`).
    """

    threshold: float | None = THRESHOLD(
        None, "lowest exact Jaccard of the shingles at which two documents are duplicates."
    )

    cap: int = CAP(10000, fixed=BOUNDED)
    most: int = MOST(0, fixed=BOUNDED)
    ngram_size: int = NGRAM_SIZE(8)
    tokens: str = TOKENS("auto")
    trees: int = parameter(10, "l, the number of prefix trees.", least=1, most=64)
    depth: int = parameter(64, "number of bits of a label; each bit comes from one MinHash value.", least=1, most=64)
    nearest: int = parameter(
        30,
        "number of nearest documents with which a document is compared. The nearest have labels that share the "
        "longest beginning with its label; ties with the last of them are compared too. The paper calls this "
        "number c * m: 3 times the 10 documents wanted.",
        least=1,
        most=1000,
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer shingles than this are not compared.")
    seed: int = SEED(1)

    name: ClassVar[str] = "lsh-forest"
    usual: ClassVar[float] = 0.6
    traits: ClassVar[Traits] = Traits(
        title="prefix trees of MinHash bits; each document is compared with its nearest documents in these trees",
        paper="Bawa 2005 (LSH forest)",
        finds=(EXACT, DUPLICATE),
        cost="time grows linearly with the text length. A signature has 640 MinHash values. At least 30 "
        "comparisons per document",
        lossless=False,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    @property
    def forest(self) -> Forest:
        """Settings of the prefix trees."""
        return Forest(self.trees, self.depth, self.seed)

    def _shingles(self, documents: Documents, workers: int | None) -> FeatureSets:
        sets = shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        return at_least(sets, sets.lengths, self.min_features)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the nearest documents of each document."""
        sets = self._shingles(documents, workers)
        document, other = self.forest.nearest(self.forest.labels(sets, workers), sets.lengths > 0, self.nearest, scope)
        pairs = np.stack([np.maximum(document, other), np.minimum(document, other)], axis=1)
        right, left = np.unique(pairs[pairs[:, 0] >= references], axis=0).T
        return Meetings(left, right, unseen=sets.lengths == 0)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the exact Jaccard of the shingles, and their number in each document."""
        return set_evidence(self._shingles(documents, workers), left, right, jaccard=True, workers=workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, and the label of each tree as a whole."""
        sets = self._shingles(documents, workers)
        marks = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        labels = self.forest.labels(sets, workers)
        places = np.uint64(63) - np.arange(self.depth, dtype=np.uint64)
        bits = ((labels[:, :, None] >> places) & np.uint64(1)).reshape(len(labels), -1)
        return (marks.kept_by(sets), Signature("labels", bits, sets.lengths > 0, True, band=self.depth))
