"""Columns on kept rows: how many copies were removed for a row, which sources had it, when it was first and last seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.mixing import as_text, copies_wanted, mix_counts, source_names
from quchong.engines.local.outcome import DecidedRows
from quchong.errors import Param, UsageError
from quchong.io import Source
from quchong.io.arrays import as_strings
from quchong.languages import join_names
from quchong.plan.mix import Mix
from quchong.policy.times import plain_column, times
from quchong.results.run import Run

KEPT_COLUMNS = ("copies", "sources", "first_seen", "last_seen")
"""Columns that can be added to kept rows, by their names without `PREFIX`."""
WANTED = "copies_wanted"
"""Column of a run with weights by source: how often training is to read the row."""
PREFIX = "quchong_"
_TYPES = {
    "copies": pa.int64(), "sources": pa.list_(pa.large_string()), "first_seen": pa.large_string(), "last_seen": pa.large_string(),
    WANTED: pa.int64(),
}  # fmt: skip


def check_addable(names: Sequence[str], sources: Sequence[Source]) -> None:
    """Raise UsageError if the rows of an input can have no further columns, or have one of these already."""
    for source in sources:
        if source.suffix == ".txt" or source.suffix.startswith(".warc"):
            raise UsageError(
                "{}: the rows of {} are texts or pages, which have no columns; use {}, which writes a table",
                _parameter_of(names), source.name,
                Param("annotate", True),
            )  # fmt: skip
        if there := [name for name in written_names(names) if name in source.column_names()]:
            raise UsageError(
                "{}: {} already has the columns {}: rename them", _parameter_of(names), source.name, join_names(there)
            )


def _parameter_of(names: Sequence[str]) -> Param:
    """Return the parameter that asked for the columns."""
    return Param("mix" if tuple(names) == (WANTED,) else "add_columns")


def written_names(names: Sequence[str]) -> list[str]:
    """Return the names under which the columns are written."""
    return [f"{PREFIX}{name}" for name in names]


def of_decided(names: Sequence[str], decided: DecidedRows, keys: tuple[str, str], mix: Mix | None = None) -> pa.Table:
    """Return these columns of every document of a run that was just decided, null for those that are not kept.

    Args:
        names: some of `KEPT_COLUMNS`, and `WANTED` with a mix.
        decided: the documents, with the fate of each.
        keys: columns of the time and of the source.
        mix: weights by source.
    """
    corpus = decided.corpus
    time = corpus.columns[keys[0]] if keys[0] in corpus.columns.column_names else None
    documents = corpus.documents
    return _columns(names, decided.fate.removed, decided.fate.survivor, documents.reference, time, corpus.source_names(keys[1]),
                    documents.ids, mix)  # fmt: skip


class KeptColumns:
    """Columns of the kept documents of a run, whose times and sources are read from its rows once.

    Args:
        names: some of `KEPT_COLUMNS`, and `WANTED` for a run with a mix.
        run: the run.

    Raises:
        QuchongError: as `Run.columns`.
    """

    def __init__(self, names: Sequence[str], run: Run) -> None:
        self.names, self._ids, self._keys, self._mix = names, run.ids, run.keys[1:], run.mix
        documents = run.table("documents")
        own = np.flatnonzero(~_mask(documents, "reference"))
        index = np.full(len(documents), -1)
        index[own] = np.arange(len(own))
        which = pa.array(index, mask=index < 0)
        wanted = set(names) - {"copies"}
        read = run.columns(own, self._keys) if wanted else pa.table({key: pa.nulls(len(own)) for key in self._keys})
        time, source = (plain_column(read[key]).take(which) for key in self._keys)
        self._time, self._sources = time, source_names(source, len(documents), as_strings(documents["source"]))

    def table(self, documents: pa.Table, ledger: pa.Table) -> pa.Table:
        """Return the columns of every document, null for those that are not kept, given the tables of the run as they are now."""
        survivor = np.arange(len(documents))
        place, winner = self._ids.places(ledger["id"]), self._ids.places(ledger["survivor_id"])
        survivor[place[winner >= 0]] = winner[winner >= 0]
        removed, reference = _mask(documents, "removed"), _mask(documents, "reference")
        return _columns(self.names, removed, survivor, reference, self._time, self._sources, documents["id"], self._mix)

    def describe(self, columns: pa.Table) -> dict[str, Any]:
        """Return what run.json says about the columns that `table` has returned: with `--mix` the rows kept and wanted, else nothing."""
        if self._mix is None:
            return {}
        wanted = columns[PREFIX + WANTED]
        counts = pc.fill_null(wanted, 0).to_numpy().astype(np.int64)
        return {"mix": mix_counts(self._mix, self._sources, np.asarray(wanted.is_valid()).astype(bool), counts)}


def kept_table(run: Run) -> pa.Table:
    """Return the table of kept rows with all of `KEPT_COLUMNS`, and `WANTED` of a run with a mix: id, input and row, then the columns.

    Raises:
        QuchongError: as `Run.columns`.
    """
    documents = run.table("documents")
    names = (*KEPT_COLUMNS, *((WANTED,) if run.mix else ()))
    found = KeptColumns(names, run).table(documents, run.table("ledger"))
    table = documents.select(["id", "source", "row"]).rename_columns(["id", "input", "row"])
    for name in names:
        table = table.append_column(name, found[PREFIX + name])
    return table.filter(pa.array(~(_mask(documents, "removed") | _mask(documents, "reference"))))


def _mask(documents: pa.Table, name: str) -> np.ndarray:
    return np.asarray(documents[name].to_numpy(zero_copy_only=False)).astype(bool)


def _columns(
    names: Sequence[str],
    removed: np.ndarray,
    survivor: np.ndarray,
    reference: np.ndarray,
    time: Any,
    sources: pa.Array,
    ids: Any,
    mix: Mix | None,
) -> pa.Table:
    """Return a table with the columns `names` for each document; a family is a kept document with those removed for it."""
    n = len(removed)
    own = np.arange(n)
    member = np.flatnonzero(~(removed & (survivor == own)))  # a removal that nothing confirmed has no survivor
    root = np.where(removed, survivor, own)[member]
    kept = ~removed & ~reference
    found: dict[str, Any] = {}
    for name in names:
        match name:
            case "copies":
                values = pa.array(np.bincount(root[removed[member]], minlength=n).astype(np.int64))
            case "sources":
                values = _sources(n, root, sources.take(pa.array(member)))
            case "copies_wanted":
                assert mix is not None, "copies are wanted by the weights of a mix"
                values = pa.array(copies_wanted(mix, ids, sources, kept))
            case _:
                values = _family_times(n, root, member, time, name == "last_seen")
        found[name] = pc.if_else(pa.array(kept), values, pa.scalar(None, values.type))
    return pa.table({PREFIX + name: found[name].cast(_TYPES[name]) for name in names})


def _sources(n: int, root: np.ndarray, texts: pa.Array) -> pa.Array:
    """Return for each family the distinct sources of its documents, sorted."""
    coded = texts.dictionary_encode()
    order = pc.sort_indices(coded.dictionary)
    rank = np.empty(len(order), np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    pairs = np.unique(root.astype(np.int64) * max(len(order), 1) + rank[coded.indices.to_numpy()])
    at, which = np.divmod(pairs, max(len(order), 1))
    offsets = np.append(0, np.cumsum(np.bincount(at, minlength=n)))
    values = coded.dictionary.take(order).take(pa.array(which))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def _family_times(n: int, root: np.ndarray, member: np.ndarray, time: Any, last: bool) -> pa.Array:
    """Return the first or last time of each family, as the input writes it; null without a readable one."""
    missing = pa.nulls(n, pa.large_string())
    if time is None:
        return missing
    texts, seconds = as_text(time), times(time)[member]
    known = np.flatnonzero(~np.isnan(seconds))
    coded = texts.take(pa.array(member[known])).dictionary_encode()
    rank = np.empty(len(coded.dictionary), np.int64)
    rank[pc.sort_indices(coded.dictionary).to_numpy()] = np.arange(len(coded.dictionary))
    # Of equal moments that are written differently the one that sorts first is taken, whatever the order of the input.
    order = np.lexsort((rank[coded.indices.to_numpy()], -seconds[known] if last else seconds[known], root[known]))
    roots, first = np.unique(root[known][order], return_index=True)
    index = np.full(n, -1)
    index[roots] = member[known][order][first]
    return texts.take(pa.array(index, mask=index < 0))
