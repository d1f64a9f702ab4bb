"""Rows of several tables together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.engines.spark.pages import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def united(tables: Sequence[DataFrame]) -> DataFrame:
    """Return the rows of tables (at least one) together, with the columns of all.

    A column that has another type in another table becomes text, as where inputs are read on one machine; one that a table lacks is null.
    """
    kinds: dict[str, set[str]] = {}
    for one in tables:
        for field in one.schema.fields:
            kinds.setdefault(field.name, set()).add(field.dataType.simpleString())
    mixed = {name for name, found in kinds.items() if len(found) > 1}
    alike = [
        one.select(*(_as_text(one, name) if name in mixed else F.col(quoted(name)) for name in one.columns))
        for one in tables
    ]
    found = alike[0]
    for one in alike[1:]:
        found = found.unionByName(one, allowMissingColumns=True)
    return found


def _as_text(table: DataFrame, name: str) -> Column:
    """Return a column as text; a time with a zone is spelt in UTC, whatever the zone of the session is."""
    column, kind = F.col(quoted(name)), table.schema[name].dataType
    if isinstance(kind, T.TimestampType):
        spelt = F.date_format(F.to_utc_timestamp(column, F.current_timezone()), "yyyy-MM-dd HH:mm:ss.SSSSSS")
        return F.concat(spelt, F.lit("Z")).alias(name)
    return column.cast("string").alias(name)
