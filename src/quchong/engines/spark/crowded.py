"""Bound on the partners of documents with very many candidates: those that the policy prefers come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.candidates.nearest import nearest
from quchong.engines.spark.arrow import one
from quchong.engines.spark.candidates import Bound
from quchong.engines.spark.component_documents import Readings, by_id, ranked
from quchong.engines.spark.documents import ID, REFERENCE
from quchong.engines.spark.marks import are_references
from quchong.engines.spark.sets import best_of_parts
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOGETHER = 2_000
"""Crowded documents that are ranked in one task, about: each brings as many partners as the cap allows."""
CHOSEN = {"left": "string", "right": "string", "later": "string", "met": "bigint", "kept": "boolean"}


def first_by_policy(docs: DataFrame, plan: Plan, how: Readings, stages: Stages) -> Bound:
    """Return a bound by which each document keeps the partners that the policy prefers to it.

    Only documents with more than `most` partners on both sides together can have too many preferred ones: they alone are ranked,
    about TOGETHER in a task, each with all its partners. The pairs are stored, because they are read several times.
    """
    schema, references = ", ".join(f"{name} {kind}" for name, kind in CHOSEN.items()), REFERENCE in docs.columns

    def bound(pairs: DataFrame, most: int) -> DataFrame:
        pairs = stages(pairs, "met")
        # Either document of a pair may be the one with too many partners, so each pair is taken from both sides.
        sides = pairs.select(F.col("left").alias(ID), F.col("right").alias("other"), "shared")
        sides = sides.unionByName(pairs.select(F.col("right").alias(ID), F.col("left").alias("other"), "shared"))
        crowded = sides.groupBy(ID).agg(F.count(F.lit(1)).alias("n")).filter(F.col("n") > most).select(ID)
        many = crowded.count()
        if not many:
            return pairs.withColumn("later", F.col("right")).withColumn("met", F.lit(0).cast("bigint"))
        # Crowded documents are dealt to buckets by a hash; a bucket also gets the policy columns of every partner,
        # since a rank needs both.
        bucket = F.pmod(F.xxhash64(ID), F.lit(1 + many // TOGETHER)).alias("bucket")
        mine = sides.join(crowded, ID, "left_semi").select(bucket, ID, "other", "shared")
        both = F.explode(F.array(F.col(ID), F.col("other"))).alias(ID)
        names = mine.select(F.col("bucket").alias("part"), both).distinct()
        best = names.join(best_of_parts(docs, plan, how), ID).withColumnRenamed(ID, "of").withColumnRenamed("best", ID)

        def select_pairs(met: pa.Table, documents: pa.Table) -> pa.Table:
            documents = by_id(documents)
            rank = ranked(documents, plan, how)
            names = one(documents["of"])
            me, other = (rank[pc.index_in(one(met[c]), names).to_numpy(zero_copy_only=False)] for c in (ID, "other"))
            # Rank 0 is the best: partners with a lesser rank are preferred. Among these `nearest` chooses as the local
            # engine does.
            before = np.flatnonzero(other < me)
            me, other, shared = me[before], other[before], met["shared"].to_numpy()[before]
            ids, others = (one(met[c]).take(pa.array(before)) for c in (ID, "other"))
            if references:  # which are counted apart from other partners
                me = 2 * me + are_references(others).to_numpy(zero_copy_only=False)
            count, kept = nearest(me, other, shared, most)
            # Back to the orientation of pairs: left is the lesser id.
            turned = pc.less(ids, others)
            left, right = pc.if_else(turned, ids, others), pc.if_else(turned, others, ids)
            return pa.table([left, right, ids, pa.array(count), pa.array(kept)], [*CHOSEN])

        found = mine.groupBy("bucket").cogroup(best.groupBy("part")).applyInArrow(select_pairs, schema)
        # Pairs that no crowded document decides on are kept as they are.
        out = pairs.join(found, ["left", "right"], "left").filter(F.coalesce("kept", F.lit(True))).drop("kept")
        return out.withColumn("met", F.coalesce("met", F.lit(0).cast("bigint")))

    return bound
