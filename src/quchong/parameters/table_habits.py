"""Errors about Arrow tables that are used as the data frames of other libraries, and about columns that they do not have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from quchong.languages import Message, join_names
from quchong.parameters.next_use import ATTRIBUTE, KEY, Use
from quchong.parameters.other_attributes import FRAME_WORDS, table_call

_OF_NAMES = ("tolist", "to_list", "values", "str", "isin", "get_loc")
"""Attributes of the names of columns in pandas, which Arrow's list of columns lacks."""
_MOST = 12
"""Number of columns that a message names."""
_COLUMN_WORDS = {
    "jaccard": "score similarity sim ratio distance",
    "relation": "label kind type result reason",
    "left_id": "left id1 id_1 id_a doc1 source_id from",
    "right_id": "right id2 id_2 id_b doc2 target_id to",
    "survivor_id": "kept_id original original_id duplicate_of copy_of kept_by master",
    "cluster_id": "cluster group group_id label",
    "id": "doc_id document_id docid index",
    "text": "content body",
}
"""Words that people try for columns of our tables."""


class NoSuchColumn(KeyError):
    """Name of a column that a table does not have; its message names those that there are."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def column_advice(asked: object, columns: Sequence[str], table: str, others: Message | str = "") -> NoSuchColumn:
    """Return the error about a column that a table does not have, with the nearest one and those that there are.

    >>> print(column_advice("score", ["left_id", "jaccard"], "pairs"))
    pairs has no column 'score'; did you mean jaccard? Columns are left_id, jaccard
    """
    near = column_meant(asked, columns)
    shown = join_names(columns[:_MOST]) if len(columns) <= _MOST else Message("{} ...", join_names(columns[:_MOST]))
    said = (
        Message("{} has no column {!r}; columns are {}{}", table, asked, shown, others)
        if near is None
        else Message("{} has no column {!r}; did you mean {}? Columns are {}", table, asked, near, shown)
    )
    return NoSuchColumn(said.translation())


def column_meant(asked: object, columns: Sequence[str]) -> str | None:
    """Return the column that a wrong name probably means; None if no column is like it."""
    if not isinstance(asked, str):
        return None
    said = asked.strip().lower()
    meant = [name for name in columns if said in _COLUMN_WORDS.get(name, "").split() or said == name.lower()]
    return next(iter(meant or difflib.get_close_matches(said, columns, n=1)), None)


def table_advice(table: Any, name: str, use: Use) -> Exception | None:
    """Return the error about a line that goes on with an Arrow table as with a data frame; None if the table can be used so.

    Args:
        table: the table; name: of the attribute that has it; use: what the line does with it.
    """
    columns = getattr(table, "column_names", None)
    if columns is None:
        return None
    if use.kind == KEY and isinstance(use.name, str) and use.name not in columns:
        return column_advice(use.name, columns, name)
    told: Message | None = None
    if use.kind == KEY and use.then and use.name in columns and not hasattr(table[use.name], use.then):
        told = column_habit(name, use.name, use.then)
    elif use.kind == ATTRIBUTE and use.name == "columns" and use.then in _OF_NAMES:
        told = Message("the names of the columns of {} are {}", name, f"{name}.column_names")
    elif use.kind == ATTRIBUTE and not hasattr(table, use.name):
        told = column_in_brackets(name, use.name) if use.name in columns else frame_advice(name, use.name)
    return None if told is None else AttributeError(told.translation(), name=use.name, obj=table)


def column_habit(table: str, column: str, attribute: str) -> Message:
    """Return the message about an attribute of columns of data frames that a column of an Arrow table lacks."""
    return Message(
        "a column of an Arrow table has no {!r}; as a data frame: {}",
        attribute,
        f"{table}.to_pandas()[{column!r}].{attribute}",
    )


def column_in_brackets(table: str, column: str) -> Message:
    """Return the message about a column that was written as an attribute."""
    return Message("a column is written in brackets: {}", f"{table}[{column!r}], {table}.to_pandas()[{column!r}]")


def frame_advice(table: str, attribute: str) -> Message:
    """Return the message about an attribute of data frames that an Arrow table lacks, with the expression that has it."""
    written = (
        table_call(table, attribute, arrow=True)
        if attribute in FRAME_WORDS
        else f"{table}.to_pandas(), polars.from_arrow({table})"
    )
    return Message("{} is an Arrow table, which has no {!r}; as a data frame: {}", table, attribute, written)
