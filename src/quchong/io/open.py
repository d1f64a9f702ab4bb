"""Opening of sources for the paths and globs that a user names."""

from __future__ import annotations

import glob
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from quchong.errors import InputError, Param, RunError, UsageError, shell_word
from quchong.io.encodings import codec_name
from quchong.io.files.disk import DiskFile, FileBeneath, reading
from quchong.io.files.streams import writing
from quchong.io.folder import PAGES
from quchong.io.formats import ACCEPTED, FILES, check, source, suffix_for, suffix_of, takes_encoding
from quchong.io.limits import WRITTEN
from quchong.io.source import Source
from quchong.outputs import (
    MANIFEST,
    check_settled,
    is_file_beneath,
    is_folder_beneath,
    manifest_of,
    names_beneath,
    spell_path,
    stands_beneath,
)

_TABLES = ("ledger", "pairs", "clusters")
"""Names of tables by which a run folder is recognised."""


@dataclass(frozen=True, slots=True)
class _Item:
    """Input from which a source is made: a data file, or texts and pages below a folder.

    `name` is the source's name, "" to take it from the path; `file` is the file to open, None to open it by its path.
    """

    path: Path
    suffix: str
    files: tuple[Path, ...] = ()
    name: str = ""
    file: DiskFile | None = None


def open_inputs(
    paths: Sequence[str | Path],
    format: str | None = None,
    spool: Path | None = None,
    recursive: bool = True,
    encoding: str | None = None,
    max_record: int | None = None,
) -> list[Source]:
    """Open the sources of `paths`, in the order given; only a few first bytes of each file are read.

    Args:
        paths: files, folders, globs (`**` included, expanded in sorted order unless a file has that very name; folders count
            if no file matches) and "-" for standard input. A folder is one source if it holds texts or pages, otherwise one
            source for each data file in it; of a run folder the kept rows are read. Hidden files and files of unknown suffix are
            ignored. Text files and pages named one by one make one source. An input that is named twice is read once.
        format: a suffix without its dot ("jsonl", "csv.gz", ...) that applies to all files, whatever their names are
        spool: folder into which standard input and pipes are copied, so that they can be read twice
        recursive: whether folders are searched below their first level
        encoding: of text and CSV files, as the user names it; None to detect it (`io/encodings.py`)
        max_record: maximum bytes of a record; a larger one is a bad record and never in memory as a whole. None for
            `limits.WRITTEN`, the limit of files that a run wrote

    Returns:
        Sources with unique names: the file name of a single source, otherwise paths relative to the common parent.

    Raises:
        InputError: a path is missing, cannot be read, is of unknown format, matches nothing, or holds no documents
        UsageError: no paths, an unknown format or encoding, an encoding for inputs that name theirs themselves, or a pipe without
            `spool`
    """
    if not paths:
        raise UsageError("no input: name a file, a folder, or - for standard input")
    forced = None if format is None else suffix_for(format)
    found = [item for path in paths for item in _items(str(path), forced, spool, recursive)]
    once: dict[str, _Item] = {}
    for item in found:
        once.setdefault(os.path.realpath(item.path), item)
    items = _texts_together(list(once.values()))
    names = _names(items)
    written = None if encoding is None else codec_name(encoding)
    if encoding is not None and not any(takes_encoding(item.suffix) for item in items):
        raise UsageError(
            "{}: {} is no text or CSV file, and other formats say their encoding",
            Param("encoding", encoding),
            items[0].path,
        )
    return [
        source(
            item.file or item.path, item.suffix, name, item.files, forced is not None, written, max_record or WRITTEN
        )
        for item, name in zip(items, names, strict=True)
    ]


