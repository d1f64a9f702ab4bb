"""Recognition of different records on one template, by the slots of frozen frames that they fill differently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quchong.candidates.arrivals import candidates_of, represent
from quchong.candidates.postings import MemoryPostings
from quchong.decision.frame_models import FrameModels
from quchong.decision.templates import FilledClasses
from quchong.kernels.arrays import Ragged, Texts, texts_of
from quchong.kernels.sorting import distinct
from quchong.plan.plan import Plan
from quchong.seam import Documents, HammingJoin, active_differences, template_pairs
from quchong.tables import FIELD, SAME_FIELDS


@dataclass(frozen=True)
class FrameTeller:
    """Comparison of records with the frozen templates of a corpus.

    A document is on a template if it is like a document of the corpus on it, found and compared by the method as any two documents, so
    that nothing depends on what else the index has.

    Attributes:
        plan: the plan, whose method has all statistics.
        models: templates, and documents on them.
        workers: threads.
    """

    plan: Plan
    models: FrameModels
    workers: int | None = None

    @cached_property
    def _on_templates(self) -> Documents:
        """Texts of the model documents by which the templates are recognised."""
        return Documents(texts_of([self.models.texts]), {})

    @cached_property
    def _postings(self) -> MemoryPostings:
        """Postings of the documents on templates, made on first use."""
        join = self.plan.method.candidates
        postings = MemoryPostings(-(-join.bits // 64) if isinstance(join, HammingJoin) else 0)
        postings.append(represent(self.plan.method, self._on_templates, workers=self.workers))
        return postings

    def facts(self, documents: Documents, first: int, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return facts of each pair by templates, uint16: FIELD for different fillers, SAME_FIELDS for equal fillers and slips elsewhere.

        Args:
            documents: the documents. first: the first ones, of which each pair has at least one, so that the others are looked at only
                if one of these is on a template.
            left, right: int64, places of the documents of each pair.

        Cost: for documents that are like none on a template one search among these.
        """
        out = np.zeros(len(left), np.uint16)
        asked = distinct(np.concatenate([left[left < first], right[right < first]]))
        label = np.full(len(documents), -1, np.int64)
        label[asked] = self.components(documents, asked)
        some = np.flatnonzero(((left >= first) | (label[left] >= 0)) & ((right >= first) | (label[right] >= 0)))
        if not len(some):
            return out
        others = distinct(np.concatenate([left[some], right[some]]))
        others = others[others >= first]
        label[others] = self.components(documents, others)
        some = some[(label[left[some]] == label[right[some]]) & (label[left[some]] >= 0)]
        if not len(some):
            return out
        which = distinct(np.concatenate([left[some], right[some]]))
        classes = self._filled(documents.take(which), label[which])
        one, other = np.searchsorted(which, left[some]), np.searchsorted(which, right[some])
        out[some] = np.where(
            classes.conflicts(one, other), FIELD, np.where(classes.are_same_fields(one, other), SAME_FIELDS, 0)
        )
        return out

    def components(self, documents: Documents, places: np.ndarray) -> np.ndarray:
        """Return for each document at `places` the component of the first template document that it resembles, int64; -1 for none."""
        method, out = self.plan.method, np.full(len(places), -1, np.int64)
        steps = active_differences(method)
        if not len(places) or steps is None:
            return out
        some = documents.take(places)
        texts = Documents(some.texts, {})
        known = represent(method, texts, workers=self.workers)
        found = candidates_of(method.candidates, known, self._postings, workers=self.workers)
        if not len(found.asking):
            return out
        models, index = np.unique(found.document, return_inverse=True)
        own, others = some.texts, self._on_templates.texts.take(models)
        joined = Texts(
            np.concatenate([own.address, others.address]), np.concatenate([own.length, others.length]), own.owners + others.owners
        )  # fmt: skip
        both = Documents(joined, {})
        one, other = found.asking.astype(np.uint32), (len(places) + index).astype(np.uint32)
        chosen = template_pairs(steps, method.score(both, one, other, self.workers))
        if chosen is None:
            return out
        for i, model in zip(found.asking[chosen].tolist(), found.document[chosen].tolist(), strict=True):
            if out[i] < 0:
                out[i] = self.models.component[model]
        return out

    def _filled(self, documents: Documents, label: np.ndarray) -> FilledClasses:
        """Return the fillers that documents have in the slots of the frames of their components `label`."""
        form = self.plan.method.form
        assert form is not None

        def read(some: np.ndarray) -> Ragged:
            return documents.take(some).hashed(form, self.workers)

        size = np.asarray(documents.texts.length, np.int64)
        filled = self.models.templates.fill(label, size, read, self.workers)
        return FilledClasses(filled, label, form, documents.take)
