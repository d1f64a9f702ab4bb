"""Storage of a run's texts and tables: in memory up to a bound, beyond the bound in a memory-mapped file."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Self, cast

import numpy as np
import pyarrow as pa

from quchong.errors import OutputError, reason_of

ALIGNED = 64
"""Bytes to which arrays in a file are aligned."""


class UnnamedFile:
    """Unnamed temporary file that is mapped into memory part by part as it is written.

    The file has no name in its folder, and the system deletes it when the process ends, in whatever way. The system may drop its
    pages and read them again, so they do not count as memory of this process.

    Args:
        folder: of the file; None for the system's temporary folder.

    Attributes:
        written: bytes in the file.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.place, self.written = str(folder or tempfile.gettempdir()), 0
        self._file: BinaryIO | None = None

    def close(self) -> None:
        """Close the file; buffers that are mapped remain valid."""
        if self._file is not None:
            self._file.close()

    def mapped(self, write: Callable[[BinaryIO], object]) -> pa.Buffer:
        """Append the bytes that `write` writes to the file, and return them as a mapped buffer.

        Raises:
            OSError: the disk has no space for them.
        """
        if self._file is None:
            self._file = cast("BinaryIO", tempfile.TemporaryFile(dir=self.place, prefix=".quchong-held-"))  # noqa: SIM115
        start = self.written
        self._file.seek(start)
        write(self._file)
        self._file.flush()
        size = self._file.tell() - start
        self.written = -(-(start + size) // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self._file.truncate(self.written)
        return pa.py_buffer(mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_READ, offset=start))


class _Keeper:
    """Storage in memory up to a bound, beyond it in a file. A context, left when all is stored.

    Args:
        folder: of the file (`UnnamedFile`); None for the system's temporary folder.
        bound: bytes held in memory; None for no bound.
    """

    def __init__(self, folder: Path | None = None, bound: int | None = None) -> None:
        self._held, self._bound, self._file = 0, bound, UnnamedFile(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_of_error: object) -> None:
        self._file.close()

    @property
    def written(self) -> int:
        """Bytes in the file."""
        return self._file.written

    def _has_room(self, size: int) -> bool:
        """Return True if `size` more bytes fit in memory, and count them as used; nothing is counted otherwise."""
        if not size or self._bound is None or self._held + size <= self._bound:
            self._held += size
            return True
        return False


class TextKeeper(_Keeper):
    """Storage for batches of texts: a batch is returned as it is up to a bound of memory, beyond it mapped from a file.

    Use as a context manager, left when all batches are stored.
    """

    def keep(self, texts: pa.Array) -> pa.Array:
        """Store a batch of texts; return the same array if it fits in memory, else an equal array mapped from the file.

        Args:
            texts: large_string, without nulls.

        Raises:
            OutputError: there is no room for the file.
        """
        if self._has_room(texts.nbytes if len(texts) else 0):
            return texts
        try:
            return self._mapped(texts)
        except OSError as error:
            raise OutputError(
                "{} has no room for the texts of this run ({:,} bytes read so far): {}; write to a disk with "
                "as much room as the input takes, or name a folder on such a disk in TMPDIR",
                self._file.place,
                self._held + self.written,
                reason_of(error),
            ) from error

    def _mapped(self, texts: pa.Array) -> pa.Array:
        _, places, data = texts.buffers()
        offsets = np.frombuffer(places, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        first, last = int(offsets[0]), int(offsets[-1])

        def write(file: BinaryIO) -> None:
            file.write((offsets - first).tobytes())
            if last > first:
                file.write(memoryview(data)[first:last])

        whole = self._file.mapped(write)
        return pa.LargeStringArray.from_buffers(len(texts), whole.slice(0, offsets.nbytes), whole.slice(offsets.nbytes))


class FoundKeeper(_Keeper):
    """Storage for a run's results, tables and arrays: in memory up to a bound, beyond it mapped from a file. A context."""

    @property
    def bounded(self) -> bool:
        """True if memory is bounded."""
        return self._bound is not None

    def table(self, table: pa.Table) -> pa.Table:
        """Store a table; return the same table if it fits in memory, else an equal table mapped from the file.

        Raises:
            OutputError: the disk has no space for the file.
        """
        if self._has_room(table.nbytes):
            return table

        def write(file: BinaryIO) -> None:
            with pa.ipc.new_file(file, table.schema) as stream:
                stream.write_table(table)

        return pa.ipc.open_file(self._mapped(write)).read_all()

    def arrays(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Store arrays; return the same arrays if they fit in memory, else equal read-only arrays mapped from the file.

        Raises:
            OutputError: the disk has no space for the file.
        """
        if self._has_room(sum(one.nbytes for one in arrays)):
            return list(arrays)
        places = np.cumsum([0, *(-(-one.nbytes // ALIGNED) * ALIGNED for one in arrays)]).tolist()

        def write(file: BinaryIO) -> None:
            start = file.tell()
            for one, place in zip(arrays, places, strict=False):
                file.seek(start + place)
                file.write(np.ascontiguousarray(one).data)

        whole = self._mapped(write)
        return [
            np.frombuffer(whole, one.dtype, one.size, place).reshape(one.shape) if one.size else one
            for one, place in zip(arrays, places, strict=False)
        ]

    def _mapped(self, write: Callable[[BinaryIO], object]) -> pa.Buffer:
        try:
            return self._file.mapped(write)
        except OSError as error:
            raise OutputError(
                "{} has no room for the results of this run: {}; write to a disk with more room, or name a "
                "folder on such a disk in TMPDIR",
                self._file.place,
                reason_of(error),
            ) from error
