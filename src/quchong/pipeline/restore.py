"""Rows put back: what changes in a run folder is written beside it whole, then moved in file by file.

A restore that is killed is no half restore. The new files stand in RUN/.restore; once RUN/.restore/commit lists their
moves the restore is decided, and whoever opens the run next makes the moves that are left. Without that list the new
files are dropped and nothing has happened.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.cluster.survivors import ORDER
from quchong.errors import InputError, OutputError, Param, RunError, UsageError
from quchong.io.streams import Output
from quchong.io.weave import weave
from quchong.pipeline.folder import MANIFEST, _alive, is_run, read_manifest, read_tables, write_json, write_table

STAGE = ".restore"
COMMIT = "commit"
LOG = "restored.jsonl"
_OWNER = "process"
_NEW = "new"

Tables = dict[str, pa.Table]
Names = Sequence[str]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back.

    Attributes:
        ids: of the documents, sorted.
        files: rows put back by file of the run folder.
    """

    ids: tuple[str, ...]
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

    The ledger, clusters, documents and run.json then say so; restored.jsonl gets the ledger row of every document put
    back, without its passages. The pairs stay as they are. Either all of it happens or nothing.

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
    manifest, tables = read_manifest(folder), read_tables(folder)
    if manifest["mode"] != "remove":
        raise UsageError(f"{folder} was written in {manifest['mode']} mode: nothing was removed that could be put back")
    ledger = tables["ledger"].filter(_chosen(tables, ids, relations, rules, everything))
    if not len(ledger):
        return Restored((), {})
    stage = folder / STAGE
    with _writing(folder):
        stage.mkdir()
    try:
        with _writing(folder):
            (stage / _OWNER).write_text(str(os.getpid()))
            files = _prepare(folder, stage / _NEW, manifest, tables, ledger)
            _commit(folder, stage)
    except BaseException:
        _discard(stage)
        raise
    _finish(folder, stage)
    return Restored(tuple(ledger["id"].to_pylist()), files)


def recover(folder: Path) -> None:
    """Finishes a restore that was stopped after it was decided, drops one that was stopped before.

    Raises:
        RunError: another process is at it.
        OutputError: the folder cannot be written.
    """
    stage = folder / STAGE
    if not stage.is_dir() or not is_run(folder):
        return
    with contextlib.suppress(OSError, ValueError):
        owner = int((stage / _OWNER).read_text())
        if owner != os.getpid() and _alive(owner):
            why = f"process {owner} is putting rows of {folder} back: wait for it"
            raise RunError(f"{why} (if it is another program, delete {stage / _OWNER})")
    if (stage / COMMIT).exists():
        _finish(folder, stage)
    else:
        _discard(stage)


def _chosen(tables: Tables, ids: Names, relations: Names, rules: Names, everything: bool) -> Any:
    """Mask of the ledger rows to take out."""
    ledger = tables["ledger"]
    by_kind = bool(relations or rules or everything)
    if bool(ids) == by_kind:
        raise UsageError(
            "which rows? name either ids, or ",
            Param("relations"),
            " or ",
            Param("rules"),
            " for all that went by it, or ",
            Param("everything", True),
        )
    if by_kind:
        mask = np.ones(len(ledger), bool)
        for column, parameter, names, known in (
            ("relation", "relations", relations, ORDER),
            ("rule", "rules", rules, sorted(set(ledger["rule"].to_pylist()))),
        ):
            unknown = [name for name in names if name not in known]
            if unknown:
                raise UsageError(
                    Param(parameter, unknown[0]), f": use {', '.join(known) or 'none: nothing was removed'}"
                )
            if names:
                mask &= _is_in(ledger[column], names)
        return pa.array(mask)
    for column, why in (
        (tables["documents"]["id"], "is the id of no document: see documents.parquet for the ids"),
        (ledger["id"], "was not removed, so it cannot be put back"),
    ):
        there = pc.is_in(pa.array(list(ids), column.type), column).to_pylist()
        if not all(there):
            raise UsageError(f"{ids[there.index(False)]!r} {why}")
    return pa.array(_is_in(ledger["id"], ids))


def _is_in(column: Any, names: Names) -> np.ndarray:
    found: np.ndarray = pc.is_in(column, pa.array(list(names), column.type)).to_numpy(zero_copy_only=False)
    return found.astype(bool)


