"""Columns within the columns of a DataFrame, and texts of lists, as the local engine reads them (`quchong.io.nested`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.io.nested.path import Each, Index, Key, Step, parse_path
from quchong.io.nested.values import TURN_TEXTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def nested_columns(df: DataFrame, texts: Sequence[str], others: Iterable[str]) -> dict[str, Column]:
    """Return by name the wanted columns that are nested paths, or lists of texts, as expressions.

    Paths into strings that hold JSON are not followed here.

    Args:
        texts: names of wanted texts.
        others: names of other wanted columns.
    """
    found: dict[str, Column] = {}
    kinds = {field.name: field.dataType for field in df.schema.fields}
    for name in dict.fromkeys([*texts, *others]):
        path = None if name in kinds else parse_path(name)
        root = name if path is None else path.root
        if root not in kinds or (path is None and not (name in texts and isinstance(kinds[name], T.ArrayType))):
            continue
        column = _at(F.col(_quoted(root)), kinds[root], () if path is None else path.steps, name in texts)
        if column is not None:
            found[name] = column
    return found


def with_columns(df: DataFrame, columns: dict[str, Column]) -> DataFrame:
    """Return a DataFrame with further columns, which replace those of their names."""
    own = [F.col(_quoted(name)) for name in df.columns if name not in columns]
    return df.select(*own, *(column.alias(name) for name, column in columns.items())) if columns else df


def _at(column: Column, kind: T.DataType, steps: Sequence[Step], as_text: bool) -> Column | None:
    """Return the values of a column at a path; None if the path does not exist in its type."""
    if not steps:
        return _texts(column, kind) if as_text else column
    step, rest = steps[0], steps[1:]
    if isinstance(step, Key):
        if isinstance(kind, T.StructType) and step.name in kind.names:
            return _at(column.getField(step.name), kind[step.name].dataType, rest, as_text)
        return _at(column[step.name], kind.valueType, rest, as_text) if isinstance(kind, T.MapType) else None
    return _in_list(column, kind.elementType, step, rest, as_text) if isinstance(kind, T.ArrayType) else None


def _in_list(
    column: Column, element: T.DataType, step: Each | Index, rest: Sequence[Step], as_text: bool
) -> Column | None:
    """Return the values at a path that continues in one element, or in each element, of a list column."""
    if isinstance(step, Index):
        place = F.lit(step.number) if step.number >= 0 else F.size(column) + F.lit(step.number)
        return _at(F.get(column, place), element, rest, as_text)
    chosen = column if step.key is None else _with_value(column, element, step)
    # a look at one element says whether the path exists, as functions of Spark cannot fail
    if chosen is None or _at(F.get(column, F.lit(0)), element, rest, as_text) is None:
        return None

    def value(one: Column) -> Column:
        found = _at(one, element, rest, as_text)
        assert found is not None
        return found.cast("string")

    return _join_list(F.transform(chosen, value))


def _with_value(column: Column, element: T.DataType, step: Each) -> Column | None:
    if not (isinstance(element, T.StructType) and step.key in element.names):
        return None
    key, value = step.key, step.value
    return F.filter(column, lambda one: F.coalesce(one.getField(key).cast("string") == F.lit(value), F.lit(False)))


def _texts(column: Column, kind: T.DataType) -> Column | None:
    """Return the texts of a column of strings, of lists of texts, or of turns of a chat; None for other types."""
    if isinstance(kind, T.StringType | T.CharType | T.VarcharType):
        return column
    if not isinstance(kind, T.ArrayType):
        return None
    element = kind.elementType
    if not isinstance(element, T.StructType):
        if _texts(column, element) is None:
            return None
        return _join_list(F.transform(column, lambda one: _required(_texts(one, element))))
    fields = [name for name in TURN_TEXTS if name in element.names and _may_be_text(element[name].dataType)]
    if not fields:
        return None

    def turn(one: Column) -> Column:
        return F.coalesce(*(_required(_texts(one.getField(name), element[name].dataType)) for name in fields))

    return _join_list(F.transform(column, turn))


def _may_be_text(kind: T.DataType) -> bool:
    return _texts(F.lit(None), kind) is not None


def _required(column: Column | None) -> Column:
    assert column is not None
    return column


def _join_list(column: Column) -> Column:
    """Join the texts of each list by line breaks, without nulls; null for a list without a text."""
    texts = F.filter(column, lambda one: one.isNotNull())
    return F.when(F.size(texts) > 0, F.array_join(texts, "\n"))


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
