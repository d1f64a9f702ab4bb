"""Run: the tables of a run, and the rows, texts and columns of its documents, in memory or in a folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.documents import seconds_of
from quchong.decision.id_index import IdIndex
from quchong.decision.reexamination import examine_pairs, replaced_rows, unexamined
from quchong.engines.local.examine_again import examined_pairs
from quchong.engines.local.outcome import Outcome
from quchong.io import Bad
from quchong.plan.mix import Mix
from quchong.plan.plan import Plan
from quchong.results.document_columns import TEXT
from quchong.runs.reader import TABLES
from quchong.seam import Documents

FEW = 500
"""Pairs up to which only their own texts are read to examine them; for more, all texts of the run."""


class Run(ABC):
    """A run, wherever it is stored. Documents are identified by their row in the table of documents.

    It has two carriers: memory (`quchong.results.memory.MemoryRun`) and a folder (`quchong.results.saved.SavedRun`).

    Attributes:
        name: name of the run for display.
    """

    name: str

    @property
    @abstractmethod
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json."""

    @abstractmethod
    def table(self, name: str) -> pa.Table:
        """Return a table by its name in `quchong.runs.reader.TABLES`."""

    @abstractmethod
    def rows(self, removed: bool) -> tuple[np.ndarray, pa.Table]:
        """Return the kept or the removed rows of the inputs with all columns, and before them the documents that they are.

        Raises:
            QuchongError: a file of rows is missing, or not as the run left it.
        """

    @property
    def rows_in_kind(self) -> Callable[[np.ndarray], Any] | None:
        """Function that selects rows of the input by number, in the kind in which the data was given; None if that is a table of Arrow."""
        return None

    def own_rows(self) -> pa.Table:
        """Return the rows of removed roundups with their own texts alone; an empty table unless the run cut roundups.

        Raises:
            QuchongError: a file of rows is missing, or not as the run left it.
        """
        return pa.table({})

    @abstractmethod
    def columns(self, places: np.ndarray, names: tuple[str, ...]) -> pa.Table:
        """Return texts (column TEXT) and columns of documents; the first name is the time column. Unreadable documents are null.

        Raises:
            QuchongError: an input of a run in memory is missing, or has changed; a folder notes the reason instead (`left_alone`).
        """

    def skipped(self) -> Iterable[Bad]:
        """Return the records that could not be read."""
        return ()

    def decidable(self) -> tuple[Outcome | None, str]:
        """Return the outcome, so that the run can be decided again; None and the reason if that is not possible."""
        return None, ""

    @property
    def tables(self) -> dict[str, pa.Table]:
        """Tables of the run by name."""
        return {name: self.table(name) for name in TABLES}

    @property
    def counts(self) -> dict[str, Any]:
        """Counts in run.json, by name."""
        counts: dict[str, Any] = self.manifest["counts"]
        return counts

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """Alarms and notes in run.json, as dictionaries."""
        alarms: list[dict[str, Any]] = self.manifest["alarms"]
        return alarms

    @property
    def keys(self) -> tuple[str, str, str]:
        """Names of the columns of ids ("" without one), times and sources."""
        config = self.manifest["config"]
        return (
            self.manifest.get("id", "id") or "",
            config.get("time_key") or "time",
            config.get("source_key") or "source",
        )

    @property
    def mix(self) -> Mix | None:
        """Weights of sources that the run was given; None without any."""
        return Mix.of_config(self.manifest["config"])

    @cached_property
    def ids(self) -> IdIndex:
        """Ids of the documents."""
        return IdIndex(self.table("documents")["id"])

    def plan(self) -> Plan | None:
        """Return the plan of the run; None if it cannot be made again from its folder."""
        return None

    @cached_property
    def examined_pairs(self) -> pa.Table:
        """Table of pairs with every pair examined, as `differences="all"` gives it; the stored one if the texts cannot be read again.

        Cost: at first use, the differences of all pairs that were not examined.
        """
        return self.examined(self.table("pairs"))

    def examined(self, pairs: pa.Table) -> pa.Table:
        """Return rows of the table of pairs with every pair examined whose texts can be read.

        Raises:
            QuchongError: as `columns`.
        """
        rows, plan = unexamined(pairs), self.plan()
        if not len(rows) or plan is None:
            return pairs
        if len(rows) > FEW and (outcome := self.decidable()[0]) is not None:
            return examined_pairs(outcome, pairs)
        some = pairs.take(pa.array(rows))
        places = np.concatenate([self.ids.places(some[side]) for side in ("left_id", "right_id")])
        docs, at = np.unique(places, return_inverse=True)
        found = self.columns(docs, (plan.time_key,))
        texts = found[TEXT].to_pylist()
        unread = [k for k, text in enumerate(texts) if text is None]
        for k, text in zip(unread, self.texts_of(docs[unread]) if unread else [], strict=True):
            texts[k] = text
        left, right = at[: len(rows)], at[len(rows) :]
        known = np.array([one is not None for one in texts], bool)
        readable = known[left] & known[right]
        prepared = plan.preparer.prepare(pa.array([one or "" for one in texts], pa.large_string()), plan.workers)
        made = examine_pairs(
            plan.method, Documents.from_texts(prepared.texts), left[readable].astype(np.uint32), right[readable].astype(np.uint32),
            some.filter(pa.array(readable)), seconds_of(found[plan.time_key], len(docs)), prepared.edits, np.arange(len(docs)),
            plan.workers,
        )  # fmt: skip
        return replaced_rows(pairs, rows[readable], made)

    def texts(self, ids: Sequence[str | int]) -> list[str | None]:
        """Return original texts by id; None for an id of no document, and for a text that cannot be read.

        Raises:
            QuchongError: as `columns`.
        """
        return self.texts_of(self.ids.places(ids))

    def texts_of(self, places: np.ndarray) -> list[str | None]:
        """Return original texts of documents; None for -1, and for a text that cannot be read.

        Raises:
            QuchongError: as `columns`.
        """
        known = np.unique(places[places >= 0])
        found = dict(zip(known.tolist(), self.columns(known, ())[TEXT].to_pylist(), strict=True))
        # One that cannot be read may have spoilt the others of its file: each is tried alone.
        for place in [one for one in found if found[one] is None and len(found) > 1]:
            found[place] = self.columns(np.array([place]), ())[TEXT][0].as_py()
        return [found.get(place) for place in places.tolist()]


def biggest_clusters(clusters: pa.Table, n: int = 5) -> list[tuple[str, int]]:
    """Return (survivor id, documents) of the largest clusters, counting the survivor; ties are ordered by id."""
    counts = clusters.group_by("cluster_id").aggregate([([], "count_all")])
    if not counts.num_rows:  # of none some versions of Arrow cannot select
        return []
    first = pc.select_k_unstable(counts, n, [("count_all", "descending"), ("cluster_id", "ascending")])
    return [(str(row["cluster_id"]), row["count_all"]) for row in counts.take(first).to_pylist()]
