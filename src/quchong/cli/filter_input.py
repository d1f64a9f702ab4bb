"""Inputs that `quchong filter` does not read: tables, and lines that are texts; the errors say what to type."""

from __future__ import annotations

import os
from collections.abc import Sequence

from quchong.cli.preview import free_folder
from quchong.errors import InputError, UsageError, shell_word
from quchong.languages import Message
from quchong.report.visible import Shown


def no_table(path: str, format: str = "", options: Sequence[str] = ()) -> UsageError:
    """Return the error about a table, with the command that removes its exact copies.

    Args:
        path: of the table, or - for standard input; format: its format, if its name does not tell it.
        options: those of the line that `quchong dedup` has too, with their values.
    """
    words = [shell_word(path), *(["--format", format] if format else []), *map(shell_word, options), "--method exact"]
    return UsageError(
        "{}: quchong filter reads JSON lines, plain lines with --lines, and folders; to remove exact copies "
        "from a table, use {}",
        Message("standard input") if path == "-" else path,
        Shown(f"quchong dedup {' '.join(words)} -o {free_folder([])}"),
    )


def is_plain_text(path: str) -> bool:
    """Return True for a file named as plain text whose first line does not begin as a JSON record does."""
    if not path.lower().endswith((".txt", ".text", ".lst", ".log")) or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a few bytes
            first = file.read(_FIRST).lstrip(b"\xef\xbb\xbf \t\r\n")
    except OSError:
        return False
    return bool(first) and not first.startswith(b"{")


_FIRST = 1000
"""Number of bytes that are read of a file to see whether it has records."""


def check_lines(read: int, bad: int, broken_json: bool, *, page: bool = False) -> None:
    """Raise an InputError if no record could be read, and some were no JSON: the input is a web page, or the lines may be texts."""
    if read and read == bad and page:
        raise InputError(
            "the input is a web page, not JSON lines: to filter web pages, give their files or folders, such as {}",
            "quchong filter page.html",
        )
    if read and read == bad and broken_json:
        raise InputError(
            "no record can be read: all {:,} records are bad; if each line is a text, add {}", read, "--lines"
        )
