"""Inputs of a call: sources of the data given, the paths that the call names, and a folder for inputs that can be read only once."""

from __future__ import annotations

import glob
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from quchong.errors import InputError, Param, UsageError
from quchong.io import Source, WantedColumns, from_object, open_inputs
from quchong.io.files.addresses import address_of, is_address, local_spelling, path_of
from quchong.io.formats import suffix_of
from quchong.io.found_inputs import checked_name
from quchong.io.lakehouse import library_of, table_at
from quchong.io.limits import LARGEST
from quchong.io.row_changes import no_plain_texts
from quchong.io.single_rows import check_no_row
from quchong.io.stream_copies import STDIN, StreamCopies
from quchong.languages import Message
from quchong.outputs import Place, has_index_contents, local
from quchong.plan.mistaken_data import check_no_groups, check_no_text
from quchong.runs.layout import export_call, is_run
from quchong.seam import Method

Data = Any
"""A path or paths (files, folders, globs), a list of str or dict, or any object that exports an Arrow stream.

Such objects are tables of Arrow, Polars and pandas, DuckDB relations, and Hugging Face data sets.
"""
_LONGEST_NAME = 4096
TEMPORARY = "quchong-"
"""Beginning of the names of temporary folders."""


class Spool:
    """Temporary folder for the contents of standard input or a pipe, or for parts of a run; removed with the last reference to it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
        self.copies = StreamCopies(self.folder)
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled, because the folder is removed when this process ends.

        Raises:
            UsageError: always.
        """
        raise UsageError(
            "data from standard input or a pipe is stored in a temporary folder, which is deleted when this "
            "process ends: save the result, then load the saved folder elsewhere"
        )


@contextmanager
def spooled(folder: Path | None) -> Iterator[None]:
    """Change errors raised in the block so that they name standard input in place of its copy in this folder."""

    def input_name(found: re.Match[str]) -> str:
        return "standard input" if found[1] == "stdin" else f"pipe {found[1]}"

    try:
        yield
    except InputError as error:
        if folder is not None:
            place = re.compile(rf"{re.escape(str(folder))}/(?:against/)?(\w+)(?:\.\w+)*")
            error.args = (error.message.mapped(lambda value: _replace_names(place, input_name, value)),)
        raise


def _replace_names(place: re.Pattern[str], said: Callable[[re.Match[str]], str], value: Any) -> Any:
    """Replace the names of copies by the names of their originals in a value of a message."""
    if not isinstance(value, str | os.PathLike):
        return value
    shown = place.sub(said, os.fspath(value))
    if shown == os.fspath(value):
        return value
    return Message("standard input") if shown == "standard input" else shown


def sources_of(
    data: Data,
    wanted: WantedColumns,
    *,
    format: str | None = None,
    spool: Path | None = None,
    encoding: str | None = None,
    max_record: int | None = None,
    choose: Callable[[Sequence[str]], WantedColumns] | None = None,
) -> list[Source]:
    """Return the sources of any data: paths are opened, objects wrapped.

    One str is a path (or a glob, or - for stdin); a list of str holds texts; a list of pathlib.Path holds files. A list
    of str that all name files is refused, because the files are probably meant.

    `choose` is called once with the names of all columns of the data, as far as they are known before it is read, and returns the
    columns that are wanted of it.

    Raises:
        InputError, UsageError: see `quchong.io`.
    """
    if type(data).__module__.startswith("pyspark."):
        raise UsageError(
            "a Spark DataFrame would be collected on this machine: use quchong.spark.dedup, or give df.toArrow()"
        )
    check_no_groups(data)
    if isinstance(data, str):
        check_no_text(data)
    one = isinstance(data, str | os.PathLike)
    if one or (isinstance(data, list | tuple) and data and all(isinstance(d, os.PathLike) for d in data)):
        paths = [local_spelling(os.fspath(path)) for path in ([data] if one else data)]
        for path in paths:
            check_no_index(path)
        if len(paths) == 1 and (library := library_of(paths[0])) is not None:
            return [from_object(table_at(paths[0], library), wanted, max_record or LARGEST, choose)]
        opened = open_inputs(paths, format, spool, encoding=encoding, max_record=max_record)
        if choose is not None:
            choose(list(dict.fromkeys(name for source in opened for name in source.column_names())))
        return opened
    check_no_row(data, wanted.text)
    if isinstance(data, list | tuple):
        _check_for_paths(data)
    if encoding is not None:
        raise UsageError("{} is for files; texts in memory have no files", Param("encoding", encoding))
    return [from_object(data, wanted, max_record or LARGEST, choose)]


def check_no_index(path: str) -> None:
    """Raise InputError if a path is the folder of an index, damaged or not: its files are no records."""
    if path != "-" and has_index_contents(Path(path)):
        raise InputError(
            "{} is an index and cannot be an input: write its documents as a run with {}", path, export_call(path)
        )


