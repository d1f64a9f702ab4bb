"""The Spark engine: the same methods as DataFrame stages of Apache Spark (extra `[spark]`).

import quchong.spark
found = quchong.spark.dedup(df, method="hybrid", id="id", text="text")
found.kept, found.removed, found.ledger, found.pairs, found.clusters     # DataFrames
quchong.spark.dedup(df, against=Path("seen/"))                            # compared with an index too, which is never changed
quchong.spark.dedup(quchong.spark.pages(spark, "crawl/"))                 # a folder of .html files
quchong.spark.counts_of(found), quchong.spark.found_alarms(found)        # what run.json would say; each reads the tables
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Unpack

from quchong.errors import install
from quchong.languages import Message

try:
    import pyspark  # noqa: F401
except ImportError as error:  # pragma: no cover - the tests have it, or skip
    raise ImportError(Message("the Spark engine needs pyspark 4 and Java 17: {}", install("spark"))) from error

from quchong.engines.spark.dedup import SparkOptions, SparkResult, pairs
from quchong.engines.spark.dedup import dedup as _dedup
from quchong.engines.spark.page_folder import pages
from quchong.engines.spark.report import counts_of, found_alarms
from quchong.plan.sources import Data
from quchong.results.spark_references import SparkReferences

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def dedup(
    df: DataFrame, *, id: str = "id", text: str | Iterable[str] = "text", protect: Iterable[str | int] = (),
    work: str | None = None, against: Data | None = None, **options: Unpack[SparkOptions],
) -> SparkResult:  # fmt: skip
    """Find exact copies, near-duplicates and contained documents of a DataFrame, as `quchong.dedup` does of a file.

    Args:
        df: documents, the same rows whenever it is read. `id` names a column of unique values, `text` one or several of
            strings, joined by line feeds. A row without any text is kept. Where there is a column of web pages (`html`, strings
            or bytes; `html=None` for none), a row without text is compared by its page, which executors read.
        protect: ids that are never removed.
        work: a folder that every executor sees, for the results of stages; required if executors run on other machines.
        against: a reference corpus, as for `quchong.dedup`: documents that it has are removed, and it is never changed. An index, run
            folders and files are read on this machine, and their documents stored in `work` for the executors, which need not reach them.
            A DataFrame, and Parquet at an address such as hdfs:///, are read by executors; each id must occur once there.
        **options: see `SparkOptions`; as for `quchong.dedup`.

    Returns:
        Pairs, relations, survivors, clusters and ledger that equal those of one machine, for any number of partitions and
        executors. Stages have been computed when it returns; `kept` and `removed` are joins with the ledger. `skipped` has the
        rows whose page cannot be read, and why in the column quchong_reason.

    Raises:
        UsageError: an option that this engine does not support; the message names an alternative.
        InputError: a missing column, missing or repeated ids, or a record on which a stage failed.
        RunError: an index or a run folder of `against` is damaged.
    """
    references = None if against is None else SparkReferences(against)
    return _dedup(df, id=id, text=text, protect=protect, work=work, references=references, **options)


__all__ = ["SparkResult", "counts_of", "dedup", "found_alarms", "pages", "pairs"]
