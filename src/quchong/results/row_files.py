"""Files of a run folder in which the rows of its documents are stored, and the sources outside of it that have their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import Param, QuchongError, RunError, UsageError
from quchong.io import FileBeneath, Source, WantedColumns, open_file
from quchong.io.page_documents import PageReader, Pages
from quchong.languages import Message
from quchong.outputs import is_file_beneath, names_beneath
from quchong.results.document_columns import assemble_columns, member_columns
from quchong.results.outside_sources import OutsideSources, listed_paths
from quchong.results.row_options import IDS
from quchong.runs.layout import KEPT_IDS
from quchong.runs.manifest import DAMAGED
from quchong.runs.reader import PART_NAME, encoding_of, own_files
from quchong.runs.row_ids import check_row_ids
from quchong.runs.row_ranges import annotated_files, stretch_of, stretches

NOTES = "quchong_"
"""Beginning of the names of the columns that a run in annotate mode added."""
_FEW = 4
"""So many documents at most are found one by one; more by a pass over the table of documents."""


@dataclass(frozen=True, slots=True)
class Stand:
    """File in which a document's row is stored: input, side and encoding.

    Attributes:
        source, reference: name of the document's source, and True if that is part of the reference corpus.
        name: name of the file in the run folder; None if the text is outside of it, see `quchong.results.outside_sources`.
        encoding: encoding in which the file was read; None for UTF-8.
    """

    source: str
    reference: bool
    name: str | None
    encoding: str | None


class RowFiles:
    """Files of the rows of a run, opened when they are asked for.

    Args:
        folder, manifest, tables: folder, manifest and tables of the run.
        outside: its sources outside of the folder.
    """

    def __init__(
        self, folder: Path, manifest: Mapping[str, Any], tables: Mapping[str, pa.Table], outside: OutsideSources
    ) -> None:
        self._folder, self._manifest, self._tables, self._outside = folder, manifest, tables, outside
        self._unread: dict[str, Message] = {}

    @property
    def left_alone(self) -> list[Message]:
        """Messages about sources that could not be read so far, and why: missing or damaged files of rows, texts outside of the folder."""
        return [Message("{}: {}", name, why) for name, why in (self._unread | self._outside.left).items()]

    def _note(self, source: str, error: QuchongError) -> None:
        if source not in self._outside.left:
            self._unread[source] = error.message

    def own(self) -> Iterator[pa.Table]:
        """Yield the rows of removed roundups with their own texts, of each file.

        Raises:
            QuchongError: a file is missing, or cannot be read.
        """
        encodings = {entry["name"]: entry.get("encoding") for entry in self._manifest["inputs"]}
        found_by = {name: source for source, name in self._manifest.get("cut", {}).get("files", {}).items()}
        for pattern, source in found_by.items():
            for name in self._cut_parts(pattern):
                yield self._own_of(source, name, encodings.get(source))

    def _cut_parts(self, pattern: str) -> list[str]:
        """Return the files that a name stands for, in order: itself, or with * the parts that Spark wrote."""
        folder, star, _ = pattern.partition("/*")
        if not star:
            return [pattern]
        found = [f"{folder}/{name}" for name in names_beneath(self._folder, folder)]
        return sorted(one for one in found if PART_NAME.sub("/*", one) == pattern)

    def _own_of(self, source: str, name: str, encoding: str | None) -> pa.Table:
        with own_files(self._folder, [name]) as (file,):
            found = open_file(file, encoding=encoding, name=source)
            rows = sum(len(block) for _, block in found.records())
            return found.table_of(np.ones(rows, bool))

    def sides(self, removed: bool) -> Iterator[tuple[np.ndarray, pa.Table]]:
        """Yield for each file the documents of its kept or removed rows, then these rows with all columns.

        Raises:
            QuchongError: a file is missing, or not as the run left it.
        """
        documents = self._tables["documents"]
        if self._manifest["mode"] == IDS:
            raise UsageError(
                "{} has only the ids of kept rows ({}), not the rows: take these rows from the input, or run "
                "without {}", self._folder,
                KEPT_IDS, Param("ids_only", True),
            )  # fmt: skip
        if self._manifest["mode"] == "annotate":
            side = documents["removed"].to_numpy(zero_copy_only=False).astype(bool) == removed
            for file, mine in annotated_files(self._manifest, documents):
                table = self._select_rows(file, side[mine])
                stays = () if removed else self._manifest.get("added_columns", ())
                names = [one for one in table.column_names if not one.startswith(NOTES) or one in stays]
                yield mine[side[mine]], table.select(names)
            return
        for stretch in stretches(self._manifest, documents):
            file, rows = (stretch.removed if removed else stretch.kept), stretch.counts[removed]
            mine = stretch.documents[stretch.gone == removed]
            if rows or is_file_beneath(self._folder, file):
                table = self._select_rows(file, np.ones(rows, bool))
                self._check_ids(table, file, mine)
                yield mine, table

    def _check_ids(self, rows: pa.Table, file: str, documents: np.ndarray) -> None:
        """Raise InputChanged unless the rows of a file have the ids of these documents."""
        name = self._manifest.get("id")
        if name is None or rows.column_names.count(name) != 1 or pa.types.is_nested(rows.schema.field(name).type):
            return
        with own_files(self._folder, [file]):
            check_row_ids(self._ids_of(documents), rows[name], self._folder / file, np.arange(len(rows)))

    def _ids_of(self, documents: np.ndarray) -> pa.ChunkedArray:
        return self._tables["documents"]["id"].take(pa.array(documents))

    def _select_rows(self, file: str | None, mask: np.ndarray) -> pa.Table:
        """Return the rows of a file of the run that a mask selects, as a table of all columns."""
        with own_files(self._folder, [file]) as (own,):
            if own.path.suffix == ".txt":  # a list of paths
                lines = listed_paths(self._folder, str(file))
                if len(lines) != len(mask):
                    raise RunError(
                        "{} lists {} files, but the run wrote {}: {}", own.path, len(lines), len(mask), DAMAGED
                    )
                return pa.table({"path": pa.array(lines, pa.large_string())})
            return open_file(own, encoding=encoding_of(self._manifest, str(file))).table_of(mask)

    def columns(self, places: np.ndarray, names: tuple[str, ...]) -> pa.Table:
        """Return texts and columns of documents, see `quchong.results.run.Run.columns`; each file is opened once for a call."""
        config = self._manifest["config"]
        reader = PageReader(config["body"], config["html"], workers=1)
        if names:
            reader = replace(reader, time=names[0])
        compared = WantedColumns(tuple(config["text"]), None, instead=config.get("html"), textless=True)
        wanted = member_columns(compared, names)
        parts = []
        for stand, (mine, rows) in self._rows_by_file(places).items():
            parts += [(mine[k], table) for k, table in self._read(stand, rows, places[mine], wanted, reader)]
        return assemble_columns(len(places), names, parts)

    def _read(
        self, stand: Stand, rows: np.ndarray, documents: np.ndarray, wanted: WantedColumns, reader: PageReader
    ) -> list[tuple[np.ndarray, pa.Table]]:
        """Read rows of one file; return (indices in `rows`, table).

        If a row cannot be read, the reason is noted and nothing is returned, or for texts in files of their own those that
        can be read.
        """
        every = np.arange(len(rows))
        if stand.name is not None:
            wanted = replace(wanted, id=self._manifest.get("id"))
        try:
            source = self._open(stand)
        except QuchongError as error:
            self._note(stand.source, error)
            return []
        try:
            if len(table := Pages(source, reader).fetch(rows.tolist(), wanted)) == len(rows):
                if stand.name is not None:
                    check_row_ids(self._ids_of(documents), table["id"], self._folder / stand.name, rows)
                return [(every, table)]
        except QuchongError as error:
            self._note(stand.source, error)
        found = []
        # One unreadable file would lose all others of the source: files of their own are read one by one.
        for k in every[:, None] if len(source.files) > 1 < len(rows) else ():
            with suppress(QuchongError):
                found.append((k, Pages(source, reader).fetch(rows[k].tolist(), wanted)))
        return found

    def _open(self, stand: Stand) -> Source:
        if stand.name is None:
            return self._outside.source(stand.source, stand.reference)
        return open_file(FileBeneath(self._folder, stand.name), encoding=stand.encoding)

    def _rows_by_file(self, places: np.ndarray) -> dict[Stand, tuple[np.ndarray, np.ndarray]]:
        """Group documents by the file that contains them: indices in `places`, and rows in the file, ascending."""
        documents = self._tables["documents"]
        where: dict[Stand, list[tuple[int, int]]] = {}
        left = {int(place): k for k, place in enumerate(places)}
        simple = "annotated" not in next(iter(self._manifest["files"].values()), {}) and len(places) > _FEW
        for stretch in stretches(self._manifest, documents) if simple else ():
            for file, side in ((stretch.kept, ~stretch.gone), (stretch.removed, stretch.gone)):
                mine = stretch.documents[side]
                some = np.flatnonzero(np.isin(mine, places)).tolist()
                if not some or file.endswith(".txt"):  # a list of paths: each text is a file of its own
                    continue
                sources = documents["source"].take(pa.array(mine[some])).to_pylist()
                encoding = encoding_of(self._manifest, file)
                for at, source in zip(some, sources, strict=True):
                    where.setdefault(Stand(source, False, file, encoding), []).append((left.pop(int(mine[at])), at))
        for place, k in left.items():  # references, annotated files, texts, and few documents
            try:
                row = documents.slice(place, 1).to_pylist()[0]
                stand, at = self._find(row, place)
            except QuchongError as error:
                self._note(row["source"], error)
                continue
            where.setdefault(stand, []).append((k, at))
        out = {}
        for stand, found in where.items():
            found.sort(key=lambda one: one[1])
            out[stand] = np.array([k for k, _ in found]), np.array([at for _, at in found])
        return out

    def _find(self, row: dict[str, Any], place: int) -> tuple[Stand, int]:
        """Return the file in which a document is stored, and its row there, from its row in the table of documents.

        Raises:
            RunError: the run does not name the location.
        """
        reference, source = row["reference"], row["source"]
        files = {} if reference else self._manifest["files"].get(source, {})
        entries = self._manifest["against" if reference else "inputs"]
        encoding = next((one.get("encoding") for one in entries if one["name"] == source), None)
        elsewhere = self._outside.entry(source, reference) is not None
        if reference or self._manifest["mode"] == IDS or (elsewhere and "annotated" in files):
            if not elsewhere:
                raise RunError("{} does not say where {} was read from", self._folder, source)
            return Stand(source, reference, None, encoding), row["row"]
        documents = self._tables["documents"]
        if "annotated" in files:
            file, mine = next(one for one in annotated_files(self._manifest, documents) if (one[1] == place).any())
            return Stand(source, False, file, encoding), int(np.flatnonzero(mine == place)[0])
        stretch = stretch_of(self._manifest, documents, place)
        file = stretch.removed if row["removed"] else stretch.kept
        if elsewhere and file.endswith(".txt"):  # a list of paths; each text is a file of its own
            return Stand(source, False, None, encoding), row["row"]
        at = int(np.flatnonzero(stretch.documents == place)[0])
        return Stand(source, False, file, encoding), int((stretch.gone[:at] == row["removed"]).sum())
