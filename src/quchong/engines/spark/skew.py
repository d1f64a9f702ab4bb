"""Keys with very many rows: counts of them, and joins that spread their rows over parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HOT = 20_000
"""Most rows of a key that are joined in one part; the rows of a key with more are spread over parts of about this size."""


def parts_of(counts: DataFrame, key: Sequence[str], rows: str) -> DataFrame:
    """Return for each key with more than HOT rows the number of parts it is split into: columns `key` and `parts`.

    At most rows / HOT keys: few enough to be sent to every executor.
    """
    hot = counts.filter(F.col(rows) > HOT)
    return hot.select(*key, F.ceil(F.col(rows) / F.lit(HOT)).cast("int").alias("parts"))


def hot_keys(rows: DataFrame, key: Sequence[str]) -> DataFrame:
    """Return the keys with more than HOT rows, and their numbers of parts."""
    return parts_of(rows.groupBy(*key).agg(F.count(F.lit(1)).alias("rows")), key, "rows")


def joined_to(many: DataFrame, few: DataFrame, key: Sequence[str], by: str, hot: DataFrame) -> DataFrame:
    """Inner-join many rows to few rows by key; rows of a hot key are spread over parts, each with a copy of the few.

    Args:
        many: rows without bound for a key; a hash of their column `by` chooses the part, so that a repeated task chooses the same.
        few: one row for each key, or a bounded number of rows.
        hot: `parts_of` or `hot_keys` of `many`.
    """
    # Hot keys are at most rows / HOT, so every executor can hold them: marking the rows of both sides needs no shuffle.
    spread = many.join(F.broadcast(hot), list(key), "left")
    spread = spread.withColumn("part", F.coalesce(F.pmod(F.xxhash64(by), F.col("parts")), F.lit(0))).drop("parts")
    # The other side is copied once for each part of its key, and key and part together are the key of the join.
    copied = few.join(F.broadcast(hot), list(key), "left")
    numbers = F.sequence(F.lit(0).cast("bigint"), F.coalesce(F.col("parts"), F.lit(1)).cast("bigint") - F.lit(1))
    copied = copied.withColumn("part", F.explode(numbers)).drop("parts")
    return spread.withColumn("part", F.col("part").cast("bigint")).join(copied, [*key, "part"]).drop("part")
