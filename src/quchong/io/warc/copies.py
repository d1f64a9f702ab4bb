"""Copying of WARC records to other files, byte for byte."""

from __future__ import annotations

import gzip
from typing import Any, BinaryIO

import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.files.streams import GZIP_LEVEL, Output
from quchong.io.warc.flow import Flow
from quchong.io.warc.members import Damage
from quchong.io.warc.records import Place

_COPIED = 1 << 20


class RecordCopy:
    """Copier of records to outputs; consecutive records for one output are copied at once, a shared member is decompressed once."""

    def __init__(self, file: BinaryIO, packing: str | None) -> None:
        self._file, self._packing = file, packing
        self._waiting: tuple[int, int, Output] | None = None
        self._flow: Flow | None = None

    def record(self, place: Place, output: Output) -> None:
        """Copy one record to an output; records must be given in the order of the file.

        Raises:
            InputChanged: the record cannot be read any more
        """
        if place.alone:
            if self._waiting is not None and self._waiting[1:] == (place.start, output):
                self._waiting = self._waiting[0], place.end, output
                return
            self.flush()
            self._waiting = place.start, place.end, output
            return
        self.flush()
        flow = self._flow
        if flow is None or flow.start != place.start or flow.at > place.offset:
            flow = self._flow = Flow(self._file, place.start, self._packing)
        try:
            flow.skip(place.offset - flow.at)
            sink: Any = _Member(output) if self._packing == "gzip" else _Framed(output, self._packing or "")
            left = place.size
            while left:
                piece = flow.take(min(left, _COPIED))
                if not piece:
                    break
                sink.write(piece)
                left -= len(piece)
            sink.close()
        except Damage as damage:
            raise InputChanged(
                "a record at byte {} cannot be read any more: {}; run again", place.start, damage
            ) from damage

    def flush(self) -> None:
        """Write the byte range that is waiting for consecutive records."""
        if self._waiting is not None:
            start, end, output = self._waiting
            while start < end:
                self._file.seek(start)
                piece = self._file.read(min(_COPIED, end - start))
                if not piece:
                    break
                output.write(piece)
                start += len(piece)
            self._waiting = None


class _Member:
    """Writer of one record as its own gzip member."""

    def __init__(self, output: Output) -> None:
        self._pack = gzip.GzipFile("", "wb", GZIP_LEVEL, _Sink(output), mtime=0)

    def write(self, piece: bytes) -> None:
        self._pack.write(piece)

    def close(self) -> None:
        self._pack.close()


class _Framed:
    """Writer of one record as its own zstd or lz4 frame."""

    def __init__(self, output: Output, packing: str) -> None:
        self._raw = pa.BufferOutputStream()
        self._pack = pa.CompressedOutputStream(self._raw, packing)
        self._output = output

    def write(self, piece: bytes) -> None:
        self._pack.write(piece)

    def close(self) -> None:
        self._pack.close()
        self._output.write(self._raw.getvalue().to_pybytes())


class _Sink:
    """File object for `gzip` that writes to an Output."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, piece: bytes) -> int:
        self._output.write(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing, because an Output has no buffer of its own."""
