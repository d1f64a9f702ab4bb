"""One row of a table that is given in place of documents: its values would be read as texts, one document for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from quchong.errors import UsageError
from quchong.io.usual_columns import USUAL, usual_columns

_MOST = 1000
"""Number of labels from which on a series is no row: no table has as many columns."""


def check_no_row(data: Any, text: Sequence[str] = ("text",), *, several: bool = True) -> None:
    """Raise UsageError if data is one row of a table: a series of pandas, a named tuple, or a row of a database.

    Args:
        data: what was given as documents.
        text: names of the text columns.
        several: True if a list of documents is wanted, False if a single record may be given.
    """
    written = row_as_dict(data, text)
    if written is not None:
        call = f"[{written}]" if several else written
        raise UsageError("one row of a table was given, and its values are not documents: give {}", call)


def check_no_tuple(data: Any) -> None:
    """Raise UsageError if data is a tuple of texts, where a single record may be given: it may be a row of Polars or of a database."""
    if isinstance(data, tuple) and data and any(isinstance(one, str) for one in data):
        raise UsageError(
            "a tuple may be one row of a table or several texts: give a row as a dict, {}; give several texts as a list, {}",
            "{'id': id, 'text': text}",
            "list(texts)",
        )


def row_as_dict(data: Any, text: Sequence[str] = ("text",)) -> str | None:
    """Return the expression that makes a dict of one row of a table; None for all other data.

    >>> from collections import namedtuple
    >>> row_as_dict(namedtuple("Row", "id text")("n1", "a text")), row_as_dict(["a text"])
    ('row._asdict()', None)
    """
    if isinstance(data, tuple):
        if hasattr(data, "asDict"):  # of Spark
            return "row.asDict()"
        return "row._asdict()" if hasattr(data, "_fields") and hasattr(data, "_asdict") else None
    if type(data).__module__ == "sqlite3" and hasattr(data, "keys"):
        return "dict(row)"
    return "row.to_dict()" if _is_series(data) and _is_row(data, text) else None


def _is_series(data: Any) -> bool:
    """Return True if data is a series of pandas, which may be a column or a row."""
    return (
        type(data).__module__.partition(".")[0] == "pandas"
        and not hasattr(data, "columns")
        and hasattr(data, "iloc")
        and hasattr(data, "index")
    )


def _is_row(series: Any, text: Sequence[str]) -> bool:
    """Return True if a series of pandas is one row of a table: its labels are the names of columns.

    A column of texts may have ids as labels, which are no such names. A column has the name of the column, or none; a row has the label
    of the row, mostly a number. One label that is the name of a text column is therefore enough for a series whose name is a number, and
    any other needs a second usual name.
    """
    if len(series) > _MOST or series.index.nlevels > 1:
        return False
    labels = list(series.index)
    if not all(isinstance(one, str) for one in labels):
        return False
    has_text = bool(usual_columns("text", labels)) or any(one in labels for one in text)
    others = sum(bool(usual_columns(name, labels)) for name in USUAL if name != "text")
    if series.name is None or isinstance(series.name, str):
        return has_text and others > 0
    mixed = any(not isinstance(one, str | Mapping) and one is not None and one == one for one in series)
    return has_text or (mixed and others > 0)
