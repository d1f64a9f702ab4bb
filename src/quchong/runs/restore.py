"""Restoring of removed rows: changed files are written to a staging folder, then moved into the run folder one by one.

A killed restore leaves no half-restored run. The new files are staged next to the run's files (`quchong.outputs.staging`). Once the list of
moves is written, the restore is decided: the next restore makes the remaining moves, and until then readers of the run raise an error that
asks for it. Without the list the new files are dropped, and the run is unchanged.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import OutputError, RunError, UsageError, reason_of, shell_word
from quchong.io import FileBeneath
from quchong.io.files.streams import Output
from quchong.io.merge import restore_rows
from quchong.languages import Message
from quchong.outputs import (
    Busy,
    Staging,
    check_settled,
    is_file_beneath,
    is_plain_name,
    read_beneath,
    remove_beneath,
    settle,
    settled,
    stands_beneath,
)
from quchong.outputs.protocol import COMMIT
from quchong.outputs.staging import folders_of
from quchong.patterns import lazy_pattern
from quchong.runs.layout import MANIFEST, is_run, read_manifest, read_tables, write_json, write_table
from quchong.runs.manifest import is_rows_name
from quchong.runs.noted_rows import Noting, changed_notes, restore_noted
from quchong.runs.reader import encoding_of, own_files, parts_of, read_part
from quchong.runs.row_ids import check_stretch
from quchong.runs.row_ranges import check_inputs_named, stretches
from quchong.runs.row_selection import Names, is_in, selection_mask
from quchong.tables import RESTORED, as_id, by_relation, counts_of_pairs

LOG = "restored.jsonl"
_TABLES = lazy_pattern(r"(ledger|clusters|documents|units)\.parquet(/part-[^/]+\.parquet)?")
"""Tables that a restore writes, and their parts."""

Tables = dict[str, pa.Table]


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore: the documents and rows that were put back.

    Attributes:
        ids: ids of the documents, in the type and order of the ledger.
        files: number of rows put back, by file of the run folder.
    """

    ids: tuple[str | int, ...]
    files: dict[str, int]


def restore(
    folder: Path,
    ids: Names = (),
    *,
    relations: Names = (),
    rules: Names = (),
    everything: bool = False,
    noting: Noting | None = None,
) -> Restored:
    """Puts removed rows of a run back among the kept ones, at their place in the order of the input.

    The ledger, clusters, documents (policy "restored") and run.json then say so; restored.jsonl gets the ledger row of every document put
    back, without its passages and differences. The pairs stay as they are. Either all of it happens or nothing.

    A restore of this run that was stopped is finished first; where nothing is named then, that is all.

    Args:
        folder: of a run that split its input.
        ids: documents to put back.
        relations: instead of ids, all that went by one of these.
        rules: the same; with relations, all that went by one of both.
        everything: instead of ids, all.
        noting: maker of the columns which the run added to kept rows; needed for a run with such columns.

    Raises:
        UsageError: nothing or too much was named, an id is unknown or was not removed, or the run removed nothing.
        RunError: no run folder, a damaged one, or one whose files were changed.
        OutputError: the folder cannot be written.
    """
    if recover(folder) and not (ids or relations or rules or everything):
        return Restored((), {})
    read_manifest(folder)
    with writing_folder(folder):
        staging = begin_staging(folder)
    try:
        manifest = read_manifest(folder)
        tables = read_tables(folder, manifest)
        if manifest["mode"] == "ids":
            raise UsageError(
                "{} has ids but no rows, so no row can be put back: add these ids to the ids that you keep "
                "(documents.parquet has all ids)",
                folder,
            )
        if manifest["mode"] != "remove":
            raise UsageError(
                "{} was written in {} mode, so nothing was removed that could be put back", folder, manifest["mode"]
            )
        ledger = tables["ledger"].filter(selection_mask(tables, ids, relations, rules, everything))
        if not len(ledger):
            staging.drop()
            return Restored((), {})
        with writing_folder(folder):
            files = _prepare(folder, staging.new, manifest, tables, ledger, noting)
            forget_checksums(folder, staging.new)
            staging.decide(MANIFEST)
    except BaseException:
        staging.drop()
        raise
    finish_staging(folder, staging)
    return Restored(tuple(ledger["id"].to_pylist()), files)


