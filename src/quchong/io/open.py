"""Opening of sources for the paths and globs that a user names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import InputError, Param, UsageError
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.encodings import codec_name
from quchong.io.files.addresses import address_of, path_of
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.location import location_of
from quchong.io.folder import PAGES
from quchong.io.formats import FILES, source, suffix_for, suffix_of, takes_encoding
from quchong.io.found_inputs import FoundInput, file_at, inputs_at
from quchong.io.limits import WRITTEN
from quchong.io.remote_inputs import in_sequence, name_place
from quchong.io.source import Source
from quchong.io.stream_copies import StreamCopies
from quchong.outputs import spell_path


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
            ignored. Text files and pages named one by one make one source. An input that is named twice is read once,
            also a pipe, and standard input by any of its names.
        format: a suffix without its dot ("jsonl", "csv.gz", ...) that applies to all files, whatever their names are
        spool: folder into which standard input and pipes are copied, so that they can be read twice
        recursive: whether folders are searched below their first level
        encoding: of text and CSV files, as the user names it; None to detect it (`io/encodings.py`)
        max_record: maximum bytes of a record; a larger one is a bad record and never in memory as a whole. None for
            `limits.WRITTEN`, the limit of files that a run wrote

    Returns:
        Sources with unique names: the file name of a single source, otherwise paths relative to the common parent; "stdin" and
        the names of pipes for what was copied. A later source of the same name gets a number: "stdin", "stdin-2".

    Raises:
        InputError: a path is missing, cannot be read, is a device or a socket, is of unknown format, matches nothing, or holds no
            documents
        UsageError: no paths, an unknown format or encoding, an encoding for inputs that name theirs themselves, or a pipe without
            `spool`
    """
    if not paths:
        raise UsageError("no input: name a file, a folder, or - for standard input")
    forced = None if format is None else suffix_for(format)
    copies = StreamCopies(spool)
    found = [item for path in paths for item in inputs_at(str(path), forced, copies, recursive)]
    once: dict[str, FoundInput] = {}
    for item in found:
        once.setdefault(os.path.realpath(copies.copy_or_path(item.path)), item)
    items = _texts_together(list(once.values()))
    in_sequence([item.file for item in items if item.file is not None])
    names = _names(items)
    written = None if encoding is None else codec_name(encoding)
    if encoding is not None and not any(takes_encoding(item.suffix) for item in items):
        raise UsageError(
            "{}: {} is not a file of text, CSV or JSON lines; files of other formats state their encoding",
            Param("encoding", encoding),
            items[0].path,
        )
    opened = [
        source(
            item.file or item.path, item.suffix, name, item.files, forced is not None, written, max_record or WRITTEN
        )
        for item, name in zip(items, names, strict=True)
    ]
    for one, item in zip(opened, items, strict=True):
        if isinstance(one, ArrowFile):
            one.split_name = item.split
    return opened


def open_file(
    file: File,
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
    opened = InputFile.from_path(file)
    item = file_at(opened, None if format is None else suffix_for(format))
    if item.suffix in FILES:
        raise InputError("{} is a text, but a file with rows is needed", opened.path)
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


def one_file(path: Path, copies: StreamCopies | None = None) -> Source:
    """Open the source of one text or web page: a page if it has the suffix of one, otherwise a text.

    Args:
        path: the file, or a pipe
        copies: receive the copy of a pipe; a pipe that they hold is not read again

    Raises:
        InputError: the file is missing, cannot be read, or is a folder, a device or a socket
        UsageError: a pipe without `copies`
    """
    if str(path) == "-":
        raise InputError("- (standard input) is for one corpus: give two file names instead")
    if address_of(path) is not None:
        place = location_of(path)
        suffix = next((s for s in PAGES if place.path.name.lower().endswith(s)), FILES[0])
        return source(place.path, suffix, place.path.name, (place.path,))
    if os.path.isdir(path):  # noqa: PTH112 - never raises
        raise InputError("{} is a folder: give two files", path)
    suffix = next((s for s in PAGES if path.name.lower().endswith(s)), FILES[0])
    with reading(path):
        if not location_of(path).state().is_file:
            path = (copies or StreamCopies(None)).copy_of(str(path), suffix)
    return source(path, suffix, spell_path(path), (path,))


def _texts_together(items: list[FoundInput]) -> list[FoundInput]:
    """Combine texts and pages that were named one by one into one input, at the position of the first."""
    single = [item for item in items if _is_single_text(item)]
    if len(single) < 2:
        return items
    if len({address_of(item.path) is None for item in single}) > 1:
        raise InputError(
            "{} and {}: one call cannot read texts on this machine together with texts on other machines",
            *_unlike(single),
        )
    root = path_of(os.path.commonpath([item.path.absolute().parent for item in single]))
    group = FoundInput(root, single[0].suffix, tuple(item.path.absolute() for item in single))
    return [group if item is single[0] else item for item in items if item is single[0] or not _is_single_text(item)]


def _unlike(items: list[FoundInput]) -> tuple[Path, Path]:
    """Return the first local path and the first address among the inputs, which may not be mixed."""
    here = [item.path for item in items if address_of(item.path) is None]
    return here[0], next(item.path for item in items if item.path not in here)


def _is_single_text(item: FoundInput) -> bool:
    """Return True for a text or page that was named by itself."""
    return item.suffix in FILES and not item.files and not item.name


def _names(items: list[FoundInput]) -> list[str]:
    """Return the names of the sources, no two of them the same.

    They are the file name of a single one, otherwise paths relative to the common parent, and the names of streams; of several with the
    same name the later ones get a number.
    """
    places = [
        Path(os.path.abspath(item.path)) if address_of(item.path) is None else name_place(item.path)  # noqa: PTH100 - links stay
        for item in items
        if not item.name
    ]
    parent = Path(os.path.commonpath([place.parent for place in places])) if places else Path()
    below = iter([spell_path(place.relative_to(parent).as_posix()) for place in places])
    names = [item.name or next(below) for item in items]
    taken = set(names)
    numbers: dict[str, int] = {}
    for index, (item, name) in enumerate(zip(items, names, strict=True)):
        number = numbers.get(name, 1)
        while number > 1 and names[index] in taken:
            stem = name.removesuffix(item.suffix)
            names[index] = f"{stem}-{number}{name[len(stem) :]}"
            number += 1
        taken.add(names[index])
        numbers[name] = max(number, 2)
    return names
