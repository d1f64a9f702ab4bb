"""Source of files with one JSON array of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quchong.errors import InputError
from quchong.io.encodings import is_wide, shown
from quchong.io.files.streams import Output
from quchong.io.limits import head_of
from quchong.io.records.array_cutter import PIECE_BYTES, AmbiguousError, ArrayCutter
from quchong.io.records.file import Read, byte_order_mark
from quchong.io.records.jsonl import JsonLines
from quchong.io.records.lines import BOM, Records
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, WantedColumns


class JsonArray(JsonLines):
    """Source of a file with one JSON array of objects, however it is divided into lines.

    In blocks each value is on its own line, with carriage returns in place of its line feeds, which are white space in JSON too, so
    that the methods of JSON lines apply. Outputs are arrays again, with each value unchanged and with the indent of the file; only a
    carriage return before a line feed is lost.
    """

    FOUND = (*JsonLines.FOUND, "_indent")
    _indent = b""

    def _records(self, read: Read) -> Iterator[Records]:
        try:
            yield from self._values(self._inward(read))
        except AmbiguousError:
            raise InputError(
                "{} has characters that {} can encode in two ways, so rows cannot be written back byte for "
                "byte; convert the file to UTF-8",
                self._file.path,
                shown(self.encoding),
            ) from None

    def _values(self, read: Read) -> Iterator[Records]:
        pieces: list[bytes] = []
        lines: list[int] = []
        broken: dict[int, str] = {}
        cut: dict[int, tuple[int, bytes]] = {}
        row = size = 0
        cutter = ArrayCutter(self._headless(read), min(self._block_bytes, PIECE_BYTES), self._most, self._inner)
        for value in cutter:
            self._indent = cutter.indent
            if value.broken:
                broken[len(pieces)] = value.broken
            piece = cutter.bytes_of(value.text)
            if value.size:
                cut[len(pieces)] = value.size, head_of(piece)
                piece = b"?"
            if b"\n" in piece:
                piece = piece.replace(b"\r\n", b"\n").replace(b"\n", b"\r")
            pieces.append(piece)
            lines.append(value.lines + 1)
            size += len(piece)
            if size >= self._block_bytes:
                yield _block(pieces, lines, broken, row, cut)
                row += len(pieces)
                pieces, lines, broken, cut, size = [], [], {}, {}, 0
        if pieces or not row:
            yield _block(pieces, lines, broken, row, cut)

    def _headless(self, read: Read) -> Read:
        """Return a function that reads the file without its byte order mark, and sets the head to the mark."""
        begin: bytes | None = None

        def read_rest(size: int) -> bytes:
            nonlocal begin
            if begin is not None:
                return read(size)
            begin = read(max(size, len(BOM)))
            self._head = byte_order_mark(begin, str(self._file.path))
            return begin.removeprefix(self._head) or read(size)

        return read_rest

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        before = len(bad)
        yield from super().documents(wanted, bad, rows)
        if not is_wide(self.encoding):  # of which `outward` has said it already
            bad[before:] = (replace(one, raw=_as_it_stood(one.raw)) for one in bad[before:])

    def outward(self, piece: bytes) -> bytes:
        """See RecordForm; with the line feeds of a value."""
        return super().outward(_as_it_stood(piece))

    def written_bytes(self, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """See RecordForm: a value has a comma and its indent before it."""
        return super().written_bytes(sizes + len(self._indent) + 1)

    def head_bytes(self) -> int:
        """See Source.head_bytes: the brackets too."""
        return super().head_bytes() + len(self.outward(b"[\n]\n"))

    def _output(self, path: Path) -> Output:
        return ArrayOutput(path, self.written.compression(self._compression), lambda: self._indent, self.outward)

    def _sent(self, piece: bytes) -> bytes:
        """See RecordFile: the output, which cuts pieces at line feeds, encodes them."""
        return piece

    def annotated(self, record: bytes, names: Sequence[str], values: Sequence[Any]) -> bytes:
        """Return a record, line ending included, with the values added; see RecordForm."""
        body = record.rstrip(b" \t\r\n")
        return super().annotated(body[:-1].rstrip(b" \t\r") + b"}\n", names, values)


class ArrayOutput(Output):
    """Writer of a JSON array; it is given values, each on its own line, with the byte order mark before the first.

    Args:
        indent: function that returns the white space before each value.
        outward: see RecordForm.
        path, compression: see Output
    """

    def __init__(
        self,
        path: Path,
        compression: str | None,
        indent: Callable[[], bytes],
        outward: Callable[[bytes], bytes] = bytes,
    ) -> None:
        super().__init__(path, compression)
        self._indent, self._outward = indent, outward
        self._begun = self._some = False

    def write(self, piece: bytes) -> None:
        """Append values, each on its own line of `piece`."""
        mark = b"" if self._begun or not piece.startswith(BOM) else BOM
        out = [] if self._begun else [mark, b"["]
        self._begun = True
        indent = self._indent()
        for line in piece[len(mark) :].split(b"\n"):
            if line:
                out += [b",\n" if self._some else b"\n", indent, _as_it_stood(line)]
                self._some = True
        super().write(self._outward(b"".join(out)))

    def close(self) -> None:
        """Write the end of the array and close the file."""
        end = b"\n]\n" if self._some else b"]\n"
        super().write(self._outward(end if self._begun else b"[" + end))
        super().close()


def _as_it_stood(raw: bytes) -> bytes:
    return raw.replace(b"\r", b"\n")


def _block(
    pieces: list[bytes], lines: list[int], broken: dict[int, str], row: int, cut: dict[int, tuple[int, bytes]]
) -> Records:
    ends = np.cumsum([len(piece) + 1 for piece in pieces], dtype=np.int64)
    starts = np.append(0, ends)[: len(ends)]
    block = b"".join([part for piece in pieces for part in (piece, b"\n")])
    return Records(block, starts, ends, np.array(lines, np.int64), row, broken, cut)
