"""Conversion of rows with web pages to documents."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.io.bad_records import sort_by_row
from quchong.io.missing_columns import empty_column
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, Source, WantedColumns
from quchong.io.wrapped_source import SourceAround
from quchong.languages import Message
from quchong.pages import LARGEST, PagesBatch, read_pages

CONTENT_TYPE = "content_type"
"""Column of the header of a page."""
USUAL = "html"
"""Column of pages where none is named; data need not have it."""


@dataclass(frozen=True, slots=True)
class PageReader:
    """Settings for reading pages.

    Attributes:
        body: the part of a page that is its text, see `quchong.pages.BODIES`
        html: the column of pages; None if pages never replace a text
        time: the column that receives the time of a page
        workers: processes; None takes all. Never changes a result
        most: maximum size of a page in bytes; a larger one is not read. Reading takes up to 26 times as much memory
        met: names of the sources in which a page was found, which reading adds
    """

    body: str = "main"
    html: str | None = USUAL
    time: str = "time"
    workers: int | None = None
    most: int = LARGEST
    met: set[str] = field(default_factory=set, compare=False, repr=False)

    def columns_to_read(self, wanted: WantedColumns) -> WantedColumns:
        """Return the columns to ask a source for: those wanted, the page, and its header."""
        if self.html is None or self.html in wanted.text:
            return replace(wanted, instead=None, extra=tuple(name for name in wanted.extra if name != wanted.instead))
        header = () if CONTENT_TYPE in (*wanted.text, wanted.id, self.html) else (CONTENT_TYPE,)
        return replace(wanted, instead=self.html, extra=(*wanted.extra, *header))

    def read(
        self, batch: pa.RecordBatch, wanted: WantedColumns, source: str, bad: MutableSequence[Bad]
    ) -> pa.RecordBatch:
        """Return the documents of a batch that was read with `asked`: pages are replaced by their texts.

        Pages that cannot be read are added to `bad`, without the page, which `Source.whole_records` returns.
        """
        if self.html is None or self.html not in batch.schema.names:
            return batch
        page = batch.column(self.html)
        surplus = [self.html]
        if CONTENT_TYPE not in wanted.extra and CONTENT_TYPE in batch.schema.names:
            surplus.append(CONTENT_TYPE)
        rest = batch.drop_columns(surplus)
        if page.null_count == len(page):
            return rest
        self.met.add(source)
        here = page.is_valid()
        kinds = batch.column(CONTENT_TYPE) if CONTENT_TYPE in batch.schema.names else None
        if page.null_count:
            page = page.filter(here)
            kinds = None if kinds is None else kinds.filter(here)
        binary = pa.types.is_binary(page.type) or pa.types.is_large_binary(page.type)
        page = page.cast(pa.large_binary() if binary else pa.large_string())
        found = read_pages(page, self.body, _strings(kinds), self.workers, self.most)
        del page
        filled = {"title": "title", "url": "url", "blocks": "blocks", self.time: "time"}
        documents = _with(rest, here, found, {name: filled[name] for name in wanted.extra if name in filled})
        if not found.reasons:
            return documents
        places = np.flatnonzero(here.to_numpy(zero_copy_only=False))
        good = np.ones(len(rest), bool)
        for index, reason in sorted(found.reasons.items()):
            place = int(places[index])
            good[place] = False
            row, known = batch.column("row")[place].as_py(), batch.column("id")[place].as_py()
            bad.append(Bad(source, row, None, Message("{}: {}", known, reason) if known else reason, b""))
        return documents.filter(pa.array(good))


def lacks_pages(reader: PageReader, documents: int, columns: Iterable[str] = ()) -> UsageError | None:
    """Return an error if a column of pages was named and no document that the reader has read had a page in it, else None.

    Otherwise nobody would notice a misspelt name where every record has a text as well. Files of texts or pages have no such column;
    their pages count as found in it.

    Args:
        documents: number of documents that were read; 0 gives None.
        columns: columns of the data, as far as they are known.
    """
    if not documents or reader.html in (None, USUAL) or reader.met:
        return None
    return empty_column("html", str(reader.html), columns)


def check_pages(reader: PageReader, documents: int, sources: Iterable[Source]) -> None:
    """Raise the error of `lacks_pages`, if there is one; `sources` are what the reader has read, and tell the columns."""
    if error := lacks_pages(reader, documents, (name for source in sources for name in source.column_names())):
        raise error


class Pages(SourceAround):
    """Source whose rows may have a page instead of a text; the page is read, and the row gets its text.

    The text of a page is its main body, or everything visible, one block element a line (`quchong.pages.read_page`).
    `title`, `url`, `blocks` and the time are taken from the page if they are asked for and the row has none (null or
    empty). A page that cannot be read is a bad record. Rows with a text are unchanged.

    Everything that copies rows is delegated to the source: the page is written unchanged, and `rewrite` gives such a
    row a text. `fetch` returns the text that was compared, so that offsets of passages refer to it.

    Args:
        inner: the source; its rows have the page in the column `reader.html` (see `WantedColumns.instead`)
        reader: settings for reading pages
    """

    def __init__(self, inner: Source, reader: PageReader) -> None:
        super().__init__(inner)
        self.reader = reader

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents; the column of the page itself is dropped."""
        before = len(bad)
        for batch in self.inner.documents(self.reader.columns_to_read(wanted), bad, rows):
            yield self.reader.read(batch, wanted, self.name, bad)
        sort_by_row(bad, before)


def _strings(column: pa.Array | None) -> pa.Array | None:
    if column is None or pa.types.is_nested(column.type):
        return None
    return column.cast(pa.large_string())


def _with(batch: pa.RecordBatch, here: pa.Array, found: PagesBatch, columns: dict[str, str]) -> pa.RecordBatch:
    """Return the rows with page texts filled in, and page metadata where a row has none; `here` masks rows with pages."""
    arrays = dict(zip(batch.schema.names, batch.columns, strict=True))
    texts = pc.replace_with_mask(arrays["text"], here, pc.fill_null(found.text, ""))
    arrays["text"] = texts
    for name, attribute in columns.items():
        told = getattr(found, attribute)
        own = arrays.get(name)
        if own is None or told.null_count == len(told) or pa.types.is_nested(own.type):
            continue
        own = own.cast(pa.large_string())
        empty = pa.scalar(None, pa.large_string())
        spread = pc.replace_with_mask(pa.nulls(len(batch), pa.large_string()), here, told)
        arrays[name] = pc.coalesce(pc.if_else(pc.and_(here, pc.equal(own, "")), empty, own), spread)
    fields = [field.with_type(arrays[field.name].type) for field in batch.schema]
    return pa.RecordBatch.from_arrays(list(arrays.values()), schema=pa.schema(fields))
