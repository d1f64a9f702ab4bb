"""Data of a call in Python that are something else than what is read: a text in place of a path, the groups of a frame."""

from __future__ import annotations

import os

from quchong.errors import InPython, NoSuchFile, Param, UsageError
from quchong.io.files.similar_path import missing_advice
from quchong.languages import Message
from quchong.plan.text_or_path import is_no_name, is_text, looks_like_path

_SHOWN = 40
"""Most characters of a text in a message."""


def check_no_text(data: str) -> None:
    """Raise NoSuchFile if a str that is to be a path may be a text, because it is not written as a path, and nothing has that name."""
    if (not data or looks_like_path(data) or os.path.lexists(data)) and not is_no_name(data):
        return
    if is_text(data):
        shown = data if len(data) <= _SHOWN else f"{data[:_SHOWN]}..."
        raise NoSuchFile("no file is named {!r}: a str is a path; give texts as a list: {}", shown, "qc.dedup([text])")
    raise NoSuchFile(
        "{}: no such file; {}",
        data,
        Message("{}{}", missing_advice(data), InPython("; texts are given as a list: qc.dedup([text])")),
    )


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