def _prepare(folder: Path, new: Path, manifest: dict[str, Any], tables: Tables, going: pa.Table) -> dict[str, int]:
    """Writes every file that changes below `new`; rows put back by kept file."""
    documents, ids = tables["documents"], going["id"]
    back = _is_in(documents["id"], ids.to_pylist())
    before = documents["removed"].to_numpy().astype(bool)
    after = before & ~back
    own = ~documents["reference"].to_numpy().astype(bool)
    source = np.array(documents["source"].to_pylist(), object)
    rows = documents["row"].to_numpy()
    files: dict[str, int] = {}
    for name in dict.fromkeys(source[back].tolist()):
        mine = np.flatnonzero(own & (source == name))
        mine = mine[np.argsort(rows[mine], kind="stable")]
        kept, removed = (manifest["files"][name][side] for side in ("kept", "removed"))
        try:
            weave(folder / kept, folder / removed, before[mine], after[mine], new / kept, new / removed)
        except InputError as error:
            raise RunError(f"{error}; the files of a run must stay as it wrote them: nothing was put back") from error
        files[kept] = int(back[mine].sum())
    ledger = tables["ledger"].filter(pa.array(~_is_in(tables["ledger"]["id"], ids.to_pylist())))
    place = documents.schema.get_field_index("removed")
    write_table(ledger, new / "ledger.parquet")
    write_table(_clusters(tables["clusters"], ids.to_pylist()), new / "clusters.parquet")
    write_table(documents.set_column(place, documents.schema.field(place), pa.array(after)), new / "documents.parquet")
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    counts = manifest["counts"]
    by_relation = pc.value_counts(ledger["relation"]).to_pylist() if len(ledger) else []
    counts |= {
        "kept": counts["kept"] + len(going),
        "removed": len(ledger),
        "removed_by_relation": {r["values"]: r["counts"] for r in sorted(by_relation, key=lambda r: -r["counts"])},
    }
    with Output(new / LOG) as output:
        output.write((folder / LOG).read_bytes() if (folder / LOG).exists() else b"")
        for row in going.drop_columns(["passages"]).to_pylist():
            output.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    manifest["restored"] = [*manifest.get("restored", []), {"ids": len(going), "at": now}]
    write_json(manifest, new / MANIFEST)
    return files


def _clusters(clusters: pa.Table, gone: list[str]) -> pa.Table:
    """Without these members, and without survivors that are left alone."""
    stays = ~_is_in(clusters["id"], gone)
    members = clusters.filter(pa.array(stays & pc.not_equal(clusters["id"], clusters["survivor_id"]).to_numpy()))
    return clusters.filter(pa.array(stays & _is_in(clusters["cluster_id"], members["cluster_id"].to_pylist())))


def _commit(folder: Path, stage: Path) -> None:
    """Makes sure that the new files are on the disk, then decides: the list of moves, run.json last."""
    found = sorted(path for path in (stage / _NEW).rglob("*") if path.is_file())
    found.sort(key=lambda path: path == stage / _NEW / MANIFEST)
    moves = [[p.relative_to(folder).as_posix(), p.relative_to(stage / _NEW).as_posix()] for p in found]
    written = stage / f"{COMMIT}.new"
    written.write_text(json.dumps(moves, ensure_ascii=False), encoding="utf-8")
    for path in [*found, written]:
        _sync(path)
    written.replace(stage / COMMIT)
    _sync(stage)


def _finish(folder: Path, stage: Path) -> None:
    """Makes the moves that have not been made yet."""
    with _writing(folder, "the rows are put back when the run is next opened and can be written"):
        moves = json.loads((stage / COMMIT).read_text(encoding="utf-8"))
        for new, place in moves:
            if (folder / new).exists():
                (folder / new).replace(folder / place)
        for parent in {(folder / place).parent for _, place in moves}:
            _sync(parent)
        shutil.rmtree(stage)


def _discard(stage: Path) -> None:
    """Nothing has happened; the list of moves goes first, lest half of the new files be taken for all."""
    with contextlib.suppress(OSError):
        (stage / COMMIT).unlink(missing_ok=True)
        shutil.rmtree(stage)


def _sync(path: Path) -> None:
    """What was written to a file or folder is on the disk afterwards."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _writing(folder: Path, consequence: str = "nothing was put back") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise OutputError(f"cannot write {folder}: {why}; make room or make it writable: {consequence}") from error
