"""Writers of files that consist of parts of other files: bytes, byte ranges, batches of columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.files.input_file import File, InputFile, reading
from quchong.io.files.streams import Output

_PIECE_BYTES = 1 << 20
_BATCH_ROWS, _BATCH_BYTES = 1 << 16, 16 << 20


class Bytes:
    """Writer of a text file in blocks of about a megabyte; a record without line ending gets one before the next record.

    The head and all pieces are passed through `outward`, which encodes them from UTF-8 to the encoding of the file.
    """

    def __init__(self, output: Output, head: bytes, outward: Callable[[bytes], bytes] = bytes) -> None:
        self._outward = outward
        self._output = output
        self._pieces, self._size = [head], len(head)
        self._open = False

    def write(self, piece: bytes) -> None:
        """Append records, whose last line ending may be missing."""
        if self._open:
            self._pieces.append(b"\n")
        self._open = not piece.endswith(b"\n")
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size >= _PIECE_BYTES:
            self._flush()

    def _flush(self) -> None:
        self._output.write(self._outward(b"".join(self._pieces)))
        self._pieces, self._size = [], 0

    def __enter__(self) -> Bytes:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            with self._output:
                self._flush()
        else:
            self._output.__exit__(kind, error, trace)


class Stretches:
    """Writer of a file that consists of byte ranges of other files."""

    def __init__(self, path: Path) -> None:
        self._output = Output(path)

    def write(self, stretch: tuple[File, int, int]) -> None:
        """Append the bytes of a file from a start to an end offset.

        Raises:
            InputChanged: the file ends before the range does.
        """
        source, at, end = stretch
        opened = InputFile.from_path(source)
        path = opened.path
        with reading(path), opened.location.open() as file:
            file.seek(at)
            while at < end:
                piece = file.read(min(_PIECE_BYTES, end - at))
                if not piece:
                    raise InputChanged("{} became shorter while it was read", path)
                self._output.write(piece)
                at += len(piece)

    def __enter__(self) -> Stretches:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._output.__exit__(kind, error, trace)


class Batches:
    """Writer of columns that combines small batches into batches of about _BATCH_ROWS rows or _BATCH_BYTES bytes."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._gathered: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch."""
        self._gathered.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= _BATCH_ROWS or self._bytes >= _BATCH_BYTES:
            self._flush()

    def _flush(self) -> None:
        for batch in pa.Table.from_batches(self._gathered).combine_chunks().to_batches() if self._gathered else ():
            self._writer.write(batch)
        self._gathered, self._rows, self._bytes = [], 0, 0

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self._flush()
