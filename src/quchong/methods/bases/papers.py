"""Base class of methods that decide by the rule of their paper.

A subclass defines its measures (`evidence_of`), its candidates (`meet`, or `BySets` with the sets by which they are found) and, if accepted
pairs are not simply duplicates, its `rule`. This class provides the rest: one digest a document for exact copies, exact Jaccard and both
containments of every pair, and `verify="exact"`, which also requires the default method's test.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from quchong.features import digests
from quchong.kernels.arrays import AnyTexts, FeatureSets
from quchong.kernels.text import Form
from quchong.methods.bases.method_defaults import MethodDefaults
from quchong.methods.bases.rules import PaperRule
from quchong.parameters import CAP, MOST, NORMALISE, THRESHOLD, VERIFY
from quchong.seam import (
    Documents,
    Features,
    Gate,
    Join,
    JoinLimits,
    Measures,
    Meetings,
    Search,
    SetJoin,
    Statistics,
    Traits,
)
from quchong.similarity import Thresholds, measure
from quchong.similarity.gates import number, relation_gates
from quchong.text import form

R = TypeVar("R", bound=PaperRule)


@dataclass(frozen=True, slots=True)
class PaperMethod(MethodDefaults):
    """Base class of methods that decide by their paper's rule. Subclasses are frozen dataclasses; their fields are parameters."""

    threshold: float | None = THRESHOLD(
        None,
        (
            "threshold of the paper's rule: a pair is accepted if its evidence reaches this value. The default depends on "
            "the method."
        ),
    )
    verify: str = VERIFY("rule")
    normalise: str = NORMALISE(
        "standard",
        'normal form for exact copies, Jaccard and containment: "standard", or "plain" (NFKC and lower case only).',
    )
    cap: int = CAP(10000)
    most: int = MOST(1000)

    name: ClassVar[str] = ""
    rule_name: ClassVar[str] = ""
    """Name of the rule in the ledger; empty for the method's own name."""
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits]

    @property
    def limit(self) -> float:
        """Least evidence of an accepted pair."""
        return self.usual if self.threshold is None else self.threshold

    @property
    def form(self) -> Form:
        """Form in which texts become tokens for exact classes, Jaccard and passages: that of the default method."""
        return form(self.normalise)

    @property
    def statistics_used(self) -> Statistics | None:
        """Statistics of the corpus that features depend on; None if they depend on their text alone."""
        return None

    def represent(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return only the digest and lengths of a batch, because paper features are computed after exact classes are removed."""
        return digests(self.form, texts, workers, keep)

    @property
    def candidates(self) -> Join:
        """Join of the method: by default its own search (see `BySets` for another)."""
        return Search(self.meet, self.cap, self.statistics_used)

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

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return exact Jaccard and containments as the default method counts them, and the measures of the paper's rule."""
        out = measure(self.form, documents, left, right, Thresholds(), workers=workers)
        return out | self.evidence_of(documents, left, right, workers)

    @property
    def rule(self) -> PaperRule:
        """Rule of the paper: by default evidence from the limit on makes duplicates."""
        return self.rule_of(PaperRule)

    def rule_of(self, kind: type[R], **more: Any) -> R:
        """Build a rule of this method, of a class derived from `PaperRule`; `more` are the values that the class adds."""
        return kind(self.name, self.rule_name or self.name, self.limit, self.verify, self.decided(), **more)

    def decided(self) -> dict[str, Any]:
        """Parameters that decide, the paper's value if not given; with verify "exact" also the default method's thresholds."""
        names = ("threshold", *(name for name in self.traits.decided_by if name != "verify"))
        decided = {name: getattr(self, name) for name in names} | {"threshold": self.limit}
        exact = {"exact": asdict(Thresholds())} if self.verify == "exact" else {}
        return {name: value for name, value in decided.items() if value is not None} | exact

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of a pair: sizes of both feature sets, the paper's tests, and the default's with verify "exact"."""
        sizes = (Gate(f"size.{side}", number(measures, name), column=name)
                 for side in ("left", "right") if (name := f"features_{side}") in measures)  # fmt: skip
        own = (*sizes, *self.rule_gates(documents, measures, workers))
        if self.verify == "exact":
            return (*own, *relation_gates(measures, Thresholds(), guards=True))
        return own

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """Return the gates of the paper's rule: its evidence, compared with the threshold."""
        passed = bool(self.rule.floor(measures)[0])
        return (Gate(self.evidence_called, number(measures, "evidence"), self.limit, passed, "evidence"),)

    @property
    def evidence_called(self) -> str:
        """Key of the displayed name of the evidence."""
        return f"evidence.{self.name}"


class BySets:
    """Mixin for paper methods whose candidates share features of one set for each document (`quchong.seam.SetJoin`).

    It precedes `PaperMethod` among the base classes.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def statistics_used(self) -> Statistics | None:
            """Statistics of the corpus that the sets depend on (`PaperMethod`)."""

    @property
    def candidates(self) -> Join:
        """Join of the sets."""
        return SetJoin(self.sets_of, self.join_limits(), statistics=self.statistics_used)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least number of shared features, and their least share of the smaller set."""
        raise NotImplementedError

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the feature set of each document, by which candidates are found."""
        raise NotImplementedError
