"""Blocks of bad records as tables of columns: conversion from records and back, and checks."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.io.source import Bad
from quchong.kernels.offsets import first_of_runs
from quchong.languages import Message
from quchong.work import Damaged, Unencodable
from quchong.work.tree import check_fields

_AT_ONCE = 512
"""Records made at once."""
_WORDS = pa.dictionary(pa.int32(), pa.large_string())
COLUMNS = pa.schema(
    [
        pa.field("source", _WORDS),
        pa.field("row", pa.int64()),
        pa.field("line", pa.int64()),
        pa.field("reason", _WORDS),
        pa.field("raw", pa.large_binary()),
    ]
)
"""Columns of a block. `source` and `reason` hold JSON in dictionaries of the block; `line` is null for formats without lines."""


def block_of(records: Sequence[Bad], odd: list[str]) -> pa.Table:
    """Return bad records as a block, a table of COLUMNS; reasons that JSON cannot store are added to `odd`.

    Args:
        records: the records, in order.
        odd: list to which reasons that JSON cannot represent are added; the block has their indices in this list.
    """
    sources, reasons = dict[str, int](), dict[str, int]()
    source = [sources.setdefault(json.dumps(one.source), len(sources)) for one in records]
    reason = [reasons.setdefault(_written_reason(one.reason, odd), len(reasons)) for one in records]
    columns = [
        _words(source, sources), pa.array([one.row for one in records], pa.int64()), pa.array([one.line for one in records], pa.int64()),
        _words(reason, reasons), pa.array([one.raw for one in records], pa.large_binary()),
    ]  # fmt: skip
    return pa.Table.from_arrays(columns, schema=COLUMNS)


def records_of(block: pa.Table, odd: Sequence[str]) -> Iterator[Bad]:
    """Yield the bad records of a block in order; equal reasons are one object."""
    for batch in block.to_batches(max_chunksize=_AT_ONCE):
        (sources, source), (reasons, reason) = (
            (batch.column(name).dictionary, batch.column(name).indices.to_pylist()) for name in ("source", "reason")
        )
        names = {code: json.loads(sources[code].as_py()) for code in set(source)}
        words = {code: json.loads(reasons[code].as_py()) for code in set(reason)}
        told = {code: odd[node] if type(node) is int else _made_reason(node) for code, node in words.items()}
        others = (batch.column(name).to_pylist() for name in ("row", "line", "raw"))
        for s, r, row, line, raw in zip(source, reason, *others, strict=True):
            yield Bad(names[s], row, line, told[r], raw)


def rows_in(block: pa.Table, source: str | None = None) -> npt.NDArray[np.int64]:
    """Return the row numbers of a block's bad records, int64, in order; with `source` only that source's."""
    found = [np.empty(0, np.int64)]
    for batch in block.to_batches():
        rows = batch.column("row").to_numpy()
        if source is not None:
            names = batch.column("source").dictionary.to_pylist()
            code = names.index(json.dumps(source)) if json.dumps(source) in names else -1
            rows = rows[batch.column("source").indices.to_numpy() == code]
        found.append(rows)
    return np.concatenate(found)


def source_runs(block: pa.Table) -> list[tuple[str, int]]:
    """Return the runs of records of one source in a block, in order: the source's name and the number of records."""
    found = []
    for batch in block.to_batches():
        codes, names = batch.column("source").indices.to_numpy(), batch.column("source").dictionary
        starts = np.flatnonzero(first_of_runs(codes)) if len(codes) else codes
        for start, end in pairwise([*starts.tolist(), len(codes)]):
            found.append((json.loads(names[int(codes[start])].as_py()), end - start))
    return found


def check_block(block: Any) -> None:
    """Raise Damaged unless `block` is a block that a run writes; damaged contents may raise other exceptions too."""
    if not isinstance(block, pa.Table) or block.schema != COLUMNS:
        raise Damaged("bad records that are none")
    for batch in block.to_batches():
        if any(batch.column(name).null_count for name in ("source", "row", "reason", "raw")):
            raise Damaged("a bad record without its parts")
        if any(type(json.loads(text)) is not str for text in batch.column("source").dictionary.to_pylist()):
            raise Damaged("a source without a name")
        for text in batch.column("reason").dictionary.to_pylist():
            _check_reason(json.loads(text))


def _words(codes: list[int], words: dict[str, int]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(words), pa.large_string()))


def _written_reason(reason: str, odd: list[str]) -> str:
    """Return a reason as JSON: a string, a list for a message, or the reason's index in `odd`, to which it is then added."""
    try:
        return json.dumps(_reason_node(reason))
    except (Unencodable, ValueError, RecursionError):
        odd.append(reason)
        return str(len(odd) - 1)


def _reason_node(value: Any) -> Any:
    """Return a reason, or a value in it, as JSON values.

    Raises:
        Unencodable: JSON cannot represent the value exactly.
    """
    if type(value) is Message:
        return [value.template, [_reason_node(one) for one in value.values], value.plural, value.context]
    if value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
        return value
    raise Unencodable(f"a reason with {type(value).__qualname__}")


def _made_reason(node: Any) -> Any:
    """Return the reason, or the value in a reason, from its JSON values."""
    if type(node) is not list:
        return node
    template, values, plural, context = node
    return Message(template, *map(_made_reason, values), plural=plural, context=context)


def _check_reason(node: Any, inside: bool = False) -> None:
    """Raise Damaged unless `node` is a reason in JSON (with `inside`, a value in one) whose template has only fields that runs write."""
    if type(node) is list:
        template, values, plural, context = node
        if any(type(word) is not str for word in (template, plural, context)) or type(values) is not list:
            raise Damaged("a message without words")
        for value in values:
            _check_reason(value, inside=True)
        check_fields(template, values)
        check_fields(plural, values)
        _made_reason(node)  # raises where values are missing
    elif not (type(node) is str or (inside and (node is None or type(node) in (bool, int, float)))):
        raise Damaged("a reason that is none")
