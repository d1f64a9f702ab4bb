"""The cluster engine: the same methods as DataFrame stages of Apache Spark (extra `[spark]`).

import quchong.spark
found = quchong.spark.dedup(df, method="hybrid", id="id", text="text")
found.kept, found.removed, found.ledger, found.pairs, found.clusters     # DataFrames
"""

try:
    import pyspark  # noqa: F401
except ImportError as error:  # pragma: no cover - the tests have it, or skip
    raise ImportError("the cluster engine needs pyspark 4 and Java 17: pip install 'quchong[spark]'") from error

from quchong.spark.dedup import SparkResult, dedup, pairs

__all__ = ["SparkResult", "dedup", "pairs"]
