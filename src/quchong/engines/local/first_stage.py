"""Stage 1 by a filter (`quchong.seam.Extras.first_stage`): its false hits are removed before candidates are searched.

A true hit, of a text that has an equal text before it, is left to the exact classes, which name its survivor. The other hits are
mistakes of the filter: these documents are removed without a survivor, and counted.
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

BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Stage1:
    """Result of the first-stage filter of a run.

    Attributes:
        unconfirmed: bool per document: True if it is removed although no equal text came before it.
        figures: for run.json: the filter's name, hits among the input, the number of unconfirmed removals and the number to be
            expected, the filter's memory, and the refuted hits of a filter that confirms. None without a filter.
    """

    unconfirmed: np.ndarray
    figures: dict[str, Any] | None = None


def first_stage(corpus: Corpus, plan: Plan, classes: Classes, stages: Stages) -> tuple[Classes, Stage1]:
    """Pass all texts through the method's filter; return the classes without the removed documents, and the filter's result.

    Texts pass in the order of the input, the reference corpus first. Reference and protected documents are added to the filter and
    never removed. A removed document is compared with no other and is never a survivor. Without a filter the classes are returned
    unchanged.

    The result depends on the order of texts, not on workers. Cost: linear; besides the filter 20 to 30 bytes a text for digests.
    """
    method, n = plan.method, len(corpus)
    none = Stage1(np.zeros(n, bool))
    extras = method.extras
    if extras.first_stage is None:
        return classes, none
    from quchong.filters import DigestSet  # most methods have no first stage

    made = extras.first_stage()
    with stages.stage("stage 1", n) as progress:
        # `known` remembers exact digests: a hit of the filter whose digest is new is wrong.
        own = ~corpus.documents.reference
        hits, wrong, done, before = np.zeros(n, bool), np.zeros(n, bool), 0, 0.0
        known = None if extras.unconfirmed is None else DigestSet(made.form)
        for part in (corpus.texts.take(np.flatnonzero(~own)), corpus.texts.take(np.flatnonzero(own))):
            before = made.expected_wrongly_removed  # after the reference corpus, when the loop ends
            for views in batches(part, BATCH):
                here = slice(done, done + len(views))
                hits[here] = made.seen_before(views, plan.workers)
                if known is not None:
                    wrong[here] = hits[here] & ~known.seen_before(views, plan.workers)
                done += len(views)
                progress.advance(len(views))
        # Only documents of the input that are neither protected nor exact copies are removed as mistakes.
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
