"""Completion of values: methods, criteria, facts, file names, and ids of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from quchong.cli.index_opening import is_index

IDS = 200
"""Most ids offered."""
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def add_completion(command: click.Command) -> None:
    """Let the parameters of a command complete their values; those that click completes itself are left to it."""
    for param in command.params:
        completer = _BY_NAME.get(param.name or "")
        if completer is None and isinstance(param, click.Argument) and isinstance(param.type, type(click.STRING)):
            completer = _files
        if completer is not None and not isinstance(param.type, click.Choice):
            param._custom_shell_complete = completer


def _files(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return [CompletionItem(typed, type="file")]


def _methods(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.plan.catalogue import METHODS
    from quchong.plan.plugin_methods import registered

    return [CompletionItem(name) for name in sorted({*METHODS, *registered()}) if name.startswith(typed)]


def _criteria(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.policy.criteria import CRITERIA

    with_value = {"source": "source:", "column": "column:", "prefer": "prefer:"}
    return _completions([with_value.get(name, name) for name in CRITERIA], typed)


def _relations(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.relations import REMOVABLE

    return _completions(REMOVABLE, typed)


def _facts(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.parameters import FACTS

    return _completions(FACTS.several or (), typed)


def _strip(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.text import STRIPPED

    return _completions(STRIPPED, typed)


def _social(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    from quchong.text import SOCIAL_STEPS

    return _completions(("all", "none", *SOCIAL_STEPS), typed)


def _fail_on(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return _completions(("found", "bad") if "index" in ctx.params else ("alarm", "bad"), typed)


def _completions(words: Iterable[str], typed: str) -> list[CompletionItem]:
    """Return the words that complete the last of several words with commas between them."""
    before, comma, last = typed.rpartition(",")
    return [CompletionItem(f"{before}{comma}{word}") for word in words if word.startswith(last)]


def _ids(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return ids of the run or the index that the command line names."""
    run = ctx.params.get("run") or ctx.params.get("index")
    return [CompletionItem(one) for one in known_ids(Path(run), typed)] if isinstance(run, str | Path) else []


def known_ids(folder: Path, typed: str) -> list[str]:
    """Return ids that begin with some letters: of an index, or of a run its removed documents, or all where none of them fits.

    The list is empty for other folders.
    """
    if is_index(folder):
        with suppress(Exception):  # a damaged index: the command itself says so
            return ids_in_index(folder, typed)
        return []
    for table in ("ledger", "documents"):
        with suppress(Exception):  # no run, or a damaged one: the command itself says so
            if found := ids_in(folder / f"{table}.parquet", typed):
                return found
    return []


def ids_in_index(index: Path, typed: str) -> list[str]:
    """Return the first `IDS` ids of an index that begin with some letters, among those of its first documents."""
    from quchong.api.index import Index
    from quchong.api.index_ids import first_ids

    with Index(index, read_only=True) as known:
        found = (str(one) for one in first_ids(known))
        return list(islice((one for one in found if one.startswith(typed) and one.isprintable()), IDS))


def ids_in(table: Path, typed: str) -> list[str]:
    """Return the first `IDS` ids of a table of a run that begin with some letters."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    found: list[str] = []
    with pq.ParquetFile(table) as file:
        for batch in file.iter_batches(columns=["id"]):
            ids = batch.column(0).cast("string")
            found += ids.filter(pc.starts_with(ids, typed)).to_pylist()
            if len(found) >= IDS:
                break
    return [one for one in dict.fromkeys(found[:IDS]) if one.isprintable()]


_BY_NAME: dict[str, Any] = {
    "method": _methods, "name": _methods, "keep": _criteria, "relations": _relations, "relation": _relations,
    "facts": _facts, "ids": _ids, "strip": _strip, "fail_on": _fail_on,
    "social": _social,
}  # fmt: skip
"""Completers by the name of a parameter."""
