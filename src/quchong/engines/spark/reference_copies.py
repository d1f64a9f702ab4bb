"""Copies of the references of a run: their documents read here, by the readers of the local engine, and stored for the executors."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.decision.manifest import path_entry
from quchong.engines.spark.documents import ID, TEXT, stored_name
from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.pages import quoted, reader_of, wanted_of
from quchong.engines.spark.rows import PLACE, RECORD, START, columns_of, scope_in
from quchong.engines.spark.stages import Stages
from quchong.engines.spark.unions import united
from quchong.io import Source
from quchong.io.page_documents import Pages
from quchong.io.source import Bad
from quchong.plan.plan import Plan
from quchong.tables import REFERENCE_PREFIX

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


Rename = Callable[[Sequence[Source], Plan, pa.Table, Callable[[np.ndarray], pa.Table]], Mapping[int, str]]
"""Function that returns new ids for documents whose id another one has, by the position of each document.

Its arguments: the sources; the plan; the columns ID, START and RECORD of all documents; and a function that returns ID, TEXT and
the columns of the run of documents by their positions, ascending.
"""


def copied(
    sources: Sequence[Source], plan: Plan, stages: Stages, rename: Rename
) -> tuple[DataFrame, tuple[dict[str, Any], ...], int]:
    """Write the reference documents of sources to the folder of the stages; return them as a DataFrame.

    Also return the entries of run.json for the sources, and the number of documents whose id was changed.

    Ids get the prefix of references; a document without one is named by source and row. Records that cannot be read are left out.

    Cost: one pass over the sources, in this process; memory of a batch, and of the ids.
    """
    session, names = stages.session, [stored_name(name) for name in columns_of(plan)]
    with stages.stage("read references"), tempfile.TemporaryDirectory(prefix="quchong-") as folder:
        written = list(_written(sources, plan, Path(folder)))
        about = [pq.read_table(path, columns=[ID, START, RECORD]) for path in written]
        new = (
            rename(sources, plan, pa.concat_tables(about), partial(_read_positions, written, [ID, TEXT, *names]))
            if about
            else {}
        )
        places = _places(about, new)
        files = Hadoop(session)
        for path in written:
            files.upload(path, f"{stages.work}/references/{path.name}")
        entries = tuple(source.fingerprint() | path_entry(source) for source in sources)
    tables = [session.read.parquet(f"{stages.work}/references/{path.name}") for path in written]
    documents = united(tables or [_no_documents(stages, names)])
    if places:
        renamed = session.createDataFrame(places, f"{START} bigint, {RECORD} bigint, other string")
        both = documents.join(F.broadcast(renamed), [START, RECORD], "left")
        documents = both.withColumn(ID, F.coalesce("other", ID)).select(*(F.col(quoted(n)) for n in documents.columns))
    columns = (F.col(quoted(name)) for name in documents.columns)
    return documents.select(*columns, scope_in(plan)), entries, len(places)


def _places(about: Sequence[pa.Table], new: Mapping[int, str]) -> list[tuple[int, int, str]]:
    """Return source index, row and new id of the documents `new`, given by position in the concatenated tables."""
    if not new:
        return []
    some = pa.concat_tables(about).take(pa.array(list(new)))
    return list(zip(some[START].to_pylist(), some[RECORD].to_pylist(), new.values(), strict=True))


def _read_positions(written: Sequence[Path], names: Sequence[str], positions: np.ndarray) -> pa.Table:
    """Return columns of the rows at some positions (ascending) of all files together; a column of several types becomes text."""
    found, first = list[pa.Table](), 0
    for path in written:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=names):
                mine = positions[(positions >= first) & (positions < first + len(batch))] - first
                if len(mine):
                    found.append(pa.Table.from_batches([batch.take(pa.array(mine))]))
                first += len(batch)
    return together(found) if found else pa.table({})


def together(tables: Sequence[pa.Table]) -> pa.Table:
    """Return tables with equal column names as one table; a column with several types becomes text."""
    kinds: dict[str, set[pa.DataType]] = {}
    for one in tables:
        for field in one.schema:
            kinds.setdefault(field.name, set()).add(field.type)
    schema = pa.schema(
        [(name, next(iter(found)) if len(found) == 1 else pa.large_string()) for name, found in kinds.items()]
    )
    return pa.concat_tables([one.cast(schema) for one in tables])


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
        **{stored_name(one): _storable_column(batch.column(one)) for one in extra},
        PLACE[0]: pa.array([name] * len(batch), pa.string()),
        PLACE[1]: pa.array([number] * len(batch), pa.int64()),
        PLACE[2]: rows.cast(pa.int64()),
    }
    return pa.table(columns)


def _storable_column(column: pa.Array) -> pa.Array:
    """Return a column in a Spark type: signed integers, microseconds, and text for everything else."""
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
