"""Documents of the input, together with the whole rows they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.engines.spark.documents import ID, SCOPE, TEXT, stored_name
from quchong.engines.spark.nested import nested_columns, with_columns
from quchong.errors import InputError, Param, UsageError
from quchong.findings import BETWEEN, LETTERED
from quchong.io.page_documents import USUAL
from quchong.languages import join_names
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import Column

FILE, START, RECORD = PLACE = ("quchong_file", "quchong_start", "quchong_record")
"""Location of a row: its file, the offset of the split of the file in which it was read, and its number in that split."""
BAD_PAGE = "quchong_reason"
"""Reason why the row of a table cannot be used; null if it can."""
WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


@dataclass(frozen=True, slots=True)
class File:
    """Input of a run: its name as in the local engine, its path, records and bytes, and its format if that was stated."""

    name: str
    path: str
    records: int
    bytes: int
    format: str | None = None


@dataclass(frozen=True, slots=True)
class SourceFile:
    """File of records that one task reads with the reader of the local engine, such as a CSV or WARC file.

    Attributes:
        name: its name in run.json.
        uri: its location.
        suffix: decides how it is read.
        bytes: its size.
        split: the split of a data set that it is a part of; None for all other files.
        columns: names of its columns, as far as they are known before it is read; empty if only Hadoop reaches it.
    """

    name: str
    uri: str
    suffix: str
    bytes: int
    split: str | None = None
    columns: tuple[str, ...] = ()

    @property
    def shared_path(self) -> Path | None:
        """Local path of the file, if every executor can open it under that path, else None."""
        return path_of(self.uri)


def path_of(uri: str) -> Path | None:
    """Return the path of a URI of a local file system, else None."""
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" and not parts.netloc else None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of the input, and the documents in them.

    Attributes:
        documents: id, text, scope and the input's columns that the plan asks for, each under `documents.COLUMN`; for files `PLACE`
            as well.
        key: the id of a row, as text.
        usable: True if the row is a document.
        bad: True if the row cannot be read.
        whole: rows as they are written again; None if the documents carry them (see `lines`), which are then stored.
        id_type: type of ids in the tables of a result: bigint if those of the input are whole numbers. None if that is known only
            when all rows are read.
        reasons: True if documents have `BAD_PAGE`, which is joined to `whole` by `PLACE` once they are read.
        files: the files of the rows, if one task reads a whole file (see `source_files`); ids may then repeat.
        sources: the inputs, if each row is a whole file (see `text_files`); FILE is then the name of the input.
        by_id: rows are identified by id and not by location, so unreadable rows need ids too.
        repeated: number of ids that were changed because another row had them.
    """

    documents: DataFrame
    key: Column
    usable: Column
    bad: Column
    whole: DataFrame | None = None
    id_type: str | None = None
    reasons: bool = False
    by_id: bool = False
    files: tuple[SourceFile, ...] = ()
    sources: tuple[File, ...] = ()
    repeated: int = 0


def columns_of(plan: Plan) -> tuple[str, ...]:
    """Return the columns of the input that a plan needs besides id and text; the column of web pages is left out."""
    return tuple(name for name in plan.wanted_columns.extra if name != plan.pages)


def rows_of(df: DataFrame, plan: Plan, place: Sequence[Column] = ()) -> Rows:
    """Build the rows of a table; `place` has the columns of each row's location.

    Raises:
        InputError, UsageError: a column is missing, or the column of texts is of another type.
    """
    if not isinstance(df, DataFrame):
        raise UsageError(
            "quchong.spark takes a Spark DataFrame, not {}; for files, lists, pandas or Arrow use quchong.dedup",
            type(df).__name__,
        )
    inner = nested_columns(df, plan.text, [plan.id or "id", *plan.named_columns, *columns_of(plan)])
    whole = df.select("*", *place)
    if inner:  # which are no columns of the rows that go out
        place = [_column(name) for name in whole.columns[len(df.columns) :]]
        df = with_columns(whole, inner)
    # Check all columns now: a task would report them late, and with Spark's own words.
    for name in plan.text:
        kind = df.schema[name].dataType if name in df.columns else T.StringType()
        if not isinstance(kind, T.StringType | T.CharType | T.VarcharType):
            raise InputError(
                "column {!r} has the type {}, not text; cast it to string, or name another column",
                name,
                kind.simpleString(),
            )
    for name in (plan.id or "id", *plan.text):
        if name not in df.columns:
            raise InputError(
                "the data has no column {!r}; it has {}: name your columns with id and text",
                name,
                join_names([*df.columns]),
            )
    for name, option in plan.named_columns.items():
        if name not in df.columns:
            raise UsageError(
                "{} needs the column {!r}, but the data has {}",
                Param(option),
                name,
                join_names([*df.columns]),
            )
    if plan.pages not in (None, USUAL, *df.columns):
        raise UsageError(
            "{} needs the column {!r}, but the data has {}", Param("html"), plan.pages, join_names([*df.columns])
        )
    if plan.scope.same_site and not {"site", "url"} & set(df.columns):
        raise UsageError(
            "{} needs a column site or url: rename your column, or use {}", Param("same_site"), Param("per")
        )
    # Ids are strings within the run, ordered by their bytes; tables get the type of the input back.
    name = plan.id or "id"
    key = inner.get(name, _column(name)).cast("string")
    texts = [_column(name).cast("string") for name in plan.text]
    columns = [
        (_column(c) if c in df.columns else F.lit(None).cast("string")).alias(stored_name(c)) for c in columns_of(plan)
    ]
    text = F.coalesce(_joined_texts(texts), F.lit(""))
    scope = scope_of(F.lit("") if plan.scope.per is None else _column(plan.scope.per).cast("string"))
    documents = df.select(_column(name).cast("string").alias(ID), text.alias(TEXT), scope, *columns, *place)
    id_type = "bigint" if isinstance(df.schema[plan.id or "id"].dataType, WHOLE) else "string"
    # a row without a text is a document as well: it is kept
    return Rows(documents, key, F.lit(True), F.lit(False), whole, id_type)


def _column(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


def _joined_texts(texts: Sequence[Column]) -> Column:
    """Join text columns with line breaks, as `quchong.io.documents.join_texts`; null if all are null."""
    joined = texts[0]
    for column in texts[1:]:
        both = joined.rlike(LETTERED) & column.rlike(LETTERED)
        pair = F.concat(joined, F.when(both, F.lit(BETWEEN)).otherwise(F.lit("\n")), column)
        joined = F.coalesce(pair, joined, column)
    return joined


def scope_in(plan: Plan) -> Column:
    """Return an expression for the scope value of documents."""
    per = stored_name(plan.scope.per) if plan.scope.per in columns_of(plan) else ID
    return scope_of(F.lit("") if plan.scope.per is None else F.col(f"`{per}`"))


def scope_of(values: Column) -> Column:
    """Return an expression that encodes scope columns as length, colon, value, so that different values differ.

    Null becomes "", unlike an empty value, and what is appended later cannot be read as part of the value.
    """
    return F.coalesce(F.concat(F.length(values).cast("string"), F.lit(":"), values), F.lit("")).alias(SCOPE)
