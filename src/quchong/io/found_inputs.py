"""Inputs that a path, a glob, a folder, a run folder or a pipe names: the files to open, and their formats."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quchong.errors import InputError, InPython, Param, RunError, shell_word
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.location import FileBeneath, location_of
from quchong.io.formats import ACCEPTED, FILES, check, suffix_of
from quchong.io.stream_copies import StreamCopies, stream_name
from quchong.languages import Message
from quchong.outputs import (
    MANIFEST,
    check_settled,
    is_file_beneath,
    is_folder_beneath,
    is_plain_name,
    manifest_of,
    names_beneath,
    stands_beneath,
)

_TABLES = ("ledger", "pairs", "clusters")
"""Names of tables by which a run folder is recognised."""


@dataclass(frozen=True, slots=True)
class FoundInput:
    """Input from which a source is made: a data file, or texts and pages below a folder.

    `name` is the source's name, "" to take it from the path; `file` is the file to open, None to open it by its path.
    """

    path: Path
    suffix: str
    files: tuple[Path, ...] = ()
    name: str = ""
    file: InputFile | None = None


_REMOTE = re.compile(
    r"(s3[an]?|gs|gcs|hf|https?|s?ftp|az|adl|abfss?|wasbs?|hdfs|webhdfs|oss|cosn?|obs|gdrive|dropbox)://?(?=[^/])",
    re.IGNORECASE,
)
"""Beginning of an address that is no path on this machine; `pathlib.Path` leaves one slash of two."""


def is_remote(path: str) -> bool:
    """Return True if a path is an address on another machine, such as s3://bucket/name, and no file here has that name."""
    return _REMOTE.match(path) is not None and not os.path.lexists(path)


def checked_name(path: str) -> str:
    """Return the path that names an input; raise an error for an empty one, which would mean the current folder, and a remote one.

    Raises:
        InputError: it is empty, or an address on another machine.
    """
    if not path:
        raise InputError("an input has an empty name: give a file, a folder (. for this one), or - for standard input")
    if is_remote(path):
        raise InputError(
            "{}: files on other machines are not read: download it first{}",
            path,
            InPython(Message(", or give what another library has opened, such as a pyarrow dataset")),
        )
    return path


def inputs_at(path: str, forced: str | None, copies: StreamCopies, recursive: bool) -> Iterator[FoundInput]:
    """Yield the inputs that one argument names: standard input, files that a glob matches, a file, a folder or a pipe."""
    if checked_name(path) == "-":
        yield _stream_at(path, forced, copies)
        return
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = [Path(match) for match in sorted(glob.glob(path, recursive=True))]  # noqa: PTH207 - may be absolute
        files = [match for match in matches if not match.is_dir()]
        if not matches:
            raise InputError("no file matches {}, nor does a folder; check the pattern", path)
        yield from (file_at(match, forced) for match in files)
        if not files:
            for match in matches:
                yield from _folder(match, forced, recursive)
        return
    place = Path(path)
    check_settled(place)
    try:
        with reading(place):
            state = location_of(place).state()
    except ValueError as error:  # a NUL, half a character
        raise InputError("{!r} cannot be the name of a file ({}); check the spelling", path, error) from error
    if state.is_folder:
        yield from _folder(place, forced, recursive)
    elif state.is_file:
        yield file_at(place, forced)
    else:  # a pipe, as of <(zcat ...)
        yield _stream_at(path, forced, copies)


def file_at(file: File, forced: str | None) -> FoundInput:
    """Return the input of one data file, whose first bytes are checked against its suffix, or against the suffix `forced`.

    Raises:
        InputError: the suffix is unknown, or the file cannot be read in this format.
    """
    opened = InputFile.from_path(file)
    path = opened.path
    suffix = forced or suffix_of(path.name)
    if suffix is None and path.name.lower().endswith(".xls"):
        raise InputError("{} is an old Excel file: save it in Excel as .xlsx or CSV", path)
    if suffix is None:
        raise InputError(
            "{}: unknown format; accepted are {}, or name the format with {}", path, ACCEPTED, Param("format", "FORMAT")
        )
    check(opened, suffix)
    return FoundInput(path, suffix, file=opened)


