"""Feature codes (特征码): the characters on both sides of each full stop.

Source: Ya 2013, the feature-string class among the three traditional ones it names. The classic Chinese form with L = 10: five characters
before 。 and five after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quchong.errors import Param, UsageError
from quchong.features.located_features import periods_placed
from quchong.features.periods import period_sets
from quchong.kernels.arrays import FeatureSets
from quchong.methods.bases.papers import BySets, PaperMethod
from quchong.parameters import CHARACTERS, MIN_SHARED, parameter
from quchong.relations import DUPLICATE, EXACT
from quchong.seam import Documents, JoinLimits, Sight, Traits
from quchong.similarity.paper_rules import set_evidence, size_ratio


@dataclass(frozen=True, slots=True)
class FeatureCode(BySets, PaperMethod):
    """Method on feature codes: enough equal codes make a duplicate."""

    length: int = parameter(
        10,
        "L, the number of characters of a code, half of them on each side of the full stop; even.",
        least=2,
        most=1000,
    )
    characters: str = CHARACTERS(
        "text",
        'form of the characters around a full stop. "text": unchanged. "normal": letters and digits of the '
        "normal form, in which script, width, case, numerals and marks make no difference.",
    )
    min_shared: int = MIN_SHARED(2, "number of different codes that two documents must have in common.")
    of: str = parameter(
        "larger",
        'set to which the share refers. "larger": duplicates have at least this share of both texts in '
        'common. "smaller" (overlap): an excerpt is also a duplicate of its source, and the excerpt may be '
        "kept.",
        choices=("larger", "smaller"),
    )

    name: ClassVar[str] = "feature-code"
    rule_name: ClassVar[str] = "equal codes"
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits] = Traits(
        title="feature codes: characters around each full stop",
        paper="Ya 2013 (traditional class)",
        finds=(EXACT, DUPLICATE),
        cost=(
            "time grows linearly with the text length. The number of pairs grows with the sum of the squared "
            "posting-list lengths, but each document is compared with at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=("threshold", "verify"),
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters."""
        if self.length % 2:
            raise UsageError("{} must be even, got {}", Param("length"), self.length)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the set of feature codes of each text: hashes of the characters around each full stop."""
        half, normal = self.length // 2, self.form if self.characters == "normal" else None
        return period_sets(documents.texts, half, workers, after=half, normal=normal)

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: at least `min_shared` equal codes, and the threshold's share of the text with fewer codes."""
        return JoinLimits(self.cap, self.min_shared, self.limit, self.most)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the share of equal feature codes in the larger or smaller set (parameter `of`), and set sizes."""
        sets = self.sets_of(documents, workers)
        out = set_evidence(sets, left, right, min_shared=self.min_shared, workers=workers)
        return out if self.of == "smaller" else out | {"evidence": out["evidence"] * size_ratio(out)}

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the text around full stops as marks."""
        half, normal = self.length // 2, self.form if self.characters == "normal" else None
        return (periods_placed(documents, half, half, normal, workers),)
