"""Inputs that a path, a glob, a folder, a run folder or a pipe names: the files to open, and their formats."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quchong.errors import InputError, Param, Remedy, RunError, shell_word
from quchong.io.files.addresses import address_of, local_spelling, path_of
from quchong.io.files.fetching import fetched_folder
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.location import FileBeneath, Location, location_of
from quchong.io.files.similar_path import pattern_advice
from quchong.io.foreign_formats import check_not_foreign
from quchong.io.formats import ACCEPTED, FILES, check, suffix_of
from quchong.io.lakehouse import among_others, library_of
from quchong.io.remote_inputs import (
    check_no_page,
    checked_address,
    checked_beginnings,
    data_members,
    folder_files,
    must_be_copied,
    remote_files,
)
from quchong.io.saved_datasets import saved_files
from quchong.io.stream_copies import StreamCopies, stream_name
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
_MARKS = ("ledger", "units", "matches")
"""Tables of finished folders with kept rows: of a run, of a run by units, of a search for test items."""


@dataclass(frozen=True, slots=True)
class FoundInput:
    """Input from which a source is made: a data file, or texts and pages below a folder.

    `name` is the source's name, "" to take it from the path; `file` is the file to open, None to open it by its path; `split` is the
    split of a saved data set to which its rows belong.
    """

    path: Path
    suffix: str
    files: tuple[Path, ...] = ()
    name: str = ""
    file: InputFile | None = None
    split: str | None = None


def checked_name(path: str) -> str:
    """Return the path that names an input: of an address without its secrets, of file:// the plain path.

    An empty one would mean the current folder.

    Raises:
        InputError: it is empty, or an address that cannot be read.
    """
    if not path:
        raise InputError(
            "an input has an empty name: give a file, a folder (. for the current one), or - for standard input"
        )
    return checked_address(path) or local_spelling(path)


def inputs_at(path: str, forced: str | None, copies: StreamCopies, recursive: bool) -> Iterator[FoundInput]:
    """Yield the inputs that one argument names: standard input, files that a glob matches, a file, a folder or a pipe."""
    path = checked_name(path)
    if path == "-":
        yield _stream_at(path, forced, copies)
        return
    if address_of(path) is not None:
        yield from _at_address(path, forced, copies, recursive)
        return
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = [Path(match) for match in sorted(glob.glob(path, recursive=True))]  # noqa: PTH207 - may be absolute
        files = [match for match in matches if not match.is_dir()]
        if not matches:
            raise InputError("no file or folder matches {}; {}", path, pattern_advice(path))
        for match in files:
            yield from _file_or_archive(match, forced)
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
        yield from _file_or_archive(place, forced)
    else:  # a pipe, as of <(zcat ...)
        yield _stream_at(path, forced, copies)


def _file_or_archive(place: File, forced: str | None) -> Iterator[FoundInput]:
    """Yield the input of a data file, or those of the members of an archive."""
    location = InputFile.from_path(place).location
    members = data_members(location.path, forced)
    if members is not None and not members:
        raise InputError("{} has no file that can be read; accepted are {}", location.path, ACCEPTED)
    yield from (file_at(one, forced) for one in (members or [location]))


def _at_address(address: str, forced: str | None, copies: StreamCopies, recursive: bool) -> Iterator[FoundInput]:
    """Yield the inputs that an address names, as `inputs_at` does for paths."""
    files = remote_files(address)
    if files is None:
        run = _fetched_run(address)
        yield from _folder(path_of(address) if run is None else run, forced, recursive)
        return
    if not files:
        raise InputError("no file or folder matches the pattern {}: check the pattern", address)
    checked_beginnings(files)
    for file in files:
        check_no_page(file, forced)
        if must_be_copied(file, forced):
            suffix = forced or suffix_of(file.path.name) or ".jsonl"
            copy = copies.copy_of_file(file, suffix)
            check(copy, suffix)
            yield FoundInput(copy, suffix, name=file.path.name)
        else:
            yield from _file_or_archive(file, forced)


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
        check_not_foreign(path)
        raise InputError(
            "{}: unknown format; accepted are {}{}",
            path,
            ACCEPTED,
            Remedy(", or name the format with {}", Param("format", "FORMAT")),
        )
    check(opened, suffix)
    return FoundInput(path, suffix, file=opened)


def kept_files(folder: Path) -> list[FileBeneath] | None:
    """Return the files of kept rows of a run folder; None if the folder is not a run folder.

    Raises:
        InputError: the kept rows cannot be read as a corpus: they are annotated or lists of paths, or run.json is damaged.
    """
    mark = next((name for name in _MARKS if stands_beneath(folder, f"{name}.parquet")), None)
    if mark is None or not is_file_beneath(folder, MANIFEST):
        if sum(stands_beneath(folder, f"{name}.parquet") for name in _TABLES) > 1:
            raise InputError(
                "{} is a run folder without run.json or ledger.parquet: restore that file, or give the files of "
                "rows in the folder",
                folder,
            )
        return None
    with reading(folder / MANIFEST):
        try:
            manifest = manifest_of(folder)
        except (ValueError, RunError) as error:
            raise InputError(
                "{} is a run folder, but its run.json is damaged: restore run.json, or give the files of rows in "
                "the folder",
                folder,
            ) from error
    if mark != "ledger" and not _wrote(manifest, mark):
        return None
    if mark == "matches" and manifest["mode"] not in ("remove", "cut"):
        raise InputError(
            "{} was written by quchong decontaminate in {} mode, so it has no kept rows: give the input of that "
            "run instead",
            folder, str(manifest["mode"]),
        )  # fmt: skip
    if isinstance(manifest, dict) and manifest.get("mode") == "ids":
        raise InputError("{} has only the ids of kept rows: give the rows that you selected by these ids", folder)
    kept = _kept_files(folder, manifest)
    if not kept:
        raise InputError(
            "{} is a run folder without kept rows (the run annotated rows, or the folder is damaged): give the "
            "input of that run instead",
            folder,
        )
    if Path(kept[0]).suffix in (".txt", ".html"):
        raise InputError(
            "{} is a run folder that has only the paths of kept texts: give these texts themselves", folder
        )
    return [FileBeneath(folder, name) for name in kept]


def _wrote(manifest: Any, mark: str) -> bool:
    """Return True if a run.json was written by the kind of run whose table is beside it."""
    if not isinstance(manifest, dict) or "quchong" not in manifest or "mode" not in manifest:
        return False
    return manifest["mode"] == "units" if mark == "units" else "contamination" in manifest


def _fetched_run(address: str) -> Path | None:
    """Return a private folder with the kept rows of a run at an address; None if there is no run.

    Raises:
        InputError: tables of a run are there without run.json, as after an upload that was stopped.
    """
    top = {file.path.name: file for file in folder_files(address, recursive=False)}
    tables = sum(f"{name}.parquet" in top for name in _TABLES)
    if MANIFEST not in top and tables > 1:
        raise InputError(
            "{} is a run folder without run.json or ledger.parquet: restore that file, or give the files of rows "
            "in the folder",
            path_of(address),
        )
    marks = [f"{name}.parquet" for name in _MARKS if f"{name}.parquet" in top]
    if MANIFEST not in top or not marks:
        return None
    files = {file.path.as_posix().removeprefix(f"{address}/"): file for file in folder_files(address, recursive=True)}
    needed = {name: file for name, file in files.items() if name in (MANIFEST, marks[0]) or name.startswith("kept")}
    return fetched_folder(needed, address)


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
                "{} is missing, one of {} files of rows of the run: restore a copy of it", folder / name, count
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
    if address_of(folder) is None:
        if (kept := kept_files(folder)) is not None:
            yield from (file_at(file, forced) for file in kept)
            return
        if (library := library_of(folder)) is not None:
            raise among_others(folder, library)
        if (saved := saved_files(folder)) is not None:
            yield from (replace(file_at(one.file, ".arrow"), split=one.split) for one in saved)
            return
    suffix = suffix_of(folder.name)
    if suffix is not None:
        raise InputError(
            "{} is a folder, not a {} file; give the files in it, such as {}",
            folder,
            suffix,
            shell_word(f"{folder}/*{suffix}"),
        )
    texts: list[Path] = []
    data: list[Location] = []
    with reading(folder):
        for one in location_of(folder).below(recursive):
            suffix = forced or suffix_of(one.path.name)
            if suffix is not None and suffix in FILES:
                texts.append(one.path)
            elif suffix is not None:
                data.append(one)
    if texts and data:
        raise InputError(
            "{} contains both text files ({}) and data files ({}); give only one kind, such as {} or {}",
            folder,
            texts[0].name,
            data[0].path.name,
            shell_word(f"{folder}/**/*{texts[0].suffix}"),
            shell_word(f"{folder}/**/*{data[0].path.suffix}"),
        )
    if not texts and not data:
        raise InputError("{} has no file that can be read; accepted are {}", folder, ACCEPTED)
    if texts:
        yield FoundInput(folder, forced or FILES[0], tuple(texts))
    checked_beginnings(data)
    for one in sorted(data, key=lambda one: one.path.as_posix()):
        yield file_at(one, forced)


def _stream_at(stream: str, forced: str | None, copies: StreamCopies) -> FoundInput:
    """Return the input of a copy of standard input or of a pipe, which can be read twice."""
    suffix = forced or ".jsonl"
    path = copies.copy_of(stream, suffix)
    check(path, suffix)
    return FoundInput(path, suffix, name=stream_name(stream))
