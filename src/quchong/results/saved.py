"""Run in a folder: its tables and texts are read from there when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.inspection import counted_on
from quchong.engines.local.outcome import Outcome
from quchong.errors import Param, QuchongError, RunError, UsageError
from quchong.io import concat_by_name
from quchong.io.bad_records import BadRecords
from quchong.io.files.addresses import here_among
from quchong.outputs import Place, check_apart, copy_beneath, local
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.results.kept_columns import PREFIX, KeptColumns
from quchong.results.memory import MemoryRun
from quchong.results.outside_sources import OutsideSources
from quchong.results.quoted_document import quoted_among
from quchong.results.reopened import plan_of, reopened
from quchong.results.row_files import RowFiles
from quchong.results.run import Run
from quchong.runs.decisions_file import read_acts
from quchong.runs.layout import fresh_folder, read_manifest, read_tables
from quchong.runs.noted_rows import Noting
from quchong.runs.reader import skipped_in, table_in
from quchong.runs.restore import Restored, check_restored, restore
from quchong.runs.review_state import ReviewState


class _Tables(dict[str, pa.Table]):
    """Tables by name of a run that this process has just written; one that it wrote in parts is read at its first use."""

    def __init__(self, folder: Path, tables: dict[str, pa.Table]) -> None:
        super().__init__(tables)
        self._folder = folder

    def __missing__(self, name: str) -> pa.Table:
        self[name] = table_in(self._folder, name)
        return self[name]


class SavedRun(Run):
    """Finished run folder. Only `restore` changes it.

    Args:
        folder: folder of the run.
        named: folders and files whose texts may be read as they are now (`quchong.results.outside_sources`).
        manifest, tables: of the run, if this process has just written them; None to read them from the folder.

    Raises:
        RunError: on opening, if the folder is no run of quchong, is damaged, or rows are being put back there.
    """

    def __init__(
        self, folder: Path, named: tuple[Path, ...] = (), manifest: dict[str, Any] | None = None,
        tables: dict[str, pa.Table] | None = None,
    ) -> None:  # fmt: skip
        self.folder, self._named, self._trusted = folder, named, manifest is not None
        self.stages, self.spool, self.read = Stages(), None, local([folder])
        if manifest is None:
            self._read()
        else:
            self._take(manifest, _Tables(folder, tables or {}))
        self.name = folder.resolve().name

    def _read(self) -> None:
        check_restored(self.folder)
        manifest = read_manifest(self.folder)
        self._take(manifest, read_tables(self.folder, manifest))

    def _take(self, manifest: dict[str, Any], tables: dict[str, pa.Table]) -> None:
        self._manifest, self._tables = manifest, tables
        self._outside = OutsideSources(self.folder, manifest, tables, self._named, self._trusted)
        self.files = RowFiles(self.folder, manifest, tables, self._outside)
        for name in ("ids", "outcome", "counted", "examined_pairs"):
            self.__dict__.pop(name, None)

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of run.json; see `Run.manifest`."""
        return self._manifest

    def table(self, name: str) -> pa.Table:
        """Return a table by its name; see `Run.table`."""
        return self._tables[name]

    def skipped(self) -> BadRecords:
        """Return the records that could not be read; see `Run.skipped`."""
        return skipped_in(self.folder)

    def rows(self, removed: bool) -> tuple[np.ndarray, pa.Table]:
        """Return the kept or the removed rows, and before them their documents; see `Run.rows`."""
        found = list(self.files.sides(removed))
        places = np.concatenate([np.zeros(0, np.int64), *(mine for mine, _ in found)])
        return places, concat_by_name([table for _, table in found])

    def own_rows(self) -> pa.Table:
        """Return the rows of removed roundups with their own texts alone; see `Run.own_rows`."""
        return concat_by_name(list(self.files.own()))

    def columns(self, places: np.ndarray, names: tuple[str, ...]) -> pa.Table:
        """Return texts and columns of the documents at `places`; see `Run.columns`."""
        return self.files.columns(places, names)

    @cached_property
    def outcome(self) -> Outcome:
        """Outcome from which the folder was written, with texts read again.

        Raises:
            UsageError, RunError: see `quchong.results.reopened.reopened`.
        """
        return reopened(self.folder, self._manifest, self.tables, self.skipped(), self._outside)

    @cached_property
    def counted(self) -> Outcome:
        """Outcome with the statistics of its method, counted again."""
        return reopened(self.folder, self._manifest, self.tables, self.skipped(), self._outside, counted_on)

    def plan(self) -> Plan | None:
        """Return the plan of the run; None if it cannot be made again (see `Run.plan`)."""
        try:
            return plan_of(self.folder, self._manifest)
        except QuchongError:
            return None

    def decidable(self) -> tuple[Outcome | None, str]:
        """See `Run.decidable`; the reason mentions no path of this machine, because pages are passed on."""
        try:
            return self.outcome, ""
        except QuchongError as error:
            return None, error.english.replace(str(self.folder), self.name)

    def locations(self) -> list[Place]:
        """Return the location of the folder, and of the files outside of it that were read so far; none may be overwritten."""
        return [*self.read, *self._outside.places()]

    def save(self, out: Path, overwrite: bool, mode: str | None) -> None:
        """Copy the folder, or write the run in another mode; see `quchong.api.result.Result.save`."""
        if mode not in (None, self._manifest["mode"]):
            check_apart(self.locations(), local(here_among(out)))
            outcome = self.outcome  # it reads texts outside of the folder, of which `locations` tells then
            MemoryRun(outcome, self.stages, None, self.locations()).save(out, overwrite, mode)
            return
        check_apart(self.read, local(here_among(out)))
        with fresh_folder(out, overwrite=overwrite) as fresh:
            copy_beneath(self.folder, fresh)

    def restore(
        self, ids: Iterable[str | int] = (), *, relations: Iterable[str] = (), rules: Iterable[str] = (), everything: bool = False,
        decisions: Path | None = None,
    ) -> Restored:  # fmt: skip
        """Put removed rows back among the kept ones, as `quchong.api.loaded.LoadedResult.restore` does, which has the errors."""
        names, relations, rules = [str(i) for i in ids], tuple(relations), tuple(rules)
        if decisions is not None:
            if names or relations or rules or everything:
                raise UsageError(
                    "{} already says which rows are put back: leave out ids and other options that name rows",
                    Param("decisions"),
                )
            names = self._overturned(decisions)
            if not names:
                return Restored((), {})
        # The tables on the disk have changed, so everything that was read of them is read again.
        try:
            done = restore(
                self.folder, names, relations=relations, rules=rules, everything=everything, noting=self._noting()
            )
        except UsageError as error:
            raise quoted_among(self, names) or error from None
        self._read()
        return done

    def _noting(self) -> Noting | None:
        """Return the function that recomputes the columns added to kept rows; None if the run added none.

        Raises:
            RunError: times or sources cannot be read from the rows.
        """
        added = [name.removeprefix(PREFIX) for name in self._manifest.get("added_columns", ())]
        if not added or self._manifest["mode"] != "remove":
            return None
        made = KeptColumns(added, self)
        if why := self.files.left_alone:
            raise RunError("{}; nothing was put back", why[0])
        return made

    def _overturned(self, decisions: Path) -> list[str]:
        """Return the ids of removed documents whose removal a decisions file overturns."""
        overturned = {str(verdict.id) for verdict in ReviewState.from_acts(read_acts(decisions)[0]).overturned}
        return [one for one in map(str, self.table("ledger")["id"].to_pylist()) if one in overturned]
