"""Who meets whom: equal keys joined as DataFrames, with the cap and the count filter of the local engine.

Skew: of a key only the first `cap` documents are met, so its list is cut on the way: salted parts are cut first, then what is
left of them. Keys of more than HOT documents are looked up on as many salted copies of their short list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from quchong.seam import JoinRule
from quchong.spark.describe import FIRST, ID, SCOPE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SALTS = 16
HOT = 20_000
"""Documents of a key from which on its look-ups are spread."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Pairs (left, right: ids of first documents, left before right; shared), and lists that were longer than the cap."""

    pairs: DataFrame
    capped: DataFrame


def joined(docs: DataFrame, rule: JoinRule) -> Joined:
    """Candidates of the documents that stand for their classes: the join of `quchong.kernels.join_keys`."""
    heads = docs.filter(F.col(ID) == F.col(FIRST))
    rows = heads.select(SCOPE, F.explode("keys").alias("key"), ID).withColumn("salt", F.pmod(F.xxhash64(ID), F.lit(SALTS)))
    key = [SCOPE, "key"]
    within = Window.partitionBy(*key, "salt").orderBy(ID)
    some = rows.withColumn("place", F.row_number().over(within)).filter(F.col("place") <= rule.cap)
    counts = rows.groupBy(*key).agg(F.count(F.lit(1)).alias("documents")).filter("documents > 1")
    firsts = (
        some.groupBy(*key).agg(F.slice(F.sort_array(F.collect_list(ID)), 1, rule.cap).alias("firsts")).join(counts, key)
    )
    hot = firsts.filter(F.col("documents") > HOT).select(*key, F.lit(True).alias("hot"))
    spread = firsts.withColumn(
        "part", F.explode(F.when(F.col("documents") > HOT, F.sequence(F.lit(0), F.lit(SALTS - 1))).otherwise(F.array(F.lit(0))))
    )
    looked = rows.join(F.broadcast(hot), key, "left").withColumn(
        "part", F.when(F.col("hot"), F.col("salt").cast("int")).otherwise(F.lit(0))
    )
    met = looked.join(spread, [*key, "part"]).select(ID, F.explode("firsts").alias("left")).filter(F.col("left") < F.col(ID))
    shared = met.groupBy("left", ID).agg(F.count(F.lit(1)).alias("shared")).filter(F.col("shared") >= rule.min_shared)
    if rule.share > 0:
        weight = heads.select(F.col(ID), "size", "window")
        a = weight.select(F.col(ID).alias("left"), F.col("size").alias("size_a"), F.col("window").alias("window_a"))
        shared = shared.join(a, "left").join(weight, ID)
        expected = F.least("size_a", "size") * F.lit(2.0) / (F.greatest("window_a", "window") + F.lit(1.0))
        shared = shared.filter(F.col("shared") >= F.ceil(F.lit(rule.share) * expected - F.lit(1e-9)))
    pairs = shared.select("left", F.col(ID).alias("right"), "shared")
    return Joined(pairs, counts.filter(F.col("documents") > rule.cap))
