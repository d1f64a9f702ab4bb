"""Finds, explains and removes copies in text.

import quchong as qc
result = qc.dedup("news.jsonl")
result.kept; result.removed; result.clusters
result.explain("c00209"); result.rethreshold(0.8); result.save("run/")
qc.passages("news.jsonl", min_chars=60).table
with qc.Index.create("seen/") as seen:
    seen.add("one more text").new
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from quchong.errors import InputChanged, InputError, OutputError, QuchongError, RunError, UsageError

if TYPE_CHECKING:
    __version__: str
    from quchong import methods
    from quchong.api import (
        Answer,
        Answers,
        Contamination,
        DistinctRecords,
        Index,
        IndexStatistics,
        Inspection,
        Match,
        PartRead,
        Result,
        SharedPassages,
        UnitResult,
        align,
        compare,
        decontaminate,
        dedup,
        dedup_part,
        dedup_units,
        distinct,
        estimate,
        evaluate,
        fit_statistics,
        inspect,
        load,
        passages,
        set_language,
        tune,
    )

__all__ = [
    "Answer",
    "Answers",
    "Contamination",
    "DistinctRecords",
    "Index",
    "IndexStatistics",
    "InputChanged",
    "InputError",
    "Inspection",
    "Match",
    "OutputError",
    "PartRead",
    "QuchongError",
    "Result",
    "RunError",
    "SharedPassages",
    "UnitResult",
    "UsageError",
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
    "methods",
    "passages",
    "set_language",
    "tune",
]
WORKING = (
    "Answer", "Answers", "Contamination", "DistinctRecords", "Index", "IndexStatistics", "Inspection", "Match", "PartRead", "Result",
    "SharedPassages",
    "UnitResult", "align", "compare", "decontaminate", "dedup", "dedup_part", "dedup_units", "distinct", "estimate", "evaluate",
    "fit_statistics", "inspect", "load", "passages",
    "set_language", "tune",
)  # fmt: skip


if not TYPE_CHECKING:  # a type checker would take any name

    def __getattr__(name: str) -> Any:
        """The working names come in when first used, so that the command line starts fast."""
        if name in WORKING:
            from quchong import api

            return getattr(api, name)
        if name == "methods":
            from importlib import import_module

            return import_module("quchong.methods")
        if name == "__version__":  # pyproject.toml alone says it
            from importlib.metadata import version

            return version("quchong")
        raise AttributeError(f"module 'quchong' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
