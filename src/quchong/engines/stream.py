"""Filter of a stream of records: the first record of each text passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from quchong.io.limits import LARGEST
from quchong.io.missing_columns import several_texts
from quchong.io.page_documents import PageReader
from quchong.io.records.json_reader import JsonReader
from quchong.io.records.jsonl import LOOKED_AT, keys_of
from quchong.io.records.line_stream import LineStream
from quchong.io.records.lines import Records
from quchong.io.records.reader import Refused, decoded, is_utf8
from quchong.io.source import Bad, Source, WantedColumns
from quchong.io.usual_columns import usual_columns
from quchong.kernels.arrays import Texts
from quchong.kernels.checked import threads_of
from quchong.seam import FirstSeen


@dataclass(frozen=True, slots=True)
class Decided:
    """Decision on some records of the stream: those that pass, those that repeat an earlier text, and those that cannot be read."""

    passed: bytes
    removed: bytes
    bad: list[Bad]


@dataclass
class Tally:
    """Number of records so far, by decision."""

    read: int = 0
    passed: int = 0
    removed: int = 0
    skipped: int = 0


@dataclass
class Stream:
    """Inputs read one after another and passed through one filter, record by record.

    `documents` decides a source with one document per file. `feed` takes bytes of any length and decides all complete
    lines; `finish` decides the rest of an input. In JSON lines, blank lines are not records and are dropped. If a
    line is a text, a blank line is an empty text, which equals no other. A record without a line ending gets one if
    another follows.

    Args:
        filter: the filter, which answers for each text and adds it.
        text: keys of the text in a JSON object, several joined by a line feed; None if a line is a text.
        workers: threads.
        pages: reader of web pages that are used if a text is missing.
        most: maximum size of a record in bytes; a larger one is a bad record, of which only the beginning is kept in memory.
        found: by name of the input, the key of the text that was found under a usual name, where the records have no key "text".
    """

    filter: FirstSeen
    text: tuple[str, ...] | None = ("text",)
    workers: int | None = None
    pages: PageReader = field(default_factory=PageReader)
    tally: Tally = field(default_factory=Tally)
    most: int = LARGEST
    _name: str = ""
    _lines_of: LineStream = field(default_factory=lambda: LineStream(""))
    _reader: JsonReader | None = None
    _open_ends: dict[str, bool] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        threads_of(self.workers)  # refuses what is no number of workers, before anything is read

    def begin(self, name: str) -> None:
        """Start the next input; `name` identifies it in messages."""
        self._name, self._lines_of = name, LineStream(name, self.text is None, self.most)
        self._reader = None if self.text is None else self._json_reader()

    def _json_reader(self) -> JsonReader:
        return JsonReader(self.pages.columns_to_read(self._wanted_columns), self._name, self._name, most=self.most)

    @property
    def _wanted_columns(self) -> WantedColumns:
        if self._name in self.found:
            return WantedColumns((self.found[self._name],), None)
        return WantedColumns(self.text or ("text",), None)

    def _look_for_text(self, records: Records) -> None:
        """Take a usual name as the key of the text, if the first records have it and neither a text nor a page.

        Raises:
            InputError: several keys may be the text.
        """
        if self.text != ("text",) or records.row or self._name in self.found:
            return
        keys = keys_of(records.raw(index) for index in range(min(len(records), LOOKED_AT)))
        if self.pages.html in keys:
            return
        found = usual_columns("text", keys)
        if len(found) > 1:
            raise several_texts(self._name, found)
        if found and found != ["text"]:
            self.found[self._name] = found[0]
            self._reader = self._json_reader()

    def documents(self, source: Source, shown: Callable[[str], str]) -> Iterator[Decided]:
        """Decide the files of a folder; yield decisions whose output is one file name per line, written by `shown`."""
        bad: list[Bad] = []
        wanted = WantedColumns()
        for given in source.documents(self.pages.columns_to_read(wanted), bad):
            batch = self.pages.read(given, wanted, source.name, bad)
            seen = self.filter.seen_before(batch.column("text"), self.workers)
            lines = [f"{shown(name)}\n".encode() for name in batch.column("id").to_pylist()]
            sides = [
                b"".join([line for line, gone in zip(lines, seen, strict=True) if gone == side]) for side in (0, 1)
            ]
            self._count(len(lines) + len(bad), len(bad), int(seen.sum()))
            yield Decided(sides[0], sides[1], bad)
            bad.clear()
        if bad:
            self._count(len(bad), len(bad), 0)
            yield Decided(b"", b"", bad)

    def _count(self, read: int, skipped: int, removed: int) -> None:
        self.tally.read += read
        self.tally.skipped += skipped
        self.tally.removed += removed
        self.tally.passed += read - skipped - removed

    def feed(self, piece: bytes) -> Decided | None:
        """Decide the complete lines received so far; return None if there is none."""
        records = self._lines_of.feed(piece)
        return None if records is None else self._decide(records)

    def finish(self) -> Decided | None:
        """Decide the last line if it had no line break; return None if nothing is left.

        Raises:
            InputError: no record of the input has the text key.
        """
        records = self._lines_of.finish()
        decided = None if records is None else self._decide(records)
        if self._reader is not None:
            self._reader.finish()
        return decided

    def _decide(self, records: Records) -> Decided:
        if self._reader is not None:
            self._look_for_text(records)
        bad: list[Bad] = []
        rows, seen = self._json(records, bad) if self._reader is not None else self._lines(records, bad)
        passes = np.zeros(len(records), bool)
        goes = np.zeros(len(records), bool)
        passes[rows[~seen]] = True
        goes[rows[seen]] = True
        self._count(len(records), len(bad), int(seen.sum()))
        return Decided(self._record_bytes("passed", records, passes), self._record_bytes("removed", records, goes), bad)

    def _record_bytes(self, side: str, records: Records, chosen: np.ndarray) -> bytes:
        """Return the bytes of the chosen records for the output `side`, with a line break first if the output's last record had none."""
        data = records.copied(chosen)
        if not data:
            return data
        before = b"\n" if self._open_ends.get(side) else b""
        self._open_ends[side] = not data.endswith(b"\n")
        return before + data

    def _json(self, records: Records, bad: list[Bad]) -> tuple[np.ndarray, np.ndarray]:
        assert self._reader is not None
        before = len(bad)
        batch = self.pages.read(self._reader.batch(records, bad), self._wanted_columns, self._name, bad)
        for at, one in enumerate(bad[before:], before):
            if one.line is None:  # a page, of which only the row is told
                index = one.row - records.row
                bad[at] = replace(one, line=records.line_of(index), raw=records.raw(index))
        bad.sort(key=lambda one: one.row)
        rows = batch.column("row").to_numpy() - records.row
        return rows, self.filter.seen_before(batch.column("text"), self.workers)

    def _lines(self, records: Records, bad: list[Bad]) -> tuple[np.ndarray, np.ndarray]:
        starts, ends = records.bounds()
        rows = np.arange(len(records))
        if records.cut or not is_utf8(records.block):
            good = np.ones(len(records), bool)
            for i in rows.tolist():
                raw = records.raw(i)
                try:
                    if i in records.cut:
                        raise Refused(records.broken[i])
                    decoded(raw)
                except Refused as refused:
                    bad.append(Bad(self._name, records.row + i, records.line_of(i), refused.reason, raw))
                    good[i] = False
            rows = rows[good]
        address = np.frombuffer(records.block, np.uint8).ctypes.data
        views = Texts((starts[rows] + address).astype(np.uint64), (ends - starts)[rows], ())
        return rows, self.filter.seen_before(views, self.workers)
