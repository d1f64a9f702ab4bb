"""The exact set join in the four jobs of MapDupReducer, as DataFrame stages (前缀过滤的精确集合连接).

1. The order of tokens: the number of documents that contain each. 2. The prefix of every record in that order, a row a token.
3. Records with a common prefix token are paired, under the first token that both prefixes have, and must pass the length and
positional filters there. 4. The remaining pairs are counted exactly, where their texts are scored (`quchong.engines.spark.scores`).

Source: Wang 2010 (MapDupReducer); Xiao 2008. No list is cut: the pairs of a token grow with the square of its records, and are
spread over parts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.decision.documents import SCORED_TOKENS
from quchong.engines.spark.arrow import lists_of, mapped, sets_in, unsigned
from quchong.engines.spark.candidates import KEY, JoinResult
from quchong.engines.spark.digests import Pieces, digest_of
from quchong.engines.spark.documents import ID, REFERENCE, SCOPE
from quchong.engines.spark.marks import is_reference
from quchong.engines.spark.skew import joined_to, parts_of
from quchong.engines.spark.stages import Stages
from quchong.features.feature_sets import document_frequency
from quchong.plan.plan import Plan
from quchong.seam import PrefixSteps

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PREFIXES = "id string, scope string, size bigint, prefix array<bigint>"


def joined_by_prefixes(some: DataFrame, plan: Plan, method: PrefixSteps, stages: Stages) -> tuple[JoinResult, Plan]:
    """Return the pairs (left, right) that pass the prefix filters, and the plan with the token order.

    Args:
        some: texts as described, of the documents that represent their exact classes; `keys` are their sets.
        method: the bounds of the join.
    """
    records = some.filter(F.col("tokens") >= SCORED_TOKENS).select(ID, SCOPE, "keys")
    # Step 1. A method without frozen frequencies counts them on this corpus. Each record gets only the counts of its
    # own tokens, so that no executor holds the whole order.
    if method.known_frequency(np.zeros(1, np.uint64)) is None:
        counted = _counted(records, stages)
        plan = replace(plan, method=method.ordered(_digest(counted, records, method, stages)))
        records = _with_counts(records, counted)
    else:
        none = F.lit(None).cast("array<bigint>")
        records = records.withColumn("known", none).withColumn("counts", none)
    # Step 2. Prefixes are a few tokens of each record; from here on nothing else of it is moved.
    prefixes = stages(records.mapInArrow(mapped(_prefixes(method), ID), PREFIXES), "prefixes")
    rows = prefixes.select(ID, SCOPE, "size", F.posexplode("prefix").alias("position", KEY))
    key = [SCOPE, KEY]
    lists = rows.groupBy(*key).agg(F.count(F.lit(1)).alias("documents")).filter("documents > 1")
    lists = stages(lists, "lists")
    # Step 3. Join the prefixes with themselves by token. Positions count from 1 in the filters.
    hot = parts_of(lists, key, "documents")
    met = rows.join(lists.select(*key), key, "left_semi").withColumn("position", F.col("position") + F.lit(1))
    a, b = (met.select(*key, *(F.col(c).alias(f"{side}_{c}") for c in (ID, "size", "position"))) for side in "ab")
    if REFERENCE in some.columns:  # references come first by id: no two are paired if none is the second of a pair
        b = b.filter(~is_reference("b_id"))
    both = joined_to(a, b, key, "a_id", hot).filter("a_id < b_id")
    first = both.groupBy(F.col("a_id").alias("left"), F.col("b_id").alias("right")).agg(
        *(F.min(c).cast("bigint").alias(c) for c in ("a_size", "a_position", "b_size", "b_position"))
    )  # the least place on either side is that of the first common token: both are in one order
    pairs = first.mapInArrow(mapped(_filters(method), "left"), "left string, right string")
    return JoinResult(stages(pairs, "candidates"), lists), plan


def _counted(records: DataFrame, stages: Stages) -> DataFrame:
    """Return the number of documents of each token that is in at least two."""
    counted = records.select(F.explode("keys").alias(KEY)).groupBy(KEY).agg(F.count(F.lit(1)).alias("n"))
    return stages(counted.filter("n > 1"), "token order")


def _with_counts(records: DataFrame, counted: DataFrame) -> DataFrame:
    """Add to each record its shared tokens (`known`) and their document counts (`counts`)."""
    each = records.select(ID, F.explode("keys").alias(KEY))
    known = joined_to(each, counted, [KEY], ID, parts_of(counted, [KEY], "n"))
    of = known.groupBy(ID).agg(F.collect_list(F.struct(KEY, "n")).alias("of"))
    of = of.select(ID, F.col(f"of.{KEY}").alias("known"), F.col("of.n").alias("counts"))
    return records.join(of, ID, "left")


def _digest(counted: DataFrame, records: DataFrame, method: PrefixSteps, stages: Stages) -> str:
    """Return the digest of the token order: number of documents, tokens, then the count of each token."""

    def made(pieces: Pieces) -> str:
        return method.order_digest(documents, (values.astype("<u4" if kind else "<u8") for kind, values in pieces))

    with stages.stage("digest of the order"):
        documents = records.filter(F.size("keys") > 0).count()
        tokens, counts = (
            counted.select(F.lit(kind).alias("kind"), F.col(KEY).alias("place"), F.col(name).alias("value"))
            for kind, name in enumerate((KEY, "n"))
        )
        return digest_of(tokens.unionByName(counts), made)


def _prefixes(method: Any) -> Any:
    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        sets = sets_in(batch.column("keys"))
        frequency = method.known_frequency(sets.values)
        if frequency is None:
            features, first = np.unique(unsigned(batch.column("known").flatten()), return_index=True)
            counts = batch.column("counts").flatten().to_numpy(zero_copy_only=False)[first]
            frequency = document_frequency(sets.values, features, counts)
        prefix = lists_of(*method.prefixes(sets, frequency))
        return pa.RecordBatch.from_arrays(
            [batch.column(ID), batch.column(SCOPE), pa.array(sets.lengths), prefix], ["id", "scope", "size", "prefix"]
        )

    return made


def _filters(method: Any) -> Any:
    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        figures = [batch.column(c).to_numpy() for c in ("a_size", "a_position", "b_size", "b_position")]
        return batch.select(["left", "right"]).filter(pa.array(method.may_reach(*figures)))

    return made
