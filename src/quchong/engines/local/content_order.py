"""Order of documents that share an id: by digests of their contents, independent of the order of the input."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.prepared_texts import TextStore
from quchong.io.columnar.raw import raw_row
from quchong.io.source import Source

BATCH = 1 << 14
"""Rows whose values are in memory at once."""


class _Digests(NamedTuple):
    """Digests of 128 bits, as two columns of uint64 that sort as their bytes do."""

    high: np.ndarray
    low: np.ndarray

    @classmethod
    def none(cls, count: int) -> _Digests:
        """Return `count` digests of value 0."""
        return cls(np.zeros(count, np.uint64), np.zeros(count, np.uint64))

    @classmethod
    def from_contents(cls, contents: Iterable[bytes], count: int) -> _Digests:
        """Return the digests of the `count` byte strings of an iterable."""
        raw = bytearray()
        for content in contents:
            raw += _digest(content)
        both = np.frombuffer(raw, ">u8").astype(np.uint64).reshape(count, 2)
        return cls(np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1]))


def content_order(
    documents: np.ndarray, group: np.ndarray, texts: TextStore, columns: pa.Table, sources: Sequence[Source],
    source: np.ndarray, row: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return the permutation that sorts documents by group, then by content.

    The content is compared by the digest of the text, then by the values of the columns that were read, and last, if these are equal
    too, by the digest of the whole record in its source.

    Args:
        documents: int64, indices in the corpus.
        group: int64, the group number of each document; documents are ordered within their group.
        texts, columns, sources, source, row: of the corpus.

    Memory: some 80 bytes a document, and the columns as text of documents that have equal texts and different columns.
    Cost: a digest a text; one more pass over the sources of records with equal texts and columns.
    """
    text = _Digests.from_contents(
        (texts.text(i).encode("utf-8", "surrogatepass") for i in documents.tolist()), len(documents)
    )
    order = np.lexsort((documents, text.low, text.high, group))
    alike = _tied(order, group, *text)
    if not alike.any():
        return order
    # Columns are compared only for documents with equal texts, whole records only for those with equal columns too.
    value = np.zeros(len(documents), np.int64)
    value[alike] = _value_ranks(columns.drop_columns(["row"]), documents[alike])
    order = np.lexsort((documents, value, text.low, text.high, group))
    alike = _tied(order, group, *text, value)
    known, record = _record_digests(documents, alike, sources, source, row)
    return np.lexsort((documents, record.low, record.high, known, value, text.low, text.high, group))


def _tied(order: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """Return a mask of the documents whose sort keys all equal those of another document; `order` sorts by the keys."""
    equal = np.ones(max(len(order) - 1, 0), bool)
    for key in keys:
        ordered = key[order]
        equal &= ordered[1:] == ordered[:-1]
    mask = np.zeros(len(order), bool)
    mask[order[1:][equal]] = True
    mask[order[:-1][equal]] = True
    return mask


def _value_ranks(columns: pa.Table, documents: np.ndarray) -> np.ndarray:
    """Return the rank of each document's row, int64, by its values as text; rows with equal values have equal ranks."""

    def texts(some: np.ndarray) -> Iterable[str]:
        for start in range(0, len(some), BATCH):
            yield from _values(columns, some[start : start + BATCH])

    # Group equal rows by digest, so that only one text of each group is in memory when the texts are sorted.
    digest = _Digests.from_contents(
        (text.encode("utf-8", "surrogatepass") for text in texts(documents)), len(documents)
    )
    order = np.lexsort((digest.low, digest.high))
    new = np.ones(len(order), bool)
    new[1:] = np.diff(digest.high[order]).astype(bool) | np.diff(digest.low[order]).astype(bool)
    distinct = np.empty(len(order), np.int64)
    distinct[order] = np.cumsum(new) - 1
    words = pa.array(
        (text.encode("utf-8", "surrogatepass") for text in texts(documents[order[new]])), pa.large_binary()
    )
    rank = np.empty(len(words), np.int64)
    rank[pc.sort_indices(words).to_numpy()] = np.arange(len(words))
    return rank[distinct]


def _record_digests(
    documents: np.ndarray, alike: np.ndarray, sources: Sequence[Source], source: np.ndarray, row: np.ndarray
) -> tuple[np.ndarray, _Digests]:
    """Return a uint8 mask of the documents whose whole records were read, and the digests of these records.

    Records of a folder are not read again, because a record of a folder is its text.
    """
    known, found = np.zeros(len(documents), np.uint8), _Digests.none(len(documents))
    places = np.flatnonzero(alike)
    for s in np.unique(source[documents[places]]).tolist():
        here = places[source[documents[places]] == s]
        here = here[np.argsort(row[documents[here]], kind="stable")]
        rows = row[documents[here]]
        at = 0
        for place, _, record in sources[s].whole_records(rows):
            at += int(np.searchsorted(rows[at:], place)) if rows[at] != place else 0
            digest = _Digests.from_contents([_canonical_record(record)], 1)
            known[here[at]], found.high[here[at]], found.low[here[at]] = 1, digest.high[0], digest.low[0]
    return known, found


def _values(columns: pa.Table, documents: np.ndarray) -> list[str]:
    """Return the values of each document's row as text."""
    try:
        return [str(values) for values in columns.take(pa.array(documents)).to_pylist()]
    except (
        pa.ArrowException,
        ValueError,
        OverflowError,
        KeyError,
    ):  # times that Python has no word for, zones nobody knows
        rows = (columns.slice(i, 1).combine_chunks().to_batches()[0] for i in documents.tolist())
        return [raw_row(row).decode() for row in rows]


def _canonical_record(record: bytes) -> bytes:
    """Return a JSON record with sorted keys and without nulls, so that neither affects the order; return other records unchanged."""
    try:
        known = orjson.loads(record)
    except orjson.JSONDecodeError:
        return record
    if isinstance(known, dict):
        known = {key: value for key, value in known.items() if value is not None}
    return orjson.dumps(known, option=orjson.OPT_SORT_KEYS)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
