"""Reads tables and texts of a run folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.engines.local.ids import REFERENCE_PREFIX
from quchong.errors import Param, QuchongError, RunError, UsageError
from quchong.io import Bad, Source, Wanted, open_inputs, read_skipped
from quchong.io.files.disk import reading
from quchong.outputs import read_path
from quchong.reading.pages import PageReader, Pages
from quchong.report import Beside, Explanation
from quchong.results.explain import beside, explain
from quchong.review import Standing, read_acts
from quchong.runs.layout import read_manifest, read_tables
from quchong.runs.restore import Restored, recover, restore
from quchong.runs.stretches import stretch_of


@dataclass
class SavedRun:
    """A finished run folder.

    Raises:
        RunError: on opening, when the folder is no run of ours or damaged.
    """

    folder: Path

    def __post_init__(self) -> None:
        recover(self.folder)
        self._read()

    def _read(self) -> None:
        self.manifest: dict[str, Any] = read_manifest(self.folder)
        self.tables: dict[str, pa.Table] = read_tables(self.folder, self.manifest)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {str(name): i for i, name in enumerate(self.tables["documents"]["id"].to_pylist())}

    def explain(self, doc_id: str | int) -> Explanation:
        """Why a document was removed, kept or skipped, and what it is like."""
        return explain(str(doc_id), self.tables, self.texts, self.skipped, self.manifest.get("id", "id"))

    def skipped(self) -> list[Bad]:
        """The records that could not be read."""
        paths = [self.folder / "skipped.jsonl", *sorted((self.folder / "skipped").glob("part-*.jsonl"))]
        return [one for path in paths if path.is_file() for one in read_skipped(path)]

    def beside(self, doc_id: str | int, other_id: str | int) -> Beside:
        """Two documents of the run with the passages both share."""
        return beside(str(doc_id), str(other_id), self.tables, self.texts)

    def texts(self, ids: Sequence[str | int]) -> list[str | None]:
        """Original texts by id, from the kept and removed files; None where they cannot be read."""
        return [self._text(str(i)) for i in ids]

    def _text(self, doc_id: str) -> str | None:
        documents, place = self.tables["documents"], self._place.get(doc_id)
        if place is None:
            return None
        row = documents.slice(place, 1).to_pylist()[0]
        try:
            source, place = self._file(row, place)
            config = self.manifest["config"]
            pages = Pages(source, PageReader(config.get("body", "main"), config.get("html"), workers=1))
            found = pages.fetch([place], self.wanted)
        except QuchongError:
            return None
        return found["text"][0].as_py() if len(found) else None

    @property
    def wanted(self) -> Wanted:
        """The columns the run compared."""
        config = self.manifest["config"]
        return Wanted(tuple(config["text"]), None, instead=config.get("html"), textless=True)

    def _file(self, row: dict[str, Any], index: int) -> tuple[Source, int]:
        """Where a document, the one of this index, stands now: a source, and the row in it."""
        path, kind, written, at = self.stands(row, index)
        return open_inputs([path], kind, encoding=written)[0], at

    def stands(self, row: dict[str, Any], index: int) -> tuple[Path, str | None, str | None, int]:
        """The file in which a document stands now, the one of this index and row of the table of documents; its format, None where
        the name tells it; the encoding it was read in, None for UTF-8; and the row in it.

        Raises:
            RunError: the run does not tell.
        """
        files = {} if row["reference"] else self.manifest["files"].get(row["source"], {})
        places = self.manifest.get("against" if row["reference"] else "inputs", [])
        place: dict[str, Any] = next((a for a in places if a.get("name") == row["source"] and "path" in a), {})
        path, as_what = place.get("path"), place.get("format")
        path = None if path is None else read_path(path)
        written = next((a.get("encoding") for a in places if a.get("name") == row["source"]), None)
        if row["reference"] or (path is not None and "annotated" in files):
            if path is None:
                raise RunError("{} does not tell where {} was read from", self.folder, row["source"])
            alone = Path(path) / read_path(row["id"].removeprefix(REFERENCE_PREFIX))
            if os.path.isdir(path) and os.path.isfile(alone):  # files may have been named one by one  # noqa: PTH112, PTH113
                return alone, None, written, 0
            return Path(path), as_what, written, row["row"]
        documents = self.tables["documents"]
        if "annotated" in files:
            own = pc.and_(pc.equal(documents["source"], row["source"]), pc.invert(documents["reference"]))
            rows = documents.filter(own)["row"].to_numpy()
            return self.folder / files["annotated"], None, written, int((rows < row["row"]).sum())
        stretch = stretch_of(self.manifest, documents, index)
        at = int(np.flatnonzero(stretch.documents == index)[0])
        before = int((stretch.gone[:at] == row["removed"]).sum())
        file = self.folder / (stretch.removed if row["removed"] else stretch.kept)
        if path is not None and file.suffix == ".txt":  # a list of paths; the texts stand there alone
            with reading(file):
                listed = file.read_text(encoding="utf-8").split("\n")
            if before >= len(listed) - 1:
                raise RunError("{} lists fewer files than it was written with", file)
            root = Path(path) if os.path.isdir(path) else Path(path).parent  # noqa: PTH112
            return root / read_path(listed[before]), None, written, 0
        return file, None, written, before

    def restore(
        self,
        ids: Iterable[str | int] = (),
        *,
        relations: Iterable[str] = (),
        rules: Iterable[str] = (),
        everything: bool = False,
        decisions: Path | None = None,
    ) -> Restored:
        """Puts removed rows back among the kept ones: by id, or all that were removed by a relation or rule, or all; or those whose
        removal was overturned in a decisions file, and that are still removed.

        Raises:
            UsageError, RunError, OutputError: see `quchong.runs.restore.restore`.
            InputError: the decisions file cannot be read, or is none.
        """
        names, relations, rules = [str(i) for i in ids], tuple(relations), tuple(rules)
        if decisions is not None:
            if names or relations or rules or everything:
                raise UsageError(
                    "{} says which rows are put back: leave out the ids and what else names rows", Param("decisions")
                )
            names = self._overturned(decisions)
            if not names:
                return Restored((), {})
        done = restore(self.folder, names, relations=tuple(relations), rules=tuple(rules), everything=everything)
        self.__dict__.pop("_place", None)
        self._read()
        return done

    def _overturned(self, decisions: Path) -> list[str]:
        """Ids of the removed documents whose removal was overturned."""
        overturned = {str(verdict.id) for verdict in Standing.of(read_acts(decisions)[0]).overturned}
        return [one for one in map(str, self.tables["ledger"]["id"].to_pylist()) if one in overturned]

    def biggest(self, n: int = 5) -> list[tuple[str, int]]:
        """Survivors with the most documents in their cluster."""
        return biggest_clusters(self.tables["clusters"], n)


def biggest_clusters(clusters: pa.Table, n: int = 5) -> list[tuple[str, int]]:
    """(survivor id, documents) of the largest clusters, the survivor counted; ties by id."""
    counts = clusters.group_by("cluster_id").aggregate([([], "count_all")])
    first = pc.select_k_unstable(counts, n, [("count_all", "descending"), ("cluster_id", "ascending")])
    return [(str(row["cluster_id"]), row["count_all"]) for row in counts.take(first).to_pylist()]
