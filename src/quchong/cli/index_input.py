"""Input of `quchong index add` and `query`: records of a stream as they arrive, and files of other formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quchong.cli.index_opening import Located
from quchong.cli.stopping import Stop
from quchong.languages import Message

LINES = (".jsonl", ".ndjson")
"""Ends of names of files whose lines are records; such files are read as streams are."""
ANSWERED = 2000
"""Most records of a stream that are answered at once: more of them wait until these are reported."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """Records that arrived and are answered at once.

    Attributes:
        name: of the input, for messages.
        given: records to ask the index about.
        locations: line or row of each record of `given`, for messages.
        bad: locations and reasons of records that cannot be read.
    """

    name: str
    given: list[dict[str, Any]]
    locations: Sequence[Message]
    bad: Sequence[tuple[Message, str]] = ()


def read_incoming(index: Located, inputs: Sequence[str], stop: Stop, keys: Sequence[str]) -> Iterator[Incoming]:
    """Yield the records of all inputs batch by batch: of standard input and of JSON lines as they arrive.

    Standard input is never waited for while a complete line is at hand. A signal ends it between two answers.

    Args:
        index: folder of the index, by whose settings files are read.
        inputs: names of files, - for standard input.
        stop: handler of signals.
        keys: of the text, then of a web page: a record must have one of them.

    Raises:
        InputError: an input cannot be read.
    """
    for name in inputs:
        if name == "-" or is_lines(name):
            yield from _lines(name, stop, keys)
        else:
            yield from _of_file(index, name, stop)


def _of_file(index: Located, name: str, stop: Stop) -> Iterator[Incoming]:
    from quchong.api.index_records import records_of_file

    for one in records_of_file(index, Path(name), ANSWERED):
        with stop.listening():
            pass
        bad = [(_location(each.row, each.line), each.reason) for each in one.bad]
        yield Incoming(name, one.records, [_location(row) for row in one.rows], bad)


def _location(row: int, line: int | None = None) -> Message:
    return Message("record {}", row + 1) if line is None else Message("line {}", line)


def is_lines(name: str) -> bool:
    """Return True for the name of one file of JSON lines, compressed or not."""
    from quchong.io.files.streams import COMPRESSIONS

    path = Path(name)
    with suppress(OSError, ValueError):
        if path.is_file():
            suffix = path.with_suffix("").suffix if path.suffix in COMPRESSIONS else path.suffix
            return suffix.lower() in LINES
    return False


def _lines(name: str, stop: Stop, keys: Sequence[str]) -> Iterator[Incoming]:
    from quchong.cli.pieces import pieces
    from quchong.io.records.line_stream import LineStream

    shown = "stdin" if name == "-" else os.fspath(name)
    lines = LineStream(shown)
    for piece in pieces(name, stop):
        if (records := lines.feed(piece)) is not None:
            yield from _split(shown, records, stop, keys)
    if (records := lines.finish()) is not None:
        yield from _split(shown, records, stop, keys)


def _split(name: str, records: Any, stop: Stop, keys: Sequence[str]) -> Iterator[Incoming]:
    """Yield records by at most `ANSWERED`; between two of them a signal may interrupt."""
    for start in range(0, len(records), ANSWERED):
        with stop.listening():
            pass
        yield _parsed(name, records.slice(start, min(start + ANSWERED, len(records))), keys)


def _parsed(name: str, records: Any, keys: Sequence[str]) -> Incoming:
    """Return the JSON objects of lines, and the lines that are none or have no text."""
    from quchong.api.index_records import read_record
    from quchong.io.records.reader import Refused

    given, locations, bad = [], [], []
    for index in range(len(records)):
        location = Message("line {}", records.line_of(index))
        try:
            if index in records.broken:
                raise Refused(records.broken[index])
            given.append(read_record(records.raw(index), keys))
            locations.append(location)
        except Refused as refused:
            bad.append((location, refused.reason))
    return Incoming(name, given, locations, bad)
