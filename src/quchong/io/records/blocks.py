"""Blocks of text records as they are copied: their pieces are bytes, and a writer appends these to a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from quchong.io.files.streams import Output
from quchong.io.records.lines import Records
from quchong.io.row_copies import Block, Mask

_PIECE_BYTES = 1 << 20


class RecordForm(Protocol):
    """Form of the records of one file: how a record takes notes or another text, and what its bytes are in the file."""

    @abstractmethod
    def annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added."""
        ...

    @abstractmethod
    def rewritten(self, record: bytes, key: str, text: str) -> bytes:
        """Return a record, line ending included, with the new text under `key`."""
        ...

    def outward(self, piece: bytes) -> bytes:
        """Convert bytes of blocks to bytes of the file; they differ only if a file in another encoding is read as UTF-8."""
        ...


class RecordBlock(Block):
    """Block of text records, whose pieces are bytes; `records` are those of the block."""

    def __init__(self, records: Records, form: RecordForm) -> None:
        self.records, self._form = records, form

    def __len__(self) -> int:
        return len(self.records)

    def part(self, start: int, end: int) -> RecordBlock:
        """See Block."""
        return RecordBlock(self.records.part(start, end), self._form)

    def piece(self, mask: Mask | None = None, others: bool = True) -> bytes | None:
        """See Block; consecutive records are copied at once."""
        return self.records.copied(mask) or None

    def noted(self, notes: pa.Table, mask: Mask) -> bytes:
        """See Block."""
        names, columns = notes.column_names, [column.to_pylist() for column in notes.columns]
        values = zip(*columns, strict=True)
        return b"".join([self._form.annotated(self._record(k), names, row) for k, row in enumerate(values) if mask[k]])

    def rewritten(self, first: int, texts: Mapping[int, str], key: str, mask: Mask) -> bytes:
        """See Block. A record without a new text is copied byte for byte, one above the size limit is left out."""
        pieces = []
        for index in np.flatnonzero(mask).tolist():
            if index not in self.records.cut:
                record, text = self._record(index), texts.get(first + index)
                pieces.append(record if text is None else self._form.rewritten(record, key, text))
        return b"".join(pieces)

    def values(self, mask: Mask) -> list[bytes]:
        """Return the chosen records without line endings."""
        return [self.records.raw(index) for index in np.flatnonzero(mask).tolist()]

    def whole(self, index: int) -> tuple[int, bytes]:
        """See Block; the bytes are those of the file."""
        return self.records.line_of(index), self._form.outward(self.records.raw(index))

    def _record(self, index: int) -> bytes:
        return self.records.block[self.records.starts[index] : self.records.ends[index]]


class RecordWriter:
    """Writer of a text file in blocks of about a megabyte; a record without line ending gets one before the next record.

    Args:
        output: the file.
        head: function that returns what the file begins with; called before the first bytes are written, or at the end.
        outward: function that encodes head and pieces from UTF-8 to the encoding of the file.
    """

    def __init__(
        self, output: Output, head: Callable[[], bytes] = bytes, outward: Callable[[bytes], bytes] = bytes
    ) -> None:
        self._output, self._head, self._outward = output, head, outward
        self._pieces: list[bytes] = []
        self._size = 0
        self._begun = self._open = False

    def write(self, piece: bytes) -> None:
        """Append records, whose last line ending may be missing."""
        if not piece:
            return
        if self._open:
            self._pieces.append(b"\n")
        self._open = not piece.endswith(b"\n")
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size >= _PIECE_BYTES:
            self._flush()

    def _flush(self) -> None:
        if not self._begun:
            self._pieces.insert(0, self._head())
            self._begun = True
        self._output.write(self._outward(b"".join(self._pieces)))
        self._pieces, self._size = [], 0

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            with self._output:
                self._flush()
        else:
            self._output.__exit__(kind, error, trace)
