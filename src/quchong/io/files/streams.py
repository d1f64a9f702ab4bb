"""Readers and writers of plain and compressed files."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from quchong.errors import OutputError, reason_of
from quchong.io.files.input_file import InputFile
from quchong.io.files.location import location_of
from quchong.languages import Message

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".xz": "xz"}

GZIP_LEVEL = 6  # Arrow's own gzip stream is fixed at 9: three times the time for 2% of the size

XZ_LEVEL = 1  # level 6 of the standard library takes six times the time for 5% of the size

_REMEDIES = {
    errno.ENOSPC: Message("free some space or choose another disk"),
    errno.EDQUOT: Message("free some space or choose another disk"),
    errno.EACCES: Message("change the permissions of this place, or choose another place"),
    errno.EPERM: Message("change the permissions of this place, or choose another place"),
    errno.EROFS: Message("choose a place that can be written"),
}


@contextmanager
def reader(file: InputFile, compression: str | None, digest: bool = False) -> Iterator[Callable[[int], bytes]]:
    """Open a file as a function `read(size)` that returns its decompressed bytes, empty at the end; gzip members are joined.

    Raises:
        OSError: of the file or the codec; `input_file.reading` converts it
    """
    with file.open(digest) as raw:
        if compression is None:
            yield raw.read
            return
        with _unpacked(raw, compression) as unpacked:
            yield unpacked.read


class _XzFile(lzma.LZMAFile):
    """Reader of xz data, whose errors are those of files."""

    def read(self, size: int | None = -1) -> bytes:
        try:
            return super().read(size)
        except (lzma.LZMAError, EOFError) as error:  # an end that came too early
            raise OSError(str(error)) from error


def _unpacked(raw: Any, compression: str) -> Any:
    """Return a reader of the decompressed bytes of a file, a context manager."""
    if compression == "xz":  # which Arrow does not read
        return _XzFile(raw)
    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), compression)


_FIRST, _MOST = 1 << 20, 32 << 20
"""Bytes of a file's beginning that are read, and their maximum decompressed bytes."""


@contextmanager
def beginning(file: InputFile, compression: str | None) -> Iterator[tuple[Callable[[int], bytes], Callable[[], int]]]:
    """Open the first MiB of a file: a function `read(size)` of its decompressed bytes, and one that returns the bytes taken from the file.

    Raises:
        OSError, ArrowException: of the file or the codec
    """
    left = _MOST if compression is not None else _FIRST
    with file.location.open() as raw, ExitStack() as stack:
        unpacked: Any = raw
        if compression is not None:
            unpacked = stack.enter_context(_unpacked(raw, compression))

        def read(size: int) -> bytes:
            nonlocal left
            if left <= 0 or (compression is not None and raw.tell() >= _FIRST):
                return b""
            piece: bytes = unpacked.read(min(size, left, _FIRST))
            left -= len(piece)
            return piece

        yield read, raw.tell


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of writing `path` within the context to an OutputError that names the file and a remedy."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        number = error.errno if isinstance(error, OSError) else None
        remedy = _REMEDIES.get(number or 0, Message("choose another place"))
        raise OutputError("cannot write {}: {}; {}", path, reason_of(error), remedy) from error


@contextmanager
def closed_on_error(file: Any) -> Iterator[None]:
    """Close a file that has just been opened if an error leaves the context, such as one of the writer that is made for it."""
    try:
        yield
    except BaseException:
        with suppress(OSError, pa.ArrowException):  # the first error is the one to tell
            file.close()
        raise


class FileWriter(ABC):
    """Base class of a writer of one file, a context manager that closes it; after an error within, errors of closing are ignored."""

    @abstractmethod
    def close(self) -> None:
        """Write what is left and close the file.

        Raises:
            OutputError: the file cannot be written
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        with suppress(OutputError):  # the first error is the one to tell
            self.close()


class Output(FileWriter):
    """Writer of a plain or compressed file, which appends to an existing file with `append`; a missing folder is made.

    Equal input gives an equal file, because gzip data is written without a time.

    Raises:
        OutputError: on opening, writing or closing, each of which may fail on a full disk
    """

    def __init__(self, path: Path, compression: str | None = None, *, append: bool = False) -> None:
        self.path = path
        self._raw: Any = None
        self._file: Any = None
        with writing(path):
            raw: Any = location_of(path).create(append)
            self._raw = raw if compression is None else io.BufferedWriter(raw, 1 << 20)
            with closed_on_error(self._raw):
                self._file = _packed(self._raw, compression)

    def write(self, piece: bytes) -> None:
        """Write all bytes of `piece`."""
        with writing(self.path):
            view = memoryview(piece)
            while view:  # an unbuffered file may take less than it is given
                view = view[self._file.write(view) or len(view) :]

    def close(self) -> None:
        """Finish the compressed stream and close the file."""
        with writing(self.path):
            try:
                if self._file is not self._raw:
                    self._file.close()
            finally:
                self._raw.close()


def _packed(raw: Any, compression: str | None) -> Any:
    if compression is None:
        return raw
    if compression == "gzip":
        return gzip.GzipFile("", "wb", GZIP_LEVEL, raw, mtime=0)
    if compression == "bz2":
        return bz2.BZ2File(raw, "wb")
    if compression == "xz":
        return lzma.LZMAFile(raw, "wb", preset=XZ_LEVEL)
    return pa.CompressedOutputStream(pa.PythonFile(raw, mode="w"), compression)