def kept_files(folder: Path) -> list[FileBeneath] | None:
    """Return the files of kept rows of a run folder; None if the folder is not a run folder.

    Raises:
        InputError: the kept rows cannot be read as a corpus: they are annotated or lists of paths, or run.json is damaged.
    """
    if not (is_file_beneath(folder, MANIFEST) and stands_beneath(folder, "ledger.parquet")):
        if sum(stands_beneath(folder, f"{name}.parquet") for name in _TABLES) > 1:
            raise InputError(
                "{} is a run folder without run.json or ledger.parquet: restore a copy of it, or name its files of rows",
                folder,
            )
        return None
    with reading(folder / MANIFEST):
        try:
            manifest = manifest_of(folder)
        except (ValueError, RunError) as error:
            raise InputError(
                "{} is a run folder with a damaged run.json: restore a copy of it, or name its files of rows", folder
            ) from error
    if isinstance(manifest, dict) and manifest.get("mode") == "ids":
        raise InputError("{} has the ids of kept rows and no rows: give the rows that you took by them", folder)
    kept = _kept_files(folder, manifest)
    if not kept:
        raise InputError(
            "{} is a run folder without kept rows (annotated, or damaged): give the input of that run instead", folder
        )
    if Path(kept[0]).suffix in (".txt", ".html"):
        raise InputError("{} is a run folder that lists the paths of kept texts: give those texts themselves", folder)
    return [FileBeneath(folder, name) for name in kept]


def _kept_files(folder: Path, manifest: Any) -> list[str]:
    """Return the names of the files of kept rows in a run folder, sorted: those that run.json names if all are there, else those found.

    Files that somebody put beside them are not read if run.json names the run's own.
    """
    files = manifest.get("files") if isinstance(manifest, dict) else None
    sides = [one for one in files.values() if isinstance(one, dict)] if isinstance(files, dict) else []
    named = [one["kept"] for one in sides if "kept" in one]
    if (shards := _shards(folder, manifest, named)) is not None:
        return shards
    if named and all(isinstance(one, str) and is_plain_name(one) and is_file_beneath(folder, one) for one in named):
        return sorted(set(named))
    return [name for name in names_beneath(folder, "") if name.startswith("kept.")] or sorted(
        _all_beneath(folder, "kept")
    )


def _shards(folder: Path, manifest: Any, named: list[Any]) -> list[str] | None:
    """Return the names of the shards of kept rows of a run; None for a run without shards, or a damaged run.json.

    Raises:
        InputError: a shard is missing.
    """
    told = manifest.get("shards") if isinstance(manifest, dict) else None
    count = told.get("count") if isinstance(told, dict) else None
    if type(count) is not int or not 0 < count < 1 << 20 or not named or not str(named[0]).startswith("kept/*."):
        return None
    names = [f"kept/part-{number:05d}{named[0].removeprefix('kept/*')}" for number in range(count)]
    for name in names:
        if not is_plain_name(name) or not is_file_beneath(folder, name):
            raise InputError(
                "{} is missing, one of the {} shards of the run: restore a copy of it", folder / name, count
            )
    return names


def _all_beneath(folder: Path, within: str) -> Iterator[str]:
    """Yield the names of all files of rows in a subfolder of a run, at any depth, without the marker and checksum files of Hadoop."""
    for entry in names_beneath(folder, within):
        name = f"{within}/{entry}"
        if is_folder_beneath(folder, name):
            yield from _all_beneath(folder, name)
        elif entry != "_SUCCESS" and not entry.endswith(".crc"):
            yield name


def _folder(folder: Path, forced: str | None, recursive: bool) -> Iterator[FoundInput]:
    if (kept := kept_files(folder)) is not None:
        yield from (file_at(file, forced) for file in kept)
        return
    suffix = suffix_of(folder.name)
    if suffix is not None:
        raise InputError(
            "{} is a folder, not a {} file; pass the files in it, e.g. {}",
            folder,
            suffix,
            shell_word(f"{folder}/*{suffix}"),
        )
    texts: list[Path] = []
    data: list[Path] = []
    with reading(folder):
        for path in (one.path for one in location_of(folder).below(recursive)):
            suffix = forced or suffix_of(path.name)
            if suffix is not None:
                (texts if suffix in FILES else data).append(path)
    if texts and data:
        raise InputError(
            "{} holds both text files ({}) and data files ({}); pass one sort, e.g. {} or {}",
            folder,
            texts[0].name,
            data[0].name,
            shell_word(f"{folder}/**/*{texts[0].suffix}"),
            shell_word(f"{folder}/**/*{data[0].suffix}"),
        )
    if not texts and not data:
        raise InputError("{} holds no file that can be read; accepted are {}", folder, ACCEPTED)
    if texts:
        yield FoundInput(folder, forced or FILES[0], tuple(texts))
    for path in sorted(data, key=lambda path: path.as_posix()):
        yield file_at(path, forced)


def _stream_at(stream: str, forced: str | None, copies: StreamCopies) -> FoundInput:
    """Return the input of a copy of standard input or of a pipe, which can be read twice."""
    suffix = forced or ".jsonl"
    path = copies.copy_of(stream, suffix)
    check(path, suffix)
    return FoundInput(path, suffix, name=stream_name(stream))
