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
from quchong.results.members import TEXT, of_run
from quchong.runs.reader import encoding_of
from quchong.views.subject import Subject

HELD = 40_000_000
"""Maximum number of characters in the cache."""
LOOKED_AT = 20
"""Number of rows of a file of JSON lines from which the keys are taken."""
_NOTES = "quchong_"


class Documents:
    """Documents of a run, by their row in the table of documents.

    Cost: a document that is not cached costs one pass over its file, up to its row; documents asked for at once share
    the pass.
    """

    def __init__(self, run: DeskRun) -> None:
        self._run = run
        self._fetched = of_run(run.saved)
        self._held: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self._size = 0
        config = run.saved.manifest["config"]
        self._keys = str(config.get("time_key") or "time"), str(config.get("source_key") or "source")
        self._columns: tuple[str, ...] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the rows except text and page, with those of times and sources first."""
        if self._columns is None:
            config = self._run.saved.manifest["config"]
            hidden = {*config["text"], config.get("html"), "html", "row", "id", "text"}
            found = [*self._keys, *(name for name in self._named() if not name.startswith(_NOTES))]
            self._columns = tuple(n for n in dict.fromkeys(found) if n not in hidden and _sound(n))
        return self._columns

    def _named(self) -> list[str]:
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
        table = pa.table(
            {n: pa.array([_text(row.get(n)) for row in rows], pa.large_string()) for n in names or self._keys[:1]}
        )
        documents = self._run.documents.take(pa.array(wanted, pa.int64()))
        texts = {str(name): row[TEXT] for name, row in zip(documents["id"].to_pylist(), rows, strict=True)}

        def sides(removed: bool) -> tuple[np.ndarray, pa.Table]:
            return (np.zeros(0, np.int64), table.slice(0, 0)) if removed else (np.arange(len(wanted)), table)

        def read(ids: Sequence[str]) -> list[str | None]:
            return [texts.get(one) for one in ids]

        manifest = self._run.saved.manifest
        made = Subject(self._run.saved.folder.resolve().name, manifest, {"documents": documents}, None, "", sides, read)
        return made, {place: k for k, place in enumerate(wanted)}

    def _rows(self, wanted: Sequence[int]) -> list[dict[str, Any]]:
        missing = np.array(sorted(place for place in wanted if place not in self._held), np.int64)
        new: dict[int, dict[str, Any]] = {}
        if len(missing):
            read = self._fetched(missing, self.columns).to_pylist()
            new = dict(zip(missing.tolist(), read, strict=True))
        found = [new[place] if place in new else self._held[place] for place in wanted]
        for place, row in new.items():
            self._held[place] = row
            self._size += _length(row)
        while self._size > HELD and self._held:
            _, row = self._held.popitem(last=False)
            self._size -= _length(row)
        return found


def _length(row: dict[str, Any]) -> int:
    return 200 + len(row[TEXT] or "")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _sound(name: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in name)
