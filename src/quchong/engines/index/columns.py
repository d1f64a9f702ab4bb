"""Columns of one row a document: files of fixed-width rows that are appended to and mapped, see docs/index-format.md."""

from __future__ import annotations

import mmap
import os
import sys
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from quchong.candidates.postings import SIZE_TYPES
from quchong.kernels.postings import DocumentSizes
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.work.value_parts import Damaged

SPARE = 1 << 16
"""Rows of a file beyond those that are sealed: zeros that take no room on the disk, which unsealed rows cover in memory."""
HEAD = 64
"""Bytes before the first row."""
_NAMES = ("size", "window", "time", "scope")
_SIGNATURE = "signature"


class ColumnSums(NamedTuple):
    """CRC-32 of each column over the rows of documents `first` to `first + documents` - 1."""

    first: int
    documents: int
    sums: tuple[int, ...]


class ColumnFiles:
    """Rows of all documents by number: sealed rows are mapped from files, newer rows are in memory behind them.

    Opening reads nothing but the heads of the files. A mapping is private: rows added later never reach a file, nor does a full disk
    matter to them; `write` appends them. Not thread-safe, but all views that `rows` returned stay as they are.

    Args:
        folder: folder of the files.
        words: words of a signature; 0 for none.
        sealed: rows that are sealed.
        writable: False to leave the files as they are, for a reader beside the process that writes.

    Raises:
        Damaged: a file is of another format, or has fewer rows than are sealed.
        OSError: a file cannot be read or made.
    """

    def __init__(self, folder: OwnFolder, words: int, sealed: int, *, writable: bool = True) -> None:
        self._folder, self._writable = folder, writable
        self._types: dict[str, tuple[Any, tuple[int, ...]]] = {
            f"{name}.column": (np.dtype(kind), ()) for name, kind in zip(_NAMES, SIZE_TYPES, strict=True)
        }
        if words:
            self._types[f"{_SIGNATURE}.column"] = (np.dtype(np.uint64), (words,))
        self._words, self._sealed, self._used = words, sealed, sealed
        if writable:
            self._extend(sealed + SPARE)
        self._arrays = [self._mapped(name) for name in self._types]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, each of which is a file."""
        return tuple(self._types)

    def _row_bytes(self, name: str) -> int:
        kind, shape = self._types[name]
        return int(kind.itemsize) * (shape[0] if shape else 1)

    def _mark(self, name: str) -> bytes:
        text = f"quchong column 1 {sys.byteorder} {self._types[name][0].name} {self._row_bytes(name)}\n"
        return text.encode().ljust(HEAD, b"\0")

    def _extend(self, rows: int) -> None:
        """Create missing files and lengthen short ones to `rows` rows, except damaged ones."""
        for name in self._types:
            try:
                file = self._folder.open(name, "r+b")
            except FileNotFoundError:
                self._check_unsealed(name)
                with self._folder.open(name, "xb") as file:
                    file.write(self._mark(name))
                    file.truncate(HEAD + rows * self._row_bytes(name))
                continue
            with file:
                if self._check(file, name) < rows:
                    file.truncate(HEAD + rows * self._row_bytes(name))

    def _mapped(self, name: str) -> np.ndarray:
        """Return the rows of a column file as a private mapping, at least all sealed rows."""
        kind, shape = self._types[name]
        try:
            file = self._folder.open(name)
        except FileNotFoundError:
            self._check_unsealed(name)
            return np.zeros((0, *shape), kind)
        with file:
            rows = self._check(file, name)
            mapped = mmap.mmap(file.fileno(), HEAD + rows * self._row_bytes(name), access=mmap.ACCESS_COPY)
        made: np.ndarray = np.frombuffer(mapped, kind, offset=HEAD).reshape(-1, *shape)
        return made

    def _check_unsealed(self, name: str) -> None:
        """Raise Damaged for a missing file, unless nothing was sealed."""
        if self._sealed:
            raise Damaged(Message("{} is missing", name))

    def _check(self, file: BinaryIO, name: str) -> int:
        """Return the rows of a file; raise Damaged if it is of another format, or has fewer rows than are sealed."""
        if file.read(HEAD) != self._mark(name):
            raise Damaged(Message("{} does not begin with the mark of its file type", name))
        rows = (os.fstat(file.fileno()).st_size - HEAD) // self._row_bytes(name)
        if rows < self._sealed:
            raise Damaged(Message("{} has only {:,} of {:,} rows", name, rows, self._sealed))
        return rows

    def rows(self) -> tuple[DocumentSizes, np.ndarray]:
        """Return views of all rows: the sizes, and the signatures (uint64, documents by words)."""
        views = [array[: self._used] for array in self._arrays]
        signatures = views[4] if self._words else np.zeros((self._used, 0), np.uint64)
        return DocumentSizes(*views[:4]), signatures

    def add(self, sizes: DocumentSizes, signatures: np.ndarray) -> None:
        """Append rows in memory. Cost: a copy of them, and of all unsealed rows whenever the reserve is full."""
        end = self._used + len(sizes)
        if end > min(map(len, self._arrays)):
            self._grow(max(end, self._sealed + 2 * (self._used - self._sealed)) + SPARE)
        for array, values in zip(self._arrays, self._columns(sizes, signatures), strict=True):
            array[self._used : end] = values
        self._used = end

    def _columns(self, sizes: DocumentSizes, signatures: np.ndarray) -> list[np.ndarray]:
        return [*sizes, signatures] if self._words else list(sizes)

    def _grow(self, rows: int) -> None:
        if self._writable:
            self._extend(rows)
            self._remap()
        else:  # the files are another process's to lengthen
            older = self._arrays
            self._arrays = [np.zeros((rows, *array.shape[1:]), array.dtype) for array in older]
            for new, array in zip(self._arrays, older, strict=True):
                new[: self._used] = array[: self._used]

    def _remap(self) -> None:
        """Map the files again, and copy the unsealed rows behind them, which frees memory for rows written since."""
        older = self._arrays
        self._arrays = [self._mapped(name) for name in self._types]
        for new, array in zip(self._arrays, older, strict=True):
            new[self._sealed : self._used] = array[self._sealed : self._used]

    def write(self, end: int, sizes: DocumentSizes, signatures: np.ndarray) -> ColumnSums:
        """Write the unsealed rows below `end` to the files and flush them; return their checksums. Memory is unchanged.

        Raises:
            OSError: there is no room; rows that are sealed are whole.
        """
        first = self._sealed
        sums = []
        for name, values in zip(self._types, self._columns(sizes, signatures), strict=True):
            data = np.ascontiguousarray(values[first:end]).tobytes()
            with self._folder.open(name, "r+b") as file:
                file.seek(HEAD + first * self._row_bytes(name))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            sums.append(zlib.crc32(data))
        return ColumnSums(first, end - first, tuple(sums))

    def seal(self, end: int) -> None:
        """Mark the rows below `end` as sealed: from now on they are read from the files."""
        self._sealed = end
        self._extend(end + SPARE)
        self._remap()

    def damaged(self, parts: Sequence[ColumnSums]) -> list[str]:
        """Return the names of column files whose rows differ from their checksums. Cost: reads all rows once."""
        return [
            name
            for k, name in enumerate(self._types)
            if not self._agrees(name, [(p.first, p.documents, p.sums[k]) for p in parts])
        ]

    def _agrees(self, name: str, parts: Sequence[tuple[int, int, int]]) -> bool:
        with self._folder.open(name) as file:
            if file.read(HEAD) != self._mark(name):
                return False
            for first, documents, wanted in parts:
                file.seek(HEAD + first * self._row_bytes(name))
                if _sum_of(file, documents * self._row_bytes(name)) != wanted:
                    return False
        return True


def _sum_of(file: BinaryIO, left: int) -> int:
    """Return the CRC-32 of the next `left` bytes of a file, or of fewer if it ends."""
    total = 0
    while left and (data := file.read(min(left, 1 << 20))):
        total = zlib.crc32(data, total)
        left -= len(data)
    return total
