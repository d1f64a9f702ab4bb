"""Base class of methods that decide by the rule of their paper.

A subclass defines its measures (`evidence_of`), its candidates (`meet`, or `BySets` with the sets by which they are found) and the relation
of an accepted pair (`named`). This class provides the rest: one digest a document for exact copies, exact Jaccard and both containments of
every pair, and `verify="exact"`, which also requires the default method's test.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np

from quchong.methods.bases.method_defaults import Plain
from quchong.features import digests
from quchong.kernels.arrays import AnyTexts, FeatureSets
from quchong.kernels.text import Form
from quchong.languages import Message
from quchong.parameters import CAP, MOST, NORMALISE, THRESHOLD, VERIFY
from quchong.seam import (
    Documents,
    Features,
    Gate,
    Join,
    JoinLimits,
    Measures,
    Meetings,
    Method,
    Search,
    SetJoin,
    Traits,
)
from quchong.similarity import Thresholds, measure, threshold_used
from quchong.similarity.gates import number, relation_gates
from quchong.similarity.paper_rules import BEYOND, ruled
from quchong.text import form


@dataclass(frozen=True, slots=True)
class PaperMethod(Plain):
    """Base class of methods that decide by their paper's rule. Subclasses are frozen dataclasses; their fields are parameters."""

    threshold: float | None = THRESHOLD(
        None, "what the evidence of the paper's rule must reach; without it the method's own."
    )
    verify: str = VERIFY("rule")
    normalise: str = NORMALISE(
        "standard",
        'normal form for exact copies, Jaccard and containment: "standard", or "plain": NFKC and lower case only.',
    )
    cap: int = CAP(10000)
    most: int = MOST(1000)

    name: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    """Name of the rule in the ledger; empty for the method's own name."""
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits]

    @property
    def limit(self) -> float:
        """Least evidence of an accepted pair."""
        return self.usual if self.threshold is None else self.threshold

    def held_to(self) -> dict[str, Any]:
        """Return the parameters that decide, the paper's value if not given; with verify "exact" also the default method's thresholds."""
        own = self.settings()
        names = ("threshold", *(name for name in self.traits.decided_by if name != "verify"))
        decided = {name: own[name] for name in names if own[name] is not None}
        return decided | ({"exact": asdict(self.thresholds)} if self.verify == "exact" else {})

    @property
    def form(self) -> Form:
        """Form in which texts become tokens for exact classes, Jaccard and passages: that of the default method."""
        return form(self.normalise)

    @property
    def thresholds(self) -> Thresholds:
        """Thresholds of the default method, which verify="exact" applies."""
        return Thresholds()

    @property
    def complete_from(self) -> float:
        """Jaccard from which on candidates are complete; a paper's candidates are complete by its own measure, see `lacks`."""
        return 0.0

    def features(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return only the digest and lengths of a batch, because paper features are computed after exact classes are removed."""
        return digests(self.form, texts, workers, keep)

    @property
    def candidates(self) -> Join:
        """Join of the method: by default its own search (see `BySets` for another)."""
        return Search(self.meet, self.cap)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the candidate pairs of documents: see `quchong.seam.Search`."""
        raise NotImplementedError

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the measures of the paper's rule: `evidence`, and `features_left` and `features_right` if it compares sets."""
        raise NotImplementedError

    def named(self, measures: Measures) -> np.ndarray:
        """Return the relation that the rule gives to accepted pairs, as an array of str."""
        raise NotImplementedError

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard and containments as the default method counts them, and the measures of the paper's rule."""
        out = measure(self.form, documents, left, right, self.thresholds, workers=workers)
        return out | self.evidence_of(documents, left, right, workers)

    def accepts(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs that the rule accepts."""
        mask: np.ndarray = measures["evidence"] >= self.limit
        return mask

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of a pair: sizes of both feature sets, the paper's tests, and the default's with verify "exact"."""
        sizes = (Gate(f"size.{side}", number(measures, name), column=name)
                 for side in ("left", "right") if (name := f"features_{side}") in measures)  # fmt: skip
        own = (*sizes, *self.rule_gates(documents, measures, workers))
        if self.verify == "exact":
            return (*own, *relation_gates(measures, self.thresholds, guards=True))
        return own

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the paper's rule: its evidence, compared with the threshold."""
        passed = bool(self.accepts(measures)[0])
        return (Gate(self.evidence_called, number(measures, "evidence"), self.limit, passed, "evidence"),)

    @property
    def evidence_called(self) -> str:
        """Key of the displayed name of the evidence."""
        return f"evidence.{self.name}"

    def above_floor(self, measures: Measures) -> np.ndarray:
        """Return a mask of the pairs to list: those the rule accepts, whatever the Jaccard."""
        return self.accepts(measures)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Return relation and rule of each pair by the paper's rule; with verify "exact" the default method must agree."""
        accepted = self.accepts(measures)
        return ruled(self.named(measures), accepted, self.rule or self.name, self.verify, measures, self.thresholds)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """Return the threshold that decided each pair: the rule's, 1 for exact copies, or that of the default's test."""
        own = self.rule or self.name
        by_rule = np.array([str(r).startswith(own) or r == BEYOND for r in rule], bool)
        return np.where(by_rule, self.limit, threshold_used(measures, rule, self.thresholds))

    def lacks(self, other: Method) -> str | None:
        """Return the reason why `other` cannot re-decide pairs found with these parameters, or None if it can."""
        if not isinstance(other, PaperMethod) or other.name != self.name:
            return Message("the pairs were found by {}", self.name)
        if other.limit < self.limit:
            return Message("candidates were looked for from {:g} on: {:g} needs a new run", self.limit, other.limit)
        return None

    def settings(self) -> dict[str, Any]:
        """Return all parameters; statistics counted on a corpus are given by their digest."""
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        return {k: getattr(v, "digest", v) for k, v in out.items()} | {"threshold": self.limit}


class BySets:
    """Mixin for paper methods whose candidates share features of one set for each document (`quchong.seam.SetJoin`).

    It precedes `PaperMethod` among the base classes.
    """

    __slots__ = ()

    @property
    def candidates(self) -> Join:
        """Join of the sets."""
        return SetJoin(self.sets_of, self.join_limits())

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: least number of shared features, and their share of the smaller set."""
        raise NotImplementedError

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the feature set of each document, by which candidates are found."""
        raise NotImplementedError
