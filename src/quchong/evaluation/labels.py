"""What a truth says of pairs: the four labels, and the truth itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

SAME, CONTAINED, DIFFERENT, UNSURE = "same", "contained", "different", "unsure"
LABELS = (SAME, CONTAINED, DIFFERENT, UNSURE)
"""same: one text, or near-copies of it. contained: one stands in the other, whichever. different: neither may go for the other.
unsure: whoever looked could not tell; such a pair counts neither way.
"""
COPIES = (SAME, CONTAINED)
"""The labels that say: one of the two can go."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Labels of pairs, or of clusters, by ids as text.

    Attributes:
        name: of the file, for people; "" for data in memory.
        left, right: ids of the labelled pairs, left < right, each pair once.
        label: uint8, places in LABELS, aligned with them.
        cluster: the cluster of each document that is listed; None for a truth of pairs. Documents of one cluster are `same`, of two
            `different`.
        complete: every pair of documents of a run that the truth does not list is different.
        told: a truth of pairs said of each which label it has; without it all are `same`.
        repeated: lines of pairs that a later line labels again.
        skipped: what could not be read, with place and reason.
    """

    name: str
    left: list[str]
    right: list[str]
    label: np.ndarray
    cluster: dict[str, str] | None = None
    complete: bool = False
    told: bool = True
    repeated: int = 0
    skipped: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`pairs` or `clusters`."""
        return "pairs" if self.cluster is None else "clusters"

    def __len__(self) -> int:
        return len(self.left) if self.cluster is None else len(self.cluster)

    def whole(self, complete: bool) -> Truth:
        """The same truth, complete or not."""
        return replace(self, complete=complete)

    def counts(self) -> dict[str, int]:
        """Labelled pairs by label; of a truth of clusters, documents and clusters."""
        if self.cluster is not None:
            return {"documents": len(self.cluster), "clusters": len(set(self.cluster.values()))}
        found = np.bincount(self.label, minlength=len(LABELS)).tolist()
        return {name: n for name, n in zip(LABELS, found, strict=True) if n}
