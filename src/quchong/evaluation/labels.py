"""Labels of pairs: the four words, and the set of labels that a run is compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from quchong.languages import Message, join_names

SAME, CONTAINED, DIFFERENT, UNSURE = "same", "contained", "different", "unsure"
LABELS = (SAME, CONTAINED, DIFFERENT, UNSURE)
"""Labels of a pair.

same: one text, or near-copies of it. contained: one document contains the other, whichever. different: neither may be
removed for the other. unsure: a person could not decide; such a pair is not counted.
"""
COPIES = (SAME, CONTAINED)
"""Labels that say that one of the two documents can be removed."""


ROLES = {"left": "left_id", "right": "right_id", "label": "label", "id": "id", "cluster": "cluster"}
"""Columns of labels, by what they contain."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Labels of pairs, or of clusters, by ids as text.

    Attributes:
        name: name of the file, for messages; "" for data in memory.
        left, right: ids of the labelled pairs, left < right, each pair once.
        label: uint8, index in LABELS, aligned with the pairs.
        cluster: the cluster of each listed document; None for labels of pairs. Documents of one cluster are `same`, of two
            `different`.
        complete: True if every pair of documents that is not listed is different.
        told: True if labels of pairs had a label column; without it all are `same`.
        repeated: number of lines whose pair a later line labels again.
        skipped: lines that could not be read, with location and reason.
        columns: columns that were read under usual names, by what they contain, such as ("left", "id1").
        scores: columns of numbers with fractions, of pairs without labels; they are not read.
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
    columns: tuple[tuple[str, str], ...] = ()
    scores: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Kind of labels: `pairs` or `clusters`."""
        return "pairs" if self.cluster is None else "clusters"

    def __len__(self) -> int:
        return len(self.left) if self.cluster is None else len(self.cluster)

    def column_remarks(self) -> list[Message]:
        """Return a remark about columns found under usual names, such as id1, and one about columns of scores, which are not read."""
        remarks = []
        if self.columns:
            named = join_names(column for _, column in self.columns)
            roles = join_names(ROLES[role] for role, _ in self.columns)
            remarks.append(
                Message("the column {} is read as {}", named, roles)
                if len(self.columns) == 1
                else Message("the columns {} are read as {}", named, roles)
            )
        if self.scores:
            remarks.append(
                Message(
                    "{} has scores, which are not read: every pair counts as a copy. If some are not, add a column {} with {} or {}",
                    join_names(self.scores), ROLES["label"], SAME, DIFFERENT,
                )
            )  # fmt: skip
        return remarks

    def mark_complete(self, complete: bool) -> Truth:
        """Return a copy that is marked as complete or not."""
        return replace(self, complete=complete)

    def counts(self) -> dict[str, int]:
        """Count labelled pairs by label; for labels of clusters, documents and clusters."""
        if self.cluster is not None:
            return {"documents": len(self.cluster), "clusters": len(set(self.cluster.values()))}
        found = np.bincount(self.label, minlength=len(LABELS)).tolist()
        return {name: n for name, n in zip(LABELS, found, strict=True) if n}
