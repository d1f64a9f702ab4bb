"""The Spark engine: the same methods as DataFrame stages of Apache Spark (extra `[spark]`).

import quchong.spark
found = quchong.spark.dedup(df, method="hybrid", id="id", text="text")
found.kept, found.removed, found.ledger, found.pairs, found.clusters     # DataFrames
quchong.spark.dedup(quchong.spark.pages(spark, "crawl/"))                 # a folder of .html files
quchong.spark.counts_of(found), quchong.spark.found_alarms(found)        # what run.json would say; each reads the tables
"""

from quchong.errors import install
from quchong.languages import Message

try:
    import pyspark  # noqa: F401
except ImportError as error:  # pragma: no cover - the tests have it, or skip
    raise ImportError(Message("the Spark engine needs pyspark 4 and Java 17: {}", install("spark"))) from error

from quchong.engines.spark.dedup import SparkResult, dedup, pairs
from quchong.engines.spark.page_folder import pages
from quchong.engines.spark.report import counts_of, found_alarms

__all__ = ["SparkResult", "counts_of", "dedup", "found_alarms", "pages", "pairs"]
