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
        """Import a public name when it is first used, so that the command line starts fast."""
        if name in WORKING:
            from quchong.garbage import rare_collections

            with rare_collections():  # hundreds of modules are imported here, and none of their objects is garbage
                from quchong import api

                return getattr(api, name)
        from importlib import import_module

        if name == "methods":
            return import_module("quchong.methods")
        if name == "__version__":  # pyproject.toml alone says it
            from importlib.metadata import version

            return version("quchong")
        import sys

        from quchong.parameters.other_calls import unknown_name

        raise unknown_name(name, sys.modules[__name__], sys._getframe(1))


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
