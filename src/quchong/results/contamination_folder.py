"""Folder of a search for test items, read again: its tables, what was found in a document, and removed rows put back."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from quchong.errors import RunError, UsageError, reason_of
from quchong.io import BAD, KEEP, REMOVE, FileBeneath, Source, WantedColumns
from quchong.io.merge import open_side, restore_rows
from quchong.io.row_copies import RowCopies
from quchong.outputs import is_file_beneath, manifest_of, read_beneath
from quchong.results.contamination import TABLE
from quchong.results.contamination_checks import SCHEMAS, check_manifest, check_tables
from quchong.runs.layout import MANIFEST, fresh_folder, is_run, write_json, write_table
from quchong.runs.restore import LOG, Restored


def is_contamination(folder: Path) -> bool:
    """Return True if this is a finished folder of `decontaminate`."""
    return is_run(folder, TABLE) and not is_run(folder)


@dataclass(frozen=True, slots=True)
class ContaminationFolder:
    """Folder of a search for test items: manifest and tables."""

    folder: Path
    manifest: dict[str, Any]
    matches: pa.Table
    items: pa.Table
    documents: pa.Table

    @classmethod
    def open_path(cls, folder: Path) -> ContaminationFolder:
        """Read a folder that `decontaminate` has written.

        Raises:
            RunError: it is no such folder, or its files are not as `decontaminate` writes them.
        """
        try:
            tables = {name: _read_table(folder, name) for name in SCHEMAS}
            manifest = manifest_of(folder)
        except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
            raise RunError(
                "{} is not a complete folder of quchong decontaminate: {}", folder, reason_of(error)
            ) from error
        check_tables(folder, tables)
        check_manifest(folder, manifest, tables["documents"])
        return cls(folder, manifest, tables[TABLE], tables["items"], tables["documents"])

    def matches_of(self, doc_id: str) -> list[dict[str, Any]]:
        """Return the matches of a document, each with the texts of its item's parts.

        Raises:
            UsageError: nothing was found in a document of that id.
        """
        rows: list[dict[str, Any]] = self.matches.filter(pc.equal(self.matches["id"], doc_id)).to_pylist()
        if not rows:
            raise UsageError("{}: no test item was found in a document {!r}", self.folder, doc_id)
        known = {(row["set"], row["item"]): row for row in self.items.to_pylist()}
        for row in rows:
            item = known[row["set"], row["item"]]
            row |= {"question": item["question"], "answer": item["answer"]}
        return rows

    def documents_of(self, doc_id: str) -> list[dict[str, Any]]:
        """Return the rows of `documents` with an id, in input order; several documents may have one id."""
        found: list[dict[str, Any]] = self.documents.filter(pc.equal(self.documents["id"], doc_id)).to_pylist()
        return found

    def restore(self, ids: Sequence[str] = (), *, everything: bool = False) -> Restored:
        """Put removed or cut documents back in full; the tables, counts and restored.jsonl record it.

        Raises:
            UsageError: nothing was named, an id is not of a removed or cut document, or nothing was removed.
            RunError, OutputError: as for the folder of a run.
        """
        if self.manifest["mode"] not in ("remove", "cut"):
            raise UsageError(
                "{} was written in {} mode, so nothing was removed that could be put back",
                self.folder,
                self.manifest["mode"],
            )
        taken = np.asarray(self.documents["removed"]) | (np.asarray(self.documents["cut"]) > 0)
        back = taken if everything else taken & np.isin(np.array(self.documents["id"].to_pylist(), object), list(ids))
        missing = sorted(set(ids) - set(self.documents["id"].filter(pa.array(back)).to_pylist()))
        if missing:
            raise UsageError("{} has no removed or cut document {!r}", self.folder, missing[0])
        if not ids and not everything:
            raise UsageError("name the documents to restore, or use --all")
        if not back.any():
            return Restored((), {})
        with fresh_folder(self.folder, overwrite=True, table=TABLE) as fresh:
            files = self._write(fresh, back)
        return Restored(tuple(self.documents["id"].filter(pa.array(back)).to_pylist()), files)

    def _write(self, fresh: Path, back: np.ndarray) -> dict[str, int]:
        """Write the folder anew with the documents of the mask `back` put back; return the number of rows put back by file."""
        documents, files = self.documents, dict[str, int]()
        source = np.array(documents["source"].to_pylist(), object)
        for name, sides in self.manifest["files"].items():
            for side in sides.values():
                (fresh / side).parent.mkdir(parents=True, exist_ok=True)
            mine = source == name
            if (back & mine).any():
                self._restore_source(fresh, name, sides, documents.filter(pa.array(mine)), back[mine])
                files[sides["kept"]] = int((back & mine).sum())
                continue
            for side in sides.values():
                _copy(self.folder, side, fresh)
        for name in (f"{TABLE}.parquet", "items.parquet", "skipped.jsonl", LOG):
            if is_file_beneath(self.folder, name):
                _copy(self.folder, name, fresh)
        changed = _with(documents, "removed", pc.and_(documents["removed"], pa.array(~back)))
        changed = _with(changed, "cut", pc.if_else(pa.array(back), 0, documents["cut"]))
        write_table(changed, fresh / "documents.parquet")
        with (fresh / LOG).open("a", encoding="utf-8") as log:
            for row in documents.filter(pa.array(back)).to_pylist():
                log.write(json.dumps(row, ensure_ascii=False) + "\n")
        cut = np.asarray(changed["cut"])
        counts = {
            "removed": int(np.asarray(changed["removed"]).sum()),
            "cut": int((cut > 0).sum()),
            "characters_cut": int(cut.sum()),
        }
        write_json(self.manifest | {"counts": self.manifest["counts"] | counts}, fresh / MANIFEST)
        return files

    def _restore_source(
        self, fresh: Path, name: str, sides: dict[str, str], documents: pa.Table, back: np.ndarray
    ) -> None:
        """Write both files of a source anew; the whole row, from the removed ones, replaces the cut row of a document put back."""
        place, gone = np.asarray(documents["place"]), np.asarray(documents["removed"])
        encoding = next((one.get("encoding") for one in self.manifest["inputs"] if one["name"] == name), None)
        (kept_rows, rows), (removed_rows, whole) = (self._open(sides[side], encoding) for side in ("kept", "removed"))
        taken = gone | (np.asarray(documents["cut"]) > 0)
        count = rows + int(gone.sum())
        if count != self.manifest["documents"][name] or whole != int(taken.sum()) or (place >= count).any():
            raise RunError(
                "{} differs from what quchong decontaminate writes: run that command again", self.folder / MANIFEST
            )
        out, aside, again = (np.zeros(count, bool) for _ in range(3))
        out[place[gone]] = True  # not in the file of kept rows
        aside[place[taken]] = True  # in the file of removed rows, as they were
        again[place[back]] = True
        with tempfile.TemporaryDirectory(dir=fresh) as folder:
            suffix = sides["kept"][sides["kept"].rindex("/") + 1 :] if "/" in sides["kept"] else sides["kept"]
            kept, mine, none = (Path(folder) / f"{side}-{suffix}" for side in ("kept", "mine", "none"))
            kept_rows.split(np.where(again[~out], BAD, KEEP).astype(np.uint8), kept, None)
            fates = np.where(again[aside], KEEP, REMOVE).astype(np.uint8)
            removed_rows.split(fates, mine, fresh / sides["removed"])
            before = again[~out | again]
            restore_rows(kept, mine, before, np.zeros(len(before), bool), fresh / sides["kept"], none, encoding)

    def _open(self, name: str, encoding: str | None) -> tuple[RowCopies, int]:
        """Open a file of rows and read it once; return it with the number of its rows."""
        side = open_side(FileBeneath(self.folder, name), encoding)
        if isinstance(side, Source):  # finds the records of a file that starts with a head
            wanted = WantedColumns((self.manifest["config"]["text"][0],), None, textless=True)
            return side, sum(len(batch) for batch in side.documents(wanted, []))
        return side, sum(len(block) for _, block in side.records())


def _with(table: pa.Table, name: str, values: pa.ChunkedArray) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(place), values)


def _copy(folder: Path, name: str, fresh: Path) -> None:
    with FileBeneath(folder, name).open() as found, (fresh / name).open("wb") as to:
        shutil.copyfileobj(found, to)


def _read_table(folder: Path, name: str) -> pa.Table:
    data = read_beneath(folder, f"{name}.parquet", 1 << 40)
    table = pq.read_table(pa.BufferReader(data))
    table.validate(full=True)
    if table.schema.names != SCHEMAS[name].names or table.schema.types != SCHEMAS[name].types:
        raise ValueError(f"{name}.parquet has other columns")
    return table
