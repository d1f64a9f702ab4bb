"""Blocks of text records as they are copied: their pieces are bytes, and a writer appends these to a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.files.streams import Output
from quchong.io.records.lines import Records
from quchong.io.row_copies import Block, Mask

_PIECE_BYTES = 1 << 20


class RecordForm(Protocol):
    """Form of records in one file: how notes or a new text are put into a record, and its bytes in the file."""

    @abstractmethod
    def written_bytes(self, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the most bytes that records of these sizes take in the file, without compression."""
        ...

    @abstractmethod
    def annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added."""
        ...

    @abstractmethod
    def unnoted(self, record: bytes, names: Sequence[str]) -> bytes:
        """Return a record, line ending included, without the values that `annotated` added under these names.

        Raises:
            InputChanged: it has none.
        """
        ...

    @abstractmethod
    def rewritten(self, record: bytes, key: str, text: str) -> bytes:
        """Return a record, line ending included, with its text under `key` replaced."""
        ...

    def outward(self, piece: bytes) -> bytes:
        """Convert bytes of blocks to bytes of the file; they differ only if a file in another encoding is read as UTF-8."""
        ...


class RecordBlock(Block):
    """Block of text records, whose pieces are bytes.

    Args:
        records: records of a block of the file.
        form: form of the records.
        start, end: indices of the first of them that are in this block, and past the last; None for the end.
    """

    def __init__(self, records: Records, form: RecordForm, start: int = 0, end: int | None = None) -> None:
        self._records, self._form = records, form
        self._start, self._end = start, len(records) if end is None else end

    def __len__(self) -> int:
        return self._end - self._start

    def slice(self, start: int, end: int) -> RecordBlock:
        """Return the records from index `start` to `end`, without `end`; see Block."""
        return RecordBlock(self._records, self._form, self._start + start, self._start + end)

    def piece(self, mask: Mask | None = None, others: bool = True) -> bytes | None:
        """See Block; consecutive records are copied at once."""
        records, start, end = self._records, self._start, self._end
        if mask is None and start < end and not records.cut:
            starts, ends = records.starts, records.ends
            if end - start == 1 or (starts[start + 1 : end] == ends[start : end - 1]).all():
                return records.block[starts[start] : ends[end - 1]]
        if len(self) < len(records):
            records = records.slice(start, end)
        return records.copied(np.ones(len(self), np.bool_) if mask is None else mask) or None

    def sizes(self) -> npt.NDArray[np.int64]:
        """See Block: bytes of each record in the encoding of the file, with the line ending that it may be given."""
        mine = slice(self._start, self._end)
        return self._form.written_bytes((self._records.ends[mine] - self._records.starts[mine]).astype(np.int64))

    def noted(self, notes: pa.Table, mask: Mask) -> bytes:
        """Return the piece with the chosen records and their notes; see Block."""
        names, columns = notes.column_names, [column.to_pylist() for column in notes.columns]
        values = zip(*columns, strict=True)
        annotated = self._form.annotated
        return b"".join([annotated(self._record(k), names, row) for k, row in enumerate(values) if mask[k]])

    def unnoted(self, names: Sequence[str]) -> bytes:
        """Return all records without the notes of these names; see Block."""
        return b"".join([self._form.unnoted(self._record(k), names) for k in range(len(self))])

    def rewritten(self, first: int, texts: Mapping[int, str], key: str, mask: Mask) -> bytes:
        """See Block. A record without a new text is copied byte for byte, one above the size limit is left out."""
        pieces = []
        for k in np.flatnonzero(mask).tolist():
            if self._start + k not in self._records.cut:
                record, text = self._record(k), texts.get(first + k)
                pieces.append(record if text is None else self._form.rewritten(record, key, text))
        return b"".join(pieces)

    def values(self, mask: Mask) -> list[bytes]:
        """Return the chosen records without line endings."""
        return [self._records.raw(self._start + k) for k in np.flatnonzero(mask).tolist()]

    def whole_record(self, index: int) -> tuple[int, bytes]:
        """See Block; the bytes are those of the file."""
        at = self._start + index
        return self._records.line_of(at), self._form.outward(self._records.raw(at))

    def _record(self, index: int) -> bytes:
        records, at = self._records, self._start + index
        return records.block[records.starts[at] : records.ends[at]]


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
