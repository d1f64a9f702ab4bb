"""Rules as values: the default method's test, and the rules of papers, each of which decides pairs from their measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quchong.languages import Message
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE, PARTIAL
from quchong.seam import Measures
from quchong.similarity import Thresholds, above_floor, decide, decide_codes, threshold_used, widths_of
from quchong.similarity.paper_rules import BEYOND, duplicates, relations_by_rule
from quchong.similarity.relations import USUAL_FACTS
from quchong.tables import SMALL_SHARE

_DEFAULT = Thresholds()
WIDTHS = widths_of()
"""Shingle widths at which the recall of candidates is measured, unless a method compares others."""


def below_completeness(other: Any, complete_from: float) -> str | None:
    """Return the reason why a rule cannot decide pairs of candidates that are complete from a Jaccard on; None if it can."""
    threshold = getattr(other, "given_threshold", None)
    if threshold is None or threshold >= complete_from:
        return None
    return Message(
        "the run searched only for candidates with a Jaccard of at least {}: for a threshold of {}, run again",
        complete_from,
        threshold,
    )


@dataclass(frozen=True, slots=True)
class DefaultRule:
    """Rule of the default method: exact measures are compared with thresholds by length and script, then guards and facts.

    Attributes:
        test: thresholds of the test.
        given_threshold: the one Jaccard threshold that was given for all texts; None if none was given.
        complete_from: least Jaccard from which candidates are meant to be complete; pairs below it cannot be decided again.
        recall_widths: see `quchong.seam.Rule`.
        guards: True if pairs whose numbers or names differ are kept apart.
        strict: True if short texts with different words are variants.
        facts: kinds of facts that make a pair a variant: bit k for FACTS[k].
        brief_facts: kinds that do so in short texts besides.
        removes_variants: see `quchong.similarity.relations.decide`.
    """

    test: Thresholds
    given_threshold: float | None = None
    complete_from: float = 0.0
    recall_widths: tuple[int, int] | None = WIDTHS
    guards: bool = True
    strict: bool = False
    facts: int = USUAL_FACTS
    brief_facts: int = 0
    removes_variants: bool = False

    @property
    def thresholds(self) -> Mapping[str, Any]:
        """Values of all thresholds of `test`, by name."""
        return asdict(self.test)

    @property
    def _how(self) -> dict[str, Any]:
        return {
            "guards": self.guards, "strict": self.strict, "facts": self.facts, "brief_facts": self.brief_facts,
            "removes_variants": self.removes_variants,
        }  # fmt: skip

    @property
    def filled(self) -> Mapping[str, Any]:
        """Empty: a threshold that was not given stays null among the parameters."""
        return {}

    @property
    def headers(self) -> bool:
        """True if headers that many documents share are looked for (`quchong.decision.headers`)."""
        return self.guards

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs to list: the floor's Jaccard or larger containment, or the threshold if that is lower."""
        return above_floor(dict(measures), self.test)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return relation and rule of each pair, by thresholds, facts and guards."""
        return decide(measures, self.test, **self._how)

    def relation_codes(self, measures: Measures) -> np.ndarray:
        """Return the relations of `decide` as codes, uint8, without a string for each pair."""
        return decide_codes(measures, self.test, **self._how)[0]

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that each pair's rule required."""
        return threshold_used(measures, rule, self.test)

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide the pairs: its threshold is below the candidates' completeness; else None."""
        return below_completeness(other, self.complete_from)


@dataclass(frozen=True, slots=True)
class JaccardRule(DefaultRule):
    """Rule on the Jaccard alone: duplicate from the threshold `given_threshold` on, else partial; containment is only reported."""

    @staticmethod
    def from_threshold(threshold: float, recall_widths: tuple[int, int] | None = WIDTHS) -> JaccardRule:
        """Build the rule of one threshold, at or above which candidates are complete."""
        return JaccardRule(Thresholds().at(threshold), threshold, threshold, recall_widths)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return relation and rule: duplicate from the threshold on, else partial."""
        reached = measures["jaccard"] >= self.given_threshold
        relation = np.where(reached, DUPLICATE, PARTIAL).astype(object)
        return relation, np.where(reached, "jaccard", "below the threshold").astype(object)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold of each pair: 1 for exact copies, else the rule's."""
        return np.where(rule == "equal normal form", 1.0, float(self.given_threshold or 0))


