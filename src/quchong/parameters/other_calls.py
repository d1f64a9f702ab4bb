"""Names that people try of the module `quchong`: those of other libraries and of commands, which lead to ours."""

from __future__ import annotations

import difflib
from types import FrameType, ModuleType

from quchong.languages import Message, join_names

_OTHER_CALLS = {
    "deduplicate": "dedup", "dedupe": "dedup", "drop_duplicates": "dedup", "duplicates": "dedup", "find_duplicates": "dedup",
    "deduplicator": "dedup", "dedup_file": "dedup", "fuzzy_dedup": "dedup", "near_duplicates": "dedup",
    "run": "load", "scan": "dedup", "hamming": "compare", "levenshtein": "compare", "similarity": "compare",
    "jaccard": "compare", "cosine": "compare", "score": "compare", "distance": "compare",
    "diff": "compare", "match": "compare", "open": "load", "read": "load", "load_run": "load", "open_run": "load",
    "eval": "evaluate", "plan": "estimate", "language": "set_language", "unique": "dedup", "filter": "dedup",
    "version": "__version__", "search": "Index", "bloom_filter": "distinct", "bloomfilter": "distinct",
}  # fmt: skip
"""Names under which other libraries have what a function here does."""
_OF_RUNS = {
    "explain": "explain('n009')", "why": "explain('n009')", "report": "report('run.html')", "restore": "restore('n009')",
    "templates": "templates", "chains": "chains", "review": "review()", "verify": "verify()", "rethreshold": "rethreshold(threshold=...)",
    "pairs": "pairs", "clusters": "clusters", "kept": "kept", "removed": "removed", "ledger": "ledger", "save": "save('run2/')",
}  # fmt: skip
"""Attributes and calls of a result, by the names under which people look for them in the module: qc.explain."""
_USUAL = ("dedup", "distinct", "compare", "passages", "decontaminate", "evaluate", "tune", "load", "Index", "methods")
_READERS = ("read_", "scan_", "from_", "load_")


def unknown_name(name: str, module: ModuleType, frame: FrameType) -> AttributeError | ImportError:
    """Return the error about a name that the module does not have, with the one that was probably meant.

    Args:
        name: as it was asked for; module: `quchong`.
        frame: of the line that asks: for a line `from quchong import NAME` it is an ImportError, whose words Python shows unchanged.
    """
    near = _name_meant(name, module)
    guess = Message("; it has {}", join_names(_USUAL)) if near is None else Message("; did you mean {}?", near)
    if imports_name(frame):
        return ImportError(Message("quchong has no {!r} to import{}", name, guess).translation(), name="quchong")
    return AttributeError(
        Message("module 'quchong' has no attribute {!r}{}", name, guess).translation(), name=name, obj=module
    )


def imports_name(frame: FrameType) -> bool:
    """Return True if the frame is at an instruction that imports a name from a module."""
    import dis

    code, at = frame.f_code.co_code, frame.f_lasti
    return 0 <= at < len(code) and code[at] == dis.opmap["IMPORT_FROM"]


def _name_meant(name: str, module: ModuleType) -> str | None:
    """Return the expression that does what a name is tried for; None if nobody knows."""
    if name.startswith("_"):
        return "qc.__version__" if name.strip("_") == "version" else None
    squeezed = name.lower().replace("_", "")
    for method in module.methods.PLACES:  # MinHashLSH of datasketch begins with a method too
        if method.replace("-", "") in (squeezed, squeezed.removesuffix("lsh").removesuffix("index")):
            return f"qc.dedup(..., method={method!r})"
    if name.lower() in _OF_RUNS:
        return f"qc.load('run/').{_OF_RUNS[name.lower()]}"
    near = (
        _OTHER_CALLS.get(name.lower())
        or ("dedup" if name.startswith(_READERS) else None)
        or next((one for one in module.__all__ if one.lower() == name.lower()), None)
        or next(iter(difflib.get_close_matches(name, module.__all__, n=1)), None)
    )
    return None if near is None else f"qc.{near}"


class NoFunction(ModuleType):
    """Module of the package under whose name people look for a function of a result: its call says where the function is."""

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Raise the TypeError about a call of the module, with the call that is meant."""
        name = self.__name__.rpartition(".")[2]
        said = Message(
            "qc.{} is a module, not a function; did you mean {}?", name, f"qc.load('run/').{_OF_RUNS.get(name, name)}"
        )
        raise TypeError(said.translation())
