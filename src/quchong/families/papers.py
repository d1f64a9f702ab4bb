"""Base class of methods that decide by the rule of their paper.

Such a method says what its features are (`evidence_of`), who meets (`meet`, or `BySets`: the sets under which documents do)
and what its rule makes of a pair (`named`). All else is here: one digest a document for exact copies, exact Jaccard and both
containments of every pair, and `verify="exact"`, which asks for the default method's test as well.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from quchong.features import digests
from quchong.index.nearest import bounded_sets
from quchong.kernels.arrays import AnyTexts, FeatureSets
from quchong.kernels.text import Form
from quchong.parameters import CAP, MOST, NORMALISE, THRESHOLD, VERIFY, check_values
from quchong.seam import (
    Documents,
    Features,
    FirstSeen,
    Join,
    JoinLimits,
    Measures,
    Meetings,
    Method,
    Search,
    SetJoin,
    Spans,
    Traits,
)
from quchong.similarity import Thresholds, measure, threshold_used, widths_of
from quchong.similarity.paper_rules import BEYOND, ruled
from quchong.text import form

ANY = 1e-9
"""A share that one feature in common reaches."""


@dataclass(frozen=True, slots=True)
class PaperMethod:
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

    def __post_init__(self) -> None:
        check_values(self)
        self.check()

    def check(self) -> None:
        """What a parameter's metadata cannot say, such as two that must agree; raises UsageError."""

    @property
    def limit(self) -> float:
        """What the evidence of an accepted pair reaches."""
        return self.usual if self.threshold is None else self.threshold

    @property
    def form(self) -> Form:
        """How texts become tokens for exact classes, Jaccard and passages: the default method's way."""
        return form(self.normalise)

    @property
    def thresholds(self) -> Thresholds:
        """Those of the default method: what `verify="exact"` holds pairs to."""
        return Thresholds()

    @property
    def recall_widths(self) -> tuple[int, int] | None:
        """Those of the default method."""
        return widths_of()

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

    @property
    def statistics_needed(self) -> str:
        """Nothing is counted."""
        return ""

    def fitted(self, documents: Documents, workers: int | None = None) -> PaperMethod:
        """The method itself: it needs no statistics."""
        return self

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Who meets whom: see `quchong.seam.Search`."""
        raise NotImplementedError

    def passages(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> Spans | None:
        """None: the engine looks for what both share."""
        return None

    @property
    def unconfirmed(self) -> str | None:
        """None: there is no first stage."""
        return None

    def first_stage(self) -> FirstSeen | None:
        """None: exact classes are the engine's."""
        return None

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
            return f"the pairs were found by {self.name}"
        if other.limit < self.limit:
            return f"candidates were looked for from {self.limit:g} on: {other.limit:g} needs a new run"
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


def met_by(
    sets: FeatureSets, limits: JoinLimits, scope: np.ndarray | None, references: int, workers: int | None = None
) -> Meetings:
    """Pairs whose sets have enough in common within limits (`quchong.index.nearest.bounded_sets`), and what was bounded."""
    met = bounded_sets(
        sets, max(limits.share, ANY), min_shared=limits.min_shared, cap=limits.cap, scope=scope, references=references,
        most=limits.most, workers=workers,
    )  # fmt: skip
    return Meetings(met.left, met.right, capped_note(met.capped, met.largest, limits.cap) + limits.told(met.bounded))


def capped_note(
    capped: int, largest: int, cap: int, *, what: str = "features", met: str = "the first ones by policy"
) -> tuple[tuple[str, dict[str, int]], ...]:
    """What `Meetings.bounded` says of lists longer than the cap; empty where there are none. `what` the lists are of, and
    who of a longer one is `met`.
    """
    if not capped:
        return ()
    message = (
        f"{capped:,} {what} occur in more than {cap:,} documents (the most in {largest:,}): in these lists documents met "
        f"{met} only"
    )
    return ((message, {"features": capped, "cap": cap, "largest": largest}),)
