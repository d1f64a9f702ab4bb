"""The file skipped.jsonl of bad records: writing and reading."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from quchong.errors import InputError
from quchong.io.bad_records import BadRecords
from quchong.io.files.input_file import reading
from quchong.io.files.location import Location, location_of
from quchong.io.files.streams import Output
from quchong.io.source import Bad


def write_skipped(bad: Iterable[Bad], path: Path) -> None:
    """Write one JSON line for each bad record: `source`, `row`, `line`, `reason` and `raw`, or `raw_base64` if not UTF-8.

    Without bad records the file is empty.

    Raises:
        OutputError: `path` cannot be written
    """
    with Output(path) as output:
        for one in bad:
            output.write(skipped_line(one))


def skipped_line(one: Bad) -> bytes:
    """Return a bad record as a line of JSON, with line ending."""
    return orjson.dumps(_as_json(one)) + b"\n"


def read_skipped(file: Path | Location) -> BadRecords:
    """Read the bad records that `write_skipped` wrote, with their exact bytes.

    Raises:
        InputError: the file cannot be read, or is not a file of bad records
        RunError: the file is beneath a run folder and not a regular file
    """
    location = location_of(file)
    path = location.path
    found = BadRecords()
    with reading(path), io.BufferedReader(location.open()) as content:
        for number, line in enumerate(content, 1):
            if line != b"\n":
                found.append(_read_line(line, number, path))
    return found


def _read_line(line: bytes, number: int, path: Path) -> Bad:
    """Return the bad record of a line of the file."""
    try:
        item = orjson.loads(line)
        raw = base64.b64decode(item["raw_base64"]) if "raw_base64" in item else item["raw"].encode()
        source, row, at, reason = item["source"], item["row"], item["line"], item["reason"]
        words = isinstance(source, str) and isinstance(reason, str)
        if not words or type(row) is not int or not (at is None or type(at) is int):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "{}, line {}: not a skipped record; check that the file is the skipped.jsonl of a run", path, number
        ) from error
    return Bad(source, row, at, reason, raw)


def _as_json(one: Bad) -> dict[str, Any]:
    item = {"source": one.source, "row": one.row, "line": one.line, "reason": one.reason}
    try:
        return item | {"raw": one.raw.decode()}
    except UnicodeDecodeError:
        return item | {"raw_base64": base64.b64encode(one.raw).decode()}
