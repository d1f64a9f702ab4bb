"""Copying of WARC records to other files, byte for byte."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import InputChanged
from quchong.io.files.notes import named_notes
from quchong.io.files.streams import GZIP_LEVEL, Output
from quchong.io.row_copies import Block, Mask
from quchong.io.warc.flow import Flow
from quchong.io.warc.members import Damage
from quchong.io.warc.pages import WarcPage
from quchong.io.warc.records import Place, page_at, record_bytes
from quchong.languages import Message

_COPIED = 1 << 20
_MEMBER = 64
"""Bytes of the head and the end of a member of its own, at most."""
RAW_BYTES = 16 << 20
"""Maximum bytes of a broken record that are stored; the reason of a longer one has its location in the file."""


@dataclass(frozen=True, slots=True)
class OpenWarc:
    """WARC file that is open: its path for messages, the file, and its compression or None."""

    path: Path
    file: BinaryIO
    packing: str | None


class RecordBlock(Block):
    """Block of pages of a WARC file with the records around them; its pieces are locations of records in the file.

    Args:
        source: the file, open as long as the block is used.
        places: places of all records.
        rows: index of each record in the block, negative for records that are no documents.
    """

    def __init__(self, source: OpenWarc, places: Sequence[Place], rows: npt.NDArray[np.int64]) -> None:
        self._source, self._places, self._rows = source, places, rows
        self._pages = np.flatnonzero(rows >= 0)

    def __len__(self) -> int:
        return len(self._pages)

    def slice(self, start: int, end: int) -> RecordBlock:
        """See Block; the records before a page are with it, those behind the last page with that."""
        edges = [0, *(self._pages[:-1] + 1).tolist(), len(self._places)] if len(self) else [0]
        mine = slice(edges[start], edges[end])
        return RecordBlock(self._source, self._places[mine], self._rows[mine] - start)

    def sizes(self) -> npt.NDArray[np.int64]:
        """See Block: bytes in the file, as records are copied packed as they are."""
        return self._bytes()[self._pages]

    def other_sizes(self) -> npt.NDArray[np.int64]:
        """See Block: bytes of records that are not documents, counted with the next page or with the last one."""
        if not len(self):
            return np.zeros(0, np.int64)
        own = self._bytes()
        own[self._pages] = 0
        page = np.minimum(np.searchsorted(self._pages, np.arange(len(own))), len(self) - 1)
        return np.bincount(page, own, len(self)).astype(np.int64)

    def _bytes(self) -> npt.NDArray[np.int64]:
        return np.array([one.end - one.start if one.alone else one.size + _MEMBER for one in self._places], np.int64)

    def piece(self, mask: Mask | None = None, others: bool = True) -> Records | None:
        """Return the piece with all records, or with those that a mask chooses; None if there is nothing to write (see Block)."""
        chosen = np.full(len(self._rows), others)
        chosen[self._pages] = True if mask is None else mask
        places = [self._places[at] for at in np.flatnonzero(chosen).tolist()]
        return Records(self._source, places) if places else None

    def noted(self, notes: pa.Table, mask: Mask) -> pa.Table:
        """See Block: addresses and record ids of the chosen pages, and their notes."""
        pages = [self._page(index) for index in np.flatnonzero(mask).tolist()]
        names = {"url": [page.url for page in pages], "record_id": [page.record_id for page in pages]}
        return named_notes(names, notes.filter(pa.array(mask)))

    def _page(self, index: int) -> WarcPage:
        place = self._places[int(self._pages[index])]
        found = page_at(self._source.file, self._source.packing, place)
        if found is None or found.page is None:
            gone = Message("no WARC record begins at this byte")
            raise InputChanged("the record at byte {} can no longer be read: {}; run again", place.start, gone)
        return found.page

    def whole_record(self, index: int) -> tuple[None, bytes]:
        """See Block; the bytes are those in the file, compressed if the record has its own members."""
        place = self._places[int(self._pages[index])]
        if (place.end - place.start if place.alone else place.size) > RAW_BYTES:
            return None, b""
        if not place.alone:
            return None, record_bytes(self._source.file, self._source.packing, place)
        self._source.file.seek(place.start)
        return None, self._source.file.read(place.end - place.start)


@dataclass(frozen=True, slots=True)
class Records:
    """Locations of records in an open WARC file, in order."""

    source: OpenWarc
    places: Sequence[Place]


class RecordWriter:
    """Writer of a WARC file with records of other files, byte for byte; consecutive records are copied at once."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._copies: dict[BinaryIO, _RecordCopy] = {}

    def write(self, records: Records) -> None:
        """Append records; those of one file must be given in the order of the file, which is open.

        Raises:
            InputChanged: a record cannot be read any more
        """
        copy = self._copies.setdefault(records.source.file, _RecordCopy(records.source, self._output))
        for place in records.places:
            copy.record(place)
        copy.flush()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._output.__exit__(kind, error, trace)


class _RecordCopy:
    """Copier of records of one file to an output; consecutive records are copied at once, a shared member is decompressed once."""

    def __init__(self, source: OpenWarc, output: Output) -> None:
        self._path, self._file, self._packing, self._output = source.path, source.file, source.packing, output
        self._waiting: tuple[int, int] | None = None
        self._flow: Flow | None = None

    def record(self, place: Place) -> None:
        """Copy one record; records must be given in the order of the file.

        Raises:
            InputChanged: the record cannot be read any more
        """
        if place.alone:
            if self._waiting is not None and self._waiting[1] == place.start:
                self._waiting = self._waiting[0], place.end
                return
            self.flush()
            self._waiting = place.start, place.end
            return
        self.flush()
        flow = self._flow
        if flow is None or flow.start != place.start or flow.at > place.offset:
            flow = self._flow = Flow(self._file, place.start, self._packing)
        try:
            flow.skip(place.offset - flow.at)
            sink: Any = _Member(self._output) if self._packing == "gzip" else _Framed(self._output, self._packing or "")
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
                "the record at byte {} can no longer be read: {}; run again", place.start, damage
            ) from damage

    def flush(self) -> None:
        """Write the byte range that is waiting for consecutive records."""
        if self._waiting is not None:
            start, end = self._waiting
            while start < end:
                self._file.seek(start)
                piece = self._file.read(min(_COPIED, end - start))
                if not piece:
                    raise InputChanged(
                        "{} became shorter while it was read; run again when no program writes to it", self._path
                    )
                self._output.write(piece)
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
