"""Restoring of rows of a run by units: documents get back the lines or paragraphs that were cut out of them."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.errors import Param, UsageError
from quchong.io import FileBeneath
from quchong.io.files.streams import Output
from quchong.io.merge import restore_cut_rows
from quchong.languages import Message
from quchong.outputs import read_beneath, stands_beneath
from quchong.runs.layout import MANIFEST, write_json, write_table
from quchong.runs.reader import encoding_of, own_files
from quchong.runs.restore import (
    LOG,
    Restored,
    begin_staging,
    finish_staging,
    forget_checksums,
    recover,
    writing_folder,
)
from quchong.runs.row_selection import is_in
from quchong.runs.unit_run import UnitFolder


def restore_units(folder: Path, ids: tuple[str, ...] = (), *, everything: bool = False) -> Restored:
    """Put rows of a run by units back among the kept rows, at their position and as they were in the input.

    The tables and run.json no longer list their units; restored.jsonl records what they had lost. All of it happens, or nothing.

    Args:
        folder: of the run.
        ids: documents to put back.
        everything: instead of ids, all that lost something: kept rows are then the input again, without its bad records.

    Raises:
        UsageError: nothing was named or both, or an id is unknown or lost nothing.
        RunError: no folder of a run by units, or a damaged one.
        OutputError: the folder cannot be written.
    """
    if recover(folder) and not (ids or everything):
        return Restored((), {})
    if bool(ids) == everything:
        raise UsageError(
            "say which rows to put back: give ids, or {} for all rows that were cut or removed",
            Param("everything", True),
        )
    run = UnitFolder.read(folder)
    with writing_folder(folder):
        staging = begin_staging(folder)
    try:
        run = UnitFolder.read(folder)
        gone = run.documents["removed"].to_numpy()
        changed = gone | (run.documents["cut_units"].to_numpy() > 0)
        back = changed.copy()
        if ids:
            places = run.places(list(ids))
            if not changed[places].all():
                whole = run.documents["id"][int(places[~changed[places]][0])].as_py()
                raise UsageError("nothing can be put back: nothing was removed or cut from {}", str(whole))
            back[:] = False
            back[places] = True
        if not back.any():
            staging.drop()
            return Restored((), {})
        with writing_folder(folder):
            files = _prepare(run, staging.new, changed, gone, back)
            forget_checksums(folder, staging.new)
            staging.decide(MANIFEST)
    except BaseException:
        staging.drop()
        raise
    finish_staging(folder, staging)
    return Restored(tuple(run.documents.filter(pa.array(back))["id"].to_pylist()), files)


def _prepare(run: UnitFolder, new: Path, changed: np.ndarray, gone: np.ndarray, back: np.ndarray) -> dict[str, int]:
    """Write every file that changes into the folder `new`; return the number of rows put back by file of kept rows."""
    files: dict[str, int] = {}
    source = run.documents["source"]
    for name in run.manifest["files"]:
        mine = np.flatnonzero(np.asarray(is_in(source, [name])))
        if not back[mine].any():
            continue
        sides = run.files(name)
        with own_files(run.folder, sides, Message("; no row was put back")):
            kept, removed = (FileBeneath(run.folder, side) for side in sides)
            restore_cut_rows(
                kept, removed, changed[mine] & ~gone[mine], gone[mine], back[mine], new / sides[0], new / sides[1],
                encoding_of(run.manifest, sides[0]),
            )  # fmt: skip
        files[sides[0]] = int(back[mine].sum())
    _write_tables(run, new, gone, back)
    return files


def _write_tables(run: UnitFolder, new: Path, gone: np.ndarray, back: np.ndarray) -> None:
    documents, counts = run.documents, dict(run.manifest["counts"])
    returned = documents.filter(pa.array(back))
    with Output(new / LOG) as output:
        output.write(read_beneath(run.folder, LOG, 1 << 40) if stands_beneath(run.folder, LOG) else b"")
        for row in returned.to_pylist():
            output.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    lost_units, lost_words = (documents[name].to_numpy() for name in ("cut_units", "cut_words"))
    for name, values in (
        ("cut_units", np.where(back, 0, lost_units)), ("cut_words", np.where(back, 0, lost_words)), ("removed", gone & ~back),
    ):  # fmt: skip
        place = documents.schema.get_field_index(name)
        documents = documents.set_column(place, documents.schema.field(place), pa.array(values))
    write_table(documents, new / "documents.parquet")
    write_table(
        run.units.filter(pa.array(~np.asarray(is_in(run.units["id"], returned["id"].to_pylist())))),
        new / "units.parquet",
    )
    counts |= {
        "kept": counts["kept"] + int((gone & back).sum()),
        "removed": int((gone & ~back).sum()),
        "changed": counts["changed"] - int((back & ~gone).sum()),
        "cut": counts["cut"] - int(lost_units[back].sum()),
        "cut_words": counts["cut_words"] - int(lost_words[back].sum()),
    }
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    told: dict[str, Any] = dict(run.manifest)
    told["counts"] = counts
    told["restored"] = [*told.get("restored", []), {"ids": len(returned), "at": now}]
    write_json(told, new / MANIFEST)
