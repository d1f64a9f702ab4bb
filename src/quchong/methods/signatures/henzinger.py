"""Henzinger's combined algorithm: super-shingles propose pairs, a random projection confirms them.

Source: Henzinger 2006; Broder 1997b for super-shingles; Charikar 2002 for the projection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.keyed import rows_as_keys
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least
from quchong.features.located_features import shingles_placed
from quchong.features.samples import SuperShingles
from quchong.features.shingles import shingle_sets
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.projections import ProjectionMethod
from quchong.parameters import CAP, MIN_FEATURES, MOST, NGRAM_SIZE, ROWS, SEED, THRESHOLD, TOKENS, parameter
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, Gate, JoinLimits, Measures, Sight, Signature, Traits
from quchong.text import form


@dataclass(frozen=True, slots=True)
class Henzinger(BySets, ProjectionMethod):
    """Method that combines super-shingles and random projections: duplicates agree in both.

    Either alone merges pages of one site that are made from one template; both together do so far less.
    """

    threshold: float | None = THRESHOLD(
        None, "lowest share of equal bits at which two documents are duplicates; 355 of 384 in the paper."
    )
    cap: int = CAP(1000, "maximum number of documents with the same super-shingle that are compared with others.")
    most: int = MOST(128)
    weights: str = parameter(
        "tf",
        'weight of a term: "tf", its number of occurrences in the text; "tf-idf", that number times the rarity '
        "of the term.",
        choices=("tf", "tf-idf"),
    )
    min_features: int = MIN_FEATURES(4, "documents with fewer shingles, or fewer terms, than this are not compared.")

    ngram_size: int = NGRAM_SIZE(8)
    tokens: str = TOKENS(
        "auto", 'tokens of shingles. "auto": a Chinese character or a word. "char": every letter and digit.'
    )
    groups: int = parameter(6, "number of super-shingles of a document.", least=1, most=4096)
    rows: int = ROWS(14, "number of MinHash values in a super-shingle.")
    agree: int = parameter(
        2,
        "number of super-shingles that two documents must have in common; at most the value of `groups`.",
        least=1,
        most=4096,
    )
    seed: int = SEED(1)

    name: ClassVar[str] = "henzinger"
    usual: ClassVar[float] = 0.924
    traits: ClassVar[Traits] = Traits(
        title="super-shingles in common, then random projections of terms",
        paper="Henzinger 2006",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. A signature has 84 MinHash values. The number of pairs "
            "grows with the sum of the squared posting-list lengths of the super-shingles, but each document is "
            "compared with at most 128 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        ProjectionMethod.check(self)
        if self.agree > self.groups:
            raise UsageError(
                "{} must be 1 to {}, the number of groups; got {}", Param("agree"), self.groups, self.agree
            )
        self.super_shingles  # noqa: B018 - raises

    @property
    def super_shingles(self) -> SuperShingles:
        """Settings of the super-shingles: groups of MinHash values."""
        return SuperShingles(self.groups, self.rows, self.seed)

    def _signed_groups(self, documents: Documents, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Return the super-shingles of documents, and a mask of the documents that have any."""
        sets = shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        sets = at_least(sets, sets.lengths, self.min_features)
        return self.super_shingles.sign(sets, workers), sets.lengths > 0

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the super-shingles of each document as a set."""
        keys = rows_as_keys(*self._signed_groups(documents, workers))
        return kernels.sets.feature_sets(*keys, workers=workers)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if at least the required number of their super-shingles is equal."""
        return JoinLimits(self.cap, self.agree, most=self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the share of equal projection bits, 0 if too few super-shingles agree, and the super-shingles of each document."""
        groups, some = self._signed_groups(documents, workers)
        common = np.where(some[left] & some[right], (groups[left] == groups[right]).sum(axis=1), 0)
        met = common >= self.agree
        evidence = np.zeros(len(left))
        evidence[met] = self.agreeing(documents, left[met], right[met], workers)
        count = np.where(some, float(self.groups), 0.0)
        return {"evidence": evidence, "features_left": count[left], "features_right": count[right]}

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return shingles, super-shingles, terms and the bits of their projection."""
        groups, some = self._signed_groups(documents, workers)
        return (
            shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers),
            Signature("super", groups, some),
            *ProjectionMethod.sights(self, documents, workers),
        )

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of common super-shingles, then of the share of equal bits."""
        groups, some = self._signed_groups(documents, workers)
        common = float((groups[0] == groups[1]).sum() * (some[0] & some[1]))
        return (
            Gate("super", common, float(self.agree), common >= self.agree),
            *ProjectionMethod.rule_gates(self, documents, measures, workers),
        )
