"""Text given on a command line: a file of plain text or a web page, or the text itself if it cannot be the name of a file."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import InputError, NoSuchFile, UsageError, reason_of, shell_word
from quchong.languages import Message
from quchong.report.visible import Shown

NAMES = (Message("the first text"), Message("the second text"))
"""Names of texts that are given on the command line themselves."""


def file_or_text(argument: str) -> Path | str:
    """Return the path that an argument names, existing or not; return the argument itself if it is too long for a name,
    or has a line break and is no file.

    Raises:
        UsageError: it is empty; as a path that would be the current folder.
    """
    if not argument:
        raise UsageError("an argument is empty: give the name of a file, or a text")
    try:
        os.stat(argument)  # noqa: PTH116 - a Path would drop parts of a text
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG or "\n" in argument:
            return argument
    except ValueError:  # a NUL, which no name has
        return argument
    from quchong.io.files.addresses import path_of

    return path_of(argument)


def one_document(argument: str) -> Path | str:
    """Return an argument as a file, or as the text itself if nothing has that name and it looks like a sentence; a note says so."""
    from quchong.cli.printing import say

    given = file_or_text(argument)
    if isinstance(given, str) or os.path.lexists(given) or _looks_like_name(argument) or not _is_sentence(argument):
        return given
    say("{} is not a file: the text itself is read", argument, err=True)
    return argument


def _is_sentence(text: str) -> bool:
    """Return True for words with blanks between them, or with Chinese characters."""
    return bool(re.search(r"\s", text)) or not text.isascii()


def check_no_method(command: str, words: Sequence[str]) -> None:
    """Raise UsageError if the first document of a command is the name of a method, and no file.

    Args:
        command: its name, `inspect` or `compare`; words: the documents as they were typed.
    """
    from quchong.methods import PLACES

    if words[0] in PLACES and not os.path.lexists(words[0]):
        call = " ".join(["quchong", command, "--method", words[0], *map(shell_word, words[1:])])
        raise UsageError("{} is a method, which an option names: {}", words[0], Shown(call))


def two_documents(left: str, right: str, corpus: str = "quchong dedup") -> tuple[Path | str, Path | str]:
    """Return two arguments as files, or as texts if neither names one and neither looks like the name of one, which is told.

    Args:
        corpus: the command that reads files of records.

    Raises:
        UsageError: both are files of records, whose lines are no text.
    """
    from quchong.cli.printing import say

    given = file_or_text(left), file_or_text(right)
    if all(not isinstance(one, str) and _RECORDS.search(one.name) and one.is_file() for one in given):
        raise UsageError(
            "{} and {} contain records, but two texts are needed: to look through all records, {}",
            left, right, Shown(f"{corpus} {shell_word(left)} {shell_word(right)}"),
        )  # fmt: skip
    if any(isinstance(one, str) or os.path.lexists(one) or _looks_like_name(str(one)) for one in given):
        return given
    say("neither is a file: the two texts themselves are compared (as with --text)", err=True)
    return left, right


def _looks_like_name(text: str) -> bool:
    """Return True for a name with a folder, or with a suffix of a few letters: a file that is missing is no text."""
    return text == "-" or "/" in text or bool(_SUFFIX.search(text))


_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")


_RECORDS = re.compile(r"\.(?:(?:jsonl|ndjson|csv|tsv)(?:\.(?:gz|zst|bz2|xz))?|parquet|arrow|xlsx)$", re.IGNORECASE)
"""Endings of names of files with records."""


def called(given: Path | str, number: int) -> str:
    """Return the display name of the first (0) or second (1) of two documents."""
    return NAMES[number] if isinstance(given, str) else str(given)


def read_one(path: Path | str, body: str) -> str:
    """Read the text of a file, unchanged but without byte order mark, or of a web page. A str is returned as it is.

    Raises:
        InputError: the file cannot be read; the message has a remedy.
    """
    from quchong.io.encodings import in_utf8
    from quchong.io.folder import PAGES
    from quchong.pages import UnreadablePage, read_page
    from quchong.pages.charset import charset_of_text

    if isinstance(path, str):
        return path
    if str(path) == "-":
        raise InputError("- (standard input) is for one corpus: name two files")
    if path.is_dir():
        raise InputError("{} is a folder: give --corpus to look through folders as one corpus", path)
    try:
        if path.suffix.lower() in PAGES:
            return read_page(path.read_bytes(), body).text
        raw = path.read_bytes()
        text, wrong = in_utf8(raw, charset_of_text(raw))
        if wrong:
            raise InputError("{} cannot be read: {}", path, wrong)
        return text.decode("utf-8-sig")
    except UnreadablePage as error:
        raise InputError("{} cannot be read: {}", path, error) from error
    except FileNotFoundError as error:
        raise NoSuchFile("{}: no such file; check the spelling", path) from error
    except OSError as error:
        raise InputError("{} cannot be read: {}", path, reason_of(error)) from error
