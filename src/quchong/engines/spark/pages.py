"""Rows of tables whose texts are web pages, read on executors by the reader of the local engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema

from quchong.engines.spark.documents import ID, TEXT, stored_name
from quchong.engines.spark.nested import nested_columns, with_columns
from quchong.engines.spark.rows import BAD_PAGE, PLACE, WHOLE, Rows, columns_of, rows_of, scope_of
from quchong.errors import InputError
from quchong.io import WantedColumns
from quchong.io.arrays import no_rows
from quchong.io.columnar.columns import Columns
from quchong.io.columnar.raw import raw_row
from quchong.io.page_documents import PageReader
from quchong.io.source import Bad
from quchong.languages import join_names
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

RAW = "raw"


def reader_of(plan: Plan) -> PageReader:
    """Return the reader of web pages that a plan asks for, with one worker."""
    return PageReader(plan.body, plan.pages, plan.time_key, workers=1)


def wanted_of(plan: Plan) -> WantedColumns:
    """Return the columns that a plan needs of a source, without the column of pages, which the page reader adds itself."""
    return replace(plan.wanted_columns, extra=columns_of(plan))


def rows_of_pages(df: DataFrame, plan: Plan, place: Sequence[Column]) -> Rows:
    """Return the rows of a table with a column of pages; a row without text gets the text of its page.

    Columns that a page may fill (title, url, blocks, the time) are strings. A row whose page cannot be read is marked as not
    usable, with the reason in `BAD_PAGE`; other rows are not affected.

    Args:
        df: the table, with the column `plan.pages`.
        plan: the plan of the run.
        place: location of each row, as `rows.PLACE`.

    Raises:
        InputError: a column is missing, or its type does not fit its use.
    """
    reader, wanted = reader_of(plan), wanted_of(plan)
    asked = reader.columns_to_read(wanted)
    # Only columns that exist are read; a column that a page fills need not.
    inner = nested_columns(df, plan.text, [name for name in asked.columns if name not in plan.text])
    whole = df.select("*", *place)
    df = with_columns(whole, inner)
    names = [name for name in dict.fromkeys(asked.columns) if name in df.columns]
    known = df.select(*(F.col(quoted(name)) for name in names))
    Columns.from_schema(to_arrow_schema(known.schema), asked, "the data")  # says here what is wrong with them
    # A page may fill these columns, so their type must be string, whatever type the table has.
    filled = {"title", "url", "blocks", plan.time_key}
    extra = {
        name: known.schema[name].dataType if name in names and name not in filled else T.StringType()
        for name in wanted.extra
        if name != wanted.instead
    }
    # The columns of the documents: id, text, reason, the extra columns and the location.
    fields: dict[str, T.DataType] = {ID: T.StringType(), TEXT: T.StringType(), BAD_PAGE: T.StringType()}
    fields |= {stored_name(name): kind for name, kind in extra.items()}
    fields |= dict(zip(PLACE, (T.StringType(), T.LongType(), T.LongType()), strict=True))
    schema = T.StructType([T.StructField(name, kind) for name, kind in fields.items()])
    types = [to_arrow_schema(schema).field(name).type for name in fields]

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if not batch.num_rows:
                continue
            bad: list[Bad] = []
            some = batch.select(range(len(names))).rename_columns(names)
            found = [
                reader.read(documents, wanted, "", bad)
                for documents in Columns.from_schema(some.schema, asked, "the data").documents([(0, some)], "", bad)
            ]
            # The reader leaves out rows it cannot read: put its rows back at their places, with nulls and a reason for
            # the others.
            documents = pa.Table.from_batches(found, found[0].schema).combine_chunks()
            at = np.full(batch.num_rows, -1, np.int64)
            at[documents["row"].to_numpy()] = np.arange(len(documents))
            which = pa.array(at, mask=at < 0)
            reasons = {one.row: one.reason for one in bad}
            given = (documents.to_batches() or [no_rows(documents.schema)])[0]
            values = [
                given.column("id").take(which), given.column("text").take(which),
                pa.array([reasons.get(i) for i in range(batch.num_rows)], pa.string()),
                *(given.column(name).take(which) for name in extra), *(batch.column(name) for name in PLACE),
            ]  # fmt: skip
            yield pa.RecordBatch.from_arrays(
                [one.cast(kind) for one, kind in zip(values, types, strict=True)], list(fields)
            )

    # The whole rows stay in `df`; the documents find them again by their location.
    documents = df.select(*(F.col(quoted(name)).alias(stored_name(name)) for name in names), *PLACE).mapInArrow(
        read, schema
    )
    per = None if plan.scope.per is None else plan.id if plan.scope.per == plan.id else plan.scope.per
    group = F.lit("") if per is None else F.col(ID if per == plan.id else quoted(stored_name(per))).cast("string")
    reason = F.col(BAD_PAGE)
    key = inner.get(plan.id or "id", F.col(quoted(plan.id or "id")))
    whole_numbers = plan.id in names and isinstance(known.schema[plan.id].dataType, WHOLE)
    return Rows(
        documents.select("*", scope_of(group)), key.cast("string"), reason.isNull(),
        reason.isNotNull(), whole, "bigint" if whole_numbers else "string", reasons=True,
    )  # fmt: skip


def table_rows(df: DataFrame, plan: Plan) -> Rows:
    """Build the rows of a DataFrame; with a column of pages, a row without text is compared by its page.

    Rows of a DataFrame have no file or number, so they are identified by id; rows whose page cannot be read need an id too.
    """
    if plan.pages is None or plan.pages not in getattr(df, "columns", ()):
        return rows_of(df, plan)
    name = plan.id or "id"
    if name not in df.columns:
        raise InputError(
            "the data has no column {!r}; it has {}: name your columns with id and text", name, join_names(df.columns)
        )
    nowhere = (F.lit(0).cast("bigint").alias(column) for column in PLACE[1:])
    rows = rows_of_pages(df, plan, (F.col(quoted(name)).cast("string").alias(PLACE[0]), *nowhere))
    return replace(rows, by_id=True)


def raw_rows(rows: DataFrame, own: Sequence[str]) -> DataFrame:
    """Encode whole rows as JSON in `RAW` (binary); the columns `own` are copied and are no part of the JSON."""
    kept = [field for field in rows.schema.fields if field.name in own]

    def written(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            plain = batch.select([name for name in batch.schema.names if name not in own])
            raw = pa.array([raw_row(plain.slice(i, 1)) for i in range(batch.num_rows)], pa.binary())
            columns = [*(batch.column(field.name) for field in kept), raw]
            yield pa.RecordBatch.from_arrays(columns, [*(field.name for field in kept), RAW])

    return rows.mapInArrow(written, T.StructType([*kept, T.StructField(RAW, T.BinaryType())]))


def quoted(name: str) -> str:
    """Quote the name of a column for SQL."""
    return f"`{name.replace('`', '``')}`"
