"""Input of `quchong index add` and `query`: records of a stream as they arrive, and files of other formats."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quchong.cli.stopping import Stop
from quchong.languages import Message

if TYPE_CHECKING:
    from quchong.api.index import Index

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
        has_pages: True if a web page was met in the input.
    """

    name: str
    given: list[dict[str, Any]]
    locations: Sequence[Message]
    bad: Sequence[tuple[Message, str]] = ()
    has_pages: bool = False


def read_incoming(index: Index, inputs: Sequence[str], stop: Stop) -> Iterator[Incoming]:
    """Yield the records of all inputs batch by batch: of standard input and of JSON lines as they arrive.

    Standard input is never waited for while a complete line is at hand. A signal ends it between two answers.

    Args:
        index: index by whose settings records are read.
        inputs: names of files, - for standard input.
        stop: handler of signals.

    Raises:
        InputError: an input cannot be read.
    """
    from quchong.plan.sources import check_no_index

    for name in inputs:
        check_no_index(name)
    for name in inputs:
        if name == "-" or is_lines(name):
            yield from _lines(name, stop, index)
        else:
            yield from _of_file(index, name, stop)


def _of_file(index: Index, name: str, stop: Stop) -> Iterator[Incoming]:
    from quchong.api.index_records import records_of_file
    from quchong.io.files.addresses import path_of

    for one in records_of_file(index.plan_for, path_of(name), ANSWERED):
        with stop.listening():
            pass
        bad = [(_location(each.row, each.line), each.reason) for each in one.bad]
        yield Incoming(name, one.records, [_location(row) for row in one.rows], bad, one.has_pages)


def _location(row: int, line: int | None = None) -> Message:
    return Message("record {}", row + 1) if line is None else Message("line {}", line)


def is_lines(name: str) -> bool:
    """Return True for the name of one file of JSON lines, compressed or not."""
    from quchong.io.files.streams import COMPRESSIONS

    path = Path(name)
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            suffix = path.with_suffix("").suffix if path.suffix in COMPRESSIONS else path.suffix
            return suffix.lower() in LINES
    return False


def _lines(name: str, stop: Stop, index: Index) -> Iterator[Incoming]:
    from quchong.cli.pieces import pieces
    from quchong.io.records.line_stream import LineStream

    shown = "stdin" if name == "-" else os.fspath(name)
    lines = LineStream(shown)
    for piece in pieces(name, stop):
        if (records := lines.feed(piece)) is not None:
            yield from _split(shown, records, stop, index)
    if (records := lines.finish()) is not None:
        yield from _split(shown, records, stop, index)


def _split(name: str, records: Any, stop: Stop, index: Index) -> Iterator[Incoming]:
    """Yield records by at most `ANSWERED`; between two of them a signal may interrupt."""
    for start in range(0, len(records), ANSWERED):
        with stop.listening():
            pass
        yield _parsed(name, records.slice(start, min(start + ANSWERED, len(records))), index)


def _parsed(name: str, records: Any, index: Index) -> Incoming:
    """Return the JSON objects of lines, and the lines that are none or have no text."""
    from quchong.api.index_records import check_id, check_texts, columns_of_records
    from quchong.io.records.json_values import exact_object
    from quchong.io.records.reader import Refused

    read: list[tuple[Message, dict[str, Any] | str]] = []
    for at in range(len(records)):
        location = Message("line {}", records.line_of(at))
        try:
            if at in records.broken:
                raise Refused(records.broken[at])
            read.append((location, exact_object(records.raw(at))))
        except Refused as refused:
            read.append((location, refused.reason))
    objects = [one for _, one in read if isinstance(one, dict)]
    plan = index.plan_for(() if index.is_used else columns_of_records(objects))
    keys = (*plan.text, *([plan.html] if plan.html else []))
    given, locations, bad = [], [], []
    for location, one in read:
        try:
            if not isinstance(one, dict):
                raise Refused(one)
            check_texts(one, keys)
            check_id(one, plan.id or "id")
            given.append(one)
            locations.append(location)
        except Refused as refused:
            bad.append((location, refused.reason))
    return Incoming(name, given, locations, bad, any(one.get(plan.html or "") is not None for one in given))


def _lacking_text(record: dict[str, Any], keys: Sequence[str]) -> str | None:
    """Return why a record has no text or web page under one of the keys, or one that is no string; None if it has one."""
    from quchong.io.nested.values import KINDS
    from quchong.io.records.json_values import lacking

    for key in keys:
        value = record.get(key)
        if value is not None and not isinstance(value, str):
            return Message("{} is {}, not a string", key, KINDS[type(value)])
    return lacking(record, tuple(keys)) if all(record.get(key) is None for key in keys) else None
