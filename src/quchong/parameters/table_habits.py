"""Errors about Arrow tables that are used as the data frames of other libraries, and about columns that they do not have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from quchong.languages import Message, join_names
from quchong.parameters.next_use import ATTRIBUTE, KEY, Use
from quchong.parameters.other_attributes import FRAME_WORDS, table_call

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


def column_advice(asked: object, columns: Sequence[str], table: str) -> NoSuchColumn:
    """Return the error about a column that a table does not have, with the nearest one and those that there are.

    >>> print(column_advice("score", ["left_id", "jaccard"], "pairs"))
    pairs has no column 'score'; did you mean jaccard? Columns are left_id, jaccard
    """
    near = column_meant(asked, columns)
    shown = join_names(columns[:_MOST]) if len(columns) <= _MOST else Message("{} ...", join_names(columns[:_MOST]))
    said = (
        Message("{} has no column {!r}; columns are {}", table, asked, shown)
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
    if use.kind == ATTRIBUTE and not hasattr(table, use.name):
        return AttributeError(frame_advice(name, use.name).translation(), name=use.name, obj=table)
    return None


def frame_advice(table: str, attribute: str) -> Message:
    """Return the message about an attribute of data frames that an Arrow table lacks, with the expression that has it."""
    written = (
        table_call(table, attribute, arrow=True)
        if attribute in FRAME_WORDS
        else f"{table}.to_pandas(), polars.from_arrow({table})"
    )
    return Message("{} is an Arrow table, which has no {!r}; as a data frame: {}", table, attribute, written)
