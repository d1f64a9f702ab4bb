"""Errors about Arrow tables that are used as the data frames of other libraries, and about columns that they do not have."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from quchong.languages import Message, join_names
from quchong.parameters.next_use import ATTRIBUTE, ITEMS, KEY, Use
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


def table_advice(table: Any, name: str, use: Use) -> Exception | None:
    """Return the error about a line that goes on with an Arrow table as with a data frame; None if the table can be used so.

    Args:
        table: the table; name: of the attribute that has it; use: what the line does with it.
    """
    if not hasattr(table, "column_names"):
        return None
    if use.kind == ITEMS:
        return TypeError(loop_advice(name, table.column_names).translation())
    return _key_error(table, name, use) if use.kind == KEY else _attribute_error(table, name, use)


def _key_error(table: Any, name: str, use: Use) -> Exception | None:
    """Return the error about a column or a row that a line takes of an Arrow table, and what it does with it; None if it can."""
    columns = table.column_names
    if not isinstance(use.name, str):
        taken = isinstance(use.name, int) and isinstance(use.item, str)
        return row_error(name, use.name, use.item, columns) if taken else None
    if use.name not in columns:
        return column_advice(use.name, columns, name)
    if use.sign:
        return comparison_error(name, use.name, use.sign, use.item)
    if isinstance(use.item, int) and use.of_item:
        return scalar_error(table[use.name], f"{name}[{use.name!r}]", use.item, use.of_item)
    if use.then and not hasattr(table[use.name], use.then):
        return AttributeError(column_habit(name, use.name, use.then).translation(), name=use.then)
    return None


def _attribute_error(table: Any, name: str, use: Use) -> Exception | None:
    """Return the error about an attribute that a line takes of an Arrow table as of a data frame; None if the table has it."""
    if use.kind != ATTRIBUTE:
        return None
    told: Message | None = None
    if use.name == "columns" and use.then in _OF_NAMES:
        told = Message("the names of the columns of {} are {}", name, f"{name}.column_names")
    elif not hasattr(table, use.name):
        told = column_in_brackets(name, use.name) if use.name in table.column_names else frame_advice(name, use.name)
    elif use.is_call and use.name == "filter" and isinstance(use.item, str):
        return TypeError(filter_advice(name, use.item).translation())
    elif use.is_call and not callable(getattr(table, use.name)):
        return TypeError(Message("{} is a value, not a method: leave out the brackets", use.name).translation())
    return None if told is None else AttributeError(told.translation(), name=use.name, obj=table)


_ROW_COLUMNS = (("left_id", "right_id"), ("id", "survivor_id"), ("id", "cluster_id"), ("id", "text"))
"""Columns that the example of a loop takes of each row: the first of these that a table has."""


def loop_advice(table: str, columns: Sequence[str]) -> Message:
    """Return the message about a loop over an Arrow table, which is a list of columns, with the loop over its rows.

    >>> print(loop_advice("pairs", ["left_id", "right_id", "jaccard"]))
    a loop over an Arrow table has its columns, not its rows; rows: for row in pairs.to_pylist(): row['left_id'], row['right_id']; \
columns: pairs.itercolumns()
    """
    taken = next((names for names in _ROW_COLUMNS if set(names) <= set(columns)), tuple(columns[:1]))
    written = ", ".join(f"row[{name!r}]" for name in taken)
    return Message(
        "a loop over an Arrow table has its columns, not its rows; rows: {}; columns: {}",
        f"for row in {table}.to_pylist(): {written}",
        f"{table}.itercolumns()",
    )


def comparison_error(table: str, column: str, sign: str, value: object) -> TypeError:
    """Return the error about a column of an Arrow table that is compared with a value, with the expression that selects the rows."""
    line = f"{table}.to_pandas().query({f'{column} {sign} {value!r}'!r})"
    said = Message("a column of an Arrow table cannot be compared with {!r}; as a data frame: {}", value, line)
    return TypeError(said.translation())


def filter_advice(table: str, condition: str) -> Message:
    """Return the message about rows of an Arrow table that are selected by a condition of data frames."""
    return Message(
        "an Arrow table cannot be filtered by {!r}; as a data frame: {}",
        condition,
        f"{table}.to_pandas().query({condition!r})",
    )


def scalar_error(column: Any, written: str, row: int, attribute: str) -> AttributeError | None:
    """Return the error about an attribute that a value of an Arrow table lacks, with the expression that has it; None if it has it.

    Args:
        column: the column; written: the expression of it; row: number of the value; attribute: its name.
    """
    if not -len(column) <= row < len(column) or hasattr(column[row], attribute):
        return None
    said = Message(
        "a value of an Arrow table has no {!r}; as a value of Python: {}",
        attribute,
        f"{written}[{row}].as_py().{attribute}",
    )
    return AttributeError(said.translation(), name=attribute)


def row_error(table: str, row: int, column: str, columns: Sequence[str]) -> Exception:
    """Return the error about a value of an Arrow table that was taken by its row first, with the expression that has it."""
    if column not in columns:
        return column_advice(column, columns, table)
    said = Message(
        "a number in brackets takes a column of an Arrow table, not a row; value of a row: {}",
        f"{table}[{column!r}][{row}].as_py()",
    )
    return TypeError(said.translation())


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
