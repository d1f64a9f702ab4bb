"""Storage kinds of read batches: packing into files, unpacking and checks, for this run and for later runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.segments import ReadBatch
from quchong.io.array_checks import not_utf8, sound_array
from quchong.kernels.offsets import prefix_sums
from quchong.seam import Features
from quchong.text import Edit
from quchong.work import Damaged, Kind, Kinds
from quchong.work.checks import check_array, check_offsets, check_type, check_within

Edits = dict[int, Edit]


def pack_edits(edits: Edits) -> tuple[Any, ...]:
    """Return edits as arrays: documents (int64), offsets of their replacements (int64), starts (int64), pieces (int64, three columns)."""
    counts = np.fromiter((len(edit.starts) for edit in edits.values()), np.int64, len(edits))
    starts = np.fromiter((start for edit in edits.values() for start in edit.starts), np.int64, int(counts.sum()))
    pieces = np.array([piece for edit in edits.values() for piece in edit.pieces], np.int64).reshape(-1, 3)
    return (
        np.fromiter(edits, np.int64, len(edits)),
        prefix_sums(counts),
        starts,
        pieces,
    )


def make_edits(packed: tuple[Any, ...]) -> Edits:
    """Return the edits that `pack_edits` wrote.

    Raises:
        Damaged: the edits are incomplete.
    """
    documents, offsets, starts, pieces = packed
    check_array(documents, np.int64)
    check_array(starts, np.int64)
    check_offsets(offsets, len(documents), len(starts))
    if type(pieces) is not np.ndarray or pieces.dtype != np.int64 or pieces.shape != (len(starts), 3):
        raise Damaged("edits without their pieces")
    ends, begins, flat = offsets.tolist(), starts.tolist(), pieces.reshape(-1).tolist()
    whole = list(zip(flat[::3], flat[1::3], flat[2::3], strict=True))
    spans = zip(documents.tolist(), ends, ends[1:], strict=False)
    return {i: Edit(tuple(begins[a:b]), tuple(whole[a:b])) for i, a, b in spans}


def check_texts(texts: Any) -> None:
    """Raise Damaged unless `texts` is a large_string array of valid UTF-8 without nulls. Cost: reads all texts."""
    if not isinstance(texts, pa.Array) or texts.type != pa.large_string() or texts.null_count:
        raise Damaged("texts that are none")
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid as error:
        raise Damaged(f"texts that are none: {error}") from error


def check_columns(columns: Any, rows: int) -> None:
    """Raise Damaged unless `columns` is a table of `rows` rows that begins with the columns row and id, all strings valid UTF-8."""
    if not isinstance(columns, pa.Table) or columns.num_rows != rows or columns.column_names[:2] != ["row", "id"]:
        raise Damaged("columns that are none")
    row = columns["row"]
    if row.type != pa.int64() or row.null_count or len(set(columns.column_names)) != columns.num_columns:
        raise Damaged("columns without rows")
    for column in columns.columns:
        if any(not_utf8(chunk) for chunk in column.chunks):
            raise Damaged("a column that is not UTF-8")


def check_features(features: Any, documents: int) -> None:
    """Raise Damaged unless `features` has arrays of the right types and lengths for `documents` documents."""
    check_type(features, Features)
    check_array(features.tokens, np.uint32, documents)
    check_array(features.singles, np.uint32, documents)
    check_array(features.high, np.uint64, documents)
    check_array(features.low, np.uint64, documents)
    check_array(features.values, np.uint64)
    check_offsets(features.offsets, documents, len(features.values))


def _pack_batch(batch: ReadBatch) -> tuple[Any, ...]:
    return batch.texts, batch.features, batch.columns, pack_edits(batch.edits)


def _make_batch(texts: Any, features: Any, columns: Any, edits: Any) -> ReadBatch:
    return ReadBatch(texts, features, columns, make_edits(edits))


def _check_batch(batch: ReadBatch) -> None:
    check_texts(batch.texts)
    check_features(batch.features, len(batch.texts))
    check_columns(batch.columns, len(batch.texts))
    check_within(batch.columns["row"].to_numpy(), 0, 2**63 - 1)
    check_within(np.fromiter(batch.edits, np.int64, len(batch.edits)), 0, len(batch.texts))


def _pack_features(known: Features) -> tuple[Any, ...]:
    return known.tokens, known.singles, known.high, known.low, known.offsets, known.values


BATCH_KINDS = (
    Kind("batch", ReadBatch, _pack_batch, _make_batch, _check_batch),
    Kind("features", Features, _pack_features, Features),
)
READ_KINDS = Kinds(BATCH_KINDS, sound_array)
"""Kinds of values that a run folder may store for later runs: batches of documents and their features only."""


def check_batches(found: Any) -> list[ReadBatch]:
    """Return `found` if it is a list of read batches; raise Damaged otherwise."""
    if type(found) is not list or any(type(one) is not ReadBatch for one in found):
        raise Damaged("no batches of documents")
    return found
