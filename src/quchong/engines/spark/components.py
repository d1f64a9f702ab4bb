"""Connected components of a graph in DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.engines.spark.skew import hot_keys, joined_to
from quchong.engines.spark.stages import Stages
from quchong.errors import QuchongError
from quchong.kernels import graph

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROUNDS = 60
FEW = 200_000
"""Pairs that the driver joins by itself: they fit it easily, and every round of stages costs seconds."""


def components(pairs: DataFrame, stages: Stages) -> DataFrame:
    """Node and component (the least node of it) for every node of the pairs left, right; both in the order of their bytes.

    Up to FEW pairs the driver does it. The result does not depend on partitions, nor on who made it.

    Raises:
        QuchongError: labels still change after ROUNDS rounds.
    """
    edges = stages(pairs.select("left", "right"), "edges")
    if edges.count() > FEW:
        return _by_rounds(edges, stages)
    return stages(edges.sparkSession.createDataFrame(_labels(edges.toArrow())), "components")


def _labels(edges: pa.Table) -> pa.Table:
    """The same of pairs in one place."""
    ends = pa.chunked_array([*edges["left"].chunks, *edges["right"].chunks], pa.string())
    nodes = pc.unique(ends).sort()
    left, right = (pc.index_in(edges[side], nodes).to_numpy().astype("int64") for side in ("left", "right"))
    return pa.table({"node": nodes, "component": nodes.take(pa.array(graph.components(len(nodes), left, right)))})


def _by_rounds(pairs: DataFrame, stages: Stages) -> DataFrame:
    """The same of pairs too many for one place.

    Each round gives all nodes of one label the least of it, of the labels that neighbours of any of them have, and of the
    label's own label (hooking and shortcutting, Shiloach 1982): groups merge whole, chains of labels halve,
    and rounds grow with the logarithm of the longest path (21 for a chain of a million nodes). Every round is written
    down, so that a lost executor costs its part of that round only.
    """
    both = pairs.select(F.col("left").alias("node"), F.col("right").alias("other")).union(
        pairs.select(F.col("right").alias("node"), F.col("left").alias("other"))
    )
    edges = stages(both, "edges both ways")
    first = edges.groupBy("node").agg(F.min("other").alias("least"))
    labels = stages(first.select("node", F.least("node", "least").alias("component")), "components 0")
    hubs = stages(hot_keys(edges, ["other"]), "hubs")
    for number in range(1, ROUNDS + 1):
        near = joined_to(edges, labels.withColumnRenamed("node", "other"), ["other"], "node", hubs)
        near = near.groupBy("node").agg(F.min("component").alias("least"))
        group = labels.join(near, "node").groupBy("component").agg(F.min("least").alias("least"))
        label = group.join(
            labels.select(F.col("node").alias("component"), F.col("component").alias("far")), "component"
        )
        label = label.select("component", F.least("component", "least", "far").alias("label"))
        new = joined_to(labels, label, ["component"], "node", hot_keys(labels, ["component"]))
        new = new.select("node", F.col("label").alias("component"), F.col("component").alias("before"))
        new = stages(new, f"components {number}")
        labels = new.select("node", "component")
        if new.filter("component <> before").isEmpty():
            return labels
    raise QuchongError("connected components still change after {} rounds: a longer chain than was thought of", ROUNDS)
