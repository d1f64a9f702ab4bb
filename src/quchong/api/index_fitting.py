"""Frozen values of an index: statistics, headers and templates, counted on a corpus or on the texts that the index has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.documents import write_documents, written_plan
from quchong.engines.index.fitting import frozen
from quchong.engines.index.settings import is_index
from quchong.engines.index.stored import StoredIndex
from quchong.engines.local.fitting import fit_corpus
from quchong.errors import OutputError, Param, UsageError
from quchong.plan.column_choice import ColumnChoice
from quchong.plan.plan import Plan
from quchong.plan.sources import Data, Spool, sources_of


def frozen_values(
    plan: Plan, fit: Data | None, workers: int | None = None
) -> tuple[FrozenStatistics, FrameModels | None]:
    """Count statistics, headers and templates on the corpus `fit`; without a corpus return those that the plan's method has.

    Raises:
        UsageError, InputError: as of `dedup`; or the corpus has no documents.
    """
    if fit is None:
        return frozen(plan, plan.method), None
    fitted, headers, templates = fit_corpus(sources_of(fit, plan.wanted_columns), replace(plan, workers=workers))
    return replace(frozen(plan, fitted), headers=headers), templates


def with_columns_of(plan: Plan, fit: Data | None) -> Plan:
    """Return the plan with the columns of a corpus that it has under usual names, such as 正文; unchanged without a corpus."""
    if fit is None or isinstance(fit, Iterator):  # what can be read once is read by the plan's own names
        return plan
    choice = ColumnChoice(plan)
    sources_of(fit, plan.wanted_columns, choose=choice.choose)
    return choice.plan


def values_anew(stored: StoredIndex) -> tuple[FrozenStatistics, FrameModels | None]:
    """Count statistics, headers and templates again on the stored texts of an index, and return them.

    Raises:
        UsageError: it keeps no texts, or has no documents.
    """
    if stored.settings.store != "text":
        raise UsageError(
            "this index stores no texts (store {}), so its statistics cannot be recounted", stored.settings.store
        )
    if not stored.catalogue.count("SELECT count(*) FROM documents WHERE id IS NOT NULL"):
        raise UsageError("the index has no documents, so no statistics can be computed: add documents first")
    plan, spool = replace(stored.plan, method=stored.uncounted), Spool()
    rows = spool.folder / "documents.parquet"
    write_documents(stored.catalogue, plan, rows)
    return frozen_values(written_plan(plan), rows, stored.reader.workers)


def check_outside(place: Path) -> None:
    """Raise OutputError if a path lies in the folder of an index."""
    for above in place.absolute().parents:
        if is_index(above):
            raise OutputError("{} is inside the index {}: name another place", place, above)


def frozen_for(plan: Plan, fit: Data | None, workers: int | None) -> tuple[FrozenStatistics, FrameModels | None]:
    """Return the statistics and templates of a plan: those given with its method, or counted on the corpus `fit`.

    Raises:
        UsageError: the method needs statistics, and there are none.
    """
    statistics, templates = frozen_values(plan, fit, workers)
    fitted = statistics.applied(plan.method)
    needed = fitted.candidates.statistics
    if needed is not None and needed.count is not None:
        raise UsageError(
            "method {} needs statistics of a corpus before documents can arrive one at a time: give a corpus "
            "with {}, or a file of quchong statistics with {}",
            fitted.name, Param("fit"), Param("statistics", method=True),
        )  # fmt: skip
    return statistics, templates
