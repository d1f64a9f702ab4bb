"""Base class of methods that decide by the rule of their paper.

Such a method says what its features are (`evidence_of`), who meets (`meet`, or `BySets`: the sets under which documents do)
and what its rule makes of a pair (`named`). All else is here: one digest a document for exact copies, exact Jaccard and both
containments of every pair, and `verify="exact"`, which asks for the default method's test as well.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np

from quchong.families.plain import Plain
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
    """A method that decides by its paper's rule. Subclasses are frozen dataclasses too; their fields are parameters."""

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
    """The rule's name in the ledger; the method's own where empty."""
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits]

    @property
    def limit(self) -> float:
        """What the evidence of an accepted pair reaches."""
        return self.usual if self.threshold is None else self.threshold

    def held_to(self) -> dict[str, Any]:
        """The parameters that decide, the paper's value where none was given; under `exact` the default's test where it is
        asked too.
        """
        own = self.settings()
        names = ("threshold", *(name for name in self.traits.decided_by if name != "verify"))
        decided = {name: own[name] for name in names if own[name] is not None}
        return decided | ({"exact": asdict(self.thresholds)} if self.verify == "exact" else {})

    @property
    def form(self) -> Form:
        """How texts become tokens for exact classes, Jaccard and passages: the default method's way."""
        return form(self.normalise)

    @property
    def thresholds(self) -> Thresholds:
        """Those of the default method: what `verify="exact"` holds pairs to."""
        return Thresholds()

    @property
    def complete_from(self) -> float:
        """Candidates are complete by the paper's measure, not from a Jaccard on: see `lacks`."""
        return 0.0

    def features(self, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """The digest alone: a paper's features are made of what exact classes leave."""
        return digests(self.form, texts, workers, keep)

    @property
    def candidates(self) -> Join:
        """Methods search by themselves unless they say otherwise (see `BySets`)."""
        return Search(self.meet, self.cap)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Who meets whom: see `quchong.seam.Search`."""
        raise NotImplementedError

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """What the rule looks at: `evidence`, and `features_left` and `features_right` where it compares sets."""
        raise NotImplementedError

    def named(self, measures: Measures) -> np.ndarray:
        """The relation the rule gives to accepted pairs, as an array of str."""
        raise NotImplementedError

    def score(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Exact Jaccard and containments as the default method counts them, and what the paper's rule looks at."""
        out = measure(self.form, documents, left, right, self.thresholds, workers=workers)
        return out | self.evidence_of(documents, left, right, workers)

    def accepts(self, measures: Measures) -> np.ndarray:
        """Mask of the pairs the rule accepts."""
        mask: np.ndarray = measures["evidence"] >= self.limit
        return mask

    def gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """The sizes of both feature sets, the paper's tests, and the default's where it is asked too."""
        sizes = (Gate(f"size.{side}", number(measures, name), column=name)
                 for side in ("left", "right") if (name := f"features_{side}") in measures)  # fmt: skip
        own = (*sizes, *self.rule_gates(documents, measures, workers))
        if self.verify == "exact":
            return (*own, *relation_gates(measures, self.thresholds, guards=True))
        return own

    def rule_gates(self, documents: Documents, measures: Measures, workers: int | None = None) -> tuple[Gate, ...]:
        """The tests of the paper's rule: what it looks at, held to the threshold."""
        passed = bool(self.accepts(measures)[0])
        return (Gate(self.evidence_called, number(measures, "evidence"), self.limit, passed, "evidence"),)

    @property
    def evidence_called(self) -> str:
        """What the evidence is, a key of the words that are shown."""
        return f"evidence.{self.name}"

    def above_floor(self, measures: Measures) -> np.ndarray:
        """What the rule accepts, whatever the Jaccard."""
        return self.accepts(measures)

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """The paper's relation; with verify "exact" what the default's test says of such a pair."""
        accepted = self.accepts(measures)
        return ruled(self.named(measures), accepted, self.rule or self.name, self.verify, measures, self.thresholds)

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """The rule's threshold; for exact copies 1, for what only the default's test decided that test's threshold."""
        own = self.rule or self.name
        by_rule = np.array([str(r).startswith(own) or r == BEYOND for r in rule], bool)
        return np.where(by_rule, self.limit, threshold_used(measures, rule, self.thresholds))

    def lacks(self, other: Method) -> str | None:
        """Why pairs found with these parameters cannot be decided again with those of `other`; None where they can."""
        if not isinstance(other, PaperMethod) or other.name != self.name:
            return Message("the pairs were found by {}", self.name)
        if other.limit < self.limit:
            return Message("candidates were looked for from {:g} on: {:g} needs a new run", self.limit, other.limit)
        return None

    def settings(self) -> dict[str, Any]:
        """All parameters; what was counted on a corpus by its digest."""
        out = {f.name: getattr(self, f.name) for f in fields(self)}
        return {k: getattr(v, "digest", v) for k, v in out.items()} | {"threshold": self.limit}


class BySets:
    """A paper method whose documents meet under one set of features each (`quchong.seam.SetJoin`): stands in front of
    `PaperMethod` among the bases.
    """

    __slots__ = ()

    @property
    def candidates(self) -> Join:
        """A join of the sets."""
        return SetJoin(self.sets_of, self.join_limits())

    def join_limits(self) -> JoinLimits:
        """Features in common, and the share of the smaller set."""
        raise NotImplementedError

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """The sets under which documents meet."""
        raise NotImplementedError