def finish_staging(folder: Path, staging: Staging) -> None:
    """Move the files of a restore that was decided into the run folder.

    Raises:
        OutputError: the folder cannot be written; the next restore makes the remaining moves.
    """
    with writing_folder(
        folder,
        Message("make the folder writable, then put the rows back with: quchong restore {}", shell_word(folder)),
    ):
        try:
            staging.finish()
        except BaseException:
            staging.release()
            raise
    with contextlib.suppress(KeyboardInterrupt):  # too late: the rows are put back
        staging.drop()


def recover(folder: Path) -> bool:
    """Finish or undo what an interrupted process left of writing or restoring a run; return True if it finished a restore.

    Returns whether a restore was finished.

    Raises:
        RunError: another process is at it, or what it left is not as a restore writes it.
        OutputError: the folder cannot be written.
    """
    settled(folder)
    if not (is_run(folder) or is_run(folder, "units")):
        return False
    decided = bool(_decided(folder))
    with writing_folder(folder, Message("a restore is putting rows back into this run")), _busy():
        settle(_place(folder), _busy_message(folder), is_restored)
    if (left := _decided(folder)) is not None:
        raise RunError("{} differs from what a restore writes, so its rows were not put back: delete this file", left)
    return decided


def check_restored(folder: Path) -> None:
    """Raise RunError if a restore of the run is unfinished; must be called before a run is read, and changes nothing.

    Between two moves of a restore the files of the run do not fit together.

    Raises:
        RunError: a restore was decided, and some of its moves are not made.
    """
    check_settled(folder)
    if (staged := _decided(folder)) is not None:
        raise RunError(
            "a restore of {} is running or was stopped: wait until it ends, or finish it with: quchong restore "
            "{} (its staging folder is {})",
            folder,
            shell_word(folder),
            staged,
        )


def _decided(folder: Path) -> Path | None:
    """Return the staging folder of a restore that was decided and is unfinished; None without one."""
    place = _place(folder)
    return next((one for one, _ in folders_of(place) if os.path.lexists(one / COMMIT)), None)


def is_restored(name: str) -> bool:
    """Return True if a file of this name is written by a restore: rows, tables, its log, run.json."""
    rows = any(is_rows_name(name, side) for side in ("kept", "removed"))
    return rows or name in (LOG, MANIFEST) or (is_plain_name(name) and _TABLES.fullmatch(name) is not None)


def begin_staging(folder: Path) -> Staging:
    """Begin the staging folder of a restore; raises RunError if another process restores the run."""
    with _busy():
        return Staging.begin(_place(folder), _busy_message(folder), is_restored)


def _place(folder: Path) -> Path:
    """Return the path after which the staging folders of a restore are named; no file of that name is ever written."""
    return Path(os.path.realpath(folder)) / "restore"


def _busy_message(folder: Path) -> Busy:
    return lambda owner, _place: Message("{} is putting rows of {} back: wait until it ends", owner, folder)


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    try:
        yield
    except OutputError as error:
        raise RunError(error.message) from error


