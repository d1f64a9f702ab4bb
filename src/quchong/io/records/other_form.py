"""Recognition of files that are read as JSON lines and are not: one array, records that take several lines each, a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from quchong.errors import InputError, Param, Remedy, shell_word
from quchong.io.missing_columns import wrapped_records
from quchong.io.records.lines import BOM, Lines
from quchong.languages import Message, join_names
from quchong.patterns import lazy_pattern

_LOOKED_AT = 1 << 18
"""Number of first bytes that are looked at."""
_WHITE = " \t\r\n"
_OPENED = lazy_pattern(r'\{\s*\n\s*"[^"\n]*"\s*:\s*(?:\S|$)')
"""Beginning of an object whose first key is on its second line."""
_LISTED = lazy_pattern(r'\{\s*"([^"\n]*)"\s*:\s*\[\s*\{\s*"([^"\n]*)"\s*:')
"""Beginning of an object with a list of objects, with the key of the list and the first key in it."""
_COLUMN = lazy_pattern(r'"?[^\W\d][\w .:/()-]{0,40}"?')
"""Name of a column in the first line of a table."""
_DELIMITERS = {"\t": "tsv", ",": "csv"}
"""Formats of tables, by what divides their columns."""
_SHOWN = 8
"""Number of columns that a message names at most."""
_ROWS = 20
"""Number of first lines of a table that are looked at."""
_UNPACKED = {".gz": "gzip -dc", ".zst": "zstd -dc", ".bz2": "bzip2 -dc", ".xz": "xz -dc"}
_DECODER = json.JSONDecoder()


class TableGiven(InputError):
    """A table where JSON lines are wanted; `format` is its format, "csv" or "tsv"."""

    format = "csv"


def checked_form(blocks: Iterator[Lines], shown: str, encoding: str, piped: bool = False) -> Iterator[Lines]:
    """Yield the blocks of a file unchanged after a check that it is no JSON of another form; arguments and errors: `check_is_lines`."""
    held = list(islice(blocks, 1))
    if held and not _is_object_line(begin := held[0][0].removeprefix(BOM)):
        held += islice(
            blocks, int(len(begin) <= _LOOKED_AT and begin.lstrip()[:1] == b"[")
        )  # its last line may be another block
        check_is_lines(b"".join([begin, *(block for block, _ in held[1:])]), shown, encoding, piped)
        del begin
    while held:
        yield held.pop(0)
    yield from blocks


def check_is_lines(block: bytes, shown: str, encoding: str = "utf-8", piped: bool = False) -> None:
    """Raise InputError if a file begins as JSON of another form than one value a line.

    A broken line alone is no other form: an array counts only if its first element is followed by another or by the end of the file,
    an object only if it spans lines.

    Args:
        block: whole lines from the start of the file, without byte order mark; shown: file, for messages; encoding: of the bytes.
        piped: True if the file comes through a pipe, so that no command can name it.

    >>> check_is_lines(b'{"text": "one"}', "a.jsonl"); check_is_lines(b'[1', "a.jsonl"); check_is_lines(b'{', "a.jsonl")
    >>> check_is_lines(b'[{"text": "one"}]', "a.jsonl")
    Traceback (most recent call last):
    quchong.errors.InputError: a.jsonl is one JSON array, not one record on each line; convert it with jq -c '.[]' a.jsonl > lines.jsonl, \
