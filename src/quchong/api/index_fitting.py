"""Frozen values of an index: statistics, headers and templates, counted on a corpus or on the texts that the index has."""

from __future__ import annotations

from dataclasses import replace

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.documents import write_documents
from quchong.engines.index.fitting import frozen
from quchong.engines.index.stored import StoredIndex
from quchong.engines.local.fitting import fit_corpus
from quchong.errors import UsageError
from quchong.plan.plan import Plan
from quchong.plan.sources import Data, Spool, sources_of


def frozen_values(
    plan: Plan, fit: Data | None, workers: int | None = None
) -> tuple[FrozenStatistics, FrameModels | None]:
    """Return the statistics of a plan's method with headers, and templates, counted on a corpus; those that were given if it is None.

    Raises:
        UsageError, InputError: as of `dedup`; or the corpus has no documents.
    """
    if fit is None:
        return frozen(plan, plan.method), None
    fitted, headers, templates = fit_corpus(sources_of(fit, plan.wanted_columns), replace(plan, workers=workers))
    return replace(frozen(plan, fitted), headers=headers), templates


def values_anew(stored: StoredIndex) -> tuple[FrozenStatistics, FrameModels | None]:
    """Return statistics, headers and templates counted on the texts that an index has.

    Raises:
        UsageError: it keeps no texts.
    """
    if stored.settings.store != "text":
        raise UsageError(
            "this index keeps no texts (store {}), so its statistics cannot be counted anew", stored.settings.store
        )
    plan, spool = replace(stored.plan, method=stored.uncounted), Spool()
    rows = spool.folder / "documents.parquet"
    write_documents(stored.catalogue, plan, rows)
    return frozen_values(plan, rows, stored.reader.workers)
