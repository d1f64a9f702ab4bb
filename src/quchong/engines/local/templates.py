"""Templates of a run on one machine: frames searched among its scored pairs, and records told apart by what fills their slots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.templates import fill_templates, reads_templates, settled, template_table
from quchong.differences.rearranged import same_parts
from quchong.differences.windows import dictionary_forms
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import pair_batches
from quchong.frames.filling import Filled
from quchong.frames.payloads import conflicts, meetings
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import Documents


@dataclass(frozen=True)
class Templates:
    """Frames of the classes of a run, and what fills their slots.

    Attributes:
        corpus, plan, parts: documents, method, and the classes that are compared.
        filled: frames of the classes, numbered in the order of the ids of their first documents; None if none were looked for.
        classes, numbers: class of each of these numbers, and number of each class, int64.
    """

    corpus: Corpus
    plan: Plan
    parts: Classes
    filled: Filled | None
    classes: np.ndarray
    numbers: np.ndarray

    @staticmethod
    def find(corpus: Corpus, plan: Plan, parts: Classes, found: ClassPairs, stages: Stages) -> Templates:
        """Find the frames among scored pairs; nothing is done if the run reads no templates."""
        if not reads_templates(plan):
            nothing = np.zeros(0, np.int64)
            return Templates(corpus, plan, parts, None, nothing, nothing)
        classes = ordered(corpus.documents.id_rank[parts.first])
        numbers = np.empty_like(classes)
        numbers[classes] = np.arange(len(classes))
        by_id = replace(found, left=numbers[found.left], right=numbers[found.right])
        size, read = corpus.texts.bytes[parts.first[classes]], partial(_hashed, corpus, plan, parts.first[classes])
        with stages.stage("templates"):
            return Templates(corpus, plan, parts, fill_templates(plan, by_id, size, read), classes, numbers)

    def meetings(self) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of classes that meet by what fills their slots (`quchong.frames.payloads.meetings`)."""
        if self.filled is None:
            return self.classes, self.classes
        left, right = meetings(self.filled)
        a, b = self.classes[left], self.classes[right]
        return np.minimum(a, b), np.maximum(a, b)

    def told_apart(self, found: ClassPairs) -> ClassPairs:
        """Return the pairs of classes with those that fill a slot otherwise settled (`quchong.decision.templates.settled`).

        Records with the same lines or the same JSON in another order fill no slot otherwise.
        """
        if self.filled is None or not len(self.filled.frames):
            return found
        left, right = self.numbers[found.left], self.numbers[found.right]
        mask = conflicts(self.filled, left, right)
        same = np.flatnonzero(mask & (self.filled.bag[left] == self.filled.bag[right]))
        first, second = self.parts.first[found.left], self.parts.first[found.right]
        for piece, docs, documents, a, b in pair_batches(self.corpus, self.plan, first, second, same):
            texts = dictionary_forms([documents.texts.text(k) for k in range(len(docs))])
            mask[piece] = [not same_parts(texts[x], texts[y]) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        return settled(found, mask)

    def table(self) -> pa.Table | None:
        """Return the table TEMPLATES; None if none were looked for."""
        if self.filled is None:
            return None
        assert self.plan.method.form is not None
        first = self.parts.first[self.classes]

        def texts_of(some: np.ndarray) -> Documents:
            return self.corpus.take(first[some])

        ids = self.corpus.documents.shown_ids(first)
        return template_table(self.filled, self.plan.method.form, ids, self.parts.sizes[self.classes], texts_of)


def _hashed(corpus: Corpus, plan: Plan, documents: np.ndarray, some: np.ndarray) -> Ragged:
    """Return the tokens of some of the documents as hashes of their letters."""
    assert plan.method.form is not None
    return corpus.take(documents[some]).hashed(plan.method.form, plan.workers)
