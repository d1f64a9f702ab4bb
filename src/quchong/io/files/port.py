"""Interface of locations: the methods that every file and folder must have, on this machine or in a store."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa


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

    def quick_digest(self) -> str | None:
        """Return a short text that changes with the file's contents, from the store's version, without reading; None if there is none."""
        return None

    def by_ranges(self) -> bool:
        """Return True if the file has a known size and can be read by ranges; otherwise only from the beginning to the end."""
        return True

    def open_stream(self) -> BinaryIO:
        """Open the file for one reading from the beginning to the end, of which not even the size need be known."""
        return io.BufferedReader(self.open(), 1 << 20)


class ReadOnlyFile(Location):
    """File that can be read only: in a folder that is not trusted, whose paths may lead elsewhere, or in an archive."""

    def native(self) -> pa.NativeFile:
        """See Location; raises as `open`."""
        return pa.PythonFile(self.open(), mode="r")

    def below(self, recursive: bool) -> Iterator[Location]:
        """Raise NotADirectoryError, because it is a file."""
        raise NotADirectoryError(str(self.path))

    def create(self, append: bool = False) -> io.RawIOBase:
        """Raise PermissionError, because it is only read."""
        raise PermissionError(f"{self.path} is read only")

    def create_native(self) -> pa.NativeFile:
        """Raise PermissionError, see `create`."""
        raise PermissionError(f"{self.path} is read only")
