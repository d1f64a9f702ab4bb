"""The cluster engine: the same methods as DataFrame stages of Apache Spark (extra `[spark]`).

import quchong.spark
found = quchong.spark.dedup(df, method="hybrid", id="id", text="text")
found.kept, found.removed, found.ledger, found.pairs, found.clusters     # DataFrames
"""

from quchong.spark.dedup import SparkResult, dedup, pairs

__all__ = ["SparkResult", "dedup", "pairs"]
