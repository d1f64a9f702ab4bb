"""Shingling (DSC, DSC-SS): sets of token windows, whole or sampled, resemblance and containment (相似度, 包含度).

Source: Broder 1997a; Broder 1997b.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quchong import kernels
from quchong.candidates.keyed import rows_as_keys
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import at_least
from quchong.features.located_features import shingles_placed
from quchong.features.samples import SuperShingles, bottom_resemblance, bottom_s, mod_m
from quchong.features.shingles import shingle_sets
from quchong.kernels.arrays import FeatureSets
from quchong.languages import Message
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.methods.bases.rules import PaperRule
from quchong.parameters import CONTAINMENT, MIN_FEATURES, NGRAM_SIZE, ROWS, SEED, THRESHOLD, TOKENS, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT
from quchong.seam import Documents, Gate, JoinLimits, Measures, Sight, Signature, Traits
from quchong.similarity.paper_rules import set_evidence, smaller_inside
from quchong.tables import SMALL_SHARE
from quchong.text import form


@dataclass(frozen=True, slots=True)
class ResemblanceRule(PaperRule):
    """Rule of shingling: duplicates by resemblance, or by common super-shingles; else the smaller set is contained.

    Attributes:
        needed: share of the smaller set that the other must contain for a containment; 2 for none.
        agree: least number of equal super-shingles of duplicates.
        shared: True if the evidence is a number of super-shingles, False if it is a resemblance.
        contains: True if the sketch can tell containment.
    """

    needed: float = 2.0
    agree: int = 1
    shared: bool = False
    contains: bool = False

    def duplicate(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs that are duplicates by their evidence."""
        mask: np.ndarray = measures["evidence"] >= (self.agree if self.shared else self.limit)
        return mask

    def contained(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs in which one set contains at least the share `needed` of the smaller one."""
        r, a, b = measures["evidence"], measures["features_left"], measures["features_right"]
        shared = r * (a + b) / (1 + r)
        mask: np.ndarray = (r > 0) & (shared >= self.needed * np.minimum(a, b) - 1e-9)
        return mask

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs that are accepted, as duplicates or as contained."""
        duplicate = self.duplicate(measures)
        return duplicate | self.contained(measures) if self.contains else duplicate

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation of each pair: duplicate by resemblance, else the smaller one is contained."""
        return np.where(self.duplicate(measures), DUPLICATE, smaller_inside(measures)).astype(object)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair: of the resemblance, or the number of super-shingles.

        For a containment it is the resemblance that the required containment gives two sets of these sizes.
        """
        used = PaperRule.threshold_used(self, measures, rule)
        own = np.array([str(r) in (self.name, SMALL_SHARE) for r in rule], bool)
        if self.shared:
            return np.where(own, float(self.agree), used)
        a, b = measures["features_left"], measures["features_right"]
        least = self.needed * np.minimum(a, b)
        inside = own & ~self.duplicate(measures)
        return np.where(inside, np.divide(least, a + b - least, out=np.zeros(len(a)), where=a + b > least), used)

    def lacks(self, other: Any) -> str | None:
        """Return why `other` cannot decide these pairs (as `PaperRule`, or it needs less containment or fewer super-shingles), or None."""
        reason = PaperRule.lacks(self, other)
        if reason is None and isinstance(other, ResemblanceRule):
            if other.needed < self.needed:
                return Message(
                    "the run searched only for pairs with a containment of at least {:g}: for {:g}, run again",
                    self.needed,
                    other.needed,
                )
            if other.agree < self.agree:
                return Message(
                    "the run required {} super-shingles in common: to require {}, run again",
                    self.agree,
                    other.agree,
                )
        return reason


@dataclass(frozen=True, slots=True)
class Shingling(BySets, PaperMethod):
    """Method on shingle sets: duplicates by resemblance, contained documents by containment."""

    threshold: float | None = THRESHOLD(
        None,
        "lowest resemblance (Jaccard) at which two pages are duplicates. The clustering paper has 0.5. Two "
        "pages of one site already reach 0.5 if their articles are short and both end with the same long list of "
        "other articles (docs/decisions/0025).",
    )

    containment: float | None = CONTAINMENT(
        None,
        "minimum share of the smaller set that must be in the other set for it to be contained; None finds "
        "only duplicates. Sketches of fixed size (bottom-s, super) cannot measure containment.",
    )
    ngram_size: int = NGRAM_SIZE(8, "w, number of tokens in a shingle; a Chinese character is a token.")
    tokens: str = TOKENS("auto")
    sketch: str = parameter(
        "full",
        'what is compared. "full": whole sets. "mod-m": fingerprints divisible by `modulus` (the paper of '
        '1997). "bottom-s": the `sample` smallest fingerprints. "super": `groups` super-shingles; at least '
        "`agree` of them must be equal (DSC-SS).",
        choices=("full", "mod-m", "bottom-s", "super"),
    )
    min_features: int = MIN_FEATURES(
        4, "documents with fewer shingles than this are not compared (with mod-m: fewer sampled shingles)."
    )
    modulus: int = parameter(25, "divisor for sketch mod-m: only fingerprints that it divides are used.", least=1)
    sample: int = parameter(
        200, 'number of fingerprints kept per document; used only with `sketch` "bottom-s".', least=1
    )
    groups: int = parameter(
        6, 'number of super-shingles of a document; used only with `sketch` "super".', least=1, most=4096
    )
    rows: int = ROWS(14, 'number of MinHash values in a super-shingle; used only with `sketch` "super".')
    agree: int = parameter(
        2,
        "number of super-shingles that two documents must have in common; at most the value of `groups`. Used "
        'only with `sketch` "super".',
        least=1,
        most=4096,
    )
    seed: int = SEED(1)

    name: ClassVar[str] = "shingling"
    usual: ClassVar[float] = 0.6
    inside: ClassVar[float] = 0.9
    """Containment required by default."""
    traits: ClassVar[Traits] = Traits(
        title="sets of shingles, complete or sampled: resemblance and containment; super-shingles",
        paper="Broder 1997a; Broder 1997b (DSC)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "containment", "agree", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if self.containment is not None and not self._knows_containment:
            raise UsageError("{} cannot measure containment: use full or mod-m", Param("sketch", self.sketch))
        if self.sketch == "super":
            if self.threshold is not None:
                raise UsageError(
                    "{} decides by the number of super-shingles in common, the parameter 'agree', so {} has no effect",
                    Param("sketch", "super"),
                    Param("threshold"),
                )
            if self.agree > self.groups:
                raise UsageError(
                    "{} must be 1 to {}, the number of groups; got {}", Param("agree"), self.groups, self.agree
                )
            self.super_shingles  # noqa: B018 - raises

    @property
    def _knows_containment(self) -> bool:
        return self.sketch in ("full", "mod-m")

    @property
    def super_shingles(self) -> SuperShingles:
        """Settings of the super-shingles, for sketch="super" only."""
        return SuperShingles(self.groups, self.rows, self.seed)

    @property
    def needed(self) -> float:
        """Share of the smaller set that the other must contain for a containment; 2, so none, if the sketch cannot estimate containment."""
        if not self._knows_containment:
            return 2.0
        return self.inside if self.containment is None else self.containment

    def _sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """Return the shingle hashes of each document, all or a sample (`sketch`); empty for fewer than `min_features`."""
        whole = shingle_sets(form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        sets = mod_m(whole, self.modulus) if self.sketch == "mod-m" else whole
        sets = at_least(sets, sets.lengths, self.min_features)
        return bottom_s(sets, self.sample) if self.sketch == "bottom-s" else sets

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: `agree` common super-shingles, or the least share that an accepted pair can have."""
        if self.sketch == "super":
            return JoinLimits(self.cap, self.agree, most=self.most)
        # Resemblance r asks for a containment of the smaller set of 2r / (1 + r); of s least values for r of them.
        alike = self.limit if self.sketch == "bottom-s" else 2 * self.limit / (1 + self.limit)
        return JoinLimits(self.cap, 1, min(alike, self.needed), self.most)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return for each document the values by which it meets candidates: shingles, sampled shingles, or super-shingles."""
        sets = self._sets(documents, workers)
        if self.sketch != "super":
            return sets
        keys = rows_as_keys(self.super_shingles.sign(sets, workers), sets.lengths > 0)
        return kernels.sets.feature_sets(*keys, workers=workers)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: resemblance (or equal super-shingles) as evidence, and the sizes of both sets."""
        sets = self._sets(documents, workers)
        out = set_evidence(sets, left, right, jaccard=True, workers=workers)
        if self.sketch == "bottom-s":
            out["evidence"] = bottom_resemblance(sets, left, right, self.sample)
        if self.sketch == "super":
            signed = self.super_shingles.sign(sets, workers)
            both = (sets.lengths[left] > 0) & (sets.lengths[right] > 0)
            out["evidence"] = np.where(both, (signed[left] == signed[right]).sum(axis=1), 0).astype(np.float64)
        return out

    @property
    def rule(self) -> ResemblanceRule:
        """Rule of the resemblance, or of common super-shingles, and of containment where the sketch can tell it."""
        return self.rule_of(
            ResemblanceRule, needed=self.needed, agree=self.agree, shared=self.sketch == "super",
            contains=self._knows_containment,
        )  # fmt: skip

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the shingles that the method compares, with `sketch` "super" also the super-shingles."""
        sets = self._sets(documents, workers)
        marks = shingles_placed("shingles", form(self.normalise, self.tokens), documents, self.ngram_size, workers)
        seen = (marks.kept_by(sets),)
        if self.sketch != "super":
            return seen
        return (*seen, Signature("super", self.super_shingles.sign(sets, workers), sets.lengths > 0))

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of resemblance, then containment of the smaller set; or of common super-shingles."""
        value, duplicate = float(measures["evidence"][0]), bool(self.rule.duplicate(measures)[0])
        if self.sketch == "super":
            return (Gate("super", value, float(self.agree), duplicate, "evidence"),)
        own = Gate(self.evidence_called, value, self.limit, duplicate, "evidence")
        if not self._knows_containment:
            return (own,)
        smaller = max(1.0, float(np.minimum(measures["features_left"], measures["features_right"])[0]))
        shared = value * float(measures["features_left"][0] + measures["features_right"][0]) / (1 + value)
        return (own, Gate("inside", shared / smaller, self.needed, bool(self.rule.contained(measures)[0])))
