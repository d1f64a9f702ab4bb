"""Rows of units between two passes over a corpus: in memory, or in unnamed files, one for each range of digests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Self, cast

import numpy as np

from quchong.decision.units import UnitRows
from quchong.errors import OutputError, reason_of

ROW_BYTES = 40
"""Bytes of a row in a file."""
MOST_PARTS = 512
"""Most files: each is open at once."""
_HALF = np.uint64(32)
_LOW = np.uint64((1 << 32) - 1)


class UnitRuns:
    """Rows of units, divided into parts by the first bits of their digests, so that equal units are in one part. A context manager.

    The files have no names; the system deletes them when the process ends, in whatever way.

    Args:
        parts: number of parts, from 1 to `MOST_PARTS`; one part is held in memory.
        folder: of the files; None for the system's temporary folder.

    Attributes:
        written: bytes in files.
    """

    def __init__(self, parts: int, folder: Path | None) -> None:
        self.parts = parts
        self.written = 0
        self._folder = str(folder or tempfile.gettempdir())
        self._held: list[np.ndarray] = []
        self._files: list[BinaryIO] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for _ in range(self.parts if self.parts > 1 else 0):
            file = tempfile.TemporaryFile(dir=self._folder, prefix=".quchong-units-")
            self._files.append(cast("BinaryIO", self._stack.enter_context(file)))
        return self

    def __exit__(self, *_of_error: object) -> None:
        self._held.clear()
        self._stack.close()

    def add(self, rows: UnitRows) -> None:
        """Add the rows of units to the part that each belongs to.

        Raises:
            OutputError: the disk has no space for them.
        """
        packed = np.empty((len(rows), ROW_BYTES // 8), np.uint64)
        packed[:, 0], packed[:, 1], packed[:, 2] = rows.high, rows.low, rows.number
        packed[:, 3] = (rows.start.astype(np.uint64) << _HALF) | rows.length.astype(np.uint64)
        packed[:, 4] = (rows.document.astype(np.uint64) << _HALF) | rows.words.astype(np.uint64)
        if not self._files:
            self._held.append(packed)
            return
        part = ((rows.high >> _HALF) * np.uint64(self.parts)) >> _HALF
        order = np.argsort(part, kind="stable")
        packed = packed[order]
        ends = np.searchsorted(part[order], np.arange(self.parts + 1, dtype=np.uint64))
        try:
            for file, start, end in zip(self._files, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                if end > start:
                    file.write(packed[start:end].data)
        except OSError as error:
            raise OutputError(
                "{} has no room for the results of this run: {}; write to a disk with more room, or name a "
                "folder on such a disk in TMPDIR",
                self._folder,
                reason_of(error),
            ) from error
        self.written += packed.nbytes

    def each(self) -> Iterator[UnitRows]:
        """Yield the rows of each part, once; a part is freed when the next one is asked for."""
        if not self._files:
            packed = np.concatenate(self._held) if self._held else np.zeros((0, ROW_BYTES // 8), np.uint64)
            self._held.clear()
            yield _unpacked(packed)
        for file in self._files:
            size = file.tell()
            file.seek(0)
            packed = np.empty(size // 8, np.uint64)
            if size and file.readinto(packed.data) != size:  # type: ignore[attr-defined]
                raise OutputError("a file of intermediate results in {} is incomplete: run again", self._folder)
            file.truncate(0)
            yield _unpacked(packed.reshape(-1, ROW_BYTES // 8))


def _unpacked(packed: np.ndarray) -> UnitRows:
    def number(column: int) -> np.ndarray:
        return packed[:, column].astype(np.int64)

    def upper(column: int) -> np.ndarray:
        return (packed[:, column] >> _HALF).astype(np.int64)

    def lower(column: int) -> np.ndarray:
        return (packed[:, column] & _LOW).astype(np.int64)

    return UnitRows(packed[:, 0].copy(), packed[:, 1].copy(), number(2), upper(4), upper(3), lower(3), lower(4))