def paths_of(data: Data) -> list[str]:
    """Return the paths that data names; an empty list for data in memory.

    Raises:
        InputError: a path is empty.
    """
    named = [data] if isinstance(data, str | os.PathLike) else data
    if not isinstance(named, list | tuple) or (named is data and not all(isinstance(d, os.PathLike) for d in named)):
        return []
    return [checked_name(os.fspath(one)) for one in named]


def streams_of(data: Data) -> set[str]:
    """Return the names of standard input ("-") and of pipes among the inputs, each in one spelling."""
    streams = [path for path in paths_of(data) if path == "-" or _is_pipe(path)]
    return {"-" if path in STDIN else os.path.realpath(path) for path in streams}


def read_once(data: Data) -> bool:
    """Return True if any input is standard input or a pipe, which must be copied to a folder to be read twice."""
    return bool(streams_of(data))


def may_be_copied(data: Data) -> bool:
    """Return True if an input is read once or may have to be copied to be read twice, such as a file of a web server."""
    return read_once(data) or any(path.lower().startswith("http") and is_address(path) for path in paths_of(data))


def places_beside(
    against: Data = None, protect: Any = (), boilerplate: Any = (), method: Method | None = None
) -> list[Place]:
    """Return the files that a run reads besides its data, each as location with the parameter that names it.

    They include the statistics file of the method.
    """
    files = [path_of(one) for one in boilerplate] if isinstance(boilerplate, list | tuple) else boilerplate
    ids = protect if isinstance(protect, os.PathLike) else None
    counted = getattr(getattr(method, "statistics", None), "path", None)
    named = {"against": against, "protect": ids, "boilerplate": files, "statistics": counted}
    return [place for name, data in named.items() for place in places_read(data, name)]


def _is_pipe(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a million inputs may be looked at
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def places_read(data: Data, parameter: str = "") -> list[Place]:
    """Return the local paths that data names as locations, before anything is opened.

    They are files, folders, matches of globs, and the file that standard input is redirected from. Empty for data in
    memory.

    `parameter` is the parameter that messages name for them.
    """
    found: list[str] = []
    for one in paths_of(data):
        if one == "-":
            found += _stdin()
        elif address_of(one) is not None:
            continue
        elif not os.path.lexists(one) and glob.has_magic(one):
            matches = glob.glob(one, recursive=True)  # noqa: PTH207 - may be absolute
            found += [m for m in matches if not os.path.isdir(m)] or matches  # noqa: PTH112
        else:
            found.append(one)
    return local(found, parameter)


def _stdin() -> list[str]:
    """Return the file that standard input is redirected from, as a list.

    The list is empty if standard input is no file, or if the system does not tell which.
    """
    try:
        number = sys.stdin.fileno()
        path = os.path.realpath(f"/proc/self/fd/{number}")
        return [path] if stat.S_ISREG(os.fstat(number).st_mode) and os.path.exists(path) else []  # noqa: PTH110
    except (OSError, ValueError, AttributeError):
        return []


def places_opened(sources: Iterable[Source]) -> list[Place]:
    """Return the locations of files that sources open themselves: the named files, and links in folders. Addresses are left out."""
    found: list[Path] = []
    for source in sources:
        found += [
            file for file in source.files if address_of(file) is None and (file == source.path or file.is_symlink())
        ]
    return local(found)


def _check_for_paths(items: Sequence[Any]) -> None:
    """Raise UsageError for a list of str that are all names of files; otherwise the names would be compared as texts."""
    if items and all(isinstance(item, str) and _may_be_file(item) for item in items):
        raise UsageError(
            "a list of str is a list of texts, but these are names of files, such as {!r}. To read the files, "
            "give pathlib.Path objects, or one str for one file or glob. If these are really texts, give dicts "
            "such as {{'text': ...}}",
            items[0],
        )


def _may_be_file(text: str) -> bool:
    """Return True if a text names a file or a run folder: it has a known suffix and no white space, or the file exists."""
    if len(text) > _LONGEST_NAME or "\n" in text or "\0" in text:
        return False
    if suffix_of(text) is not None and not any(c.isspace() for c in text):
        return True
    try:
        return Path(text).is_file() or is_run(Path(text))
    except (OSError, ValueError):
        return False


def check_replaceable_texts(source: Source, key: str) -> None:
    """Raise UsageError if it is known that no text of a source can be replaced in its record."""
    if source.has_fixed_texts(key):
        raise no_plain_texts(key)


def no_other_text(name: str) -> UsageError:
    """Return the error that rows of an input cannot get new texts because its documents are files or pages."""
    return UsageError(
        "{}: {} has no rows in which a text could be replaced; use {}",
        Param("roundups", "cut"),
        name,
        Param("roundups", "remove"),
    )
