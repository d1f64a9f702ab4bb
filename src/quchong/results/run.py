"""Run: the tables of a run, and the rows, texts and columns of its documents, in memory or in a folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.id_index import IdIndex
from quchong.engines.local.outcome import Outcome
from quchong.io import Bad
from quchong.results.document_columns import TEXT
from quchong.runs.reader import TABLES


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

    @abstractmethod
    def columns(self, places: np.ndarray, names: tuple[str, ...]) -> pa.Table:
        """Return the texts of documents as the run compared them (column TEXT) and columns of their rows, the first of which is that of
        times; a document that cannot be read is all null.

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
        """Tables by name."""
        return {name: self.table(name) for name in TABLES}

    @property
    def counts(self) -> dict[str, Any]:
        """Counts by name."""
        counts: dict[str, Any] = self.manifest["counts"]
        return counts

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """Alarms and notes."""
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

    @cached_property
    def ids(self) -> IdIndex:
        """Ids of the documents."""
        return IdIndex(self.table("documents")["id"])

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
    first = pc.select_k_unstable(counts, n, [("count_all", "descending"), ("cluster_id", "ascending")])
    return [(str(row["cluster_id"]), row["count_all"]) for row in counts.take(first).to_pylist()]
