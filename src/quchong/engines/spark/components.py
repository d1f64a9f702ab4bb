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
"""Most pairs that the driver labels by itself: they fit its memory easily, and each round of stages costs seconds."""


def components(pairs: DataFrame, stages: Stages) -> DataFrame:
    """Return node and component (the least node of it) for every node of the pairs left, right; nodes are ordered by their bytes.

    Up to FEW pairs are labelled in the driver, more by rounds of joins. The result is the same for either way and for any partitions.

    Raises:
        QuchongError: labels still change after ROUNDS rounds.
    """
    edges = stages(pairs.select("left", "right"), "edges")
    if edges.count() > FEW:
        return _by_rounds(edges, stages)
    return stages(edges.sparkSession.createDataFrame(_labels(edges.toArrow())), "components")


def _labels(edges: pa.Table) -> pa.Table:
    """Return node and component of the edges, computed in memory on the driver."""
    ends = pa.chunked_array([*edges["left"].chunks, *edges["right"].chunks], pa.string())
    nodes = pc.unique(ends).sort()
    left, right = (pc.index_in(edges[side], nodes).to_numpy().astype("int64") for side in ("left", "right"))
    return pa.table({"node": nodes, "component": nodes.take(pa.array(graph.components(len(nodes), left, right)))})


def _by_rounds(pairs: DataFrame, stages: Stages) -> DataFrame:
    """Return node and component of edges that do not fit on the driver, by rounds of joins.

    Each round gives all nodes of one label the least of three labels: their own, the least among neighbours of any of these
    nodes, and the label that their label (a node itself) has (hooking and shortcutting, Shiloach 1982). Whole groups merge,
    chains of labels halve, and the number of rounds grows with the logarithm of the longest path (21 for a chain of a million
    nodes). Every round is stored, so that a lost executor costs its part of that round only.
    """
    # Every edge in both directions, so that a join by one column reaches all neighbours of a node.
    both = pairs.select(F.col("left").alias("node"), F.col("right").alias("other")).union(
        pairs.select(F.col("right").alias("node"), F.col("left").alias("other"))
    )
    edges = stages(both, "edges both ways")
    # The first label of a node is the least of itself and its neighbours.
    first = edges.groupBy("node").agg(F.min("other").alias("least"))
    labels = stages(first.select("node", F.least("node", "least").alias("component")), "components 0")
    # Nodes with very many edges are the same in every round: they are counted once, and their rows are spread over
    # parts.
    hubs = stages(hot_keys(edges, ["other"]), "hubs")
    for number in range(1, ROUNDS + 1):
        # Hooking: the least label among the neighbours of each node, then of all nodes that have one label.
        near = joined_to(edges, labels.withColumnRenamed("node", "other"), ["other"], "node", hubs)
        near = near.groupBy("node").agg(F.min("component").alias("least"))
        group = labels.join(near, "node").groupBy("component").agg(F.min("least").alias("least"))
        # Shortcutting: the label of a label. A label is a node, so it has one too, which may already be less.
        label = group.join(
            labels.select(F.col("node").alias("component"), F.col("component").alias("far")), "component"
        )
        label = label.select("component", F.least("component", "least", "far").alias("label"))
        # The new label goes to all nodes of the group. Groups become giant as they merge, so hot labels are counted
        # again in each round.
        new = joined_to(labels, label, ["component"], "node", hot_keys(labels, ["component"]))
        new = new.select("node", F.col("label").alias("component"), F.col("component").alias("before"))
        new = stages(new, f"components {number}")
        labels = new.select("node", "component")
        if new.filter("component <> before").isEmpty():
            return labels
    raise QuchongError("connected components still change after {} rounds: a chain is longer than expected", ROUNDS)
