"""Reads inputs as documents, together with the whole rows they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.engines.spark.documents import COLUMN, ID, SCOPE, TEXT
from quchong.errors import InputError, Param, UsageError
from quchong.io import Wanted
from quchong.io.records.json_values import JsonReader
from quchong.io.records.lines import Records
from quchong.io.source import Bad
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

LINE, REASON, FILE = "line", "reason", "source"
_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of the input and the documents in them.

    Attributes:
        whole: rows as they are written again.
        key: the id of a row, as text; usable: whether it holds a document.
        documents: id, text, scope and the input's columns that the plan asks for, each under `documents.COLUMN`.
        id_type: of ids in the tables of a result: bigint where those of the input are whole numbers.
    """

    whole: DataFrame
    key: Column
    usable: Column
    documents: DataFrame
    id_type: str = "string"


def columns_of(plan: Plan) -> tuple[str, ...]:
    """Columns of the input beside id and text. Web pages are not read here, so their column is none of them."""
    return tuple(name for name in plan.wanted.extra if name != plan.pages)


def rows_of(df: DataFrame, plan: Plan) -> Rows:
    """Rows of a table.

    Raises:
        InputError, UsageError: a column that is not there.
    """
    if not isinstance(df, DataFrame):
        raise UsageError(
            f"quchong.spark takes a Spark DataFrame, not {type(df).__name__}; for files, lists, pandas or Arrow use quchong.dedup"
        )
    for name in plan.text:
        kind = df.schema[name].dataType if name in df.columns else T.StringType()
        if not isinstance(kind, T.StringType | T.CharType | T.VarcharType):
            raise InputError(f"column {name!r} is {kind.simpleString()}, not text; cast it to string, or name another")
    for name in (plan.id or "id", *plan.text):
        if name not in df.columns:
            raise InputError(
                f"the data has no column {name!r}: it has {', '.join(df.columns)}; name yours with id and text"
            )
    for name, option in plan.named_columns.items():
        if name not in df.columns:
            raise UsageError(Param(option), f" asks for the column {name!r}, and the data has {', '.join(df.columns)}")
    if plan.scope.same_site and not {"site", "url"} & set(df.columns):
        raise UsageError(Param("same_site"), " needs a column site or url: rename yours, or use ", Param("per"))
    key = _column(plan.id or "id").cast("string")
    texts = [_column(name).cast("string") for name in plan.text]
    usable = F.lit(True)  # a row without a text is a document as well: it is kept
    columns = [
        (_column(c) if c in df.columns else F.lit(None).cast("string")).alias(COLUMN + c) for c in columns_of(plan)
    ]
    text = F.coalesce(texts[0], F.lit("")) if len(texts) == 1 else F.concat_ws("\n", *texts)
    scope = _scope(F.lit("") if plan.scope.per is None else _column(plan.scope.per).cast("string"))
    documents = df.filter(usable).select(key.alias(ID), text.alias(TEXT), scope, *columns)
    whole_numbers = isinstance(df.schema[plan.id or "id"].dataType, _WHOLE)
    return Rows(df, key, usable, documents, "bigint" if whole_numbers else "string")


def _column(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


def _scope(values: Column) -> Column:
    """Only equal ones meet: the value behind its length, so that a missing one is no empty one, and what follows cannot be
    taken for a part of it.
    """
    return F.coalesce(F.concat(F.length(values).cast("string"), F.lit(":"), values), F.lit("")).alias(SCOPE)


def json_lines(session: SparkSession, paths: list[str], plan: Plan) -> Rows:
    """Rows of files of JSON lines, read on executors by the reader of the local engine, and written again byte for byte, but
    for a byte order mark, which is left out.

    A bad line costs only itself: it is not usable, and `reason` says why.
    """
    extra = columns_of(plan)
    wanted = Wanted(plan.text, plan.id, plan.id_given, extra, textless=True)
    read_in = session.read.text(paths, lineSep="\n")
    lines = read_in.select(F.col("value").cast("binary").alias(LINE), F.col("_metadata.file_path").alias(FILE))
    lines = lines.filter(F.length(F.trim(F.col(LINE).cast("string"))) > 0)
    made = [ID, TEXT, *(COLUMN + name for name in extra)]
    schema = ", ".join([f"{LINE} binary", f"{FILE} string", f"{REASON} string", *(f"`{name}` string" for name in made)])

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                yield _read(batch.column(LINE), batch.column(FILE), wanted, made)

    whole = lines.mapInArrow(read, schema)
    usable = F.col(REASON).isNull()
    names = [F.col(f"`{name}`") for name in made]
    per = COLUMN + plan.scope.per if plan.scope.per in extra else ID
    scope = _scope(F.lit("") if plan.scope.per is None else F.col(f"`{per}`"))
    return Rows(whole, F.col(ID), usable, whole.filter(usable).select(*names, scope))


def _read(lines: pa.Array, files: pa.Array, wanted: Wanted, made: list[str]) -> pa.RecordBatch:
    """line, its file, reason, and what is wanted of each; nulls where it cannot be used."""
    raw = [line.removeprefix(BOM) for line in lines.to_pylist()]
    ends = np.cumsum([len(line) + 1 for line in raw]).astype(np.int64)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    bad: list[Bad] = []
    found = JsonReader(wanted, "", "", whole=False).batch(Records(b"\n".join([*raw, b""]), starts, ends, ends - 1), bad)
    place = np.full(len(raw), -1, np.int64)
    place[found.column("row").to_numpy()] = np.arange(found.num_rows)
    which = pa.array(place, mask=place < 0)
    reasons = {b.row: b.reason for b in bad}
    values = [found.column(n).take(which).cast(pa.string()) for n in (ID, TEXT, *wanted.extra)]
    reason = pa.array([reasons.get(i) for i in range(len(raw))], pa.string())
    return pa.RecordBatch.from_arrays([pa.array(raw, pa.binary()), files, reason, *values], [LINE, FILE, REASON, *made])
