"""Templates of a run on one machine, searched among its scored pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.frozen import FrozenTemplates
from quchong.decision.templates import FilledClasses, compared_in_vain, joins_compared, reads_templates, settled
from quchong.engines.local.candidates import Candidates
from quchong.engines.local.corpus import Corpus
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct, ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Documents


@dataclass(frozen=True)
class Templates:
    """Frames (templates) among the classes of a run, and their fillers.

    Attributes:
        filled: frames of the classes, numbered in the order of the ids of their first documents; None if none were looked for.
        classes, numbers: class of each of these numbers, and number of each class, int64.
        ids, copies: id of the first document of each numbered class, and its documents.
        size: int64, bytes of each numbered class.
        workers: threads.
    """

    filled: FilledClasses | None
    classes: np.ndarray
    numbers: np.ndarray
    ids: pa.Array
    copies: np.ndarray
    size: np.ndarray
    workers: int | None

    @staticmethod
    def find(
        corpus: Corpus, plan: Plan, parts: Classes, candidates: Candidates, found: ClassPairs, stages: Stages
    ) -> Templates:
        """Find the frames among the scored pairs of candidates; nothing is done if the run reads no templates."""
        if not reads_templates(plan):
            nothing = np.zeros(0, np.int64)
            return Templates(None, nothing, nothing, pa.array([], pa.large_string()), nothing, nothing, None)
        documents = corpus.documents
        classes = ordered(documents.id_rank[parts.first])
        numbers = np.empty_like(classes)
        numbers[classes] = np.arange(len(classes))
        first = parts.first[classes]
        by_id = replace(found, left=numbers[found.left], right=numbers[found.right])
        joins = joins_compared(plan)
        beside, alone = None, None
        if joins:
            beside = compared_in_vain(found, candidates.left, candidates.right, numbers)
            met = np.zeros(len(classes), bool)
            met[by_id.left] = met[by_id.right] = met[beside[0]] = True
            alone = np.flatnonzero(~met)

        def take(some: np.ndarray) -> Documents:
            return corpus.take(first[some])

        size = corpus.texts.bytes[first]
        with stages.stage("templates"):
            filled = FilledClasses.find(plan, by_id, size, take, beside, alone)
        ids, copies = documents.shown_ids(first), parts.sizes[classes]
        return Templates(filled, classes, numbers, ids, copies, size, plan.workers)

    def meetings(self) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of classes to compare because they have equal fillers or share something rare in a large family."""
        if self.filled is None:
            return self.classes[:0], self.classes[:0]
        a, b = (self.classes[side] for side in self.filled.meetings(self.size, self.workers))
        return np.minimum(a, b), np.maximum(a, b)

    def same_fields(self) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of classes with equal fillers in all slots of one template, and slips elsewhere."""
        if self.filled is None:
            return self.classes[:0], self.classes[:0]
        a, b = (self.classes[side] for side in self.filled.same_fields())
        return np.minimum(a, b), np.maximum(a, b)

    def same_payloads(self, payload: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of classes with equal fillers on different templates; none unless the run asks for `payload`."""
        if self.filled is None or not payload:
            return self.classes[:0], self.classes[:0]
        a, b = (self.classes[side] for side in self.filled.same_payloads())
        return np.minimum(a, b), np.maximum(a, b)

    def told_apart(self, found: ClassPairs) -> ClassPairs:
        """Return the pairs of classes, with those decided that have different fillers in a slot."""
        if self.filled is None:
            return found
        return settled(found, self.filled.conflicts(self.numbers[found.left], self.numbers[found.right]))

    def with_frames(self, found: ClassPairs) -> ClassPairs:
        """Return the pairs of classes with the table TEMPLATES and the frames for later pairs."""
        if self.filled is None:
            return found
        table = self.filled.table(self.ids, self.copies)
        if not len(self.filled.filled.frames):
            return replace(found, templates=table)
        frozen = FrozenTemplates.freeze(self.filled.filled)
        return replace(found, templates=table, frozen=frozen, component=self.filled.component[self.numbers])


def told_apart_later(
    corpus: Corpus, plan: Plan, parts: Classes, found: ClassPairs, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """Return a mask of the pairs of classes with different fillers in a slot, by frames found earlier."""
    frozen, form, component = found.frozen, plan.method.form, found.component
    if frozen is None or component is None or form is None:
        return np.zeros(len(left), bool)
    some = distinct(np.concatenate([left, right]))

    def take(which: np.ndarray) -> Documents:
        return corpus.take(parts.first[some[which]])

    def read(which: np.ndarray) -> Ragged:
        return take(which).hashed(form, plan.workers)

    filled = frozen.fill(component[some], corpus.texts.bytes[parts.first[some]], read, plan.workers)
    classes = FilledClasses(filled, component[some], form, take)
    return classes.conflicts(np.searchsorted(some, left), np.searchsorted(some, right))
