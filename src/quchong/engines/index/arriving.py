"""Documents that arrive at an index: read, prepared and represented as a run would, in batches of any size."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.candidates.arrivals import represent
from quchong.candidates.postings import Represented
from quchong.decision.equality import class_digests, wordless_digest
from quchong.errors import UsageError
from quchong.io import Source, WantedColumns, from_object
from quchong.io.arrays import as_strings
from quchong.io.documents import numbered
from quchong.io.limits import page_limit
from quchong.io.nested.path import parse_path
from quchong.io.page_documents import PageReader, Pages
from quchong.io.source import Bad
from quchong.kernels.arrays import Texts, texts_of
from quchong.pages import sites
from quchong.plan.plan import Plan
from quchong.policy.times import times
from quchong.seam import Documents, Features
from quchong.text import Edit, has_forward_mark

Record = str | Mapping[str, Any]


@dataclass(frozen=True)
class Arrived:
    """Batch of arrived documents with their features, as a method compares them.

    Attributes:
        ids: id of each; None for one without.
        originals: texts as given, large_string.
        prepared: prepared texts, large_string. texts: views of them.
        edits: the map of offsets to the original of each text that preparation changed, by its index.
        columns: the columns of the policy, the scope and the method, one value for each document.
        features: lengths and digests.
        known: documents as the join knows them.
        scope: int64, code of the values of the scope's columns; 0 without a scope.
        seconds: float64, time of each, NaN if unknown.
        packed: the originals as they are stored (`packed_texts`), if they were packed beforehand.
    """

    ids: list[str | int | None]
    originals: pa.Array
    prepared: pa.Array
    texts: Texts
    edits: dict[int, Edit]
    columns: dict[str, pa.Array]
    features: Features
    known: Represented
    scope: np.ndarray
    seconds: np.ndarray
    packed: list[tuple[bytes, int, int]] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def forwards(self) -> np.ndarray:
        """Mask of the documents that forward or quote another one with a mark such as //@."""
        mask: np.ndarray = has_forward_mark(self.prepared)
        return mask

    def column_values(self) -> list[str]:
        """Return the columns of each document as a JSON object, without columns that are null."""
        known = {name: column.to_pylist() for name, column in self.columns.items() if column.null_count < len(column)}
        if not known:
            return ["{}"] * len(self)
        rows = zip(*known.values(), strict=True)
        return [
            json.dumps(
                {name: value for name, value in zip(known, row, strict=True) if value is not None},
                ensure_ascii=False,
                default=str,
            )
            for row in rows
        ]


