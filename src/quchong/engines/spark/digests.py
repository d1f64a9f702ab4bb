"""Digests of corpus statistics, for the config hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.engines.spark.arrow import unsigned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Pieces: TypeAlias = "Iterator[tuple[int, np.ndarray]]"
"""Kind and values (uint64) of stretches of one kind, in order."""


def digest_of(rows: DataFrame, made: Callable[[Pieces], str]) -> str:
    """Return the digest that `made` computes from the column `value` (bits of uint64), ordered by `kind`, then `place` as uint64.

    One executor reads the rows in order; no process holds all of them. The digest does not depend on partitions.
    """
    unsigned_order = F.col("place").bitwiseXOR(F.lit(-(2**63)))
    ordered = rows.coalesce(1).sortWithinPartitions("kind", unsigned_order)

    def hashed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pydict({"digest": [made(_pieces(batches))]})

    found = ordered.select("kind", "value").mapInArrow(hashed, "digest string").collect()
    return found[0]["digest"] if found else made(iter(()))  # no parts of no rows


def _pieces(batches: Iterator[pa.RecordBatch]) -> Pieces:
    for batch in batches:
        kinds, values = batch.column("kind").to_numpy(), unsigned(batch.column("value"))
        for kind in np.unique(kinds).tolist():
            yield kind, values[kinds == kind]
