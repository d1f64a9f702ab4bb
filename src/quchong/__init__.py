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
_OTHER_CALLS = {
    "deduplicate": "dedup", "dedupe": "dedup", "drop_duplicates": "dedup", "duplicates": "dedup", "find_duplicates": "dedup",
    "run": "dedup", "similarity": "compare",
    "jaccard": "compare", "cosine": "compare", "score": "compare", "distance": "compare",
    "diff": "compare", "match": "compare", "open": "load", "read": "load", "load_run": "load",
    "eval": "evaluate", "plan": "estimate", "language": "set_language", "unique": "distinct", "explain": "load",
}  # fmt: skip
"""Names under which other libraries have what a function here does."""


if not TYPE_CHECKING:  # a type checker would take any name

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used, so that the command line starts fast."""
        if name in WORKING:
            from quchong import api

            return getattr(api, name)
        from importlib import import_module

        if name == "methods":
            return import_module("quchong.methods")
        if name == "__version__":  # pyproject.toml alone says it
            from importlib.metadata import version

            return version("quchong")
        import difflib
        import sys

        from quchong.languages import Message

        reads = name.startswith(("read_", "scan_", "from_", "load_"))  # files of every format go to one function
        near = (
            _OTHER_CALLS.get(name.lower())
            or ("dedup" if reads else None)
            or next(iter(difflib.get_close_matches(name, __all__, n=1)), None)
        )
        squeezed = name.lower().replace("_", "")
        for method in __getattr__("methods").PLACES:  # MinHashLSH of datasketch begins with a method too
            if method.replace("-", "") in (squeezed, squeezed.removesuffix("lsh").removesuffix("index")):
                near = f"dedup(..., method={method!r})"
        guess = Message("; did you mean {}?", f"qc.{near}") if near and not name.startswith("_") else Message("")
        raise AttributeError(
            Message("module 'quchong' has no attribute {!r}{}", name, guess).translation(),
            name=name,
            obj=sys.modules[__name__],
        )


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