@dataclass(frozen=True)
class Reader:
    """Reader of documents for an index.

    Attributes:
        plan: how documents are read and compared; its method has all statistics.
        workers: threads.
    """

    plan: Plan
    workers: int | None = None

    @cached_property
    def wanted_columns(self) -> WantedColumns:
        """Names of the columns that are read from arriving documents."""
        return self.plan.wanted_columns

    @cached_property
    def _has_plain_names(self) -> bool:
        """True if the text is one column, and no column is a path into nested values."""
        wanted = self.wanted_columns
        return len(wanted.text) == 1 and not any(map(parse_path, wanted.columns))

    @cached_property
    def pages(self) -> PageReader:
        """Reader of web pages."""
        plan = self.plan
        return PageReader(plan.body, plan.pages, plan.time_key, self.workers, page_limit(plan.max_record))

    def batches(self, sources: Sequence[Source], bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """Yield the documents of sources batch by batch; records that cannot be used are added to `bad`."""
        for source in sources:
            yield from Pages(source, self.pages).documents(self.wanted_columns, bad)

    def records(self, records: Sequence[Record], bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """Yield texts and records as batches of documents; records with nested values or pages go through the general reader."""
        plain = _plain_batch(records, self.wanted_columns) if self._has_plain_names else None
        if plain is not None:
            return iter([plain])
        given = [{self.plan.text[0]: one} if isinstance(one, str) else dict(one) for one in records]
        if len(self.plan.text) > 1:  # whether a column is there is not asked of all records of a call together
            given = [self._with_text_columns(one) for one in given]
        source = from_object(given, self.wanted_columns, self.plan.max_record)
        source.name = "documents"
        return self.batches([source], bad)

    def _with_text_columns(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record that has a text or a page with None for the text columns that it lacks; any other record as it is."""
        known = (*self.plan.text, *([self.wanted_columns.instead] if self.wanted_columns.instead else ()))
        if all(record.get(name) is None for name in known):
            return record
        return dict.fromkeys(self.plan.text) | record

    def arrived(self, batch: pa.RecordBatch) -> Arrived:
        """Return the documents of a batch as a method compares them."""
        plan, method, workers = self.plan, self.plan.method, self.workers
        originals = batch.column("text")
        prepared = plan.preparer.prepare(originals, workers)
        texts = texts_of([prepared.texts])
        represented = method.represent(texts, workers)
        features = class_digests(plan.exact, method.form, texts, represented, workers)
        _set_wordless_digests(plan.exact, features, texts)
        columns = {name: batch.column(name) for name in batch.schema.names if name not in ("row", "id", "text", "html")}
        if {"site", "url"} <= columns.keys():
            columns["site"] = sites(as_strings(columns["site"]), as_strings(columns["url"]))
        scope = _scope_codes(plan, columns, len(batch))
        seconds = _seconds(plan, columns, len(batch))
        documents = Documents(
            texts, {name: as_strings(columns[name]) for name in method.traits.needs if name in columns}
        )
        window = None if plan.scope.within is None else np.where(np.isnan(seconds), np.inf, seconds)
        coded = None if plan.scope.per is None and not plan.scope.same_site else scope.view(np.uint64)
        known = represent(method, documents, scope=coded, time=window, workers=workers, features=represented)
        ids = given_ids(batch)
        small = replace(features, offsets=np.zeros(1, np.int64), values=np.zeros(0, np.uint64), docs=None, words=None)
        return Arrived(
            ids, originals, prepared.texts, texts, dict(prepared.edits), columns, small, known, scope, seconds
        )


def given_ids(batch: pa.RecordBatch) -> list[str | int | None]:
    """Return the ids of a batch: whole numbers if all of them are, else texts; None for documents without one."""
    ids: list[str | None] = batch.column("id").to_pylist()
    return [None if one is None else int(one) for one in ids] if numbered(batch) else list(ids)


def with_made_ids(
    given: Sequence[str | int | None], first: int, known: Callable[[Sequence[str]], Mapping[Any, int]]
) -> list[str | int]:
    """Return the ids of arriving documents: the given id, or else `#` and the arrival number, such as `#7`, or `#7~2` if that is taken.

    Args:
        given: ids; None for documents without one. first: number of the first document.
        known: function that returns those of some ids which an index has.
    """
    made = {k: f"#{first + k}" for k, one in enumerate(given) if one is None}
    taken = {str(one) for one in given if one is not None} | set(map(str, known([*made.values()]) if made else ()))
    ids: list[str | int] = []
    for k, one in enumerate(given):
        id, further = (made[k] if one is None else one), 1
        while one is None and (id in taken or (further > 1 and known([str(id)]))):
            further += 1
            id = f"{made[k]}~{further}"
        ids.append(id)
    return ids


def _plain_batch(records: Sequence[Record], wanted: WantedColumns) -> pa.RecordBatch | None:
    """Return records with plain values alone as one batch, a fast way; None if any record needs the general reader."""
    rows: list[list[str | None]] = []
    for record in records:
        row = _plain_row(record, wanted)
        if row is None:
            return None
        rows.append(row)
    try:
        arrays = [_plain_column(column) for column in zip(*rows, strict=True)]
    except (UnicodeEncodeError, pa.ArrowInvalid):
        return None
    return pa.RecordBatch.from_arrays([_row_numbers(len(rows)), *arrays], names=["row", "id", "text", *wanted.extra])


def _plain_column(values: Sequence[str | None]) -> pa.Array:
    """Return values as a column of large strings; the column is made at once if all values are None."""
    if values.count(None) == len(values):
        return _no_values(len(values))
    return pa.array(values, _LARGE)


_LARGE = pa.large_string()


@lru_cache(8)
def _no_values(count: int) -> pa.Array:
    """Return a column of `count` nulls as large strings."""
    return pa.nulls(count, _LARGE)


@lru_cache(8)
def _row_numbers(count: int) -> pa.Array:
    """Return the row numbers 0 to count - 1 as a column."""
    return pa.array(range(count), pa.int64())


def _plain_row(record: Record, wanted: WantedColumns) -> list[str | None] | None:
    """Return id, text and further columns of a record if all of them are plain texts and it has no page; else None."""
    if isinstance(record, str):
        row: list[Any] = [None, record, *(None for _ in wanted.extra)]
    elif type(record) is dict:
        row = [record.get(name) for name in (wanted.id, wanted.text[0], *wanted.extra)]
    else:
        return None
    id, text = row[:2]
    usable = type(text) is str and text and id != "" and not (id is None and wanted.id_required)
    plain = usable and all(value is None or type(value) is str for value in row)
    page = wanted.instead is not None and row[2 + wanted.extra.index(wanted.instead)] is not None
    return row if plain and not page else None


def _set_wordless_digests(equality: str, features: Features, texts: Texts) -> None:
    """Set the digests of texts without tokens, in place; a blank text gets one that no other document has."""
    for i in np.flatnonzero(features.tokens == 0).tolist():
        features.high[i], features.low[i] = wordless_digest(equality, texts.text(i), secrets.token_hex(16))


def _scope_codes(plan: Plan, columns: Mapping[str, pa.Array], count: int) -> np.ndarray:
    """Return a code for each document's values in the scope's columns, int64, equal in every batch; all 0 without a scope."""
    names = [
        name for name, asked in ((plan.scope.per, plan.scope.per is not None), ("site", plan.scope.same_site)) if asked
    ]
    if not names:
        return np.zeros(count, np.int64)
    values = [as_strings(columns[str(name)]).to_pylist() for name in names]
    told = [json.dumps(row) for row in zip(*values, strict=True)]
    codes = {
        one: int.from_bytes(hashlib.blake2b(one.encode(), digest_size=8).digest(), "little", signed=True)
        for one in set(told)
    }
    return np.array([codes[one] for one in told], np.int64)


def _seconds(plan: Plan, columns: Mapping[str, pa.Array], count: int) -> np.ndarray:
    """Return the time of each document in seconds, NaN if unknown."""
    column = columns.get(plan.time_key)
    if column is None or column.null_count == count:
        return np.full(count, np.nan)
    try:
        return times(column)
    except UsageError:
        return np.full(count, np.nan)


def undated(plan: Plan, batch: pa.RecordBatch) -> tuple[int, str | None]:
    """Return the number of documents in a batch without a usable time, and one unreadable time; (0, None) if the plan uses no time.

    With a time window a document without a time counts, as it is compared with no other; else only one with an unreadable time.
    """
    needed = plan.scope.within is not None
    if not needed and plan.time_key not in plan.policy.columns:
        return 0, None
    values = batch.column(plan.time_key) if plan.time_key in batch.schema.names else None
    if values is None or values.null_count == len(values):
        return len(batch) if needed else 0, None
    unknown = np.isnan(_seconds(plan, {plan.time_key: values}, len(batch)))
    told = as_strings(values).filter(pa.array(unknown)).to_pylist()
    unread = [one for one in told if one is not None and one.strip()]
    return len(told) if needed else len(unread), unread[0] if unread else None
