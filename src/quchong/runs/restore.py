"""Restores removed rows: changed files are written whole beside the run, then moved in one by one.

A restore that is killed is no half restore. The new files are staged in the run folder (`quchong.outputs.staging`); once
their moves are set down the restore is decided, and whoever opens the run next makes the moves that are left. Without
that list the new files are dropped and nothing has happened.
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
import pyarrow.parquet as pq

from quchong.errors import OutputError, RunError, UsageError
from quchong.io.files.streams import Output
from quchong.io.merge import weave
from quchong.languages import Message
from quchong.outputs import Busy, Staging, settle, settled
from quchong.runs.layout import MANIFEST, is_run, read_manifest, read_tables, write_json, write_table
from quchong.runs.reader import encoding_of, own_files, parts_of
from quchong.runs.selection import Names, chosen, is_in
from quchong.runs.stretches import stretches
from quchong.tables import RESTORED, as_id, by_relation, variants

LOG = "restored.jsonl"

Tables = dict[str, pa.Table]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back.

    Attributes:
        ids: of the documents, in the type and order of the ledger.
        files: rows put back by file of the run folder.
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
) -> Restored:
    """Puts removed rows of a run back among the kept ones, at their place in the order of the input.

    The ledger, clusters, documents (policy "restored") and run.json then say so; restored.jsonl gets the ledger row of every document put
    back, without its passages and differences. The pairs stay as they are. Either all of it happens or nothing.

    Args:
        folder: of a run that split its input.
        ids: documents to put back.
        relations: instead of ids, all that went by one of these.
        rules: the same; with relations, all that went by one of both.
        everything: instead of ids, all.

    Raises:
        UsageError: nothing or too much was named, an id is unknown or was not removed, or the run removed nothing.
        RunError: no run folder, a damaged one, or one whose files were changed.
        OutputError: the folder cannot be written.
    """
    recover(folder)
    read_manifest(folder)
    with _writing(folder):
        staging = _begin(folder)
    try:
        manifest = read_manifest(folder)
        tables = read_tables(folder, manifest)
        if manifest["mode"] != "remove":
            raise UsageError(
                "{} was written in {} mode: nothing was removed that could be put back", folder, manifest["mode"]
            )
        ledger = tables["ledger"].filter(chosen(tables, ids, relations, rules, everything))
        if not len(ledger):
            staging.drop()
            return Restored((), {})
        with _writing(folder):
            files = _prepare(folder, staging.new, manifest, tables, ledger)
            _forget_checksums(folder, staging.new)
            staging.decide(MANIFEST)
    except BaseException:
        staging.drop()
        raise
    with _writing(folder, Message("the rows are put back when the run is next opened and can be written")):
        try:
            staging.finish()
        except BaseException:
            staging.release()
            raise
    with contextlib.suppress(KeyboardInterrupt):  # too late: the rows are put back
        staging.drop()
    return Restored(tuple(ledger["id"].to_pylist()), files)


def recover(folder: Path) -> None:
    """Puts a run that was stopped between two names at its place, finishes a restore that was stopped after it was
    decided, drops one that was stopped before.

    Raises:
        RunError: another process is at it.
        OutputError: the folder cannot be written.
    """
    settled(folder)
    if not is_run(folder):
        return
    with _writing(folder, Message("rows are being put back there")), _busy():
        settle(_place(folder), _said(folder))


def _begin(folder: Path) -> Staging:
    with _busy():
        return Staging.begin(_place(folder), _said(folder))


def _place(folder: Path) -> Path:
    """What is staged is named after this; nothing of that name is ever written."""
    return Path(os.path.realpath(folder)) / "restore"


def _said(folder: Path) -> Busy:
    return lambda owner, _place: Message("{} is putting rows of {} back: wait for it", owner, folder)


@contextlib.contextmanager
def _busy() -> Iterator[None]:
    try:
        yield
    except OutputError as error:
        raise RunError(error.message) from error


def _prepare(folder: Path, new: Path, manifest: dict[str, Any], tables: Tables, going: pa.Table) -> dict[str, int]:
    """Writes every file that changes below `new`; rows put back by kept file."""
    documents, ids = tables["documents"], going["id"]
    back = is_in(documents["id"], [as_id(one, documents["id"].type) for one in ids.to_pylist()])
    before = documents["removed"].to_numpy().astype(bool)
    after = before & ~back
    files: dict[str, int] = {}
    for stretch in stretches(manifest, documents):
        mine = stretch.documents
        if not back[mine].any():
            continue
        with own_files(folder, stretch.sides, Message("; nothing was put back")):
            kept = folder / stretch.kept if stretch.counts[0] or (folder / stretch.kept).is_file() else None
            sides = new / stretch.kept, new / stretch.removed
            weave(
                kept, folder / stretch.removed, before[mine], after[mine], *sides, encoding_of(manifest, stretch.kept)
            )
        files[stretch.kept] = int(back[mine].sum())
    ledger = tables["ledger"].filter(pa.array(~is_in(tables["ledger"]["id"], ids.to_pylist())))
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
        "variants": variants(ledger, tables["pairs"]),
    }
    with Output(new / LOG) as output:
        output.write((folder / LOG).read_bytes() if (folder / LOG).exists() else b"")
        for row in going.drop_columns(["passages", "differences"]).to_pylist():
            output.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    manifest["restored"] = [*manifest.get("restored", []), {"ids": len(going), "at": now}]
    write_json(manifest, new / MANIFEST)
    return files


def _change(folder: Path, new: Path, name: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Writes a table anew, or of a folder of parts those that change, with the types they have."""
    for path in parts_of(folder / f"{name}.parquet"):
        with pa.OSFile(os.fsencode(path)) as file:
            table = pq.read_table(file)
        if not (changed := change(table)).equals(table):
            place = new / path.relative_to(folder)
            place.parent.mkdir(exist_ok=True)
            write_table(changed, place)


def _restored(documents: pa.Table, back: list[Any]) -> pa.Table:
    """The documents, of which these were put back."""
    mask = pa.array(is_in(documents["id"], back))
    for name, values in (
        ("removed", pc.and_(documents["removed"], pc.invert(mask))),
        ("policy", pc.if_else(mask, RESTORED, documents["policy"])),
    ):
        place = documents.schema.get_field_index(name)
        documents = documents.set_column(place, documents.schema.field(place), values)
    return documents


def _clusters(clusters: pa.Table, gone: list[Any]) -> pa.Table:
    """Without these members, and without survivors that are left alone."""
    stays = ~is_in(clusters["id"], gone)
    members = clusters.filter(pa.array(stays & pc.not_equal(clusters["id"], clusters["survivor_id"]).to_numpy()))
    return clusters.filter(pa.array(stays & is_in(clusters["cluster_id"], members["cluster_id"].to_pylist())))


def _forget_checksums(folder: Path, new: Path) -> None:
    """What Hadoop set down beside files that change goes first: it would not let anybody read them afterwards, and they do
    without.
    """
    for path in new.rglob("*"):
        place = folder / path.relative_to(new)
        place.with_name(f".{place.name}.crc").unlink(missing_ok=True)


_NOTHING = Message("nothing was put back")


@contextlib.contextmanager
def _writing(folder: Path, consequence: str = _NOTHING) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise OutputError("cannot write {}: {}; make room or make it writable: {}", folder, why, consequence) from error
