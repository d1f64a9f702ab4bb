"""Errors about Arrow tables that are used as the data frames of other libraries, and about columns that they do not have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from quchong.languages import Message, join_names
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
    "removed": "kept is_duplicate duplicate dup is_removed fate",
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


_ROW_COLUMNS = (("left_id", "right_id"), ("id", "survivor_id"), ("id", "cluster_id"), ("id", "text"))
"""Columns that the example of a loop takes of each row: the first of these that a table has."""


def loop_advice(table: str, columns: Sequence[str]) -> Message:
    """Return the message about a loop over an Arrow table, which is a list of columns, with the loop over its rows.

    >>> print(loop_advice("pairs", ["left_id", "right_id", "jaccard"]))
    a loop over an Arrow table yields its columns, not its rows; rows: for row in pairs.to_pylist(): row['left_id'], row['right_id']; \
columns: pairs.itercolumns()
    """
    taken = next((names for names in _ROW_COLUMNS if set(names) <= set(columns)), tuple(columns[:1]))
    written = ", ".join(f"row[{name!r}]" for name in taken)
    return Message(
        "a loop over an Arrow table yields its columns, not its rows; rows: {}; columns: {}",
        f"for row in {table}.to_pylist(): {written}",
        f"{table}.itercolumns()",
    )


def filter_advice(table: str, condition: str) -> Message:
    """Return the message about rows of an Arrow table that are selected by a condition of data frames."""
    return Message(
        "an Arrow table cannot be filtered by {!r}; convert it to a data frame: {}",
        condition,
        f"{table}.to_pandas().query({condition!r})",
    )


def column_in_brackets(table: str, column: str) -> Message:
    """Return the message about a column that was written as an attribute."""
    return Message("write the column name in brackets: {}", f"{table}[{column!r}], {table}.to_pandas()[{column!r}]")


def frame_advice(table: str, attribute: str) -> Message:
    """Return the message about an attribute of data frames that an Arrow table lacks, with the expression that has it."""
    written = (
        table_call(table, attribute, arrow=True)
        if attribute in FRAME_WORDS
        else f"{table}.to_pandas(), polars.from_arrow({table})"
    )
    return Message("{} is an Arrow table, which has no {!r}; convert it to a data frame: {}", table, attribute, written)
