"""Documents that meet very many others: what each is compared with, those first that the policy would sooner keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.engines.spark.arrow import one
from quchong.engines.spark.candidates import Bound
from quchong.engines.spark.documents import ID
from quchong.engines.spark.part import Readings, by_id, ranked
from quchong.engines.spark.sets import best_of_parts
from quchong.engines.spark.stages import Stages
from quchong.index.nearest import nearest
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOGETHER = 2_000
"""Crowded documents ranked at once, about: each brings as many others as the cap lets it meet."""
CHOSEN = {"left": "string", "right": "string", "later": "string", "met": "bigint", "kept": "boolean"}


def first_by_policy(docs: DataFrame, plan: Plan, how: Readings, stages: Stages) -> Bound:
    """The bound where those stand before a document that the policy would sooner keep.

    Only documents with more than `most` partners on either side can have too many before them: they alone are ranked, some at a
    time, each with all its partners. The pairs are written down, for they are read again and again.
    """
    schema = ", ".join(f"{name} {kind}" for name, kind in CHOSEN.items())

    def bound(pairs: DataFrame, most: int) -> DataFrame:
        pairs = stages(pairs, "met")
        sides = pairs.select(F.col("left").alias(ID), F.col("right").alias("other"), "shared")
        sides = sides.unionByName(pairs.select(F.col("right").alias(ID), F.col("left").alias("other"), "shared"))
        crowded = sides.groupBy(ID).agg(F.count(F.lit(1)).alias("n")).filter(F.col("n") > most).select(ID)
        many = crowded.count()
        if not many:
            return pairs.withColumn("later", F.col("right")).withColumn("met", F.lit(0).cast("bigint"))
        bucket = F.pmod(F.xxhash64(ID), F.lit(1 + many // TOGETHER)).alias("bucket")
        mine = sides.join(crowded, ID, "left_semi").select(bucket, ID, "other", "shared")
        both = F.explode(F.array(F.col(ID), F.col("other"))).alias(ID)
        names = mine.select(F.col("bucket").alias("part"), both).distinct()
        best = names.join(best_of_parts(docs, plan, how), ID).withColumnRenamed(ID, "of").withColumnRenamed("best", ID)

        def chosen(met: pa.Table, documents: pa.Table) -> pa.Table:
            documents = by_id(documents)
            rank = ranked(documents, plan, how)
            names = one(documents["of"])
            me, other = (rank[pc.index_in(one(met[c]), names).to_numpy(zero_copy_only=False)] for c in (ID, "other"))
            before = np.flatnonzero(other < me)
            me, other, shared = me[before], other[before], met["shared"].to_numpy()[before]
            count, kept = nearest(me, other, shared, most)
            ids, others = (one(met[c]).take(pa.array(before)) for c in (ID, "other"))
            turned = pc.less(ids, others)
            left, right = pc.if_else(turned, ids, others), pc.if_else(turned, others, ids)
            return pa.table([left, right, ids, pa.array(count), pa.array(kept)], [*CHOSEN])

        found = mine.groupBy("bucket").cogroup(best.groupBy("part")).applyInArrow(chosen, schema)
        out = pairs.join(found, ["left", "right"], "left").filter(F.coalesce("kept", F.lit(True))).drop("kept")
        return out.withColumn("met", F.coalesce("met", F.lit(0).cast("bigint")))

    return bound
