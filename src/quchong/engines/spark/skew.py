"""Finds keys with very many rows and spreads their rows over parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HOT = 20_000
"""Rows of one key from which on they are spread; a part gets about so many."""


def parts_of(counts: DataFrame, key: Sequence[str], rows: str) -> DataFrame:
    """`key` and `parts` of the keys with more than HOT rows; `rows` is the column of `counts` that tells how many.

    At most rows / HOT keys: few enough to be sent to every executor.
    """
    hot = counts.filter(F.col(rows) > HOT)
    return hot.select(*key, F.ceil(F.col(rows) / F.lit(HOT)).cast("int").alias("parts"))


def hot_keys(rows: DataFrame, key: Sequence[str]) -> DataFrame:
    """`parts_of` a table's own rows, counted."""
    return parts_of(rows.groupBy(*key).agg(F.count(F.lit(1)).alias("rows")), key, "rows")


def joined_to(many: DataFrame, few: DataFrame, key: Sequence[str], by: str, hot: DataFrame) -> DataFrame:
    """Inner join of many rows a key to few: rows of a hot key go to as many parts, each with the few of that key.

    Args:
        many: rows without bound for a key; their column `by` says which part they go to, the same each time.
        few: a row a key, or a number with a bound.
        hot: `parts_of` or `hot_keys` of `many`.
    """
    spread = many.join(F.broadcast(hot), list(key), "left")
    spread = spread.withColumn("part", F.coalesce(F.pmod(F.xxhash64(by), F.col("parts")), F.lit(0))).drop("parts")
    copied = few.join(F.broadcast(hot), list(key), "left")
    numbers = F.sequence(F.lit(0).cast("bigint"), F.coalesce(F.col("parts"), F.lit(1)).cast("bigint") - F.lit(1))
    copied = copied.withColumn("part", F.explode(numbers)).drop("parts")
    return spread.withColumn("part", F.col("part").cast("bigint")).join(copied, [*key, "part"]).drop("part")
