"""The run a view is about: its tables, and where its texts and fields are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.cluster.times import times
from quchong.engines.local.outcome import Outcome
from quchong.errors import QuchongError
from quchong.io.arrays import as_strings
from quchong.tables import CHAINS

Texts = Callable[[Sequence[str]], list[str | None]]
Rows = Callable[[bool], tuple[np.ndarray, pa.Table]]
Chains = Callable[[pa.Table], pa.Table]


def no_chains(_pairs: pa.Table) -> pa.Table:
    """The chains of a run that is shown without them."""
    return CHAINS.empty_table()


@dataclass(frozen=True)
class Subject:
    """What a view is made of. Documents are named by their place in `tables["documents"]`.

    Attributes:
        name: of the run, for people.
        manifest, tables: as the run folder has them.
        outcome: the run opened, so that it can be decided again; None where it cannot be.
        why: says why it cannot be opened.
        rows: the kept rows, or those removed: places of their documents, and the rows with all columns. Asked where there is
            no outcome.
        texts: original texts by id, None where one cannot be read. Asked where there is no outcome.
        chains: the table of chains that these pairs of the run make, as `Result.chains` has it.
    """

    name: str
    manifest: Mapping[str, Any]
    tables: Mapping[str, pa.Table]
    outcome: Outcome | None
    why: str
    rows: Rows
    texts: Texts
    chains: Chains = no_chains

    @cached_property
    def ids(self) -> list[str]:
        """The id of every document, as text."""
        ids: list[str] = self.tables["documents"]["id"].cast(pa.large_string()).to_pylist()
        return ids

    @cached_property
    def place(self) -> dict[str, int]:
        """The place of every document, by its id."""
        return {name: i for i, name in enumerate(self.ids)}

    def places(self, column: pa.ChunkedArray) -> np.ndarray:
        """The places of a column of ids, int64; -1 for null."""
        names = column.cast(pa.large_string()).to_pylist()
        return np.array([-1 if one is None else self.place[one] for one in names], np.int64)

    @property
    def time_key(self) -> str:
        """The column of times."""
        return str(self.manifest["config"].get("time_key") or "time")

    @property
    def source_key(self) -> str:
        """The column of sources."""
        return str(self.manifest["config"].get("source_key") or "source")

    @cached_property
    def paired(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of both documents of every listed pair."""
        return self.places(self.tables["pairs"]["left_id"]), self.places(self.tables["pairs"]["right_id"])

    def flags(self, name: str) -> np.ndarray:
        """A column of truth values of the documents."""
        return np.array(self.tables["documents"][name].to_pylist(), bool)

    @cached_property
    def seconds(self) -> np.ndarray:
        """The time of every document by the time column, seconds since 1970 UTC; NaN where it has none."""
        column = self._column(self.time_key)
        try:
            found = np.full(len(self.ids), np.nan) if column is None else times(column)
        except QuchongError:  # a column of structs, say
            return np.full(len(self.ids), np.nan)
        return np.where(np.isfinite(found), found, np.nan)

    @cached_property
    def when(self) -> list[str | None]:
        """The time of every document as it stands in its row."""
        return self._told(self.time_key)

    @property
    def has_sources(self) -> bool:
        """Does the source column say anything?"""
        return any(self._told(self.source_key))

    @cached_property
    def sources(self) -> list[str]:
        """The source of every document: what the source column says, else the name of the input."""
        told = self._told(self.source_key)
        inputs = self.tables["documents"]["source"].to_pylist()
        return [one or other for one, other in zip(told, inputs, strict=True)]

    def _told(self, name: str) -> list[str | None]:
        column = self._column(name)
        if column is None or pa.types.is_nested(column.type):
            return [None] * len(self.ids)
        told: list[str | None] = as_strings(column).to_pylist()
        return told

    def _column(self, name: str) -> Any:
        """A column of the input, one value a document; None where it is not known."""
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
        """Kept and removed rows, where they are all there is."""
        try:
            return [self.rows(False), self.rows(True)]
        except QuchongError:  # the files of the run have moved
            return [(np.zeros(0, np.int64), pa.table({}))]

    def text_of(self, documents: Iterable[int]) -> dict[int, str | None]:
        """Original texts of documents by place; None where they cannot be read any more."""
        wanted = sorted(set(documents))
        if self.outcome is None:
            read = self._written(wanted)
            rest = [i for i in wanted if i not in read]
            return read | dict(zip(rest, self.texts([self.ids[i] for i in rest]), strict=True))
        corpus, found = self.outcome.corpus, dict[int, str | None]()
        again: dict[int, list[int]] = {}
        here = len(corpus.texts) == len(corpus)
        for i in wanted:
            if here and i not in corpus.edits:
                found[i] = corpus.texts.text(i)
            else:
                again.setdefault(int(corpus.source[i]), []).append(i)
        for source, some in again.items():
            found |= dict.fromkeys(some)
            rows = {int(corpus.row[i]): i for i in some}
            try:
                table = corpus.sources[source].fetch(list(rows), self.outcome.plan.wanted)
            except QuchongError:
                continue
            found |= {rows[r]: t for r, t in zip(table["row"].to_pylist(), table["text"].to_pylist(), strict=True)}
        return found

    def _written(self, wanted: Sequence[int]) -> dict[int, str | None]:
        """Texts that stand in the rows themselves: not those of pages and files."""
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
        """All columns of documents but text and page, as text, by place. Empty ones are left out."""
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
