"""Connected components by rounds over DataFrames: least label of the neighbours, then the label's own label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from quchong.errors import QuchongError
from quchong.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROUNDS = 60


def components(pairs: DataFrame, stages: Stages) -> DataFrame:
    """Node and component (the least node of it) for every node of the pairs left, right.

    Each round takes for every node the least label among its neighbours' and its own, and then that label's own label, so
    that chains halve. Every round is written down, so that a lost executor costs its part of that round only. The result
    does not depend on partitions.

    Raises:
        QuchongError: labels still change after ROUNDS rounds.
    """
    both = pairs.select(F.col("left").alias("node"), F.col("right").alias("other")).union(
        pairs.select(F.col("right").alias("node"), F.col("left").alias("other"))
    )
    edges = stages(both, "edges")
    first = edges.groupBy("node").agg(F.min("other").alias("least"))
    labels = stages(first.select("node", F.least("node", "least").alias("component")), "components 0")
    for number in range(1, ROUNDS + 1):
        near = edges.join(labels.withColumnRenamed("node", "other"), "other")
        near = near.groupBy("node").agg(F.min("component").alias("least"))
        lower = labels.join(near, "node").select("node", "component", F.least("component", "least").alias("label"))
        jump = labels.select(F.col("node").alias("label"), F.col("component").alias("far"))
        lowest = F.least("label", "far").alias("component")
        new = lower.join(jump, "label").select("node", lowest, F.col("component").alias("before"))
        new = stages(new, f"components {number}")
        labels = new.select("node", "component")
        if new.filter("component <> before").isEmpty():
            return labels
    raise QuchongError(f"connected components still change after {ROUNDS} rounds: a longer chain than was thought of")
