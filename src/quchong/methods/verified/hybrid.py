"""The default method: winnowing anchors find candidates, exact counts and guards decide.

Source: docs/methods/hybrid.md (measured by this project); winnowing after Schleimer 2003.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from quchong.candidates import Bands
from quchong.features import Anchors, ShortKeys
from quchong.features.located_features import keys_placed, shingles_placed
from quchong.features.minhash import MinHash
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.methods.bases.bands import band_features
from quchong.methods.bases.facts import FactChecks, check_facts
from quchong.methods.bases.join_sights import as_sets, seen_by_join
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import DefaultRule
from quchong.parameters import (
    CAP,
    CONTAINMENT,
    FACTS,
    GUARDS,
    MOST,
    NGRAM_SIZE,
    NORMALISE,
    PRESET,
    THRESHOLD,
    TOKENS,
    parameter,
)
from quchong.parameters.remembered import remembered
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL, VARIANT
from quchong.seam import (
    Documents,
    Features,
    Gate,
    Join,
    JoinLimits,
    KeyJoin,
    Keys,
    Measures,
    Sight,
    Traits,
)
from quchong.similarity import Thresholds, measure, preset, widths_of
from quchong.similarity.gates import facts_gates, floor_gates, relation_gates
from quchong.similarity.thresholds import GIVEN_WIDTH_JACCARD
from quchong.text import form

SHORT_KEYS = ShortKeys()
HAN_BANDS = Bands(32, 4)
BANDS_FROM = 0.6
"""Least threshold of duplicates-only: recall is 0.988 at Jaccard 0.6 and above 0.99 from 0.61 on, by 1 - (1 - s^4)^32."""


@dataclass(frozen=True, slots=True)
class Hybrid(MethodDefaults):
    """Default method: exact, near-duplicate and contained documents; template siblings are kept apart."""

    preset: str = PRESET("balanced")
    threshold: float | None = THRESHOLD(
        None, "one Jaccard threshold for texts of every length and script; it replaces the thresholds of the preset."
    )
    containment: float | None = CONTAINMENT(
        None, "one containment threshold for all texts; it replaces the containment thresholds of the preset."
    )
    ngram_size: int | None = NGRAM_SIZE(
        None,
        "number of tokens in a compared shingle. By default 5 for Chinese texts of 200 tokens or more, else 3.",
    )
    normalise: str = NORMALISE("standard")
    tokens: str = TOKENS("auto")
    guards: bool = GUARDS(True)
    facts: str | None = FACTS(None, unset="keep; remove with preset training")
    duplicates_only: bool = parameter(
        False,
        "True to take candidates from one-permutation MinHash bands (32 x 4): cheaper, but most contained "
        "documents are not found.",
    )
    cap: int = CAP(
        64, ("maximum number of documents compared under one key, the first in id order; no key is skipped.")
    )
    most: int = MOST(
        128,
        "maximum number of earlier documents with which a document is compared: one half are the first in the "
        "order of ids, the other half share the most keys with the document. 0 means all.",
    )
    share: float = parameter(
        0.25,
        "lowest share of common anchors at which two documents are compared. It is a share of the number of "
        "anchors expected for the shorter document.",
        least=0,
        most=1,
    )

    name: ClassVar[str] = "hybrid"
    traits: ClassVar[Traits] = Traits(
        title="the default: winnowing anchors, exact verification, number and name guards",
        paper="measured by this project; Schleimer 2003",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, VARIANT, PARTIAL),
        cost=(
            "time grows linearly with the text length. A document has about 100 keys. It is usually compared "
            "with 1 or 2 others, and with at most 128 earlier ones"
        ),
        lossless=False,
        evidence="text",
        decided_by=("threshold", "containment", "facts"),
    )

    def check(self) -> None:
        """Raise UsageError for unknown kinds of facts and other unusable parameters."""
        check_facts(self)

    @property
    def differences(self) -> FactChecks:
        """Examination of the differences of pairs; not active with `guards` off."""
        return _checks(self)

    @property
    def roundups(self) -> str | None:
        """Treatment of roundups in a run that names none: "remove" with the preset training, so that articles are not read twice."""
        return "remove" if self.preset == "training" else None

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds of the preset, replaced by the given ones."""
        base = preset(self.preset)
        if self.ngram_size is not None and self.preset == "balanced":
            base = replace(base, jaccard=GIVEN_WIDTH_JACCARD)
        return base.at(self.threshold, self.containment)

    @property
    def form(self) -> Form:
        """Form in which texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def rule(self) -> DefaultRule:
        """Rule by thresholds, facts and guards. Candidates are complete from the floor on for anchors, from BANDS_FROM for bands."""
        return _rule(self)

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return digest, lengths and anchors of a batch, and sets of rare bigrams for short texts; band keys for duplicates only."""
        if not self.duplicates_only:
            return SHORT_KEYS.features(self.form, texts, workers, keep)
        sketch = MinHash(128, "one-permutation", ngram=self.ngram_size or 3)
        return band_features(HAN_BANDS, sketch, self.form, texts, workers, keep)

    def keys(self, features: Features) -> Keys:
        """Return anchors as keys, with the weights of the count filter."""
        return Anchors().keys(features) if self.duplicates_only else SHORT_KEYS.keys(features)

    @property
    def candidates(self) -> Join:
        """Join of the keys: at least one common key, and a quarter of those expected of the shorter document."""
        return _join(self)

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard, both containments and the guards' counts of every candidate."""
        return measure(self.form, documents, left, right, self.thresholds, self.ngram_size, workers)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return anchors and keys of short documents as marks; for duplicates only: shingles, signature and bands."""
        if self.duplicates_only:
            shingles = shingles_placed("shingles", self.form, documents, self.ngram_size or 3, workers)
            return (shingles, *seen_by_join(self, documents, workers))
        found = self.represent(documents.texts, workers)
        keys = as_sets(found.values, found.offsets)
        return keys_placed("anchors", self.form, documents, SHORT_KEYS.anchors.ngram, keys, workers)

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the floor, the test, and the facts that count."""
        return (
            *floor_gates(measures, self.thresholds),
            *relation_gates(measures, self.thresholds, guards=self.guards),
            *facts_gates(measures, int(self.differences.counted), self.differences.counted_brief, self.guards),
        )


@remembered
def _checks(method: Hybrid) -> FactChecks:
    """Return the examination of differences of a method, built once, because an index asks for it at every query."""
    return FactChecks(method.form, method.thresholds, method.guards, method.facts, method.preset)


@remembered
def _join(method: Hybrid) -> Join:
    """Return the join of a method, built once, see `_checks`."""
    share = 0.0 if method.duplicates_only else method.share
    return KeyJoin(method.keys, JoinLimits(method.cap, 1, share, method.most))


@remembered
def _rule(method: Hybrid) -> DefaultRule:
    """Return the rule of a method, built once, see `_checks`."""
    test, checks = method.thresholds, method.differences
    return DefaultRule(
        test, method.threshold, BANDS_FROM if method.duplicates_only else test.floor_jaccard, widths_of(method.ngram_size),
        method.guards, facts=int(checks.counted), brief_facts=checks.counted_brief, removes_variants=checks.mode == "remove",
    )  # fmt: skip
