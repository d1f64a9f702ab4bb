"""Index of documents that lasts: asked about and added to, one document at a time or in batches."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, Unpack, overload

import pyarrow as pa

from quchong.api import index_arguments as arguments
from quchong.api.index_ahead import Piece, pieces_of, prepared_pieces
from quchong.api.index_exporting import export_run
from quchong.api.index_fitting import check_outside, values_anew
from quchong.api.index_location import (
    BACKUP,
    MIGRATE,
    REFIT,
    REPAIR,
    VERIFY,
    Location,
    OpenIndex,
    folder_of,
    location_of,
    only_in_folder,
    typed,
)
from quchong.api.index_making import kept_of_run, made_empty, made_from, or_nothing
from quchong.api.index_reading import batches_given
from quchong.api.opened_index import OpenedIndex, closed_on_error
from quchong.api.public_calls import public
from quchong.engines.index.answers import Answer, Answers, BadDocument, Id, IndexStatistics, Problem
from quchong.engines.index.arriving import undated
from quchong.engines.index.checking import verify_folder
from quchong.engines.index.copying import copy_index
from quchong.engines.index.deleting import count_before
from quchong.engines.index.moving import move_documents
from quchong.engines.index.opening import naming, readable
from quchong.engines.index.refitting import refitted, with_columns
from quchong.engines.index.repairing import repair_folder
from quchong.engines.index.settings import FORMAT, is_index, read_settings
from quchong.engines.index.shadow import SHADOW
from quchong.engines.index.shared.address import is_address
from quchong.engines.index.stored import StoredIndex
from quchong.errors import InputError, UsageError, parts_of_list
from quchong.garbage import rare_collections
from quchong.io.missing_columns import worded_for_index
from quchong.io.source import Bad
from quchong.parameters.explained_arguments import explains_arguments
from quchong.plan.catalogue import DEFAULT
from quchong.plan.method_parameters import MethodParameters
from quchong.plan.parameters import FLAG, checked
from quchong.plan.plan import Plan
from quchong.plan.request import Body, EqualTexts, Roundups, Templated, make_plan
from quchong.plan.sources import Data
from quchong.relations import DEFAULT_REMOVED
from quchong.seam import Method

Store = Literal["text", "features", "none"]
"""Values of `store`: the original texts are kept, the tokens of each text, or keys alone."""
BATCH = 4_096
"""Most documents that are added in one transaction."""


@explains_arguments
class Index(OpenedIndex):
    """Documents that were seen, in a folder: finds copies of a document among them in a millisecond, and forgets nothing.

    An index is opened by one process for writing, and by any number for reading. All methods may be called from several threads.
    """

    @classmethod
    @public("tokens")
    def create(
        cls,
        folder: str | Path,
        *,
        method: str | Method = DEFAULT,
        keep: str | Iterable[str] | None = None,
        relations: str | Iterable[str] = DEFAULT_REMOVED,
        text: str | Iterable[str] = "text",
        id: str | None = None,
        time: str = "time",
        source: str = "source",
        html: str | None = "html",
        body: Body = "main",
        within: str | None = None,
        per: str | None = None,
        same_site: bool = False,
        strip: str | Iterable[str] = (),
        social: str | Iterable[str] | None = None,
        boilerplate: str | Path | Sequence[str | Path] = (),
        templates: Templated = "keep",
        roundups: Roundups | None = None,
        exact: EqualTexts = "strict",
        fit: Data | None = None,
        from_run: str | Path | None = None,
        store: Store = "text",
        sync: str = "each",
        shadow: Mapping[str, Any] | None = None,
        workers: int | None = None,
        storage_options: Mapping[str, Any] | None = None,
        **parameters: Unpack[MethodParameters],
    ) -> Index:
        """Make an empty index and open it for writing.

        Args:
            folder: a folder that does not exist; or postgresql://user@host/database?index=NAME, an index in PostgreSQL that several
                processes share (docs/guide/index-shared.md). Passwords are read from PGPASSWORD or ~/.pgpass.
            method, keep, relations, text, id, time, source, html, body, within, per, same_site, strip, social, boilerplate, templates,
            roundups, exact, workers, **parameters: as for `dedup`.
            fit: corpus on which statistics, templates and headers are counted; from then on they are frozen.
            from_run: a run folder: its method, options, statistics and kept documents make the index. Or an index, a folder or an
                address: its settings, frozen values and all its documents, which are compared again.
            store: "text" keeps the original texts; "features" keeps what the method compares, and every answer says so; "none" keeps
                keys alone.
            sync: "each": an added document survives a power cut as soon as `add` returns; "250ms" or another span: at most so much is
                lost by a power cut, nothing by the end of the process; "none": the system decides.
            storage_options: as for `dedup`, for `fit`, `from_run` and lists on other machines.
            shadow: a second method or other parameters, such as {"threshold": 0.7}, that answers beside: `Answer.shadow`.

        Raises:
            UsageError: an argument cannot be used, the method searches by itself (docs/guide/index.md lists them), or it is not the one
                that its name stands for, by which the index is opened again.
            OutputError: the folder exists, or cannot be made.

        After an error, or a Ctrl-C, nothing is left of what this call made.
        """
        second = arguments.checked_shadow(shadow)
        if from_run is not None:
            own = {
                "method": method != DEFAULT,
                "keep": keep,
                "per": per,
                "within": within,
                "same_site": same_site,
                "fit": fit,
            }
            arguments.check_settings_of_run({**own, **parameters})
            place = location_of(folder)
            if is_address(from_run) or is_index(Path(from_run)):
                arguments.check_settings_of_index(store, second)
                return cls._from_index(from_run, place, sync, workers)
            return cls._from_run(checked(path=from_run)["path"], place, store, sync, workers, second)
        plan = make_plan(
            method=method, keep=keep, relations=relations, text=text, id=id, time=time, source=source, html=html, body=body,
            within=within, per=per, same_site=same_site, strip=strip, social=social, boilerplate=boilerplate, templates=templates,
            roundups=roundups, exact=exact, differences="all", recall_sample=0, workers=workers, **parameters,
        )  # fmt: skip
        return cls._made(plan, location_of(folder), store, sync, fit, workers, second)

    @classmethod
    def _made(
        cls, plan: Plan, folder: Location, store: Store, sync: str, fit: Data | None, workers: int | None, shadow: Mapping[str, Any],
        documents: pa.Table | None = None,
    ) -> Index:  # fmt: skip
        """Make an index by a plan, with statistics counted on a corpus and with documents if they are given."""
        with made_empty(plan, folder, store, sync, fit, workers, shadow) as (place, plan):
            made = cls(typed(place), workers=workers)
            with closed_on_error(made):
                if fit is not None and isinstance(made._open, StoredIndex):
                    made._open.note_counted()
                made._columns_found = plan.columns_found
                if documents is not None and documents.num_rows:
                    made.add(documents)
                made._leave(place)
        return made._in_place(folder, workers)

    @classmethod
    def _from_index(cls, source: str | Path, folder: Location, sync: str, workers: int | None) -> Index:
        """Make an index with the settings, frozen values and documents of another one, but its shadow; in a database in one transaction."""
        with cls(source, read_only=True, workers=workers) as old, made_from(old._open, folder, sync) as place:
            made = cls(typed(place), workers=workers)
            with closed_on_error(made), naming(old.folder):
                with made._open.lock:
                    move_documents(old._open, made._open)
                made._leave(place)
        return made._in_place(folder, workers)

    @classmethod
    def _from_run(
        cls, run: Path, folder: Location, store: Store, sync: str, workers: int | None, shadow: Mapping[str, Any]
    ) -> Index:  # fmt: skip
        """Make an index of the documents that a run kept, with its method and options."""
        plan, kept = kept_of_run(run)
        fit = kept if plan.method.candidates.statistics is not None else None
        return cls._made(plan, folder, store, sync, fit, workers, shadow, kept)

    def _leave(self, place: Location) -> None:
        """Close an index in a folder, because the folder is moved next; leave an index in a database open."""
        if isinstance(place, Path):
            self.close()

    def _in_place(self, folder: Location, workers: int | None) -> Index:
        """Return an index that was just made: opened in its folder, or this one if it is in a database."""
        if self._stored is not None:
            return self
        with or_nothing(folder):
            opened = type(self)(typed(folder), workers=workers)
        opened._columns_found = self._columns_found
        return opened

    @overload
    def add(self, documents: str | Mapping[str, Any], *, passages: bool = False) -> Answer: ...
    @overload
    def add(
        self, documents: Data, *, passages: bool = False, storage_options: Mapping[str, Any] | None = ...
    ) -> Answers: ...
    @public()
    def add(
        self, documents: Any, *, passages: bool = False, storage_options: Mapping[str, Any] | None = None
    ) -> Answer | Answers:
        """Add documents, and return what the index knew of each before: those added before it in the same call belong to it.

        Args:
            documents: a text (str), a record (dict) with the columns of the index, or many: a list of these, a table, or a
                `pathlib.Path`. Without an id a document gets the number of its arrival.
            passages: find the shared passages of each match too.
            storage_options: as for `dedup`, for files on other machines.

        Raises:
            InputError: the one document has no text, or its id is in the index already. Of many, such records are `Answers.bad`.
            OutputError: the index is open for reading only, or the disk is full; nothing was added.
        """
        passages = FLAG("passages", passages)

        def added(piece: Piece, bad: list[BadDocument]) -> list[Answer]:
            with self._writing() as stored:
                fresh, found, known = stored.add_new(piece.batch, passages=passages, arrived=piece.prepared_by(stored))
                bad += known
                return self._shadow.added(fresh, found) if self._shadow is not None and found else found

        return self._answered(self._writable, documents, added, adding=True)

    @overload
    def query(self, documents: str | Mapping[str, Any], *, passages: bool = False, first: int = 0) -> Answer: ...
    @overload
    def query(
        self,
        documents: Data,
        *,
        passages: bool = False,
        first: int = 0,
        storage_options: Mapping[str, Any] | None = ...,
    ) -> Answers: ...
    @public()
    def query(
        self,
        documents: Any,
        *,
        passages: bool = False,
        first: int = 0,
        storage_options: Mapping[str, Any] | None = None,
    ) -> Answer | Answers:
        """Return the answers that `add` would give, without adding anything; the documents are not compared with each other.

        Args:
            documents, passages, storage_options: as of `add`.
            first: documents without an id are called by their number among those that are answered, such as #0; `first` is the number of
                the first of them, for one who asks about a long input in several calls.
        """
        stored, number = self._open, arguments.checked_number(first)
        passages = FLAG("passages", passages)

        def query_batch(piece: Piece, bad: list[BadDocument]) -> list[Answer]:
            nonlocal number
            found = stored.query(piece.batch, passages=passages, first=number)
            number += len(found)
            return found if self._shadow is None else self._shadow.queried(piece.batch, found)

        return self._answered(stored, documents, query_batch)

    def _answered(
        self, stored: OpenIndex, documents: Any, answer: Callable[[Piece, list[BadDocument]], list[Answer]], *,
        adding: bool = False,
    ) -> Answer | Answers:  # fmt: skip
        """Read documents and answer them batch by batch; return one answer if one document was given, else the answers of all."""
        one = isinstance(documents, str | Mapping)
        bad: list[Bad] = []
        refused: list[BadDocument] = []
        found: list[Answer] = []
        without, unread = 0, None
        with worded_for_index():
            plan, batches = batches_given(stored, documents, bad)
            for batch in batches:
                here, example = undated(plan, batch)
                without, unread = without + here, unread or example
                if adding and len(batch):
                    self._take_columns(plan)
                pieces = prepared_pieces(batch, BATCH, self._open) if adding else pieces_of(batch, BATCH)
                with readable(self.folder), rare_collections(), closing(pieces):
                    for piece in pieces:
                        found += answer(piece, refused)
        refused = sorted(
            [BadDocument(each.row, str(each.reason)) for each in bad] + refused, key=lambda each: each.place
        )
        if one:
            if refused:
                raise InputError("the document cannot be used: {}", refused[0].reason)
            return found[0]
        return Answers(tuple(found), tuple(refused), without, unread)

    def _take_columns(self, plan: Plan) -> None:
        """Read documents by the columns of a plan from now on, unless the index has documents."""
        if not plan.columns_found.found:
            return
        with self._writing() as stored:
            if stored.next or stored.plan.columns_found.found or not isinstance(stored, StoredIndex):
                return
            self._stored, self._columns_found = with_columns(stored, plan), plan.columns_found
            self._replaced.append(stored)
            if self._shadow is not None:
                self._shadow.replace(with_columns(self._shadow.index, plan))

    def delete(self, ids: Id | Iterable[Id]) -> int:
        """Delete documents by id; return how many were there.

        Ids that no document has are passed over: the number returned is less than that of the ids, and `id in index` tells which.
        """
        asked = arguments.checked_ids(ids)
        if (
            isinstance(ids, str)
            and (parts := parts_of_list(ids))
            and ids not in self
            and all(one in self for one in parts)
        ):
            raise UsageError("no document has the id {!r}: give several ids as a list, {}", ids, parts)
        with readable(self.folder), self._writing() as stored:
            count = stored.delete(asked)
            if self._shadow is not None:
                self._shadow.delete(asked)
        return count

    def expire(self, older_than: str, *, dry_run: bool = False) -> int:
        """Delete the documents that are older than a span such as "30d", by their time if they have one, else by their arrival.

        Args:
            older_than: a number above 0 and s, m (minutes), h, d or w. "1s" deletes all documents but those dated in the future.
            dry_run: delete nothing.

        Returns:
            How many were deleted, or would be.
        """
        seconds = arguments.span_in_seconds(older_than)
        before = clock.time() - seconds
        if dry_run:
            with readable(self.folder):
                return count_before(self._open, before)
        with readable(self.folder), self._writing() as stored:
            count = stored.expire(before)
            if self._shadow is not None:
                self._shadow.index.expire(before)
        return count

    def compact(self, *, refit: bool = False) -> IndexStatistics:
        """Give back the place of deleted documents, and merge all segments, of the shadow too; return the figures afterwards.

        Args:
            refit: count statistics, templates and headers anew on the texts of the index, then represent and compare all documents again,
                in the order of their arrival. Queries go on meanwhile, additions wait. A process that is stopped leaves the index as it
                was. The place of the old contents is given back when the index is closed.

        Raises:
            UsageError: `refit` of an index that keeps no texts.
            OutputError: the index is open for reading only, or the disk is full.
        """
        if FLAG("refit", refit):
            with naming(self.folder), self._writing() as stored:
                old = only_in_folder(stored, REFIT)
                counted = values_anew(old)
                with readable(self.folder):
                    self._stored = refitted(old, *counted)
                self._replaced.append(old)
                if self._shadow is not None:
                    second = self._shadow.index
                    with second.lock:
                        counted = values_anew(second)
                        with readable(self.folder):
                            self._shadow.replace(refitted(second, *counted))
        else:
            with readable(self.folder):
                self._writable.compact()
                if self._shadow is not None:
                    self._shadow.index.compact()
        return self.stats()

    def verify(self) -> list[Problem]:
        """Read every file of the index and return what is damaged; an empty list if all is whole."""
        stored = only_in_folder(self._open, VERIFY)
        with stored.settled():
            return verify_folder(stored.folder)

    @staticmethod
    def verify_folder(folder: str | Path) -> list[Problem]:
        """Return what is damaged in the index of a folder, even if it cannot be opened; nothing is written.

        Raises:
            RunError: the folder is no index, or of another version.
        """
        return verify_folder(folder_of(folder, VERIFY))

    def repair(self) -> list[Problem]:
        """Keep what is whole and make anew what can be made from it; return what was damaged. The index is open again afterwards."""
        stored = only_in_folder(self._writable, REPAIR)
        self.close()
        found = repair_folder(stored.folder, stored.workers)
        self._stored = StoredIndex(stored.folder, writable=True, workers=stored.workers)
        self._shadow = self._opened_shadow(self._stored)
        return found

    @staticmethod
    def repair_folder(folder: str | Path, *, workers: int | None = None) -> list[Problem]:
        """Repair the index of a folder that need not be open: keep what is whole, and make anew what can be made from it.

        The damaged contents are kept aside in the folder, and nothing of them is removed.

        Returns:
            What was damaged; `lost` names the documents that are lost, and is "" for what was made anew. Empty if all was whole, and
            nothing was changed.

        Raises:
            RunError: the folder is no index, or nothing can be kept.
            OutputError: another process writes to it, or the disk is full.
        """
        return repair_folder(folder_of(folder, REPAIR), workers)

    def backup(self, folder: str | Path) -> None:
        """Copy the index to a folder that does not exist, while it is in use: the copy is an index as it was at one moment.

        Raises:
            OutputError: the folder exists, or cannot be written.
        """
        stored, place = only_in_folder(self._open, BACKUP), checked(folder=folder)["folder"]
        check_outside(place)
        with readable(self.folder):
            shadow = None if self._shadow is None else self._shadow.index
            copy_index(stored, place, shadow, SHADOW)

    def export(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write all documents as a run folder, decided as a run over them decides; return its path.

        Rows have the id, the text and the columns that the index keeps.

        Raises:
            UsageError: the index keeps no texts.
            OutputError: the folder exists (without `overwrite`), or cannot be written.
            RunError: the index is damaged.
        """
        stored = self._open
        place: Path = checked(folder=folder)["folder"]
        name = self.folder.resolve().name if isinstance(self.folder, Path) else self.folder.index
        with naming(self.folder):
            export_run(stored, name, place, overwrite=overwrite)
        return place

    @staticmethod
    def migrate(folder: str | Path) -> str:
        """Bring an index of an earlier format to that of this version; return the format that it had. One of this format is not changed.

        Raises:
            RunError: the folder is no index, or was made by a later version.
        """
        read_settings(folder_of(folder, MIGRATE))  # there is one format so far
        return str(FORMAT)