def open_file(
    file: Path | DiskFile,
    format: str | None = None,
    encoding: str | None = None,
    name: str | None = None,
    max_record: int | None = None,
) -> Source:
    """Open the source of one data file; the name is not taken as a pattern, and nothing is copied.

    Args:
        file: a path, or a file such as one beneath a run folder.
        format, encoding: see `open_inputs`.
        name: of the source; None for the name of the file.
        max_record: see `open_inputs`.

    Raises:
        InputError: the file cannot be read or is of unknown format, or it is a text, page or folder.
        UsageError: an unknown format or encoding.
    """
    opened = DiskFile.from_path(file)
    item = _file(opened, None if format is None else suffix_for(format))
    if item.suffix in FILES:
        raise InputError("{} is a text, and a file of rows is asked for", opened.path)
    written = None if encoding is None else codec_name(encoding)
    return source(opened, item.suffix, name or opened.path.name, (), format is not None, written, max_record or WRITTEN)


def is_text_format(path: Path, format: str | None) -> bool:
    """Return True if the file is a text or page, which is one document, by its format or else its suffix."""
    suffix = suffix_of(path.name) if format is None else suffix_for(format)
    return suffix in FILES


def texts_at(
    root: Path,
    files: Sequence[Path],
    format: str | None = None,
    encoding: str | None = None,
    max_record: int | None = None,
) -> Source:
    """Open the source of a list of texts and pages.

    Args:
        root: the folder that contains the files, or the one file.
        files: regular files.
        format, encoding, max_record: see `open_inputs`.
    """
    suffix = FILES[0] if format is None else suffix_for(format)
    written = None if encoding is None else codec_name(encoding)
    return source(root, suffix, root.name, files, format is not None, written, max_record or WRITTEN)


def one_file(path: Path, spool: Path | None = None) -> Source:
    """Open the source of one text or web page: a page if it has the suffix of one, otherwise a text.

    Args:
        path: the file, or a pipe
        spool: folder into which a pipe is copied

    Raises:
        InputError: the file is missing, cannot be read, or is a folder
        UsageError: a pipe without `spool`
    """
    if str(path) == "-":
        raise InputError("- (standard input) is for one corpus: name two files")
    if os.path.isdir(path):  # noqa: PTH112 - never raises
        raise InputError("{} is a folder: name two files", path)
    suffix = next((s for s in PAGES if path.name.lower().endswith(s)), FILES[0])
    with reading(path):
        if not stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as pipe:
                path = _spooled(pipe, path.name, suffix, spool).path
    return source(path, suffix, spell_path(path), (path,))


def checked_name(path: str) -> str:
    """Return the path that names an input; raise an error for an empty one, which would mean the current folder.

    Raises:
        InputError: it is empty.
    """
    if not path:
        raise InputError("an input has an empty name: give a file, a folder (. for this one), or - for standard input")
    return path


def _items(path: str, forced: str | None, spool: Path | None, recursive: bool) -> Iterator[_Item]:
    """Yield the inputs that one argument names: standard input, files that a glob matches, a file, a folder or a pipe."""
    if checked_name(path) == "-":
        yield _spooled(sys.stdin.buffer, "stdin", forced, spool)
        return
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = [Path(match) for match in sorted(glob.glob(path, recursive=True))]  # noqa: PTH207 - may be absolute
        files = [match for match in matches if not match.is_dir()]
        if not matches:
            raise InputError("no file matches {}, nor does a folder; check the pattern", path)
        yield from (_file(match, forced) for match in files)
        if not files:
            for match in matches:
                yield from _folder(match, forced, recursive)
        return
    place = Path(path)
    check_settled(place)
    try:
        with reading(place):
            mode = place.stat().st_mode
    except ValueError as error:  # a NUL, half a character
        raise InputError("{!r} cannot be the name of a file ({}); check the spelling", path, error) from error
    if stat.S_ISDIR(mode):
        yield from _folder(place, forced, recursive)
    elif stat.S_ISREG(mode):
        yield _file(place, forced)
    else:  # a pipe, as of <(zcat ...)
        with reading(place), place.open("rb") as pipe:
            yield _spooled(pipe, place.name, forced, spool)


