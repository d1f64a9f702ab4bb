"""A saved result. Tables and texts are read from the run folder when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from quchong.api.public_calls import public
from quchong.api.result import Result
from quchong.errors import Param, UsageError
from quchong.io.files.addresses import address_of
from quchong.outputs import local, unlinked
from quchong.parameters.explained_arguments import explains_arguments
from quchong.plan.parameters import checked, only_with_out, run_place
from quchong.results.saved import SavedRun
from quchong.runs.decisions_file import read_acts
from quchong.runs.label_export import label_table, write_pairs
from quchong.runs.remote_runs import local_run, send_back
from quchong.runs.restore import Restored
from quchong.runs.review_state import ReviewState

if TYPE_CHECKING:
    from quchong.desk import OpenDesk


@explains_arguments
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
            folder: the run folder, or an address, whose run is fetched.
            manifest, tables: of the run, if it has just written them; None to read them from the folder.
            texts: see `load`.
        """
        self._place, self._folder, self._given = folder, local_run(folder), (texts, manifest, tables)

    def __reduce__(self) -> tuple[type[LoadedResult], tuple[Path]]:
        """Pickle the path of the folder alone: tables and rows are read from it where the result is unpickled."""
        return LoadedResult, (self._place.absolute(),)

    @cached_property
    def _run(self) -> SavedRun:  # type: ignore[override]
        return SavedRun(self._folder, *self._given)

    @property
    def folder(self) -> Path:
        """Run folder of the result, for a run at an address its copy on this machine."""
        return self._folder

    @property
    def tables(self) -> dict[str, pa.Table]:
        """Tables by name: ledger, pairs, clusters and documents."""
        return self._run.tables

    def texts(self, ids: Sequence[str | int]) -> list[str | None]:
        """Return the original texts of documents by id; None for a text that cannot or must not be read (`left_alone`)."""
        return self._run.texts(ids)

    @property
    def left_alone(self) -> list[str]:
        """Files that were asked for and not read so far, with the reasons; empty if all were read.

        These are files of the run that are missing or damaged, and texts outside its folder that have changed since the run (see
        `load`).
        """
        return list(self._run.files.left_alone)

    @public()
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
        done = self._run.restore(**given)
        if done.ids and (address := address_of(self._place)) is not None:
            send_back(address, self._folder)
        return done

    @public()
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
            self._run, self._book(given["decisions"]), port=given["port"], language=given["lang"], seed=given["seed"]
        )

    @public()
    def labels(
        self, decisions: str | Path | None = None, *, out: str | Path | None = None, overwrite: bool = False
    ) -> pa.Table:
        """Return the labels of a decisions file: one row for each labelled pair, by ids.

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
            write_pairs(held, given["out"], overwrite=overwrite, read=[*self._run.read, *local([book], "decisions")])
        return label_table(held, self.documents.schema.field("id").type)

    def _book(self, decisions: Path | None) -> Path:
        """Return the path of the decisions file: `decisions` if given, otherwise the file next to the run folder.

        Raises:
            OutputError: nothing is given, and a link is next to the run folder: whoever made the folder would choose the file.
        """
        if decisions is not None:
            if address_of(decisions) is not None:
                raise UsageError(
                    "{}: decisions can be written only to a file on this machine", Param("decisions", decisions)
                )
            return decisions
        whole = self.folder.resolve()
        return unlinked(whole.with_name(f"{whole.name}.decisions.jsonl"), "decisions")


@public()
def load(
    folder: str | Path,
    *,
    texts: str | Path | Iterable[str | Path] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> LoadedResult:
    """Load a saved run and return its result; nothing is written to the run folder.

    Args:
        folder: a folder that `Result.save` or `quchong dedup -o` wrote. It may come from somebody else (SECURITY.md). A run at an
            address such as s3://bucket/run is copied to a private folder of this process first.
        texts: folders or files outside the run folder whose texts may be read as they are now. Otherwise a text outside the run
            folder, as of a run over a folder of text files, is read only if this user made the run on this machine and all that the
            run read from there is unchanged.
        storage_options: as for `dedup`.

    Returns:
        A `Result`. If something is no longer available, such as the texts of files that have moved, the method that needs it raises
        the error.

    Raises:
        RunError: not a run folder, or a damaged one; a missing or damaged file of rows raises it only when it is read.
    """
    result = LoadedResult(run_place(folder=folder), texts=checked(texts=texts)["texts"])
    _ = result.tables  # what is no run is refused here
    return result
