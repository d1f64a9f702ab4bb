"""Reads inputs as documents, together with the whole rows they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.engines.spark.documents import COLUMN, ID, SCOPE, TEXT
from quchong.errors import InputError, Param, UsageError
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import Column

FILE, START, RECORD = PLACE = ("quchong_file", "quchong_start", "quchong_record")
"""Where a row stands: its file, where the split of the file begins that it was read in, and its number in that split."""
BAD_PAGE = "quchong_reason"
"""Why the row of a table cannot be used; null where it can."""
WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)


@dataclass(frozen=True, slots=True)
class File:
    """An input of a run: its name, as the local engine would call it, its place, records and bytes, and its format where that was said."""

    name: str
    path: str
    records: int
    bytes: int
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Warc:
    """A WARC file: its name in run.json, its URI, the suffix it is read by, and its bytes."""

    name: str
    uri: str
    suffix: str
    bytes: int

    @property
    def here(self) -> Path | None:
        """Its path, where every executor has it under the same."""
        return path_of(self.uri)


def path_of(uri: str) -> Path | None:
    """The path of a URI of a local file system."""
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" and not parts.netloc else None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of the input and the documents in them.

    Attributes:
        documents: id, text, scope and the input's columns that the plan asks for, each under `documents.COLUMN`; for files `PLACE`
            as well.
        key: the id of a row, as text; usable: whether it holds a document; bad: whether it is one that cannot be read.
        whole: rows as they are written again. None where they stand in the documents (see `lines`), which are then staged.
        id_type: of ids in the tables of a result: bigint where those of the input are whole numbers. None where that is known
            when all are read.
        reasons: the documents have `BAD_PAGE`, which `whole` gets from them by `PLACE` once they are read.
        warcs: the files they stand in, where these are WARC files; their ids may repeat.
        sources: the inputs, where each row is a whole file (see `text_files`); FILE is then the name of the input.
        by_id: a place is the id of the row, so that rows that cannot be read need one of their own as well.
        repeated: so many ids were another's and are changed.
    """

    documents: DataFrame
    key: Column
    usable: Column
    bad: Column
    whole: DataFrame | None = None
    id_type: str | None = None
    reasons: bool = False
    by_id: bool = False
    warcs: tuple[Warc, ...] = ()
    sources: tuple[File, ...] = ()
    repeated: int = 0


def columns_of(plan: Plan) -> tuple[str, ...]:
    """Columns of the input beside id and text, without that of web pages: what becomes of it is text."""
    return tuple(name for name in plan.wanted.extra if name != plan.pages)


def rows_of(df: DataFrame, plan: Plan, place: Sequence[Column] = ()) -> Rows:
    """Rows of a table. `place` tells where each stands.

    Raises:
        InputError, UsageError: a column that is not there.
    """
    if not isinstance(df, DataFrame):
        raise UsageError(
            "quchong.spark takes a Spark DataFrame, not {}; for files, lists, pandas or Arrow use quchong.dedup",
            type(df).__name__,
        )
    for name in plan.text:
        kind = df.schema[name].dataType if name in df.columns else T.StringType()
        if not isinstance(kind, T.StringType | T.CharType | T.VarcharType):
            raise InputError(
                "column {!r} is {}, not text; cast it to string, or name another", name, kind.simpleString()
            )
    for name in (plan.id or "id", *plan.text):
        if name not in df.columns:
            raise InputError(
                "the data has no column {!r}: it has {}; name yours with id and text", name, ", ".join(df.columns)
            )
    for name, option in plan.named_columns.items():
        if name not in df.columns:
            raise UsageError(
                "{} asks for the column {!r}, and the data has {}", Param(option), name, ", ".join(df.columns)
            )
    if plan.scope.same_site and not {"site", "url"} & set(df.columns):
        raise UsageError("{} needs a column site or url: rename yours, or use {}", Param("same_site"), Param("per"))
    key = _column(plan.id or "id").cast("string")
    texts = [_column(name).cast("string") for name in plan.text]
    columns = [
        (_column(c) if c in df.columns else F.lit(None).cast("string")).alias(COLUMN + c) for c in columns_of(plan)
    ]
    text = F.coalesce(texts[0], F.lit("")) if len(texts) == 1 else F.concat_ws("\n", *texts)
    scope = scope_of(F.lit("") if plan.scope.per is None else _column(plan.scope.per).cast("string"))
    documents = df.select(key.alias(ID), text.alias(TEXT), scope, *columns, *place)
    id_type = "bigint" if isinstance(df.schema[plan.id or "id"].dataType, WHOLE) else "string"
    # a row without a text is a document as well: it is kept
    return Rows(documents, key, F.lit(True), F.lit(False), df.select("*", *place), id_type)


def _column(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


def scope_of(values: Column) -> Column:
    """Only equal ones meet: the value behind its length, so that a missing one is no empty one, and what follows cannot be
    taken for a part of it.
    """
    return F.coalesce(F.concat(F.length(values).cast("string"), F.lit(":"), values), F.lit("")).alias(SCOPE)
