"""Locations of files and folders: the port through which sources list, read and write bytes, and the local disk behind it."""

from __future__ import annotations

import io
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from quchong.outputs import open_beneath


@dataclass(frozen=True, slots=True)
class FileState:
    """State of a location, by which a changed file is recognised.

    Attributes:
        size: bytes.
        version: number that changes with the bytes: on disk the time of the last change in nanoseconds.
        is_file: True for a regular file; False for a pipe, a device or a folder.
        is_folder: True for a folder.
        identity: device and inode, by which two names of one file or pipe are recognised; None where there is no such thing.
    """

    size: int
    version: int
    is_file: bool
    is_folder: bool
    identity: tuple[int, int] | None = None


class Location(ABC):
    """Location of a file or folder. Readers and writers get their bytes from here, and open no path themselves.

    Errors are those of the file system, OSError; `input_file.reading` and `streams.writing` turn them into messages.

    Attributes:
        path: the location as messages, ids and run.json name it; on the local disk its path.
    """

    path: Path

    @abstractmethod
    def state(self) -> FileState:
        """Return the state of the file or folder now."""

    @abstractmethod
    def open(self) -> io.RawIOBase:
        """Open the file for reading, unbuffered; a range of bytes is read by `seek` and `read`. The caller closes it."""

    @abstractmethod
    def native(self) -> pa.NativeFile:
        """Open the file for Arrow, which reads it by ranges without Python. The caller closes it."""

    @abstractmethod
    def below(self, recursive: bool) -> Iterator[Location]:
        """Yield the files of a folder in any order, without hidden ones; with `recursive` those of its folders too."""

    @abstractmethod
    def create(self, append: bool = False) -> io.RawIOBase:
        """Open the file for writing, unbuffered, in place of one that is there or, with `append`, behind its bytes.

        The folder of the file is made. Outputs of a run are written whole or not at all: on disk because they are created in a
        staging folder (`quchong.outputs.staging`), elsewhere because nothing is there before the file is closed.
        """

    @abstractmethod
    def create_native(self) -> pa.NativeFile:
        """Open the file for writing by Arrow; otherwise as `create`."""


class LocalFile(Location):
    """Location on the local disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def state(self) -> FileState:
        """See Location."""
        return _state_of(self.path.stat())

    def open(self) -> io.RawIOBase:
        """See Location."""
        return io.FileIO(self.path)

    def native(self) -> pa.NativeFile:
        """See Location."""
        return pa.OSFile(os.fsencode(self.path))

    def below(self, recursive: bool) -> Iterator[Location]:
        """See Location; links to files are followed, links to folders are not."""

        def refuse(error: OSError) -> None:
            raise error

        for base, folders, names in os.walk(self.path, onerror=refuse):
            folders[:] = [name for name in folders if recursive and not name.startswith(".")]
            yield from (LocalFile(Path(base, name)) for name in names if not name.startswith("."))

    def create(self, append: bool = False) -> io.RawIOBase:
        """See Location."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return io.FileIO(self.path, "ab" if append else "wb")

    def create_native(self) -> pa.NativeFile:
        """See Location."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return pa.OSFile(os.fsencode(self.path), "wb")


class FileBeneath(LocalFile):
    """Regular file beneath an untrusted folder, such as a run folder; it is opened without following links, and never written.

    See `quchong.outputs.open_beneath`.

    Args:
        folder: as the user named it.
        name: of the file, plain and relative, with forward slashes.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder / name)
        self._folder, self._name = folder, name

    def state(self) -> FileState:
        """See Location; raises as `open`."""
        with self.open() as file:
            return _state_of(os.fstat(file.fileno()))

    def open(self) -> io.RawIOBase:
        """See Location.

        Raises:
            RunError: it is a link, or no regular file.
        """
        return io.FileIO(open_beneath(self._folder, self._name))

    def native(self) -> pa.NativeFile:
        """See Location; raises as `open`."""
        return pa.PythonFile(self.open(), mode="r")

    def below(self, recursive: bool) -> Iterator[Location]:
        """Raise NotADirectoryError, because it is a file."""
        raise NotADirectoryError(str(self.path))

    def create(self, append: bool = False) -> io.RawIOBase:
        """Raise PermissionError, because a path beneath an untrusted folder may lead elsewhere."""
        raise PermissionError(f"{self.path} is read only")

    def create_native(self) -> pa.NativeFile:
        """Raise PermissionError, see `create`."""
        raise PermissionError(f"{self.path} is read only")


def location_of(place: Path | Location) -> Location:
    """Return the location of a path; a Location is returned unchanged. A remote file system is chosen here."""
    return place if isinstance(place, Location) else LocalFile(place)


def _state_of(about: os.stat_result) -> FileState:
    is_file, is_folder = stat.S_ISREG(about.st_mode), stat.S_ISDIR(about.st_mode)
    return FileState(about.st_size, about.st_mtime_ns, is_file, is_folder, (about.st_dev, about.st_ino))
