"""Fate of every document: removed or kept, and its priority by policy over the whole corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.decision.documents import SCORED_TOKENS
from quchong.engines.spark.arrow import mapped
from quchong.engines.spark.component_documents import Readings, read_as
from quchong.engines.spark.documents import COLUMN, ID, PROTECTED, REFERENCE, UNSEEN, stored_name, wanted_name
from quchong.engines.spark.stages import Stages
from quchong.policy.policy import Policy

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_KEY, _PART, _PLACE, _FIRST = "by_", "quchong_partition", "quchong_place", "quchong_first"


def fates(
    docs: DataFrame, gone: DataFrame, policy: DataFrame, by: Policy, how: Readings, id_type: str, stages: Stages
) -> DataFrame:
    """Return the rows of `quchong.tables.FATES`; each has the location columns of `docs` in place of `source` and `row`.

    Args:
        docs: light documents, with UNSEEN.
        gone: `id` of the removed documents; policy: `id` and `policy`, as `decisions` returns them.
        by, how: the policy, and the types by which it reads columns of strings.
        id_type: type of the ids in tables.
    """
    removed = gone.select(F.col("id").alias(ID), F.lit(True).alias("removed"))
    known = docs.join(removed, ID, "left").join(policy.select("id", "policy"), ID, "left")
    # A global rank without one task for all rows: number rows within sorted partitions, then add the counts of the
    # partitions before.
    ordered = stages(_ordered(known, by, how), "documents by policy")
    with stages.stage("documents by policy"):
        counts = ordered.groupBy(_PART).agg(F.count(F.lit(1)).alias("n")).collect()
    first, before = [], 0
    for part, n in sorted((r[_PART], r["n"]) for r in counts):
        first.append((part, before))
        before += n
    # One row for each partition, so it is broadcast.
    starts = docs.sparkSession.createDataFrame(first, f"{_PART} int, {_FIRST} bigint")
    ranked = ordered.join(F.broadcast(starts), _PART).withColumn("priority", F.col(_FIRST) + F.col(_PLACE))
    reference = F.col(REFERENCE) if REFERENCE in docs.columns else F.lit(False)
    return ranked.select(
        F.col(ID).cast(id_type).alias("id"), "tokens", "priority", reference.alias("reference"),
        F.col(PROTECTED).alias("protected"), ((F.col("tokens") < SCORED_TOKENS) | F.col(UNSEEN)).alias("unscored"),
        F.coalesce("removed", F.lit(False)).alias("removed"), F.coalesce("policy", F.lit("")).alias("policy"),
        *(c for c in docs.columns if c.startswith("quchong_")),
    )  # fmt: skip


def _ordered(docs: DataFrame, by: Policy, how: Readings) -> DataFrame:
    """Sort documents over all partitions: references first, then protected ones, then by policy, then by id; number each partition."""
    named = {criterion.column for criterion in by.criteria}
    names = [c for c in docs.columns if c.startswith(COLUMN) and wanted_name(c) in named]
    keys, order = [], []
    for place, criterion in enumerate(by.criteria):
        key, column = f"{_KEY}{place}", stored_name(criterion.column)
        if criterion.name == "column":
            kind = _SPARK.get(how[criterion.column]) if criterion.column in how else None
            keys.append(T.StructField(key, kind or (docs.schema[column if column in docs.columns else ID].dataType)))
            order.append(_last_unknown(F.col(key), criterion.descending, keys[-1].dataType))
        else:
            keys.append(T.StructField(key, T.DoubleType()))
            order.append(F.col(key).asc())  # what is unknown is NaN, which comes last
    carried = [c for c in docs.columns if not c.startswith(COLUMN)]

    def keyed(batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = {wanted_name(name): batch.column(name) for name in names} | {"id": batch.column(ID)}
        table, tokens = pa.table(columns), batch.column("tokens").to_numpy().astype(np.uint32)
        made = []
        for criterion in by.criteria:
            if criterion.name == "column":
                values = read_as(columns[criterion.column], criterion.column, how)
                made.append(values.cast(pa.binary()) if pa.types.is_large_binary(values.type) else values)
            else:
                made.append(pa.array(np.asarray(criterion.key(table, tokens), np.float64)))
        arrays = [*(batch.column(name) for name in carried), *made]
        return pa.RecordBatch.from_arrays(arrays, [*carried, *(field.name for field in keys)])

    fields = [docs.schema[name] for name in carried]
    asked = docs.select(*carried, *(F.col(f"`{name.replace('`', '``')}`") for name in names))
    some = asked.mapInArrow(mapped(keyed, ID), T.StructType([*fields, *keys]))
    first = [REFERENCE, PROTECTED] if REFERENCE in docs.columns else [PROTECTED]
    some = some.orderBy(*map(F.desc, first), *order, ID)
    within = F.monotonically_increasing_id().bitwiseAND(F.lit((1 << 33) - 1))
    return some.select(*carried, F.spark_partition_id().alias(_PART), within.alias(_PLACE))


_SPARK = {pa.int64(): T.LongType(), pa.float64(): T.DoubleType(), pa.large_binary(): T.BinaryType()}


def _last_unknown(key: Column, descending: bool, kind: T.DataType) -> Column:
    """Return the sort order of a column; null and NaN come after all other values."""
    if isinstance(kind, T.DoubleType | T.FloatType):
        key = F.when(~F.isnan(key), key)
    return key.desc_nulls_last() if descending else key.asc_nulls_last()
