"""A saved result. Tables and texts are read from the run folder when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.api.result import Result
from quchong.engines.local.inspection import counted_on
from quchong.engines.local.outcome import Outcome
from quchong.errors import QuchongError, RunError
from quchong.io import open_file, together
from quchong.outputs import Place, check_apart, copy_beneath, is_file_beneath, local
from quchong.plan.parameters import checked, only_with_out
from quchong.progress import Stages
from quchong.report import Beside, Explanation
from quchong.results.members import Fetched, of_run
from quchong.results.outside import listed_paths
from quchong.results.reopened import reopened
from quchong.results.saved import SavedRun
from quchong.runs.decisions_file import read_acts
from quchong.runs.label_export import label_table, write_pairs
from quchong.runs.layout import fresh_folder
from quchong.runs.manifest import DAMAGED
from quchong.runs.reader import encoding_of, own_files, table_in
from quchong.runs.restore import Restored
from quchong.runs.review_state import ReviewState
from quchong.runs.row_ids import check_row_ids
from quchong.runs.row_ranges import stretches

if TYPE_CHECKING:
    from quchong.desk import OpenDesk
    from quchong.views.subject import Subject

_NOTES = "quchong_"


class LoadedResult(Result):
    """`Result` whose tables and rows are stored in a run folder, which only `restore` changes.

    `ledger`, `pairs`, `clusters`, `documents`, `counts`, `alarms` and `manifest` are as the run wrote them. `kept` and
    `removed` are read from its files. `rethreshold` reads the texts again; `save` copies the folder.
    """

    def __init__(
        self,
        folder: Path,
        manifest: dict[str, Any] | None = None,
        tables: dict[str, pa.Table] | None = None,
        texts: tuple[Path, ...] = (),
    ) -> None:
        """Make the result of a run folder; `load` is the public way.

        Args:
            folder: the run folder.
            manifest, tables: of the run, if it has just written them; None to read them from the folder.
            texts: see `load`.
        """
        self._folder, self._manifest, self._tables = folder, manifest, tables
        self._named, self._made_here = texts, manifest is not None
        self._stages, self._spool, self._read = Stages(), None, local([folder])

    def __reduce__(self) -> tuple[type[LoadedResult], tuple[Path]]:
        """Pickle the path of the folder alone: tables and rows are read from it where the result is unpickled."""
        return LoadedResult, (self._folder.absolute(),)

    @cached_property
    def _saved(self) -> SavedRun:
        return SavedRun(self._folder, self._named, self._made_here)

    @property
    def folder(self) -> Path:
        """Run folder of the result."""
        return self._folder

    @property
    def tables(self) -> dict[str, pa.Table]:
        """Tables by name: ledger, pairs, clusters and documents."""
        if self._tables is None:
            return self._saved.tables
        for name in ("pairs", "documents"):
            self._one(name)
        return self._tables

    def _one(self, name: str) -> pa.Table:
        if self._tables is None:
            return self._saved.tables[name]
        if name not in self._tables:  # the run wrote it in parts, and did not keep it
            self._tables[name] = table_in(self._folder, name)
        return self._tables[name]

    @property
    def ledger(self) -> pa.Table:
        """See `Result.ledger`."""
        return self._one("ledger")

    @property
    def pairs(self) -> pa.Table:
        """See `Result.pairs`."""
        return self._one("pairs")

    @property
    def clusters(self) -> pa.Table:
        """See `Result.clusters`."""
        return self._one("clusters")

    @property
    def documents(self) -> pa.Table:
        """See `Result.documents`."""
        return self._one("documents")

    @property
    def counts(self) -> dict[str, Any]:
        """See `Result.counts`."""
        counts: dict[str, Any] = self.manifest["counts"]
        return counts

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """See `Result.alarms`."""
        alarms: list[dict[str, Any]] = self.manifest["alarms"]
        return alarms

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json as a dictionary."""
        return self._saved.manifest if self._manifest is None else self._manifest

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """See `Result.skipped`."""
        return [{"source": b.source, "row": b.row, "line": b.line, "reason": b.reason} for b in self._saved.skipped()]

    @property
    def unscored(self) -> list[Any]:
        """See `Result.unscored`."""
        mine = self.documents.filter(pc.and_(self.documents["unscored"], pc.invert(self.documents["reference"])))
        return sorted(mine["id"].to_pylist(), key=lambda one: str(one).encode())

    def explain(self, doc_id: str | int) -> Explanation:
        """See `Result.explain`."""
        return self._saved.explain(checked(doc_id=doc_id)["doc_id"])

    def beside(self, doc_id: str | int, other_id: str | int) -> Beside:
        """See `Result.beside`."""
        given = checked(doc_id=doc_id, other_id=other_id)
        return self._saved.side_by_side(given["doc_id"], given["other_id"])

    def texts(self, ids: Sequence[str | int]) -> list[str | None]:
        """Return the original texts of documents by id; None for a text that cannot or must not be read (`left_alone`)."""
        return self._saved.texts(ids)

    @property
    def left_alone(self) -> list[str]:
        """Files that were asked for and not read so far, with the reasons; empty if all were read.

        These are files of the run that are missing or damaged, and texts outside its folder that have changed since the run (see
        `load`).
        """
        return list(self._saved.left_alone)

    def _config(self) -> dict[str, Any]:
        config: dict[str, Any] = self.manifest["config"]
        return config

    def _fetched(self) -> Fetched:
        return of_run(self._saved)

    def restore(
        self,
        ids: str | int | Iterable[str | int] = (),
        *,
        relations: str | Iterable[str] = (),
        rules: str | Iterable[str] = (),
        everything: bool = False,
        decisions: str | Path | None = None,
    ) -> Restored:
        """Put removed rows back among the kept ones in the run folder.

        The rows are chosen by id, by the relation or rule of their removal, all with `everything`, or by a file `decisions` written by
        `review` in which their removal was overturned.

        Raises:
            UsageError, RunError, OutputError: see `quchong.runs.restore.restore`.
            InputError: `decisions` cannot be read, or is not a decisions file.
        """
        given = checked(ids=ids, relations=relations, rules=rules, everything=everything, decisions=decisions)
        self.__dict__.pop("_outcome", None)
        self.__dict__.pop("_looked_at", None)
        self._manifest = self._tables = None
        return self._saved.restore(**given)

    def review(
        self,
        decisions: str | Path | None = None,
        *,
        port: int = 0,
        lang: Literal["en", "zh"] | None = None,
        seed: int = 0,
    ) -> OpenDesk:
        """Opens the run in a web application on this machine, to accept or overturn removals and to label pairs.

        Args:
            decisions: file that every act is added to; None: `RUN.decisions.jsonl` beside the run folder.
            port: to listen on, on the loopback address alone; 0: any free one.
            lang: "zh" or "en", the language at first; the page has both. Without it that of the environment.
            seed: of what is drawn to be asked.

        Returns:
            The desk, which is open until its `close`: `url` is its address, to be opened in a browser. The run folder stays as it is.

        Raises:
            UsageError: Starlette and Uvicorn are not installed (extra `serve`).
            OutputError: the port is taken, or the decisions file cannot stand there.
            InputError: it is no decisions file.
        """
        from quchong.desk import OpenDesk

        given = checked(decisions=decisions, port=port, lang=lang, seed=seed)
        return OpenDesk(
            self._saved, self._book(given["decisions"]), port=given["port"], language=given["lang"], seed=given["seed"]
        )

    def labels(
        self, decisions: str | Path | None = None, *, out: str | Path | None = None, overwrite: bool = False
    ) -> pa.Table:
        """The labels of a decisions file: one row for each labelled pair, by ids.

        Args:
            decisions: as of `review`.
            out: a file to write them to, one JSON object a line, as `eval` and `tune` read pairs: `left_id`, `right_id` and `label`,
                one of same, contained, different and unsure; also how the pair came to be labelled (asked or chosen), and when.
            overwrite: with `out`: replace an earlier file of labels; no other file is replaced.

        Raises:
            InputError: there is no decisions file, or it is none.
            OutputError: `out` exists (without `overwrite`), lies in a run, or cannot be written.
        """
        given = checked(decisions=decisions, out=out, overwrite=overwrite)
        book = self._book(given["decisions"])
        held = ReviewState.from_acts(read_acts(book)[0])
        if given["out"] is None:
            only_with_out(overwrite=overwrite)
        else:
            write_pairs(held, given["out"], overwrite=overwrite, read=[*self._read, *local([book], "decisions")])
        return label_table(held, self.documents.schema.field("id").type)

    def _book(self, decisions: Path | None) -> Path:
        """Return the path of the decisions file: `decisions` if given, otherwise the file next to the run folder."""
        whole = self.folder.resolve()
        return whole.with_name(f"{whole.name}.decisions.jsonl") if decisions is None else decisions

    def save(self, folder: str | Path, *, overwrite: bool = False, mode: str | None = None) -> Path:
        """Copy the run folder to a new folder.

        Args:
            folder: of the copy.
            overwrite: replace an earlier run there.
            mode: as it was written (the default), or "annotate" for one that was split.

        Raises:
            UsageError: a mode that cannot be made of this run.
            OutputError: as `Result.save`.
        """
        out: Path = checked(folder=folder)["folder"]
        checked(overwrite=overwrite, mode=mode or "remove")
        if mode not in (None, self.manifest["mode"]):
            check_apart(self._places(), local([out]))
            _ = self._outcome  # it reads texts outside of the folder, which `_places` tells of then
            return super().save(out, overwrite=overwrite, mode=str(mode))
        check_apart(local([self.folder]), local([out]))
        with fresh_folder(out, overwrite=overwrite) as fresh:
            copy_beneath(self.folder, fresh)
        return out

    @cached_property
    def _outcome(self) -> Outcome:  # type: ignore[override]
        return reopened(self.folder, self.manifest, self.tables, self._saved.skipped(), self._saved.outside)

    @cached_property
    def _looked_at(self) -> Outcome:
        saved = self._saved
        return reopened(self.folder, self.manifest, self.tables, saved.skipped(), saved.outside, counted_on)

    def _subject(self) -> Subject:
        from quchong.views.subject import Subject

        outcome, why, name = None, "", self.folder.resolve().name
        try:
            outcome = self._outcome
        except QuchongError as error:
            why = str(error).replace(str(self.folder), name)  # a page is passed on: no path of this machine
        return Subject(name, self.manifest, self.tables, outcome, why, self._side, self._saved.texts, self._chains)

    def _places(self) -> list[Place]:
        """See `Result._places`: the run folder, and the files outside of it that were read so far."""
        return [*self._read, *self._saved.outside.places()]

    def _side(self, removed: bool) -> tuple[np.ndarray, pa.Table]:
        if self.manifest["mode"] != "annotate":
            found = [s.documents[s.gone == removed] for s in stretches(self.manifest, self.documents)]
        else:
            source, row = self.documents["source"].to_pylist(), self.documents["row"].to_numpy()
            side = super()._side(removed)[0]
            found = [
                mine[np.argsort(row[mine], kind="stable")]
                for name in self.manifest["files"]
                for mine in [np.array([i for i in side.tolist() if source[i] == name], np.int64)]
            ]
        return np.concatenate([np.zeros(0, np.int64), *found]), self._rows(removed=removed)

    def _rows(self, *, removed: bool) -> pa.Table:
        if self.manifest["mode"] == "annotate":
            return together([self._noted(name, files, removed) for name, files in self.manifest["files"].items()])
        found = []
        for stretch in stretches(self.manifest, self.documents):
            file, rows = (stretch.removed if removed else stretch.kept), stretch.counts[removed]
            if rows or is_file_beneath(self.folder, file):
                found.append(self._select_rows(file, np.ones(rows, bool)))
                self._check_ids(found[-1], file, stretch.documents[stretch.gone == removed])
        return together(found)

    def _check_ids(self, rows: pa.Table, file: str, documents: np.ndarray) -> None:
        """Raise RunError unless the rows of a file have the ids of these documents."""
        name = self.manifest.get("id")
        if name is None or rows.column_names.count(name) != 1 or pa.types.is_nested(rows.schema.field(name).type):
            return
        with own_files(self.folder, [file]):
            check_row_ids(
                self.documents["id"].take(pa.array(documents)), rows[name], self.folder / file, np.arange(len(rows))
            )

    def _noted(self, name: str, files: dict[str, str], removed: bool) -> pa.Table:
        """Return the removed or the kept rows of one annotated input, without the added columns."""
        mine = self.documents.filter(
            pc.and_(pc.equal(self.documents["source"], name), pc.invert(self.documents["reference"]))
        )
        gone = mine.sort_by("row")["removed"].to_numpy(zero_copy_only=False).astype(bool)
        table = self._select_rows(files.get("annotated"), gone == removed)
        return table.select([name for name in table.column_names if not name.startswith(_NOTES)])

    def _select_rows(self, file: str | None, mask: np.ndarray) -> pa.Table:
        """Return the rows of a file of the run that a mask selects, as a table of all columns."""
        with own_files(self.folder, [file]) as (own,):
            if own.path.suffix == ".txt":  # a list of paths
                lines = listed_paths(self.folder, str(file))
                if len(lines) != len(mask):
                    raise RunError(
                        "{} lists {} files, and the run wrote {}: {}", own.path, len(lines), len(mask), DAMAGED
                    )
                return pa.table({"path": pa.array(lines, pa.large_string())})
            return open_file(own, encoding=encoding_of(self.manifest, str(file))).table_of(mask)


def load(folder: str | Path, *, texts: str | Path | Iterable[str | Path] = ()) -> LoadedResult:
    """Load a saved run and return its result; nothing is written to the run folder.

    Args:
        folder: a folder that `Result.save` or `quchong dedup -o` wrote. It may come from somebody else (SECURITY.md).
        texts: folders or files outside the run folder whose texts may be read as they are now. Otherwise a text outside the run
            folder, as of a run over a folder of text files, is read only if this user made the run on this machine and all that the
            run read from there is unchanged.

    Returns:
        A `Result`. If something is no longer available, such as the texts of files that have moved, the method that needs it raises
        the error.

    Raises:
        RunError: not a run folder, or a damaged one; a missing or damaged file of rows raises it only when it is read.
    """
    given = checked(folder=folder, texts=texts)
    result = LoadedResult(given["folder"], texts=given["texts"])
    _ = result.tables  # what is no run is refused here
    return result