def _prepare(
    folder: Path, new: Path, manifest: dict[str, Any], tables: Tables, going: pa.Table, noting: Noting | None
) -> dict[str, int]:
    """Write every file that changes into the folder `new`; return the number of rows put back by file of kept rows."""
    documents, ids = tables["documents"], going["id"]
    back = is_in(documents["id"], [as_id(one, documents["id"].type) for one in ids.to_pylist()])
    before = documents["removed"].to_numpy().astype(bool)
    after = before & ~back
    files: dict[str, int] = {}
    ledger = tables["ledger"].filter(pa.array(~is_in(tables["ledger"]["id"], ids.to_pylist())))
    notes = changed_notes(manifest, noting, tables, ledger, back)
    check_inputs_named(manifest, documents)
    for stretch in stretches(manifest, documents):
        mine = stretch.documents
        if not back[mine].any() and (notes is None or not notes.changed[mine].any()):
            continue
        with own_files(folder, stretch.sides, Message("; no row was put back")):
            kept, removed = FileBeneath(folder, stretch.kept), FileBeneath(folder, stretch.removed)
            there = stretch.counts[0] or is_file_beneath(folder, stretch.kept)
            some = [kept] if there else []
            some += [removed] if stretch.counts[1] else []
            check_stretch(folder, manifest, documents, stretch, some)
            sides = new / stretch.kept, new / stretch.removed
            encoding = encoding_of(manifest, stretch.kept)
            if notes is not None:
                restore_noted(
                    kept, removed, before[mine], after[mine], *sides, encoding, notes.take(mine[~after[mine]])
                )
            else:
                restore_rows(kept if there else None, removed, before[mine], after[mine], *sides, encoding)
        if back[mine].any():
            files[stretch.kept] = int(back[mine].sum())
    gone = [as_id(one, tables["clusters"]["id"].type) for one in ids.to_pylist()]
    left = _clusters(tables["clusters"], gone)["id"].to_pylist()
    named = [as_id(one, documents["id"].type) for one in ids.to_pylist()]
    _change(folder, new, "ledger", lambda part: part.filter(pa.array(~is_in(part["id"], ids.to_pylist()))))
    _change(folder, new, "clusters", lambda part: part.filter(pa.array(is_in(part["id"], left))))
    _change(folder, new, "documents", lambda part: _restored(part, named))
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    counts = manifest["counts"]
    counts |= {
        "kept": counts["kept"] + len(going),
        "removed": len(ledger),
        "removed_by_relation": by_relation(ledger),
        **counts_of_pairs(ledger, tables["pairs"]),
    }
    with Output(new / LOG) as output:
        before_now = read_beneath(folder, LOG, 1 << 40) if stands_beneath(folder, LOG) else b""
        # A last line without its end, as an editor leaves it, is a line of its own.
        output.write(before_now + (b"\n" if before_now and not before_now.endswith(b"\n") else b""))
        for row in going.drop_columns(["passages", "differences"]).to_pylist():
            output.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    manifest |= {} if notes is None else notes.about
    manifest["restored"] = [*manifest.get("restored", []), {"ids": len(going), "at": now}]
    write_json(manifest, new / MANIFEST)
    return files


def _change(folder: Path, new: Path, name: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Write a changed table into `new`, or of a table in parts the parts that change, with unchanged types."""
    for part in parts_of(folder, name):
        table = read_part(folder, part)
        if not (changed := change(table)).equals(table):
            place = new / part
            place.parent.mkdir(exist_ok=True)
            write_table(changed, place)


def _restored(documents: pa.Table, back: list[Any]) -> pa.Table:
    """Return the table of documents with the documents `back` marked as put back."""
    mask = pa.array(is_in(documents["id"], back))
    for name, values in (
        ("removed", pc.and_(documents["removed"], pc.invert(mask))),
        ("policy", pc.if_else(mask, RESTORED, documents["policy"])),
    ):
        place = documents.schema.get_field_index(name)
        documents = documents.set_column(place, documents.schema.field(place), values)
    return documents


def _clusters(clusters: pa.Table, gone: list[Any]) -> pa.Table:
    """Return the clusters table without the members `gone`, and without survivors that then have no other member."""
    stays = ~is_in(clusters["id"], gone)
    members = clusters.filter(pa.array(stays & pc.not_equal(clusters["id"], clusters["survivor_id"]).to_numpy()))
    return clusters.filter(pa.array(stays & is_in(clusters["cluster_id"], members["cluster_id"].to_pylist())))


def forget_checksums(folder: Path, new: Path) -> None:
    """Remove the checksum files of Hadoop for files that will change, because Hadoop refuses to read a file with a wrong checksum."""
    for path in new.rglob("*"):
        name = path.relative_to(new)
        with contextlib.suppress(FileNotFoundError):
            remove_beneath(folder, name.with_name(f".{name.name}.crc").as_posix())


_NOTHING = Message("no row was put back")


@contextlib.contextmanager
def writing_folder(folder: Path, consequence: str = _NOTHING) -> Iterator[None]:
    """Turn errors of the system in a block into an OutputError about the folder; `consequence` ends the message."""
    try:
        yield
    except OSError as error:
        why = reason_of(error)
        raise OutputError(
            "cannot write {}: {}; make room, or give write permission: {}", folder, why, consequence
        ) from error
