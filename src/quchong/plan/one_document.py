"""Answers to a list, a row, a column, a table or an open file in place of one document."""

from __future__ import annotations

from typing import Any

from quchong.languages import Message
from quchong.parameters.kinds import Wrong

_SHOWN = 60
"""Most characters of a value in a message."""


def refuse_container(value: Any) -> None:
    """Raise Wrong with what to give for a value that is no single document; return for others."""
    if hasattr(value, "read"):
        name = getattr(value, "name", None)
        raise Wrong(
            Message("give the path of the file: {}", f"pathlib.Path({name if isinstance(name, str) else 'a.txt'!r})"),
            name,
        )
    if isinstance(value, list | tuple) and value:
        raise Wrong(
            Message("give one text, such as {}; for the pairs of a list, use {}", "texts[0]", "qc.dedup(texts).pairs"),
            value if len(repr(value)) <= _SHOWN else Message("a {}", type(value).__name__),
        )
    if hasattr(value, "iloc") or hasattr(value, "__array__"):
        raise Wrong(_of_frame(value), Message("a {}", type(value).__name__))


def _of_frame(value: Any) -> Message:
    """Return how a row, a column or a frame of pandas or Polars is given in place of one document."""
    labels = list(getattr(value, "index", ()))
    if (
        hasattr(value, "to_dict")
        and labels
        and all(isinstance(one, str) for one in labels)
        and not hasattr(value, "columns")
    ):
        return Message("give a row as a dict: {}", "row.to_dict()")
    if hasattr(value, "columns"):
        row = "df.iloc[0].to_dict()" if hasattr(value, "iloc") else "df.row(0, named=True)"
        return Message(
            "give one row of the table as a dict: {}; for the pairs of a table, use {}", row, "qc.dedup(df).pairs"
        )
    return Message(
        "give one text; to compare two columns row by row, use {}", "[qc.compare(a, b) for a, b in zip(left, right)]"
    )
