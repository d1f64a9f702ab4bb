"""Connected components by rounds over DataFrames: least label of the neighbours, then the label's own label."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROUNDS = 60


def components(pairs: DataFrame, kept: Callable[[DataFrame, str], DataFrame]) -> DataFrame:
    """node and component (the least node of it) for every node of the pairs left, right.

    Each round takes for every node the least label among its neighbours' and its own, and then that label's own label, so
    that chains halve. `kept` writes a round down, so that a lost executor costs that round only. The result does not depend
    on partitions. Ends when no label changes.
    """
    both = pairs.select(F.col("left").alias("node"), F.col("right").alias("other")).union(
        pairs.select(F.col("right").alias("node"), F.col("left").alias("other"))
    )
    edges = kept(both.distinct(), "edges")
    labels = kept(edges.groupBy("node").agg(F.min("other").alias("o")).select("node", F.least("node", "o").alias("component")), "labels-0")
    for number in range(1, ROUNDS):
        near = edges.join(labels.withColumnRenamed("node", "other"), "other").groupBy("node").agg(F.min("component").alias("least"))
        lower = labels.join(near, "node").select("node", "component", F.least("component", "least").alias("label"))
        jump = labels.select(F.col("node").alias("label"), F.col("component").alias("far"))
        new = kept(
            lower.join(jump, "label").select("node", F.least("label", "far").alias("component"), F.col("component").alias("before")),
            f"labels-{number}",
        )
        if new.filter("component <> before").isEmpty():
            break
        labels = new.select("node", "component")
    return labels
