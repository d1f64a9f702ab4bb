"""Reference corpus of a run on Spark: an index, runs and files that this machine reads as for a run here, or a table of Spark."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import Alarm
from quchong.decision.prepared_texts import TextStore
from quchong.engines.local.columns import check_texts
from quchong.engines.local.content_order import content_order
from quchong.engines.local.ids import unique
from quchong.errors import Param, UsageError
from quchong.io import Source
from quchong.io.files.addresses import is_address, local_spelling
from quchong.languages import Message
from quchong.plan.plan import Plan
from quchong.plan.sources import Data, Spool, may_be_copied, paths_of, read_once, spooled
from quchong.results.against import indexes_among, runs_among
from quchong.results.input_options import AGAINST, opened_references
from quchong.results.kept_rows import ReadDocuments, unlike_kept
from quchong.results.reference_columns import own_columns
from quchong.tables import one_array

_OF_SPARK = (
    "hdfs",
    "viewfs",
    "webhdfs",
    "swebhdfs",
    "s3a",
    "s3n",
    "abfs",
    "abfss",
    "wasb",
    "wasbs",
    "dbfs",
    "oss",
    "cosn",
    "obs",
)
"""Protocols of file systems that Spark reaches through Hadoop; addresses of others are read by this machine, as for a run here."""


class SparkReferences:
    """Reference corpus of a run on Spark, as the caller gave it; nothing is opened yet.

    Paths of this machine are read where the command runs: indexes, run folders, and files of any format. Executors need not reach them.
    A DataFrame, and Parquet files and run folders at an address that only Spark reaches, are read by executors.

    Args:
        against: as `quchong.dedup` takes it, or a DataFrame.
        format: format of the files.

    Raises:
        UsageError: it is standard input, or some of it is on this machine and some at addresses that only Spark reaches.
    """

    def __init__(self, against: Data, format: str | None = None) -> None:
        self._against, self._format, self._spool = against, format, None if _is_table(against) else _spool_for(against)
        self.addresses = [] if _is_table(against) else [one for one in paths_of(against) if _is_of_spark(one)]
        if self.addresses and len(self.addresses) < len(paths_of(against)):
            raise UsageError(
                "{}: Spark reads {}, but this machine reads other paths: give either addresses or paths", Param("against"),
                self.addresses[0],
            )  # fmt: skip

    def __call__(self, plan: Plan) -> Sequence[Source] | Any:
        """Open the references for a plan: local sources, or a DataFrame with the plan's column names.

        Raises:
            InputError, RunError, UsageError: as `quchong.dedup` of the same references.
        """
        if _is_table(self._against):
            return self.renamed(self._against, plan)
        copies = self._spool.folder if self._spool else None
        with spooled(copies):
            sources = opened_references(
                self._against, plan, format=self._format, spool=copies / AGAINST if copies else None, known=False
            )
            check_texts(sources, plan)
        return sources

    def renamed(self, table: Any, plan: Plan) -> Any:
        """Return a DataFrame with columns renamed to those of the data (`own_columns`)."""
        own = own_columns(table.columns, plan, {}, Message("the data given"))
        names = {**own.names, **dict(zip(plan.text, own.text, strict=False))}
        for wanted, given in names.items():
            table = table.withColumnRenamed(given, wanted)
        return table

    def rename(
        self, sources: Sequence[Source], plan: Plan, documents: pa.Table, take: Callable[[np.ndarray], pa.Table]
    ) -> Mapping[int, str]:
        """Return new ids, by index, for references whose id another document has, as a local run makes them.

        Args:
            sources: of the references. plan: of the run.
            documents: id, source (its number) and row of all documents, in the order in which they were read.
            take: returns id, text and the other columns of the run of documents by their positions, ascending.
        """
        ids = one_array(documents[0]).cast(pa.large_string())
        source, row = (column.to_numpy() for column in documents.columns[1:])

        def by_content(same: np.ndarray, group: np.ndarray) -> np.ndarray:
            # Only documents with repeated ids are read again; they are numbered among themselves.
            some = np.sort(same)
            rows = take(some)
            texts = plan.preparer.prepare(one_array(rows[1]).cast(pa.large_string()).fill_null(""), 1).texts
            columns = rows.drop_columns(rows.column_names[1]).append_column("row", pa.array(row[some]))
            at = np.searchsorted(some, same)
            return content_order(at, group, TextStore([texts]), columns, sources, source[some], row[some])

        ids, renamed, _ = unique(ids, by_content)
        changed = renamed["document"]
        return dict(zip(changed.to_pylist(), ids.take(one_array(changed)).to_pylist(), strict=True))

    def alarms(self, read: Callable[[], pa.Table], sources: Sequence[Source], plan: Plan) -> list[Alarm]:
        """Return an alarm for each earlier run among the references whose kept rows have changed since.

        Args:
            read: returns id, tokens, source (its number) and row of the references, in the order in which they were read.
            sources: of the references. plan: of this run.
        """
        if not sources or not runs_among(self._against):
            return []
        table = read()
        source, row, tokens = (table[name].to_numpy() for name in ("source", "row", "tokens"))
        ids = one_array(table["id"]).cast(pa.large_string())
        return unlike_kept(self._against, ReadDocuments(sources, source, row, ids, tokens), len(sources), plan)


def _is_table(against: Data) -> bool:
    return type(against).__module__.startswith("pyspark.")


def _is_of_spark(path: str) -> bool:
    return is_address(local_spelling(path)) and os.fspath(path).split(":", 1)[0].lower() in _OF_SPARK


def _spool_for(against: Data) -> Spool | None:
    """Return a temporary folder if the references include something to copy (an index, pipe or web file); else None."""
    if read_once(against) and "-" in paths_of(against):
        raise UsageError("the Spark engine does not read standard input: give paths that every executor can reach")
    return Spool() if may_be_copied(against) or indexes_among(against) else None
