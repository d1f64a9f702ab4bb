"""Public API: `dedup`, `compare`, `inspect`, `load`, `Index` and others, and their results. A name is imported at its first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quchong.api.comparison import compare
    from quchong.api.counting import fit_statistics
    from quchong.api.decontamination import Contamination, decontaminate
    from quchong.api.deduplication import dedup
    from quchong.api.estimating import estimate
    from quchong.api.evaluating import evaluate
    from quchong.api.index import Index
    from quchong.api.inspection import Inspection, inspect
    from quchong.api.loaded import load
    from quchong.api.part_call import dedup_part
    from quchong.api.result import Result
    from quchong.api.shared import SharedPassages, align, passages
    from quchong.api.short_lists import DistinctRecords, distinct
    from quchong.api.speech import set_language
    from quchong.api.tuning import tune
    from quchong.api.units import UnitResult, dedup_units
    from quchong.engines.index.answers import Answer, Answers, IndexStatistics, Match
    from quchong.engines.local.part_reading import PartRead
    from quchong.plan.request import make_plan
    from quchong.plan.sources import Data, sources_of

__all__ = [
    "Answer",
    "Answers",
    "Contamination",
    "Data",
    "DistinctRecords",
    "Index",
    "IndexStatistics",
    "Inspection",
    "Match",
    "PartRead",
    "Result",
    "SharedPassages",
    "UnitResult",
    "align",
    "compare",
    "decontaminate",
    "dedup",
    "dedup_part",
    "dedup_units",
    "distinct",
    "estimate",
    "evaluate",
    "fit_statistics",
    "inspect",
    "load",
    "make_plan",
    "passages",
    "set_language",
    "sources_of",
    "tune",
]
_HOME = {
    "Answer": "engines.index.answers", "Answers": "engines.index.answers", "Index": "api.index",
    "IndexStatistics": "engines.index.answers", "Match": "engines.index.answers",
    "Data": "plan.sources", "Inspection": "api.inspection", "Result": "api.result", "SharedPassages": "api.shared", "align": "api.shared",
    "Contamination": "api.decontamination", "decontaminate": "api.decontamination",
    "compare": "api.comparison", "dedup": "api.deduplication", "estimate": "api.estimating", "evaluate": "api.evaluating",
    "DistinctRecords": "api.short_lists", "distinct": "api.short_lists",
    "fit_statistics": "api.counting", "inspect": "api.inspection", "load": "api.loaded", "make_plan": "plan.request",
    "passages": "api.shared", "set_language": "api.speech",
    "PartRead": "engines.local.part_reading", "dedup_part": "api.part_call",
    "UnitResult": "api.units", "dedup_units": "api.units",
    "sources_of": "plan.sources", "tune": "api.tuning",
}  # fmt: skip


if not TYPE_CHECKING:  # a type checker would take any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"quchong.{_HOME[name]}"), name)
        raise AttributeError(f"module 'quchong.api' has no attribute {name!r}")
