"""Text given on a command line: a file of plain text or a web page, or the text itself if it cannot be the name of a file."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from quchong.errors import InputError, NoSuchFile, UsageError, reason_of, shell_word
from quchong.io.files.addresses import address_of
from quchong.io.files.similar_path import missing_advice
from quchong.languages import Message
from quchong.patterns import lazy_pattern
from quchong.plan.text_or_path import is_no_name, is_text, looks_like_path
from quchong.report.visible import Shown

NAMES = (Message("the first text"), Message("the second text"))
"""Names of texts that are given on the command line themselves."""


def file_or_text(argument: str) -> Path | str:
    """Return an argument as a path, or the argument itself if it is a text: too long for a name, or with a line break and no such file.

    Raises:
        UsageError: it is empty; as a path that would be the current folder.
    """
    if not argument:
        raise UsageError("an argument is empty: give the name of a file, or a text")
    if is_no_name(argument):
        return argument
    from quchong.io.files.addresses import path_of

    return path_of(argument)


def one_document(argument: str) -> Path | str:
    """Return an argument as a file, or as the text itself if nothing has that name and it looks like a sentence; a note says so."""
    from quchong.cli.printing import say

    given = file_or_text(argument)
    if isinstance(given, str) or os.path.lexists(given) or looks_like_path(argument):
        return given
    if not is_text(argument) and argument.isascii():  # one word of Chinese may be a sentence
        return given
    say("{} is not the name of a file, so it is read as a text", argument, err=True)
    return argument


def check_no_method(command: str, words: Sequence[str]) -> None:
    """Raise UsageError if the first document of a command is the name of a method, and no file.

    Args:
        command: its name, `inspect` or `compare`; words: the documents as they were typed.
    """
    from quchong.cli.meant_options import line_with_method, method_among

    if (named := method_among(words[:1])) is not None:
        line = line_with_method(command, words[1:], named)
        raise UsageError("{} is the name of a method; choose a method with {}", named, Shown(line))


def _is_named_as_a_file(path: Path) -> bool:
    """Return True if an argument looks like the path of a file on this machine: not an address, not the `-` of standard input."""
    return str(path) != "-" and address_of(path) is None and looks_like_path(str(path))


def two_documents(left: str, right: str, corpus: str = "quchong dedup") -> tuple[Path | str, Path | str]:
    """Return two arguments as files, or as texts if neither is or looks like the name of a file; a message then says so.

    Args:
        corpus: the command that reads files of records.

    Raises:
        UsageError: one of them is a file of records.
    """
    from quchong.cli.printing import say
    from quchong.runs.layout import is_run

    if is_run(Path(left)) and is_run(Path(right)):
        both = f"{shell_word(left)} {shell_word(right)}"
        raise UsageError(
            "{} and {} are run folders: to measure both against labels, use {}; to compare two documents of a run, use {}",
            left,
            right,
            Shown(f"quchong eval {both} --truth truth.jsonl"),
            Shown(f"quchong inspect --run {shell_word(left)} ID ID"),
        )
    if is_run(Path(left)):
        line = f"quchong inspect {shell_word(left)} {shell_word(right)}"
        raise UsageError(
            "{} is a run folder: to show one of its documents, or to compare two, use {}", left, Shown(f"{line} ...")
        )
    given = file_or_text(left), file_or_text(right)
    paths = [one for one in given if not isinstance(one, str) and _is_named_as_a_file(one)]
    if missing := [one for one in paths if not os.path.lexists(one)]:  # named before a text, which is no file either
        raise NoSuchFile("{}: no such file; {}", missing[0], missing_advice(missing[0]))
    records = [
        str(one) for one in given if not isinstance(one, str) and _RECORDS.search(one.name) and os.path.isfile(one)
    ]
    unknown = any(not isinstance(one, str) and str(one).isascii() and not os.path.lexists(one) for one in given)
    if records and not unknown:  # a word that is the name of nothing is told when it is read
        line = Shown(f"{corpus} {shell_word(left)} {shell_word(right)}")
        if len(records) == 1:
            raise UsageError(
                "{} contains records, but this command needs two texts: to search all records, use {}", *records, line
            )
        if (line_of_tests := _against_test_set(*records)) is not None:
            raise UsageError(
                "{} and {} contain records, but this command needs two texts: to search a corpus for the items of a test set, use {}",
                *records, line_of_tests,
            )  # fmt: skip
        raise UsageError(
            "{} and {} contain records, but this command needs two texts: to search all records, use {}", *records, line
        )
    if any(isinstance(one, str) or os.path.lexists(one) or looks_like_path(str(one)) for one in given):
        return given
    say(
        "both arguments are read as texts, because neither is the name of a file; to read them as texts in any case, add --text",
        err=True,
    )
    if not (any(map(str.isspace, left + right)) or max(len(left), len(right)) > _LONGEST_ID):
        line = f"quchong inspect --run RUN {shell_word(left)} {shell_word(right)}"
        say("if these are ids of documents of a run: {}", Shown(line), err=True)
    return left, right


def _against_test_set(left: str, right: str) -> Shown | None:
    """Return the line that searches one of two files of records for the items of the other; None unless exactly one is a test set."""
    from quchong.engines.contamination.exchange import test_sets_among

    tests = test_sets_among([left, right])
    if len(tests) != 1:
        return None
    corpus = left if tests == [right] else right
    return Shown(f"quchong decontaminate {shell_word(corpus)} --against {shell_word(tests[0])}")


_LONGEST_ID = 40
"""Characters of an argument that may be the id of a document, where it has no space."""
_RECORDS = lazy_pattern(r"\.(?:(?:jsonl|ndjson|csv|tsv)(?:\.(?:gz|zst|bz2|xz))?|parquet|arrow|xlsx)$", re.IGNORECASE)
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
        raise InputError("- (standard input) is for one corpus: give two file names instead")
    if os.path.isdir(path):
        raise InputError("{} is a folder: to search folders as one corpus, give --corpus", path)
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
    except FileNotFoundError:
        raise NoSuchFile("{}: no such file; {}", path, missing_advice(path)) from None
    except OSError as error:
        raise InputError("{} cannot be read: {}", path, reason_of(error)) from error
