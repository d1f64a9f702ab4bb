"""Texts and fields of documents, read from the run folder on demand and cached."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.desk.run import DeskRun
from quchong.errors import QuchongError
from quchong.io import FileBeneath, open_file
from quchong.outputs import is_file_beneath
from quchong.results.document_columns import TEXT
from quchong.results.row_files import NOTES
from quchong.results.run import Run
from quchong.results.saved import SavedRun
from quchong.runs.reader import encoding_of
from quchong.views.subject import Subject

HELD = 40_000_000
"""Maximum number of characters in the cache."""
LOOKED_AT = 20
"""Number of rows of a file of JSON lines from which the keys are taken."""


class Documents:
    """Documents of a run, by their row in the table of documents.

    Cost: a document that is not cached costs one pass over its file, up to its row; documents asked for at once share
    the pass.
    """

    def __init__(self, run: DeskRun) -> None:
        self._run = run
        self._held: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._size = 0
        self._columns: tuple[str, ...] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the rows except text and page, with those of times and sources first."""
        if self._columns is None:
            config = self._run.saved.manifest["config"]
            hidden = {*config["text"], config.get("html"), "html", "row", "id", "text"}
            found = [*self._run.saved.keys[1:], *(name for name in self._column_names() if not name.startswith(NOTES))]
            self._columns = tuple(n for n in dict.fromkeys(found) if n not in hidden and _sound(n))
        return self._columns

    def _column_names(self) -> list[str]:
        """Return column names from the files of the first input."""
        manifest, found = self._run.saved.manifest, list[str]()
        for name in dict.fromkeys(side for sides in list(manifest["files"].values())[:1] for side in sides.values()):
            folder, file = self._run.saved.folder, name.replace("*", "part-00000")
            if not is_file_beneath(folder, file) or file.endswith(".txt"):
                continue
            try:
                source = open_file(FileBeneath(folder, file), encoding=encoding_of(manifest, name))
                if ".jsonl" in file:
                    for _, _, raw in source.whole_records(range(LOOKED_AT)):
                        row = json.loads(raw)
                        found += row if isinstance(row, dict) else ()
                else:
                    rows = self._rows_of(name)
                    found += source.table_of(np.arange(rows) < 1).column_names if rows else []
            except (QuchongError, ValueError, TypeError, RecursionError):
                continue
        return found

    def _rows_of(self, file: str) -> int:
        """Return the number of rows that a file has of the first input, from the table of documents."""
        removed = self._run.documents["removed"].to_numpy(zero_copy_only=False).astype(bool)
        own = ~self._run.documents["reference"].to_numpy(zero_copy_only=False).astype(bool)
        first = next(iter(self._run.saved.manifest["files"]), None)
        mine = np.array(self._run.documents["source"].to_pylist(), object) == first
        side = (
            removed if file.startswith("removed") else ~removed if file.startswith("kept") else np.ones(len(own), bool)
        )
        return int((own & mine & side).sum())

    def subject(self, places: Iterable[int]) -> tuple[Subject, dict[int, int]]:
        """Return a `Subject` of these documents only, and the row index of each in it."""
        wanted = list(dict.fromkeys(int(place) for place in places))
        rows = self._rows(wanted)
        names = [name for name in self.columns if any(row.get(name) is not None for row in rows)]
        documents = self._run.documents.take(pa.array(wanted, pa.int64()))
        part = PartOfRun(self._run.saved, documents, rows, names or [self._run.saved.keys[1]])
        return Subject(part), {place: k for k, place in enumerate(wanted)}

    def _rows(self, wanted: Sequence[int]) -> list[dict[str, Any]]:
        missing = np.array(sorted(place for place in wanted if place not in self._held), np.int64)
        new: dict[int, dict[str, Any]] = {}
        if len(missing):
            read = self._run.saved.columns(missing, self.columns).to_pylist()
            new = dict(zip(missing.tolist(), read, strict=True))
        found = [new[place] if place in new else self._held[place] for place in wanted]
        for place, row in new.items():
            self._held[place] = row
            self._size += _length(row)
        while self._size > HELD and self._held:
            _, row = self._held.popitem(last=False)
            self._size -= _length(row)
        return found


class PartOfRun(Run):
    """Some documents of a run: of its tables that of the documents alone, all of them kept.

    Args:
        saved: the run.
        documents: their rows of its table of documents.
        rows: their texts and columns, by name.
        names: columns that they are shown with.
    """

    def __init__(
        self, saved: SavedRun, documents: pa.Table, rows: Sequence[dict[str, Any]], names: Sequence[str]
    ) -> None:
        self._saved, self._documents, self._read, self._names = saved, documents, rows, names
        self.name = saved.name

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json; see `Run.manifest`."""
        return self._saved.manifest

    @property
    def tables(self) -> dict[str, pa.Table]:
        """See `Run.tables`; there is one."""
        return {"documents": self._documents}

    def table(self, name: str) -> pa.Table:
        """Return a table by its name; see `Run.table`."""
        return self.tables[name]

    def rows(self, removed: bool) -> tuple[np.ndarray, pa.Table]:
        """See `Run.rows`, without texts and columns that are not shown."""
        table = self.columns(np.arange(0 if removed else len(self._read)), tuple(self._names)).drop_columns([TEXT])
        return np.arange(len(table)), table

    def columns(self, places: np.ndarray, names: tuple[str, ...]) -> pa.Table:
        """Return texts and columns of the documents at `places`; see `Run.columns`."""
        rows = [self._read[place] for place in places.tolist()]
        return pa.table({n: pa.array([_text(row.get(n)) for row in rows], pa.large_string()) for n in (TEXT, *names)})


def _length(row: dict[str, Any]) -> int:
    return 200 + len(row[TEXT] or "")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _sound(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)
