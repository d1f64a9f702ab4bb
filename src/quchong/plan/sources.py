"""What a call reads: sources of the data given, the places that it names, and room for what can be read only once."""

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
from quchong.io import Source, Wanted, from_object, open_inputs
from quchong.io.formats import suffix_of
from quchong.io.limits import LARGEST
from quchong.io.open import checked_name
from quchong.languages import Message
from quchong.outputs import Place, local
from quchong.runs.layout import is_run
from quchong.seam import Method

Data = Any
"""A path or paths (files, folders, globs), a list of str or dict, or anything that speaks the Arrow stream:
Arrow, Polars and pandas tables, DuckDB relations, Hugging Face data sets."""
_LONGEST_NAME = 4096


class Spool:
    """A folder for what stdin or a pipe gave, or parts of a run hold, removed when nobody holds it any more."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="quchong-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: the copy goes with this process.

        Raises:
            UsageError: always.
        """
        raise UsageError(
            "what came from standard input or a pipe lies in a folder that goes with this process: save the result, and load "
            "the folder where it is wanted"
        )


@contextmanager
def spooled(folder: Path | None) -> Iterator[None]:
    """Errors about standard input name it, not the file it was copied to in this folder."""

    def said(found: re.Match[str]) -> str:
        return "standard input" if found[1] == "stdin" else f"pipe {found[1]}"

    try:
        yield
    except InputError as error:
        if folder is not None:
            place = re.compile(rf"{re.escape(str(folder))}/(?:against/)?(\w+)(?:\.\w+)*")
            error.args = (error.message.mapped(lambda value: _put(place, said, value)),)
        raise


def _put(place: re.Pattern[str], said: Callable[[re.Match[str]], str], value: Any) -> Any:
    """A value of a message with the names of files in place of those they were copied to."""
    if not isinstance(value, str | os.PathLike):
        return value
    shown = place.sub(said, os.fspath(value))
    if shown == os.fspath(value):
        return value
    return Message("standard input") if shown == "standard input" else shown


def sources_of(
    data: Data,
    wanted: Wanted,
    *,
    format: str | None = None,
    spool: Path | None = None,
    encoding: str | None = None,
    max_record: int | None = None,
) -> list[Source]:
    """Sources of whatever was given: paths are opened, objects wrapped.

    One str is a path (or a glob, or - for stdin); a list of str holds texts; a list of pathlib.Path holds files. A list of
    str that all name files is refused: whoever writes that means the files.

    Raises:
        InputError, UsageError: see `quchong.io`.
    """
    if type(data).__module__.startswith("pyspark."):
        raise UsageError("a Spark DataFrame would be collected here: use quchong.spark.dedup, or give df.toArrow()")
    if isinstance(data, str | os.PathLike):
        return open_inputs([os.fspath(data)], format, spool, encoding=encoding, max_record=max_record)
    if isinstance(data, list | tuple) and data and all(isinstance(d, os.PathLike) for d in data):
        return open_inputs([os.fspath(d) for d in data], format, spool, encoding=encoding, max_record=max_record)
    if isinstance(data, list | tuple):
        _check_for_paths(data)
    if encoding is not None:
        raise UsageError("{} is for files: texts in memory have none", Param("encoding", encoding))
    return [from_object(data, wanted, max_record or LARGEST)]


def paths_of(data: Data) -> list[str]:
    """The paths that data is; none for data in memory.

    Raises:
        InputError: one is empty.
    """
    named = [data] if isinstance(data, str | os.PathLike) else data
    if not isinstance(named, list | tuple) or (named is data and not all(isinstance(d, os.PathLike) for d in named)):
        return []
    return [checked_name(os.fspath(one)) for one in named]


def read_once(data: Data) -> bool:
    """Is any of this standard input or a pipe, which must be copied to a folder to be read twice?"""
    return any(path == "-" or _is_pipe(path) for path in paths_of(data))


def places_beside(
    against: Data = None, protect: Any = (), boilerplate: Any = (), method: Method | None = None
) -> list[Place]:
    """What a run reads beside its data, each place under the parameter that names it; the method tells of its statistics."""
    files = [Path(one) for one in boilerplate] if isinstance(boilerplate, list | tuple) else boilerplate
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
    """The places on this machine that data names, as `sources_of` takes it, before anything is opened: files, folders, what
    globs match, and the file that standard input comes from. Empty for data in memory.

    `parameter` is what messages say that they were given as.
    """
    found: list[str] = []
    for one in paths_of(data):
        if one == "-":
            found += _stdin()
        elif not os.path.lexists(one) and glob.has_magic(one):
            matches = glob.glob(one, recursive=True)  # noqa: PTH207 - may be absolute
            found += [m for m in matches if not os.path.isdir(m)] or matches  # noqa: PTH112
        else:
            found.append(one)
    return local(found, parameter)


def _stdin() -> list[str]:
    """The file that standard input is, where it is one and the machine tells which."""
    try:
        number = sys.stdin.fileno()
        path = os.path.realpath(f"/proc/self/fd/{number}")
        return [path] if stat.S_ISREG(os.fstat(number).st_mode) and os.path.exists(path) else []  # noqa: PTH110
    except (OSError, ValueError, AttributeError):
        return []


def places_opened(sources: Iterable[Source]) -> list[Place]:
    """The files that sources read, as far as they are not below the path that was named: links in folders lead elsewhere."""
    found: list[Path] = []
    for source in sources:
        found += [file for file in source.files if file == source.path or file.is_symlink()]
    return local(found)


def _check_for_paths(items: Sequence[Any]) -> None:
    """Raises UsageError for a list of str that are all names of files: as texts they would be compared without a word."""
    if items and all(isinstance(item, str) and _may_be_file(item) for item in items):
        raise UsageError(
            "a list of str holds texts, but these are names of files, such as {!r}: give pathlib.Path objects "
            "to read the files, one str for one file or glob, or dicts such as {{'text': ...}} if these are "
            "the texts",
            items[0],
        )


def _may_be_file(text: str) -> bool:
    """Does this name a file or a run folder: by a suffix that is read here and no blank, or because there is one?"""
    if len(text) > _LONGEST_NAME or "\n" in text or "\0" in text:
        return False
    if suffix_of(text) is not None and not any(c.isspace() for c in text):
        return True
    try:
        return Path(text).is_file() or is_run(Path(text))
    except (OSError, ValueError):
        return False
