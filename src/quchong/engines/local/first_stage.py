"""Stage 1 by a filter (`quchong.seam.Method.first_stage`): what it wrongly calls seen goes before candidates are looked for.

A hit that is true, because an equal text came before, is left to the exact classes, which name its survivor. What is
left are the filter's mistakes: they go without a survivor, and are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.decision.classes import Classes, repeats, without
from quchong.engines.local.corpus import Corpus
from quchong.kernels.elements import batches
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.sketches import DigestSet

BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Stage1:
    """What the filter said.

    Attributes:
        unconfirmed: bool per document: removed though nothing equal came before.
        figures: for run.json: the filter's name, hits among the input, how many of them went unconfirmed, how many
            were to be expected, its memory, and for a confirmed one the hits refuted. None without a filter.
    """

    unconfirmed: np.ndarray
    figures: dict[str, Any] | None = None


def first_stage(corpus: Corpus, plan: Plan, classes: Classes, stages: Stages) -> tuple[Classes, Stage1]:
    """Passes all texts through the method's filter in the order of the input, the reference corpus first.

    Reference and protected documents are taken in and stay. Returns the classes without what goes: it is compared with
    nothing and is nobody's survivor.

    Depends on the order of texts; not on workers. Cost: linear; beside the filter 20 to 30 bytes a text for digests.
    """
    method, n = plan.method, len(corpus)
    none = Stage1(np.zeros(n, bool))
    made = method.first_stage()
    if made is None:
        return classes, none
    with stages.stage("stage 1", n) as progress:
        own = ~corpus.documents.reference
        hits, wrong, done, before = np.zeros(n, bool), np.zeros(n, bool), 0, 0.0
        known = None if method.unconfirmed is None else DigestSet(made.form)
        for part in (corpus.texts.take(np.flatnonzero(~own)), corpus.texts.take(np.flatnonzero(own))):
            before = made.expected_wrongly_removed  # after the reference corpus, when the loop ends
            for views in batches(part, BATCH):
                here = slice(done, done + len(views))
                hits[here] = made.seen(views, plan.workers)
                if known is not None:
                    wrong[here] = hits[here] & ~known.seen(views, plan.workers)
                done += len(views)
                progress.advance(len(views))
        wrong &= own & ~corpus.documents.protected & ~repeats(classes)
        figures = {
            "filter": made.settings() | {"name": made.name},
            "hits": int(hits[own].sum()),
            "unconfirmed": int(wrong.sum()),
            "expected_wrongly_removed": float(f"{max(0.0, made.expected_wrongly_removed - before):.6g}"),
            "memory_bytes": made.memory_bytes,
            "refuted": made.refuted,
        }
        return without(corpus.documents, classes, wrong), Stage1(wrong, figures)
