"""Opening of an index for a command, and the argument that names it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from quchong.api.index import Index
    from quchong.engines.index.answers import Id

SETTINGS = "index.json"
"""File by which a folder is recognised as an index, without importing what reads one."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Located = Path | str
"""Location of an index as it was typed: a folder, or the address of one in a database, which is text."""
ADDRESSES = ("postgresql://", "postgres://")


class IndexLocation(click.ParamType):  # type: ignore[type-arg]
    """Location of an index on the command line; only what is typed here is ever taken as the address of a database."""

    name = "index"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Located:
        """Return an address as it is, and a path otherwise."""
        if isinstance(value, str) and value.startswith(ADDRESSES):
            return value
        if param is not None and param.name == "index":
            _check_name(str(value))
        return Path(value)


def _check_name(text: str) -> None:
    """Raise UsageError if a text is no name of an index: empty, or the address of a file on another machine."""
    from quchong.errors import UsageError
    from quchong.io.files.addresses import is_address, shown_address

    if not text:
        raise UsageError("the name of the index is empty: name a folder, or write . for the current folder")
    if is_address(text):
        raise UsageError(
            "{}: an index is a folder on this machine, or postgresql://user@host/database?index=NAME",
            shown_address(text),
        )


index_argument: Decorator = click.argument("index", type=IndexLocation())


def is_index(folder: Path) -> bool:
    """Return True if a folder has the settings of an index; nothing of them is read."""
    return os.path.isfile(folder / SETTINGS)


def open_index(folder: Located, *, read_only: bool = False, workers: int | None = None) -> Index:
    """Open the index that a command names.

    Raises:
        RunError: the folder is no index; of a run folder the message says how to make an index of it.
        OutputError: another process writes to it.
    """
    from quchong.api.index import Index

    check_is_index(folder)
    return Index(folder, read_only=read_only, workers=workers)


def check_is_index(folder: Located) -> None:
    """Raise RunError for a run folder, with the command that makes an index of it; what else is no index is left to its reader."""
    from quchong.errors import RunError, shell_word
    from quchong.kernels.arrow_start import without_pandas
    from quchong.outputs.free_names import free_name
    from quchong.report.visible import Shown
    from quchong.runs.layout import is_run

    without_pandas()
    if isinstance(folder, Path) and not is_index(folder) and is_run(folder):
        raise RunError(
            "{} is a run folder, not an index: to make an index from it, quchong index create {} --from {}",
            folder, free_name("seen"), shell_word(folder),
        )  # fmt: skip
    if not isinstance(folder, Path) or is_index(folder):
        return
    others = [one for one in sys.argv[3:] if one != str(folder) and is_index(Path(one))]
    if others:
        call = f"quchong {' '.join(sys.argv[1:3])} {shell_word(others[0])} {shell_word(folder)}"
        raise RunError("{} is not an index; the index must be the first argument: {}", folder, Shown(call))


def known_id(index: Index, text: str) -> Id:
    """Return the id that a text names: the text itself, or the whole number that it spells, if the index has that.

    Raises:
        UsageError: the index has neither.
    """
    from quchong.api.index_ids import advice_on_id
    from quchong.errors import UsageError

    if (found := id_among(index, text)) is None:
        raise UsageError("the index has no document {!r}: {}", text, advice_on_id(index, text))
    return found


def id_among(index: Index, text: str) -> Id | None:
    """Return the id of the index that a text names, or None."""
    if text in index:
        return text
    number = int(text) if text.isascii() and text.removeprefix("-").isdecimal() else None
    return number if number is not None and number in index else None
