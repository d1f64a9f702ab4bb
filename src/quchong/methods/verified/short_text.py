"""Short texts: posts, titles and messages, compared by exact bigram counts.

短文本去重：稀有字符二元组两三个一组作键，二元组 Jaccard 精确核对。

Source: docs/decisions/0016-the-road-for-short-texts.md, measured by this project; Bayardo 2007 and Wang 2012 for the prefix
filter; Schleimer 2003 for winnowing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.features import ShortKeys
from quchong.features.located_features import keys_placed, shingles_placed
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.methods.bases.facts import FactChecks, check_facts
from quchong.methods.bases.join_sights import as_sets
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import DefaultRule
from quchong.parameters import CAP, CONTAINMENT, FACTS, GUARDS, MOST, NGRAM_SIZE, NORMALISE, THRESHOLD, TOKENS
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
from quchong.similarity import BIGRAM, Thresholds, measure, widths_of
from quchong.similarity.gates import facts_gates, floor_gates, relation_gates
from quchong.text import form


@dataclass(frozen=True, slots=True)
class ShortText(MethodDefaults):
    """Method for near-duplicates among short texts; the social-text normaliser is on unless `--social` says otherwise.

    Texts under 25 tokens are removed only if they differ in nothing but marks, forwarding and tags (their folded forms are equal); close
    ones with other words or figures are found and listed as variants. From 25 tokens on bigram Jaccard decides, by length, and guards keep
    template siblings apart.
    """

    threshold: float | None = THRESHOLD(
        None, "one bigram Jaccard threshold for texts of every length; it replaces the default thresholds."
    )
    containment: float | None = CONTAINMENT(
        None, "one containment threshold for all texts; it replaces the default thresholds."
    )
    ngram_size: int = NGRAM_SIZE(2, "number of tokens in a compared shingle.")
    normalise: str = NORMALISE("standard")
    tokens: str = TOKENS("auto")
    guards: bool = GUARDS(True)
    facts: str | None = FACTS(None, unset="keep")
    cap: int = CAP(32, "maximum number of documents compared under each key, the first in id order; no key is skipped.")
    most: int = MOST(
        128,
        "maximum number of earlier documents with which a document is compared: one half are the first in the "
        "order of ids, the other half share the most keys with the document. 0 means all.",
    )

    name: ClassVar[str] = "short-text"
    traits: ClassVar[Traits] = Traits(
        title="posts and titles: keys are sets of rare bigrams; exact bigram Jaccard; marks and tags do not count",
        paper="measured by this project; Bayardo 2007; Wang 2012",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, VARIANT, PARTIAL),
        cost="time grows linearly with the text length. A document has about 30 keys. Each document is compared "
        "with at most 128 earlier ones",
        lossless=False,
        evidence="text",
        decided_by=("threshold", "containment", "facts"),
        social=True,
    )

    def check(self) -> None:
        """Raise UsageError for unknown kinds of facts and other unusable parameters."""
        check_facts(self)

    @property
    def differences(self) -> FactChecks:
        """Examination of the differences of pairs; not active with `guards` off."""
        return FactChecks(self.form, self.thresholds, self.guards, self.facts)

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds measured for bigrams, replaced by the given ones."""
        return BIGRAM.at(self.threshold, self.containment)

    @property
    def form(self) -> Form:
        """Form in which texts become tokens."""
        return form(self.normalise, self.tokens)

    @property
    def rule(self) -> DefaultRule:
        """Rule by thresholds and guards, in which different words in very short texts make a variant."""
        test = self.thresholds
        return DefaultRule(
            test, self.threshold, test.floor_jaccard, widths_of(self.ngram_size), self.guards, strict=True,
            facts=int(self.differences.counted), removes_variants=self.differences.mode == "remove",
        )  # fmt: skip

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return digest, lengths and anchors of a batch, and sets of rare bigrams of the short texts."""
        return ShortKeys().features(self.form, texts, workers, keep)

    def keys(self, features: Features) -> Keys:
        """Return the keys by which candidates are found, with the weights of the count filter."""
        return ShortKeys().keys(features)

    @property
    def candidates(self) -> Join:
        """Join of the keys: one key of a short document, or a quarter of the expected anchors of longer ones."""
        return KeyJoin(self.keys, JoinLimits(self.cap, 1, 0.25, self.most))

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard, both containments and the guards' counts of every candidate."""
        return measure(self.form, documents, left, right, self.thresholds, self.ngram_size, workers, words=True)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return its keys, anchors and sets of rare bigrams, and the bigrams that are compared."""
        found = self.represent(documents.texts, workers)
        keys = as_sets(found.values, found.offsets)
        return (
            shingles_placed("shingles", self.form, documents, self.ngram_size, workers),
            *keys_placed("anchors", self.form, documents, ShortKeys().anchors.ngram, keys, workers),
        )

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the floor, the test, and the facts that count."""
        return (
            *floor_gates(measures, self.thresholds),
            *relation_gates(measures, self.thresholds, guards=self.guards, strict=True),
            *facts_gates(measures, int(self.differences.counted), self.differences.counted_brief, self.guards),
        )
