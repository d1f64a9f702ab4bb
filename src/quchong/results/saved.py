"""Saved runs: reading of the tables and texts of a run folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, QuchongError, RunError, UsageError
from quchong.io import FileBeneath, Source, WantedColumns, open_file
from quchong.io.bad_records import BadRecords
from quchong.io.page_documents import PageReader, Pages
from quchong.languages import Message
from quchong.report import Beside, Explanation
from quchong.results.explain import explain, side_by_side
from quchong.results.outside import OutsideSources
from quchong.runs.decisions_file import read_acts
from quchong.runs.layout import read_manifest, read_tables
from quchong.runs.reader import skipped_in
from quchong.runs.restore import Restored, check_restored, restore
from quchong.runs.review_state import ReviewState
from quchong.runs.row_ids import check_row_ids
from quchong.runs.row_ranges import stretch_of


@dataclass(frozen=True, slots=True)
class Stand:
    """Location of a document: the file in which it is stored, and its row.

    Attributes:
        source, reference: name of its source, and True if that is part of the reference corpus.
        name: name of the file in the run folder; None if the text is outside of it, see `quchong.results.outside`.
        encoding: encoding in which the file was read; None for UTF-8.
        row: row in that file, or in the source outside.
    """

    source: str
    reference: bool
    name: str | None
    encoding: str | None
    row: int


@dataclass
class SavedRun:
    """Finished run folder. Only `restore` changes it.

    Args:
        folder: folder of the run.
        named: folders and files whose texts may be read as they are now (`quchong.results.outside`).
        trusted: True if this process made the run.

    Raises:
        RunError: on opening, if the folder is no run of quchong, is damaged, or rows are being put back there.
    """

    folder: Path
    named: tuple[Path, ...] = ()
    trusted: bool = False

    def __post_init__(self) -> None:
        self._read()

    def _read(self) -> None:
        check_restored(self.folder)
        self.manifest: dict[str, Any] = read_manifest(self.folder)
        self.tables: dict[str, pa.Table] = read_tables(self.folder, self.manifest)
        self.outside = OutsideSources(self.folder, self.manifest, self.tables, self.named, self.trusted)
        self.unread: dict[str, Message] = {}

    @property
    def left_alone(self) -> list[Message]:
        """Messages about sources that could not be read so far, and why: missing or damaged files of rows, texts outside of the folder."""
        return [Message("{}: {}", name, why) for name, why in (self.unread | self.outside.left).items()]

    @cached_property
    def _place(self) -> dict[str, int]:
        return {str(name): i for i, name in enumerate(self.tables["documents"]["id"].to_pylist())}

    def explain(self, doc_id: str | int) -> Explanation:
        """Explain why a document was removed, kept or skipped, and which documents are similar."""
        return explain(str(doc_id), self.tables, self.texts, self.skipped, self.manifest.get("id", "id"))

    def skipped(self) -> BadRecords:
        """Return the records that could not be read."""
        return skipped_in(self.folder)

    def side_by_side(self, doc_id: str | int, other_id: str | int) -> Beside:
        """Return two documents of the run with the passages they share."""
        return side_by_side(str(doc_id), str(other_id), self.tables, self.texts)

    def texts(self, ids: Sequence[str | int]) -> list[str | None]:
        """Return original texts by id, read from kept and removed files; None where a text cannot be read."""
        return [self._text(str(i)) for i in ids]

    def _text(self, doc_id: str) -> str | None:
        documents, place = self.tables["documents"], self._place.get(doc_id)
        if place is None:
            return None
        row = documents.slice(place, 1).to_pylist()[0]
        try:
            stand = self.find_stand(row, place)
            config = self.manifest["config"]
            pages = Pages(self.open_source(stand), PageReader(config["body"], config["html"], workers=1))
            found = pages.fetch([stand.row], self.wanted_of(stand.name))
            if stand.name is not None and len(found):
                check_row_ids(
                    documents["id"].slice(place, 1), found["id"], self.folder / stand.name, np.array([stand.row])
                )
        except QuchongError as error:
            self.note(row["source"], error)
            return None
        return found["text"][0].as_py() if len(found) else None

    def note(self, source: str, error: QuchongError) -> None:
        """Record why rows of a source could not be read, for `left_alone`."""
        if source not in self.outside.left:
            self.unread[source] = error.message

    @property
    def compared_columns(self) -> WantedColumns:
        """Columns that the run compared."""
        config = self.manifest["config"]
        return WantedColumns(tuple(config["text"]), None, instead=config.get("html"), textless=True)

    def wanted_of(self, file: str | None) -> WantedColumns:
        """The columns the run compared, and of a file in the run folder the id, by which a row is known to be that of its document."""
        return self.compared_columns if file is None else replace(self.compared_columns, id=self.manifest.get("id"))

    def open_source(self, stand: Stand) -> Source:
        """Open the file in which a document is stored, as a source.

        Raises:
            InputError, RunError: the file cannot be read, or must not be.
        """
        if stand.name is None:
            return self.outside.source(stand.source, stand.reference)
        return open_file(FileBeneath(self.folder, stand.name), encoding=stand.encoding)

    def find_stand(self, row: dict[str, Any], index: int) -> Stand:
        """Find the file, encoding and row where a document is stored now, given its index and row in the table of documents.

        Raises:
            RunError: the run does not name the location.
        """
        reference, source = row["reference"], row["source"]
        files = {} if reference else self.manifest["files"].get(source, {})
        entries = self.manifest["against" if reference else "inputs"]
        encoding = next((one.get("encoding") for one in entries if one["name"] == source), None)
        elsewhere = self.outside.entry(source, reference) is not None
        if reference or (elsewhere and "annotated" in files):
            if not elsewhere:
                raise RunError("{} does not tell where {} was read from", self.folder, source)
            return Stand(source, reference, None, encoding, row["row"])
        documents = self.tables["documents"]
        if "annotated" in files:
            own = pc.and_(pc.equal(documents["source"], source), pc.invert(documents["reference"]))
            rows = documents.filter(own)["row"].to_numpy()
            return Stand(source, False, files["annotated"], encoding, int((rows < row["row"]).sum()))
        stretch = stretch_of(self.manifest, documents, index)
        file = stretch.removed if row["removed"] else stretch.kept
        if elsewhere and file.endswith(".txt"):  # a list of paths; each text is a file of its own
            return Stand(source, False, None, encoding, row["row"])
        at = int(np.flatnonzero(stretch.documents == index)[0])
        before = int((stretch.gone[:at] == row["removed"]).sum())
        return Stand(source, False, file, encoding, before)

    def restore(
        self,
        ids: Iterable[str | int] = (),
        *,
        relations: Iterable[str] = (),
        rules: Iterable[str] = (),
        everything: bool = False,
        decisions: Path | None = None,
    ) -> Restored:
        """Put removed rows back among the kept ones.

        Rows are chosen by ids, or by a relation or rule that removed them, or all, or by a decisions file that
        overturns their removal.

        Raises:
            UsageError, RunError, OutputError: see `quchong.runs.restore.restore`.
            InputError: the decisions file cannot be read, or is no such file.
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
        # The tables on the disk have changed, so everything that was read of them is read again.
        done = restore(self.folder, names, relations=tuple(relations), rules=tuple(rules), everything=everything)
        self.__dict__.pop("_place", None)
        self._read()
        return done

    def _overturned(self, decisions: Path) -> list[str]:
        """Return the ids of removed documents whose removal a decisions file overturns."""
        overturned = {str(verdict.id) for verdict in ReviewState.from_acts(read_acts(decisions)[0]).overturned}
        return [one for one in map(str, self.tables["ledger"]["id"].to_pylist()) if one in overturned]

    def biggest(self, n: int = 5) -> list[tuple[str, int]]:
        """Return the survivors of the largest clusters, with the number of documents of each."""
        return biggest_clusters(self.tables["clusters"], n)


def biggest_clusters(clusters: pa.Table, n: int = 5) -> list[tuple[str, int]]:
    """Return (survivor id, documents) of the largest clusters, counting the survivor; ties are ordered by id."""
    counts = clusters.group_by("cluster_id").aggregate([([], "count_all")])
    first = pc.select_k_unstable(counts, n, [("count_all", "descending"), ("cluster_id", "ascending")])
    return [(str(row["cluster_id"]), row["count_all"]) for row in counts.take(first).to_pylist()]
