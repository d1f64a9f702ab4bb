"""Turns rows of web pages into documents."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io.arrays import no_rows
from quchong.io.bad_records import sort_by_row
from quchong.io.documents import in_order
from quchong.io.source import Bad, Source, Wanted
from quchong.languages import Message
from quchong.pages import LARGEST, PagesBatch, read_pages
from quchong.reading.around import SourceAround

CONTENT_TYPE = "content_type"
"""Column of the header a page came with."""


@dataclass(frozen=True, slots=True)
class PageReader:
    """How pages are read.

    Attributes:
        body: what is taken as the text, see `quchong.pages.BODIES`
        html: the column of the page; None where none stands in for a text
        time: the column that the time a page tells goes to
        workers: processes; None takes all. Never changes a result
        most: bytes of a page; a larger one is not read: reading takes up to 26 times as many
    """

    body: str = "main"
    html: str | None = "html"
    time: str = "time"
    workers: int | None = None
    most: int = LARGEST

    def asked(self, wanted: Wanted) -> Wanted:
        """What a source is asked for: the page too, and the header it came with."""
        if self.html is None or self.html in wanted.text:
            return replace(wanted, instead=None, extra=tuple(name for name in wanted.extra if name != wanted.instead))
        header = () if CONTENT_TYPE in (*wanted.text, wanted.id, self.html) else (CONTENT_TYPE,)
        return replace(wanted, instead=self.html, extra=(*wanted.extra, *header))

    def read(self, batch: pa.RecordBatch, wanted: Wanted, source: str, bad: MutableSequence[Bad]) -> pa.RecordBatch:
        """The documents of a batch that was asked for so: texts of pages in place, the pages themselves left out.

        Pages that cannot be read go to `bad`, without the page: `Source.whole` has it.
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


class Pages(SourceAround):
    """A source whose rows may have a page instead of a text; the page is read, and the row has a text like any other.

    The text of a page is its main body, or all that is visible, one block element a line (`quchong.pages.read_page`).
    `title`, `url`, `blocks` and the time are filled in from the page where they are asked for and the row has none of its
    own (null or empty). A page that cannot be read is a bad record. Rows with a text are left as they are.

    Everything that copies rows is left to the source: what goes out is the page as it came, and `rewrite` gives
    such a row a text. `fetch` gives the text
    that was compared, so that offsets of passages count in it.

    Args:
        inner: the source; its rows give the page in the column `reader.html` (see `Wanted.instead`)
        reader: how pages are read
    """

    def __init__(self, inner: Source, reader: PageReader) -> None:
        super().__init__(inner)
        self.reader = reader

    def documents(self, wanted: Wanted, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents; the column of the page itself is not among those given on."""
        before = len(bad)
        for batch in self.inner.documents(self.reader.asked(wanted), bad):
            yield self.reader.read(batch, wanted, self.name, bad)
        sort_by_row(bad, before)

    def fetch(self, rows: Sequence[int], wanted: Wanted) -> pa.Table:
        """See Source.fetch: the texts that were compared."""
        table = self.inner.fetch(rows, self.reader.asked(wanted)).combine_chunks()
        parts = table.to_batches() or [no_rows(table.schema)]
        batches = [self.reader.read(batch, wanted, self.name, []) for batch in parts]
        return in_order(batches, batches[0].schema, rows)


def _strings(column: pa.Array | None) -> pa.Array | None:
    if column is None or pa.types.is_nested(column.type):
        return None
    return column.cast(pa.large_string())


def _with(batch: pa.RecordBatch, here: pa.Array, found: PagesBatch, columns: dict[str, str]) -> pa.RecordBatch:
    """The rows, with the texts of the pages that stand `here`, and what they tell where a row tells nothing itself."""
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
