"""Frames of a run, searched among its scored pairs; texts are read in batches."""

from __future__ import annotations

from functools import partial

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.templates import alike, reads_templates, settled
from quchong.differences.rearranged import same_parts
from quchong.differences.windows import dictionary_forms
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.scores import pair_batches
from quchong.frames.filling import Filled, fill
from quchong.frames.finding import find_frames
from quchong.frames.payloads import conflicts
from quchong.kernels.arrays import Ragged
from quchong.plan.plan import Plan
from quchong.progress import Stages


def fill_frames(corpus: Corpus, plan: Plan, parts: Classes, found: ClassPairs, stages: Stages) -> Filled | None:
    """Find the frames among scored pairs, and what each class has in their slots; None if the run reads no templates."""
    if not reads_templates(plan):
        return None
    with stages.stage("templates"):
        pairs = alike(plan, found)
        size, read = corpus.texts.bytes[parts.first], partial(_hashed, corpus, plan, parts)
        frames, label = find_frames(len(parts.first), found.left[pairs], found.right[pairs], size, read, plan.workers)
        return fill(frames, label, size, read, plan.workers)


def _hashed(corpus: Corpus, plan: Plan, parts: Classes, some: np.ndarray) -> Ragged:
    """Return the tokens of classes as hashes of their letters."""
    assert plan.method.form is not None
    return corpus.take(parts.first[some]).hashed(plan.method.form, plan.workers)


def with_fields(corpus: Corpus, plan: Plan, parts: Classes, found: ClassPairs, filled: Filled | None) -> ClassPairs:
    """Return the pairs of classes with those that have other things in a slot settled (`quchong.decision.templates.settled`).

    Records with the same lines or the same JSON in another order fill no slot otherwise.
    """
    if filled is None:
        return found
    mask = conflicts(filled, found.left, found.right)
    same = np.flatnonzero(mask & (filled.bag[found.left] == filled.bag[found.right]))
    left, right = parts.first[found.left], parts.first[found.right]
    for piece, docs, documents, a, b in pair_batches(corpus, plan, left, right, same):
        texts = dictionary_forms([documents.texts.text(k) for k in range(len(docs))])
        mask[piece] = [not same_parts(texts[x], texts[y]) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    return settled(found, mask)
