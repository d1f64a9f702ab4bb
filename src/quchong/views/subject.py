"""Run that a view shows: its tables, and access to its texts and fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import QuchongError
from quchong.io.arrays import as_strings
from quchong.policy.times import times
from quchong.progress import Stages
from quchong.results.document_columns import TEXT
from quchong.results.memory import MemoryRun
from quchong.results.run import Run


class Subject:
    """Data from which a view is made. Documents are identified by their row in `tables["documents"]`.

    Attributes:
        run: the run.
        name, manifest, tables: its name for display, run.json and tables.
        outcome: the run opened, so that it can be decided again; None if it cannot be opened.
        why: reason why it cannot be opened.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.outcome, self.why = run.decidable()
        self.name, self.manifest, self.tables = run.name, run.manifest, run.tables
        _, self.time_key, self.source_key = run.keys
        self.known_chains: pa.Table | None = None  # the table CHAINS, once it was made (`quchong.views.chronology`)

    @cached_property
    def ids(self) -> list[str]:
        """Id of every document, as text."""
        ids: list[str] = self.run.ids.ids.to_pylist()
        return ids

    def places(self, ids: pa.ChunkedArray | Iterable[str | int | None]) -> np.ndarray:
        """Return the row indices of ids, int64; -1 for null."""
        return self.run.ids.places(ids)

    @cached_property
    def removals(self) -> tuple[np.ndarray, np.ndarray]:
        """Row indices of the removed document and of the survivor (-1 without one) of every row of LEDGER."""
        return self.places(self.tables["ledger"]["id"]), self.places(self.tables["ledger"]["survivor_id"])

    @cached_property
    def paired(self) -> tuple[np.ndarray, np.ndarray]:
        """Row indices of both documents of every listed pair."""
        return self.places(self.tables["pairs"]["left_id"]), self.places(self.tables["pairs"]["right_id"])

    def flags(self, name: str) -> np.ndarray:
        """Return a column of truth values of the documents."""
        return np.array(self.tables["documents"][name].to_pylist(), bool)

    @cached_property
    def seconds(self) -> np.ndarray:
        """Time of every document by the time column, in seconds since 1970 UTC; NaN without one."""
        column = self._column(self.time_key)
        try:
            found = np.full(len(self.ids), np.nan) if column is None else times(column)
        except QuchongError:  # a column of structs, say
            return np.full(len(self.ids), np.nan)
        return np.where(np.isfinite(found), found, np.nan)

    @cached_property
    def when(self) -> list[str | None]:
        """Time of every document as its row gives it, as text."""
        return self._values(self.time_key)

    @property
    def has_sources(self) -> bool:
        """True if the source column has any value."""
        return any(self._values(self.source_key))

    @cached_property
    def sources(self) -> list[str]:
        """Source of every document: the value of the source column, else the name of the input."""
        told = self._values(self.source_key)
        inputs = self.tables["documents"]["source"].to_pylist()
        return [one or other for one, other in zip(told, inputs, strict=True)]

    def _values(self, name: str) -> list[str | None]:
        column = self._column(name)
        if column is None or pa.types.is_nested(column.type):
            return [None] * len(self.ids)
        told: list[str | None] = as_strings(column).to_pylist()
        return told

    def _column(self, name: str) -> Any:
        """Return a column of the input with one value per document; None if it is unknown."""
        if self.outcome is not None:
            columns = self.outcome.corpus.columns
            return columns[name] if name in columns.column_names else None
        tables = [table for _, table in self._sides]
        if any(name not in table.column_names or pa.types.is_nested(table[name].type) for table in tables):
            return None
        values = pa.concat_arrays([as_strings(table[name]) for table in tables])
        order = np.full(len(self.ids), -1)
        order[np.concatenate([places for places, _ in self._sides])] = np.arange(len(values))
        return values.take(pa.array(order, mask=order < 0))

    @cached_property
    def _sides(self) -> list[tuple[np.ndarray, pa.Table]]:
        """Kept and removed rows, for a run without an outcome; empty if its files were moved."""
        try:
            return [self.run.rows(False), self.run.rows(True)]
        except QuchongError:  # the files of the run have moved
            return [(np.zeros(0, np.int64), pa.table({}))]

    def text_of(self, documents: Iterable[int]) -> dict[int, str | None]:
        """Return original texts of documents by row index; None for texts that cannot be read any more."""
        wanted = sorted(set(documents))
        if self.outcome is None:
            read = self._written(wanted)
            rest = [i for i in wanted if i not in read]
            return read | dict(zip(rest, self.run.texts_of(np.array(rest, np.int64)), strict=True))
        corpus = self.outcome.corpus
        here = len(corpus.texts) == len(corpus)
        found: dict[int, str | None] = {i: corpus.texts.text(i) for i in wanted if here and i not in corpus.edits}
        again = np.array([i for i in wanted if i not in found], np.int64)
        read = MemoryRun(self.outcome, Stages()).columns(again, (), lenient=True)[TEXT].to_pylist()
        return found | dict(zip(again.tolist(), read, strict=True))

    def _written(self, wanted: Sequence[int]) -> dict[int, str | None]:
        """Return the texts that the rows themselves contain, unlike those of web pages and files."""
        found: dict[int, str | None] = {}
        for places, table in self._sides:
            names = [n for n in self.manifest["config"]["text"] if table.column_names.count(n) == 1]
            plain = [n for n in names if not pa.types.is_nested(table[n].type)]
            at = {int(place): k for k, place in enumerate(places.tolist())}
            mine = [i for i in wanted if i in at]
            parts = [as_strings(table[n].take(pa.array([at[i] for i in mine], pa.int64()))).to_pylist() for n in plain]
            for i, *values in zip(mine, *parts, strict=True):
                text = "\n".join(v for v in values if v is not None)
                if text.strip():
                    found[i] = text
        return found

    def fields_of(self, documents: Iterable[int]) -> dict[int, dict[str, str]]:
        """Return all columns of documents except text and page, as text, by row index; empty values are left out."""
        wanted = np.array(sorted(set(documents)), np.int64)
        if self.outcome is None:
            tables = [(places, table) for places, table in self._sides if len(places)]
        else:
            corpus, tables = self.outcome.corpus, []
            for number in np.unique(corpus.source[wanted]).tolist():
                mine = wanted[corpus.source[wanted] == number]
                mask = np.zeros(int(corpus.row[corpus.source == number].max()) + 1, bool)
                mask[corpus.row[mine]] = True
                mine = mine[np.argsort(corpus.row[mine])]
                try:
                    tables.append((mine, corpus.sources[number].table_of(mask)))
                except QuchongError:
                    continue
        found: dict[int, dict[str, str]] = {int(i): {} for i in wanted}
        for places, table in tables:
            of = [(k, int(i)) for k, i in enumerate(places.tolist()) if i in found]
            for name in self._shown(table):
                values = table[name].take(pa.array([k for k, _ in of], pa.int64())).to_pylist()
                for (_, i), value in zip(of, values, strict=True):
                    if value is not None and value != "":
                        found[i][name] = str(value)
        return found

    def _shown(self, table: pa.Table) -> list[str]:
        config = self.manifest["config"]
        hidden = {*config["text"], config.get("html"), "html"}
        return [n for n in dict.fromkeys(table.column_names) if n not in hidden and table.column_names.count(n) == 1]
