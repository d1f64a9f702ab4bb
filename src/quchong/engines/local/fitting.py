"""Frozen values of a corpus: statistics of a method, headers and templates, found by the stages of a run up to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from quchong.decision.classes import Classes, find_classes, parted
from quchong.decision.expansion import ClassPairs
from quchong.decision.frame_models import FrameModels
from quchong.decision.headers import looks_for_headers
from quchong.decision.templates import reads_templates
from quchong.engines.local.candidates import find_candidates
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.crowds import score_crowds
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import counted_method, find_pairs
from quchong.engines.local.scores import equal_texts
from quchong.errors import InputError
from quchong.io.bad_records import BadRecords
from quchong.io.source import Source
from quchong.kernels.sorting import ordered
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.seam import KeyJoin, Method


def fit_corpus(
    sources: Sequence[Source], plan: Plan, stages: Stages | None = None
) -> tuple[Method, np.ndarray, FrameModels | None]:
    """Count statistics, headers and templates on a corpus; return the fitted method, the headers and the templates.

    Args:
        sources: the corpus. plan: as of the run. stages: record of times.

    Returns:
        The method with its statistics; the shingles of headers (uint64, ascending; empty for none); and the templates, None for none.

    Raises:
        InputError: the corpus has no documents.

    Cost: a run up to its scores if the plan looks for templates or headers, else reading and counting.
    """
    stages, bad = stages or Stages(), BadRecords()
    corpus, keys = load(RunInputs(sources), plan, bad, stages)
    if not len(corpus):
        raise InputError("the corpus for the statistics has no documents")
    corpus = corpus.under(plan, np.zeros(len(corpus), bool))
    documents, join = corpus.documents, plan.method.candidates
    parts = classes = find_classes(documents, partial(equal_texts, corpus, plan), join.cap)
    if not isinstance(join, KeyJoin):
        parts = parted(documents, corpus.columns, classes, plan.method.traits.needs)
    if not looks_for_headers(plan.method.rule) and not reads_templates(plan):
        compared = parts.first[~documents.unscored[parts.first]]
        return counted_method(corpus, plan, compared), np.zeros(0, np.uint64), None
    if isinstance(join, KeyJoin) and keys is not None:
        method, candidates = plan.method, find_candidates(documents, plan, keys, join.limits, classes, stages)
    else:
        method, candidates = find_pairs(corpus, plan, classes, parts, stages)
    plan = replace(plan, method=method)
    found = score_crowds(corpus, plan, parts, candidates, stages)
    headers = np.zeros(0, np.uint64) if found.headers is None else found.headers
    return method, headers, _models(corpus, parts, found)


def _models(corpus: Corpus, parts: Classes, found: ClassPairs) -> FrameModels | None:
    """Return the templates found among classes, with texts for recognition; None if there are none."""
    if found.frozen is None or found.component is None:
        return None
    # Frames number classes in the order of the ids of their first documents.
    by_id = ordered(corpus.documents.id_rank[parts.first])
    component = found.component[by_id]
    chosen = FrameModels.choose_texts(found.frozen, component)
    texts = corpus.take(parts.first[by_id[chosen]]).texts
    told = pa.array([texts.text(k) for k in range(len(texts))], pa.large_string())
    return FrameModels(found.frozen, told, component[chosen])