or name the format with format='json'
    """
    begin = block[: 2 * _LOOKED_AT].lstrip()
    if not begin or _is_object_line(begin):
        return
    text = begin[:_LOOKED_AT].decode(encoding, "replace")
    if text[0] == "[":
        error = _of_array(text, len(begin) <= _LOOKED_AT, shown, piped)
    else:
        error = _of_object(text, shown, piped) if text[0] == "{" else _of_table(text, shown)
    if error is not None:
        raise error


def _is_object_line(begin: bytes) -> bool:
    """Return True if the first line with letters begins and ends with a brace, as a record does."""
    first = begin.lstrip().partition(b"\n")[0].rstrip()
    return first.startswith(b"{") and first.endswith(b"}")


def _of_table(text: str, shown: str) -> InputError | None:
    """Return the error about a table with the names of its columns in the first line; None if it is none, or a line is an object."""
    lines = [line for line in text.splitlines()[:_ROWS] if line.strip()]
    if len(lines) < 2 or any(line.lstrip().startswith("{") for line in lines):
        return None
    for delimiter, name in _DELIMITERS.items():
        columns = lines[0].split(delimiter)
        if (
            len(set(columns)) == len(columns) > 1
            and all(map(_COLUMN.fullmatch, columns))
            and delimiter in text[len(lines[0]) :]
        ):
            said = Message(
                "{} is a table with the columns {}, not JSON lines: give the file a name that ends in {}{}",
                shown, join_names(columns[:_SHOWN]), f".{name}", Remedy(", or name the format with {}", Param("format", name)),
            )  # fmt: skip
            error = TableGiven("{}", said)
            error.format = name
            return error
    return None


def _of_array(text: str, is_whole: bool, shown: str, piped: bool) -> InputError | None:
    """Return the error about a file that is one array of objects or texts; None if its lines may be values by themselves."""
    start = len(text) - len(text[1:].lstrip(_WHITE))
    if text[start : start + 1] not in ("{", '"'):
        return None
    try:
        first, end = _DECODER.raw_decode(text, start)
    except ValueError:  # its first element is longer than what is looked at, or broken
        if is_whole or not _first_line_is_open(text):
            return None
        first = {} if text[start] == "{" else ""
    else:
        rest = text[end:].lstrip(_WHITE)
        if not rest.startswith(",") and not (rest.startswith("]") and is_whole and not rest[1:].strip(_WHITE)):
            return None
        if not _first_line_is_open(text) and text.partition("\n")[2].strip(_WHITE):
            return None  # an array on each line
    if isinstance(first, dict):
        return InputError(
            "{} is one JSON array, not one record on each line; convert it with {}{}",
            shown, _command(".[]", shown, piped), Remedy(", or name the format with {}", Param("format", "json")),
        )  # fmt: skip
    return InputError(
        "{} is one JSON array of texts, not one record on each line; convert it with {}",
        shown,
        _command(".[] | {text: .}", shown, piped),
    )


def _of_object(text: str, shown: str, piped: bool) -> InputError | None:
    """Return the error about a file whose first object takes several lines; None if it does not."""
    try:
        found, end = _DECODER.raw_decode(text)
    except ValueError:
        if _OPENED.match(text) is None or any(_is_object(line) for line in text.splitlines()[:2]):
            return None
        listed = _LISTED.match(text)
        return wrapped_records(shown, listed[1], listed[2]) if listed else _several_lines(shown, piped)
    if "\n" not in text[:end]:
        return None
    lists = [(key, value[0]) for key, value in found.items() if isinstance(value, list) and value]
    if not text[end:].strip(_WHITE) and len(lists) == 1 and isinstance(lists[0][1], dict) and lists[0][1]:
        return wrapped_records(shown, lists[0][0], next(iter(lists[0][1])))
    return _several_lines(shown, piped)


def _several_lines(shown: str, piped: bool) -> InputError:
    return InputError(
        "{}: its first record takes several lines, but JSON lines must have one record on each line; convert "
        "it with {}",
        shown,
        _command(".", shown, piped),
    )


def _first_line_is_open(text: str) -> bool:
    """Return True if the first line is not a JSON value by itself."""
    try:
        orjson.loads(text.partition("\n")[0])
    except orjson.JSONDecodeError:
        return True
    return False


def _is_object(line: str) -> bool:
    """Return True if a line is a JSON object."""
    found: Any = None
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(found, dict)


def _command(program: str, shown: str, piped: bool) -> Message:
    """Return the command that writes the records of a file, or of what comes through a pipe, as JSON lines."""
    call = f"jq -c {shell_word(program)}"
    if piped:
        return Message("{}", call)
    unpack = _UNPACKED.get(Path(shown).suffix.lower())
    read = f"{call} {shell_word(shown)}" if unpack is None else f"{unpack} {shell_word(shown)} | {call}"
    return Message("{}", f"{read} > lines.jsonl")
