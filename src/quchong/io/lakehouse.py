"""Tables of Delta Lake, Lance and Iceberg, read by their own libraries: folders, and objects of these libraries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputError, UsageError
from quchong.languages import Message
from quchong.patterns import lazy_pattern

_METADATA = ".metadata.json"
_VERSION = lazy_pattern(r"v?(\d+)")
_LIBRARIES: Mapping[str, tuple[str, Message]] = {
    "deltalake": ("deltalake", Message("a Delta table")),
    "lance": ("pylance", Message("a Lance table")),
    "pyiceberg": ("pyiceberg", Message("an Iceberg table")),
}
"""Package to install and words for the tables of each library, by the name of its module."""


def library_of(path: str | os.PathLike[str]) -> str | None:
    """Return the module of the library that reads the table in a folder, such as "deltalake"; None for other folders and files."""
    folder = Path(path)
    try:
        if not os.fspath(path) or not folder.is_dir():
            return None
        if (folder / "_delta_log").is_dir():
            return "deltalake"
        if (folder / "_versions").is_dir() and (folder.suffix == ".lance" or (folder / "data").is_dir()):
            return "lance"
    except (OSError, ValueError):  # no name of a folder: opening it says so
        return None
    return "pyiceberg" if _newest_metadata(folder) is not None else None


def table_at(path: str | os.PathLike[str], library: str) -> pa.Table:
    """Return the newest version of the table in a folder, which is held in memory.

    Args:
        path: the folder.
        library: `library_of` it.

    Raises:
        UsageError: the library is not installed.
        InputError: the library cannot read the table.
    """
    package, words = _LIBRARIES[library]
    try:
        open_table = _opener(Path(path), library)
    except ImportError as error:
        raise UsageError(
            "{} is {}, but the library that reads it is not installed: {}", path, words, f"pip install {package}"
        ) from error
    try:
        return table_of_library(open_table())
    except Exception as error:  # each library has errors of its own
        raise InputError("{} is {} and cannot be read: {}", path, words, error) from error


def _opener(path: Path, library: str) -> Callable[[], Any]:
    """Return a function that opens the table in a folder; raise ImportError if its library is not installed."""
    if library == "deltalake":
        from deltalake import DeltaTable

        return lambda: DeltaTable(os.fspath(path))
    if library == "lance":
        import lance

        return lambda: lance.dataset(os.fspath(path))
    from pyiceberg.table import StaticTable

    return lambda: StaticTable.from_metadata(str(_newest_metadata(path)))


def table_of_library(data: Any) -> pa.Table | None:
    """Return a table of one of these libraries as a table of Arrow; None for other data."""
    library = type(data).__module__.partition(".")[0]
    if library == "deltalake" and hasattr(data, "to_pyarrow_table"):
        return data.to_pyarrow_table()
    if library == "lance" and hasattr(data, "to_table"):
        return data.to_table()
    if library == "pyiceberg" and hasattr(data, "scan"):
        return data.scan().to_arrow()
    return None


def among_others(path: str | os.PathLike[str], library: str) -> InputError:
    """Return the error that a lakehouse table was given together with other inputs."""
    return InputError("{} is {}, which a separate library reads: give this input alone", path, _LIBRARIES[library][1])


def _newest_metadata(folder: Path) -> Path | None:
    """Return the metadata file of the newest version of an Iceberg table; None if the folder is not an Iceberg table."""
    try:
        names = [one.name for one in (folder / "metadata").iterdir() if one.name.endswith(_METADATA)]
    except (OSError, ValueError):
        return None
    found = [(int(version[1]), name) for name in names if (version := _VERSION.match(name))]
    return folder / "metadata" / max(found)[1] if found else None