def _file(file: Path | DiskFile, forced: str | None) -> _Item:
    opened = DiskFile.from_path(file)
    path = opened.path
    suffix = forced or suffix_of(path.name)
    if suffix is None:
        raise InputError(
            "{}: unknown format; accepted are {}, or name the format with {}", path, ACCEPTED, Param("format", "FORMAT")
        )
    check(opened, suffix)
    return _Item(path, suffix, file=opened)


def _of_run(folder: Path) -> list[DiskFile] | None:
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
            manifest_of(folder)
        except (ValueError, RunError) as error:
            raise InputError(
                "{} is a run folder with a damaged run.json: restore a copy of it, or name its files of rows", folder
            ) from error
    kept = [name for name in names_beneath(folder, "") if name.startswith("kept.")] or sorted(
        _all_beneath(folder, "kept")
    )
    if not kept:
        raise InputError(
            "{} is a run folder without kept rows (annotated, or damaged): give the input of that run instead", folder
        )
    if Path(kept[0]).suffix in (".txt", ".html"):
        raise InputError("{} is a run folder that lists the paths of kept texts: give those texts themselves", folder)
    return [FileBeneath(folder, name) for name in kept]


def _all_beneath(folder: Path, within: str) -> Iterator[str]:
    """Yield the names of all files of rows in a subfolder of a run, at any depth, without the marker and checksum files of Hadoop."""
    for entry in names_beneath(folder, within):
        name = f"{within}/{entry}"
        if is_folder_beneath(folder, name):
            yield from _all_beneath(folder, name)
        elif entry != "_SUCCESS" and not entry.endswith(".crc"):
            yield name


def _folder(folder: Path, forced: str | None, recursive: bool) -> Iterator[_Item]:
    if (kept := _of_run(folder)) is not None:
        yield from (_file(file, forced) for file in kept)
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
        for path in _walked(folder, recursive):
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
        yield _Item(folder, forced or FILES[0], tuple(texts))
    for path in sorted(data, key=lambda path: path.as_posix()):
        yield _file(path, forced)


def _walked(folder: Path, recursive: bool) -> Iterator[Path]:
    """Yield all files of a folder that are not hidden; raise OSError for a folder that cannot be entered."""

    def refuse(error: OSError) -> None:
        raise error

    for base, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if recursive and not name.startswith(".")]
        yield from (Path(base, name) for name in names if not name.startswith("."))


def _spooled(pipe: BinaryIO, name: str, forced: str | None, spool: Path | None) -> _Item:
    suffix = forced or ".jsonl"
    if spool is None:
        raise UsageError("{} can be read only once: give a folder to copy it to", name)
    path = spool / f"{name}{suffix}"
    with writing(path):
        spool.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            shutil.copyfileobj(pipe, file, 1 << 20)
    check(path, suffix)
    return _Item(path, suffix, name=name)


def _texts_together(items: list[_Item]) -> list[_Item]:
    """Combine texts and pages that were named one by one into one input, at the position of the first."""
    single = [item for item in items if item.suffix in FILES and not item.files and not item.name]
    if len(single) < 2:
        return items
    root = Path(os.path.commonpath([item.path.absolute().parent for item in single]))
    group = _Item(root, single[0].suffix, tuple(item.path.absolute() for item in single))
    return [group if item is single[0] else item for item in items if item is single[0] or item not in single]


def _names(items: list[_Item]) -> list[str]:
    """Return the names of the sources: the file name of a single one, otherwise paths relative to the common parent."""
    places = [Path(os.path.abspath(item.path)) for item in items if not item.name]  # noqa: PTH100 - links stay
    parent = Path(os.path.commonpath([place.parent for place in places])) if places else Path()
    names = iter([spell_path(place.relative_to(parent).as_posix()) for place in places])
    return [item.name or next(names) for item in items]
