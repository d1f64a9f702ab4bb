"""Consistency of the tables of a run, checked once when a run is opened, so that later code need not check again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import RunError
from quchong.languages import Message
from quchong.runs.manifest import DAMAGED
from quchong.tables import DIFFERENCES, FACTS

_SHARES = {
    "pairs": ("jaccard", "containment_left", "containment_right", "number_overlap", "aligned_left", "aligned_right"),
    "ledger": ("jaccard", "containment", "survivor_containment"),
}
"""Columns that contain shares, from 0 to 1."""
_IDS = {
    "ledger": ("id", "survivor_id"),
    "pairs": ("left_id", "right_id"),
    "clusters": ("id", "cluster_id", "survivor_id"),
}
_WITHIN = 1e-9


def check_tables(tables: Mapping[str, pa.Table], manifest: Mapping[str, Any], folder: Path) -> None:
    """Raise RunError, with the name of a table, if tables of a run contradict each other or run.json.

    These are checked: every id occurs in documents.parquet, exactly once; no row number of an input occurs twice; documents in the
    ledger were removed; shares are between 0 and 1; offsets in texts are not negative; words of closed lists are in these lists.

    Cost: one lookup an id; about a second for ten million pairs.
    """
    for name, wrong in _all_wrong(tables, manifest):
        raise RunError("{} differs from what a run writes ({}): {}", folder / f"{name}.parquet", wrong, DAMAGED)


def _wrong_values(tables: Mapping[str, pa.Table]) -> Iterator[tuple[str, str]]:
    """Yield the name of each table with a share outside its range, and what is wrong."""
    for name, columns in _SHARES.items():
        for column in columns:
            values = tables[name][column].drop_null().to_numpy()
            if not ((values >= -_WITHIN) & (values <= 1 + _WITHIN)).all():
                yield name, Message("{}: not a share from 0 to 1", column)


def _all_wrong(tables: Mapping[str, pa.Table], manifest: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    documents, ledger = tables["documents"], tables["ledger"]
    for wrong in _wrong_documents(documents, manifest):
        yield "documents", wrong
    # Ids of all tables must occur in documents; they are compared as text, since their types may differ.
    known = _text(documents["id"])
    for name, columns in _IDS.items():
        for column in columns:
            ids = _text(tables[name][column].drop_null())
            if not pc.all(pc.is_in(ids, known), min_count=0).as_py():
                yield name, Message("{}: an id that no document has", column)
    if not _in_order(tables["pairs"]):
        yield "pairs", Message("a pair whose left_id is not ordered before its right_id")
    gone = documents.filter(documents["removed"])["id"]
    if not pc.all(pc.is_in(_text(ledger["id"]), _text(gone)), min_count=0).as_py():
        yield "ledger", Message("a document that was not removed")
    yield from _wrong_values(tables)
    for name, column, starts in (
        ("ledger", "passages", ("start", "survivor_start")),
        ("ledger", "differences", ("start", "survivor_start")),
        ("pairs", "differences", ("left_start", "right_start")),
    ):
        if not _are_places(_flat(tables[name][column]), starts):
            yield name, Message("{}: an offset that no text has", column)
    for name in ("ledger", "pairs"):
        kinds = _field(_flat(tables[name]["differences"]), "kind")
        facts = _flat(tables[name]["facts"])
        if not _among(kinds, DIFFERENCES) or not _among(facts, FACTS):
            yield name, Message("an unknown kind of difference")
    if not _among(tables["pairs"]["supersedes"].drop_null(), ("left", "right")):
        yield "pairs", Message("{}: an unknown word", "supersedes")


def _wrong_documents(documents: pa.Table, manifest: Mapping[str, Any]) -> Iterator[str]:
    if len(pc.unique(_text(documents["id"]))) != len(documents):
        yield Message("an id that two documents have")
    for names, reference in (("inputs", False), ("against", True)):
        mine = documents.filter(pc.equal(documents["reference"], reference))
        known = [one["name"] for one in manifest[names]]
        sources = pc.index_in(mine["source"], pa.array(known, pa.string())) if len(mine) else pa.array([], pa.int32())
        if sources.null_count:
            yield Message("a source that run.json does not name")
            continue
        source, row = sources.to_numpy().astype(np.int64), mine["row"].to_numpy()
        order = np.lexsort((row, source))
        if ((np.diff(source[order]) == 0) & (np.diff(row[order]) == 0)).any():
            yield Message("a row that two documents have")


def _text(column: Any) -> Any:
    return column.cast(pa.large_string())


def _in_order(pairs: pa.Table) -> bool:
    left, right = _text(pairs["left_id"]), _text(pairs["right_id"])
    return bool(pc.all(pc.less(left, right), min_count=0).as_py())


def _flat(column: pa.ChunkedArray) -> Any:
    """Return the values of a column of lists in one array."""
    flat = pc.list_flatten(column)
    return flat.combine_chunks() if isinstance(flat, pa.ChunkedArray) else flat


def _field(values: Any, name: str) -> Any:
    return pc.struct_field(values, name)


def _are_places(values: Any, starts: Iterable[str]) -> bool:
    """Return True if all spans begin at 0 or later and do not end before they begin."""
    for name in starts:
        start, end = (
            _field(values, one).to_numpy(zero_copy_only=False) for one in (name, name.replace("start", "end"))
        )
        if len(start) and (start.min() < 0 or (end < start).any() or end.max() >= 1 << 40):
            return False
    return True


def _among(values: Any, known: Iterable[str]) -> bool:
    return bool(pc.all(pc.is_in(values, pa.array(list(known), pa.string())), min_count=0).as_py())
