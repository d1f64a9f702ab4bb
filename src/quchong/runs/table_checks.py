"""Checks of the tables of a run folder that may be damaged or made by hand: nulls, words, ranges, and ids that another table must have."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import RunError
from quchong.runs.manifest import DAMAGED


def unlike_a_run(path: Path, what: str) -> RunError:
    """Return the error about a file that no run writes; `what` names the column or field."""
    return RunError("{} differs from what a run writes ({}): {}", path, what, DAMAGED)


def check_values(
    path: Path, table: pa.Table, schema: pa.Schema, words: Mapping[str, Collection[str]] | None = None
) -> None:
    """Raise RunError for a null where the schema has none, a word that a column never has, or a number below 0.

    Args:
        path: of the table, for the message.
        table: with the columns of the schema.
        schema: of the table.
        words: values that columns of words may have.
    """
    for field in schema:
        column = table[field.name]
        if not field.nullable and column.null_count:
            raise unlike_a_run(path, field.name)
        numeric = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        if numeric and not pc.all(pc.greater_equal(column, 0), min_count=0).as_py():  # NaN is not at least 0 either
            raise unlike_a_run(path, field.name)
    for name, allowed in (words or {}).items():
        if not pc.all(pc.is_in(table[name], pa.array(sorted(allowed), schema.field(name).type)), min_count=0).as_py():
            raise unlike_a_run(path, name)


def check_known(path: Path, table: pa.Table, columns: Sequence[str], known: pa.Table) -> None:
    """Raise RunError unless the values of each row in `columns` (without nulls) occur together in a row of `known`."""
    asked, there = table.select(columns).drop_null(), known
    if asked.num_rows and asked.schema.types != there.schema.types:
        raise unlike_a_run(path, columns[0])
    if len(columns) == 1:
        known_values = there.column(0).combine_chunks()
        found = pc.all(pc.is_in(asked.column(0), known_values), min_count=0).as_py() if asked.num_rows else True
    else:
        rows = set(zip(*(column.to_pylist() for column in there.columns), strict=True))
        found = rows.issuperset(zip(*(column.to_pylist() for column in asked.columns), strict=True))
    if not found:
        raise unlike_a_run(path, columns[0])
