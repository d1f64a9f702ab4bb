"""Metadata columns of a run's documents (all columns but the text): concatenation over all sources, and checks."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from quchong.engines.local.stored_source import KnownSource
from quchong.errors import Param, UsageError
from quchong.io.arrays import as_strings
from quchong.io.missing_columns import empty_column
from quchong.io.page_documents import Pages, check_pages
from quchong.io.source import Source, WantedColumns
from quchong.io.warc.file import WarcFile
from quchong.pages import sites
from quchong.plan.plan import Plan


def check_texts(sources: Sequence[Source], plan: Plan) -> None:
    """Raise an error if one of several text columns is missing in a source.

    Otherwise a misspelt column would silently be left out of the comparison. With a single text column nothing is checked here.
    """
    if len(plan.text) > 1:
        for source in sources:
            rows = source.inner if isinstance(source, Pages) else source
            if not isinstance(rows, WarcFile):  # which has pages and no other text
                for name in plan.text:
                    next(iter(rows.documents(WantedColumns((name,), None), [])), None)


def with_sites(columns: pa.Table) -> pa.Table:
    """Return the columns with empty values of `site` filled from `url`; unchanged unless both columns exist."""
    if not {"site", "url"} <= set(columns.column_names) or any(
        pa.types.is_nested(columns[name].type) for name in ("site", "url")
    ):
        return columns
    known = sites(as_strings(columns["site"]), as_strings(columns["url"]))
    return columns.set_column(columns.schema.get_field_index("site"), "site", known)


def check_columns(columns: pa.Table, plan: Plan, known: Sequence[str] = ()) -> None:
    """Raise UsageError if a column named by an option is empty in all documents or has a nested type.

    Otherwise a misspelt column would silently widen the scope. Also raised if only documents of one site are to be compared and none has
    a site or url.
    """
    if not len(columns):
        return
    for name, option in plan.named_columns.items():
        if name in columns.column_names and columns[name].null_count == len(columns):
            raise empty_column(option, name, known)
    for name, option in plan.named_columns.items():
        if name in columns.column_names and pa.types.is_nested(columns[name].type):
            raise UsageError(
                "{}: values of type {} cannot be compared; give a column of numbers or strings",
                Param(option, name),
                columns[name].type,
            )
    if plan.scope.same_site and all(columns[c].null_count == len(columns) for c in ("site", "url")):
        raise UsageError(
            "{} needs a column site or url, but no record has one: rename your column, or use {}",
            Param("same_site"),
            Param("per"),
        )


def check_page_column(sources: Sequence[Source], documents: int) -> None:
    """Raise UsageError if a column of pages was named and no source has a page in it (`check_pages`); `documents` is their number.

    Nothing is raised where an earlier run has read a source, because the names in its rows are not known here.
    """
    pages = [one for one in sources if isinstance(one, Pages)]
    if pages and not any(isinstance(one.inner, KnownSource) for one in pages):
        check_pages(pages[0].reader, documents, pages)


def _unify_types(table: pa.Table, mixed: set[str]) -> pa.Table:
    """Return the table with the columns in `mixed` cast to text, because sources have them in different types.

    Such as a date that one source has as "2026-03-05" and another one as a timestamp.

    Raises:
        UsageError: a column cannot be cast to text.
    """
    for name in sorted(mixed):
        try:
            column = table[name].cast(pa.large_string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise UsageError(
                "the column {!r} has the type {} in one input, but another type in a different input: {}",
                name,
                table[name].type,
                error,
            ) from error
        table = table.set_column(table.schema.get_field_index(name), name, column)
    return table


def concat(tables: list[pa.Table], extra: Sequence[str]) -> pa.Table:
    """Concatenate the tables of all batches; without any batch, return an empty table with row, id and the columns `extra`.

    Columns whose type differs between batches become text.
    """
    if tables:
        kinds = {name: {t.schema.field(name).type for t in tables} for name in tables[0].column_names}
        return pa.concat_tables(
            [_unify_types(t, {n for n, k in kinds.items() if len(k) > 1}) for t in tables]
        ).combine_chunks()
    empty: dict[str, pa.Array] = {"row": pa.array([], pa.int64()), "id": pa.array([], pa.large_string())}
    return pa.table({**empty, **{name: pa.array([], pa.large_string()) for name in extra}})
