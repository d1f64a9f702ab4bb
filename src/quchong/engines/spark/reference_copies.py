"""Copies of the references of a run: their documents read here, by the readers of the local engine, and stored for the executors."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.decision.manifest import path_entry
from quchong.engines.spark.documents import ID, TEXT, stored_name
from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.pages import quoted, reader_of, wanted_of
from quchong.engines.spark.rows import PLACE, columns_of, scope_in
from quchong.engines.spark.stages import Stages
from quchong.engines.spark.unions import united
from quchong.io import Source
from quchong.io.page_documents import Pages
from quchong.io.source import Bad
from quchong.plan.plan import Plan
from quchong.tables import REFERENCE_PREFIX

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def copied(sources: Sequence[Source], plan: Plan, stages: Stages) -> tuple[DataFrame, tuple[dict[str, Any], ...]]:
    """Read the documents of sources and store them among the stages of the run; return them, and what run.json tells of each source.

    Ids get the prefix of references; a document without one is named by source and row. Records that cannot be read are left out.

    Cost: one pass over the sources, in this process; memory of a batch.
    """
    session, names = stages.session, [stored_name(name) for name in columns_of(plan)]
    with stages.stage("read references"), tempfile.TemporaryDirectory(prefix="quchong-") as folder:
        files, hadoop = Hadoop(session), list[str]()
        for path in _written(sources, plan, Path(folder)):
            hadoop.append(f"{stages.work}/references/{path.name}")
            files.put(path, hadoop[-1])
        entries = tuple(source.fingerprint() | path_entry(source) for source in sources)
    tables = [session.read.parquet(path) for path in hadoop] or [_no_documents(stages, names)]
    documents = united(tables)
    return documents.select(*(F.col(quoted(name)) for name in documents.columns), scope_in(plan)), entries


def _no_documents(stages: Stages, names: Sequence[str]) -> DataFrame:
    """Return a table of references without a row."""
    fields: dict[str, T.DataType] = dict.fromkeys((ID, TEXT, *names, PLACE[0]), T.StringType())
    fields |= {name: T.LongType() for name in PLACE[1:]}
    return stages.session.createDataFrame(
        [], T.StructType([T.StructField(name, kind) for name, kind in fields.items()])
    )


def _written(sources: Sequence[Source], plan: Plan, folder: Path) -> Iterator[Path]:
    """Write the documents of sources to Parquet files in a folder, and yield each file when it is complete.

    A file has one schema; where the types of columns change within a source, as in records without a schema, another file begins.
    """
    reader, wanted = replace(reader_of(plan), workers=plan.workers), wanted_of(plan)
    count = 0
    for number, source in enumerate(sources):
        bad: list[Bad] = []
        with ExitStack() as stack:
            writer: pq.ParquetWriter | None = None
            path = folder
            for batch in Pages(source, reader).documents(wanted, bad):
                bad.clear()
                table = _storable(batch, source.name, number, columns_of(plan))
                if writer is not None and writer.schema != table.schema:
                    stack.close()
                    writer = None
                    yield path
                if writer is None:
                    path, count = folder / f"part-{count:05d}.parquet", count + 1
                    writer = stack.enter_context(pq.ParquetWriter(path, table.schema, compression="zstd"))
                writer.write_table(table)
        if writer is not None:
            yield path


def _storable(batch: pa.RecordBatch, name: str, number: int, extra: Sequence[str]) -> pa.Table:
    """Return a batch of documents as the table that executors read."""
    rows = batch.column("row")
    made = pc.binary_join_element_wise(
        pa.scalar(name, pa.large_string()), rows.cast(pa.large_string()), pa.scalar("#", pa.large_string())
    )
    ids = pc.coalesce(batch.column("id").cast(pa.large_string()), made)
    prefix, nothing = (pa.scalar(value, pa.large_string()) for value in (REFERENCE_PREFIX, ""))
    columns = {
        ID: pc.binary_join_element_wise(prefix, ids, nothing),
        TEXT: batch.column("text"),
        **{stored_name(one): _plain(batch.column(one)) for one in extra},
        PLACE[0]: pa.array([name] * len(batch), pa.string()),
        PLACE[1]: pa.array([number] * len(batch), pa.int64()),
        PLACE[2]: rows.cast(pa.int64()),
    }
    return pa.table(columns)


def _plain(column: pa.Array) -> pa.Array:
    """Return a column in a type that Spark has: whole numbers with sign, times to the microsecond, and text for what it has no type for."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    if pa.types.is_uint64(kind) or pa.types.is_null(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind):
        return column.cast(pa.string())
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp("us", kind.tz), safe=False)
    return column.cast(pa.date32()) if pa.types.is_date(kind) else column
