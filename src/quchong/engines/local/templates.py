"""Frames of a run, searched among its scored pairs; texts are read in batches."""

from __future__ import annotations

from functools import partial

import numpy as np

from quchong.decision.classes import Classes
from quchong.decision.expansion import ClassPairs
from quchong.decision.templates import alike, reads_templates, settled
from quchong.engines.local.corpus import Corpus
from quchong.frames.filling import Filled, conflicts, fill
from quchong.frames.finding import find_frames
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


def with_fields(found: ClassPairs, filled: Filled | None) -> ClassPairs:
    """Return the pairs of classes with those that have other things in a slot settled (`quchong.decision.templates.settled`)."""
    return found if filled is None else settled(found, conflicts(filled, found.left, found.right))
