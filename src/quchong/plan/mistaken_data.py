"""Data of a call in Python that are something else than what is read: a text in place of a path, the groups of a frame."""

from __future__ import annotations

import os
from collections.abc import Iterable

from quchong.errors import Call, InPython, NoSuchFile, Param, UsageError
from quchong.io.files.similar_path import missing_advice
from quchong.languages import Message
from quchong.plan.text_or_path import is_no_name, is_text, looks_like_path

_SHOWN = 40
"""Most characters of a text in a message."""
_LONGEST_NAME = 256
"""Texts shorter than this are looked up among the files, as they may be meant as a path."""


def check_no_text(data: str, call: str = "qc.dedup([text])") -> None:
    """Raise NoSuchFile if a str that is to be a path may be a text, because it is not written as a path, and nothing has that name.

    `call` is the call to which a text is given as a list, as the message shows it.
    """
    if (not data or looks_like_path(data) or os.path.lexists(data)) and not is_no_name(data):
        return
    if is_text(data):
        if (advice := content_advice(data)) is not None:
            raise NoSuchFile("{}", advice)
        shown = data if len(data) <= _SHOWN else f"{data[:_SHOWN]}..."
        raise NoSuchFile("no file is named {!r}: a str is a path; give texts as a list: {}", shown, call)
    raise NoSuchFile(
        "{}: no such file; {}",
        data,
        Message("{}{}{}", missing_advice(data), InPython("; texts are given as a list: "), Call(call, "")),
    )


def check_no_file_name(text: object, *, takes_paths: bool = True) -> None:
    """Raise UsageError if a str that is read as a text is the name of a file, because the file is probably meant.

    `takes_paths` is False for a call that takes texts alone.
    """
    if (
        isinstance(text, str) and "\n" not in text and len(text) < _LONGEST_NAME and os.path.isfile(text)  # noqa: PTH113 - a text may be no name of a file
    ):
        if not takes_paths:
            call = f"pathlib.Path({text!r}).read_text('utf-8')"
            raise UsageError(
                "{!r} is the name of a file, but a str is read as a text: to read the file, write {}", text, call
            )
        raise UsageError(
            "{!r} is the name of a file, but a str is read as a text: to read the file, give a pathlib.Path", text
        )


def check_no_file_names(texts: Iterable[object]) -> None:
    """Raise UsageError if texts of a call that takes no files are all names of files."""
    first = None
    for one in texts:
        try:
            check_no_file_name(one, takes_paths=False)
        except UsageError as error:
            first = error if first is None else first
        else:
            return
    if first is not None:
        raise first


def content_advice(data: str) -> Message | None:
    r"""Return what to give in place of a str that is the content of a file: of JSON lines, JSON, CSV, or lines of text; None for others.

    >>> print(content_advice('{"text": "a"}\n{"text": "b"}\n').values[-1])
    [json.loads(line) for line in text.splitlines()]
    >>> print(content_advice("one text").__class__.__name__)
    NoneType
    """
    lines = [line.strip() for line in data[:_LOOKED_AT].strip().splitlines() if line.strip()]
    said = Message("this str is the content of a {} file, not its path: give the path of the file, or {}")
    if not lines:
        return None
    if lines[0].startswith("{") and lines[0].endswith("}"):
        return said.holding("JSON lines", "[json.loads(line) for line in text.splitlines()]")
    if lines[0].startswith(("[{", "{")) or (lines[0] == "[" and lines[1:2] and lines[1].startswith("{")):
        return said.holding("JSON", "json.loads(text)")
    if len(lines) < _SEVERAL:
        return None
    for separator, call in (
        (",", "pandas.read_csv(io.StringIO(text))"),
        ("\t", "pandas.read_csv(io.StringIO(text), sep='\\t')"),
    ):
        counts = [line.count(separator) for line in lines[:_LINES_COMPARED]]
        if counts[0] and all(count >= counts[0] for count in counts[:-1]):
            return said.holding("CSV", call)
    return Message("this str has {:,} lines and is not a path: for one text per line, give {}; for one text, give {}",
                   len(data.splitlines()), "text.splitlines()", "[text]")  # fmt: skip


_LOOKED_AT = 100_000
"""Characters of a str that are looked at."""
_SEVERAL = 3
"""Lines at or above which a str is probably the content of a file."""
_LINES_COMPARED = 5
"""Lines whose separators are counted."""


def check_no_groups(data: object) -> None:
    """Raise UsageError if data are the groups of a frame of pandas or Polars, with the column by which they were made."""
    kind = type(data)
    if not kind.__name__.endswith("GroupBy") or kind.__module__.partition(".")[0] not in ("pandas", "polars"):
        return
    by = getattr(data, "keys", None) if kind.__module__.startswith("pandas") else getattr(data, "by", None)
    if isinstance(by, list | tuple) and len(by) == 1:
        by = by[0]
    column = Param("per", by if isinstance(by, str) else "source")
    raise UsageError("{} is a grouped data frame: give the data frame itself, and add {} to compare within groups",
                     kind.__name__, column)  # fmt: skip
