"""Data of a call in Python that are something else than what is read: a text in place of a path, the groups of a frame."""

from __future__ import annotations

import os
import re

from quchong.errors import NoSuchFile, Param, UsageError

_LINES = re.compile(r"[\n\r]")
_SENTENCE = re.compile(r"[，。！？；：、…“”「」《》]")
"""Signs of Chinese sentences."""
_PLACE = re.compile(r"\.[A-Za-z0-9]{1,8}$|^[A-Za-z0-9+.-]+:/")
"""Ending of the name of a file, or the beginning of an address."""
_OF_PATHS = re.compile(r"[/\\*?]")
_LONGEST = 255
"""Most bytes that the name of a file has."""
_SHOWN = 40
"""Most characters of a text in a message."""


def is_text(words: str) -> bool:
    r"""Return True if a str is plainly a text, not a path: it has several lines, signs of sentences, blanks, or more than a name can have.

    A word with the ending of a file or the beginning of an address is a path, and so are names with blanks in a folder.

    >>> is_text("今天天气很好。今天天气很好！"), is_text("two words"), is_text("a\nb")
    (True, True, True)
    >>> is_text("news.jsonl"), is_text("第一版，终稿.csv"), is_text("my folder/news"), is_text("news")
    (False, False, False, False)
    """
    if _LINES.search(words):
        return True
    if _PLACE.search(words):
        return False
    if _SENTENCE.search(words):
        return True
    if _OF_PATHS.search(words):
        return False
    return len(words.split()) > 1 or len(words.encode(errors="replace")) > _LONGEST


def check_no_text(data: str) -> None:
    """Raise NoSuchFile if a str that is to be a path is plainly a text, and nothing has that name."""
    if is_text(data) and not os.path.lexists(data):
        shown = data if len(data) <= _SHOWN else f"{data[:_SHOWN]}..."
        raise NoSuchFile("no file is named {!r}: a str is a path; give texts as a list: {}", shown, "qc.dedup([text])")


def check_no_groups(data: object) -> None:
    """Raise UsageError if data are the groups of a frame of pandas or Polars, with the column by which they were made."""
    kind = type(data)
    if not kind.__name__.endswith("GroupBy") or kind.__module__.partition(".")[0] not in ("pandas", "polars"):
        return
    by = getattr(data, "keys", None) if kind.__module__.startswith("pandas") else getattr(data, "by", None)
    if isinstance(by, list | tuple) and len(by) == 1:
        by = by[0]
    column = Param("per", by if isinstance(by, str) else "source")
    raise UsageError("{} has the groups of a frame: give the frame itself, and {} to compare within groups",
                     kind.__name__, column)  # fmt: skip
