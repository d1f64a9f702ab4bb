"""Copies of standard input and of pipes, which can be read only once."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path
from typing import BinaryIO, cast

from quchong.errors import InputError, UsageError
from quchong.io.files.input_file import reading
from quchong.io.files.location import Location, location_of
from quchong.io.files.streams import Output, writing
from quchong.outputs import check_regular

STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
"""Names of standard input."""
_Identity = tuple[int, int] | None
"""Identity of a file or pipe, see `FileState`; None for a standard input that is no file of the system."""


class StreamCopies:
    """Folder of copies of the streams that one call names; a stream that is named twice is copied once.

    Args:
        folder: receives the copies, each under a name of its own; None for no streams, then `copy_of` raises an error.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._copies: dict[_Identity, Path] = {}
        self._fetched: dict[str, Path] = {}
        self._whole: dict[_Identity, Path] = {}  # of files that standard input was redirected from, at their beginning

    def copy_of(self, path: str, suffix: str) -> Path:
        """Return the copy of standard input or of a pipe; the stream is read to its end unless it has been copied.

        Raises:
            InputError: it is a device or a socket, or cannot be read.
            OutputError: the copy cannot be written.
            UsageError: there is no folder.
        """
        name = stream_name(path)
        if path in STDIN:
            return self._copy_of_stdin(name, suffix)
        check_regular(path, pipes=True)
        place = Path(path)
        with reading(place):
            identity = location_of(place).state().identity
            if identity in self._copies:  # opening it again would wait for another writer
                return self._copies[identity]
            with location_of(place).open() as pipe:
                return self._copy(cast("BinaryIO", pipe), identity, name, suffix)

    def copy_of_file(self, file: Location, suffix: str) -> Path:
        """Return the copy of a file that can be read only once, such as of a web server without ranges.

        Raises:
            InputError: the file cannot be read.
            OutputError: the copy cannot be written.
            UsageError: there is no folder.
        """
        key = str(file.path)
        if key not in self._fetched:
            with reading(file.path), file.open_stream() as content:
                self._fetched[key] = self._copy(content, (0, -len(self._fetched) - 1), file.path.stem, suffix)
        return self._fetched[key]

    def copy_or_path(self, path: Path) -> Path:
        """Return the copy of the file that standard input was redirected from, and any other path unchanged."""
        if not self._whole:
            return path
        try:
            return self._whole.get(location_of(path).state().identity, path)
        except OSError:  # reading it says so
            return path

    def _copy_of_stdin(self, name: str, suffix: str) -> Path:
        if sys.stdin is None:
            raise InputError("standard input is closed: redirect it from a file or a pipe")
        stream = sys.stdin.buffer
        try:
            about = os.fstat(stream.fileno())
        except (OSError, ValueError, AttributeError):  # an object of Python in its place
            return self._copies.get(None) or self._copy(stream, None, name, suffix)
        if _is_endless(about, stream):
            raise InputError("standard input is a device: redirect it from a file or a pipe")
        identity = (about.st_dev, about.st_ino)
        if identity not in self._copies:
            whole = stat.S_ISREG(about.st_mode) and not stream.tell()
            copy = self._copy(stream, identity, name, suffix)
            if whole:
                self._whole[identity] = copy
        return self._copies[identity]

    def _copy(self, stream: BinaryIO, identity: _Identity, name: str, suffix: str) -> Path:
        if self._folder is None:
            raise UsageError("{} can be read only once: name a folder for a copy", name)
        path, number, taken = self._folder / f"{name}{suffix}", 1, set(self._copies.values())
        while path in taken:  # a stream of the same name
            number += 1
            path = self._folder / f"{name}.{number}{suffix}"
        with writing(path), Output(path) as file:
            shutil.copyfileobj(stream, file, 1 << 20)
        self._copies[identity] = path
        return path


def stream_name(path: str) -> str:
    """Return the name of the source that is read from a stream: "stdin" for -, else the last part of the path."""
    return "stdin" if path == "-" else Path(path).name


def _is_endless(about: os.stat_result, stream: BinaryIO) -> bool:
    """Return True for a device other than a terminal and the null device."""
    if not stat.S_ISCHR(about.st_mode):
        return stat.S_ISBLK(about.st_mode)
    null = location_of(Path(os.devnull)).state().identity
    return not stream.isatty() and (about.st_dev, about.st_ino) != null