@dataclass(frozen=True, slots=True)
class PaperRule:
    """Rule of a paper: a pair whose evidence reaches the limit is accepted; here accepted pairs are duplicates.

    Attributes:
        method: name of the method.
        name: name of the rule in the ledger.
        limit: least evidence of an accepted pair.
        verify: "exact" if an accepted pair must also pass the default method's test, else "rule".
        thresholds: see `quchong.seam.Rule`.
        test: thresholds of the default method, for verify "exact".
        reads: False if the rule reads no text, so that it does not matter how much of it two documents share.
    """

    method: str
    name: str
    limit: float
    verify: str
    thresholds: Mapping[str, Any]
    test: Thresholds = _DEFAULT
    reads: bool = True

    @property
    def filled(self) -> Mapping[str, Any]:
        """Limit of the rule, by the name of its parameter, `threshold`."""
        return {"threshold": self.limit}

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Shingle widths of the default method."""
        return widths_of()

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs that the rule accepts, whatever their Jaccard."""
        mask: np.ndarray = measures["evidence"] >= self.limit
        return mask

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation that the rule gives to accepted pairs, as an array of str: duplicate."""
        return duplicates(measures["evidence"])

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return relation and rule of each pair by the paper's rule; with verify "exact" the default method must agree."""
        return relations_by_rule(
            self.relations(measures),
            self.floor(measures),
            self.name,
            self.verify,
            measures,
            self.test,
            reads=self.reads,
        )

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair: the rule's, 1 for exact copies, or that of the default's test."""
        by_rule = np.array([str(r).startswith(self.name) or r in (BEYOND, SMALL_SHARE) for r in rule], bool)
        return np.where(by_rule, self.limit, threshold_used(measures, rule, self.test))

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide pairs found for this rule: another method, or a lower limit; else None."""
        if not isinstance(other, PaperRule) or other.method != self.method:
            return Message("the pairs were found by the method {}", self.method)
        if other.limit < self.limit:
            return Message(
                "the run searched only for candidates with a measure of at least {:g}: for {:g}, run again",
                self.limit,
                other.limit,
            )
        return None


@dataclass(frozen=True, slots=True)
class RoundedRule(PaperRule):
    """Rule of a paper whose evidence is computed with rounding: it may be less than the limit by `tolerance`."""

    tolerance: float = 1e-9

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs whose evidence reaches the limit, up to rounding."""
        mask: np.ndarray = measures["evidence"] >= self.limit - self.tolerance
        return mask


@dataclass(frozen=True, slots=True)
class OverlapRule(PaperRule):
    """Rule on the share of each document that the other contains (`covered_left`, `covered_right`).

    `limit` applies to the paper's one value for both documents (`evidence`); a pair that reaches it is a duplicate.

    Attributes:
        covering: share of a document covered, at or above which it is contained in the other; both: duplicates.
        least: share at or above which a pair is listed.
    """

    covering: float = 1.0
    least: float = 1.0

    def floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs to list: enough of one document is covered, or the one value reaches the limit."""
        most = np.maximum(measures["covered_left"], measures["covered_right"])
        mask: np.ndarray = (most >= self.least) | (measures["evidence"] >= self.limit)
        return mask & (most > 0)

    def relations(self, measures: Measures) -> np.ndarray:
        """Return the relation of each pair: contained if one side alone is covered, duplicate by either measure, else partial."""
        left, right = (measures[f"covered_{side}"] >= self.covering for side in ("left", "right"))
        out = np.full(len(left), PARTIAL, object)
        out[(measures["evidence"] >= self.limit) | (left & right)] = DUPLICATE
        out[left & ~right], out[right & ~left] = CONTAINED_IN, CONTAINS
        return out

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair: the least coverage if partial, the containment if contained, else the limit."""
        used = PaperRule.threshold_used(self, measures, rule)
        own = np.array([str(r) in (self.name, SMALL_SHARE) for r in rule], bool)
        relation = self.relations(measures)
        inside = (relation != PARTIAL) & (measures["evidence"] < self.limit) | np.isin(
            relation, (CONTAINS, CONTAINED_IN)
        )
        return np.where(own & (relation == PARTIAL), self.least, np.where(own & inside, self.covering, used))

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide pairs found for this rule: another method, or a lower least; else None.

        Pairs are complete from `least` on, whatever the limit.
        """
        if not isinstance(other, OverlapRule) or other.method != self.method:
            return Message("the pairs were found by the method {}", self.method)
        if other.least < self.least:
            return Message(
                "the run searched only for pairs with a coverage of at least {:g}: for {:g}, run again",
                self.least,
                other.least,
            )
        return None
