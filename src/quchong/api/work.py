"""Stored intermediate results of a run: their folder, and whether an interrupted run can continue from them."""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path

from quchong.engines.local.inputs import RunInputs, bytes_of
from quchong.engines.local.memory import budget, may_exceed
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.stored_source import versions
from quchong.errors import RunError
from quchong.outputs import OwnFolder, spell_names
from quchong.plan.plan import Plan
from quchong.runs.command_line import goes_on_with, request
from quchong.runs.seal import seal_of_work
from quchong.work import Work, about_work, work_folder


def work_of(
    out: Path, plan: Plan, inputs: RunInputs, *, folder: Path | None = None, memory: int | None = None,
    max_record: int | None = None, fresh: bool = False, copied: Path | None = None, aside: Path | None = None,
) -> Work:  # fmt: skip
    """Return the work of a run, stored in a folder if it may be needed again.

    It is stored if a folder is given for it, if the run may need more memory than it is given, or if an interrupted run
    has left some.

    Args:
        out: the run folder that is being written.
        plan, inputs: identity of the run, together with the state of every input file.
        folder: see `work_folder`.
        memory: bytes the run may use; None for half of the available memory.
        max_record: limit that the caller gave; None if it follows from the memory, which may differ when the run is continued.
        fresh: if True, work of an interrupted run is removed first.
        aside: folder for work that must be stored until the run ends even if no other process can continue from it.
        copied: folder with the copy of standard input, which exists only while this process runs.

    Raises:
        OutputError: see `Work.open`.
        RunError: the process must continue an interrupted run (`quchong.runs.command_line.going_on`), and this run has another key.
    """
    wanted = goes_on_with()
    keep = aside is not None
    place = work_folder(out, folder)
    from_copy = copied is not None and any(file.is_relative_to(copied) for file in inputs.files)
    if from_copy or not inputs.can_be_read_again:
        _check_goes_on(wanted, place, "", out)
        return _aside(aside)
    needed = keep or folder is not None or about_work(place) is not None
    if not needed and not may_exceed(bytes_of(inputs.all_sources), budget(memory)):
        return Work()
    try:
        state = inputs.state()
    except OSError:  # the reader of the file will report it
        _check_goes_on(wanted, place, "", out)
        return _aside(aside)
    told = {
        "config": {**plan.describe(), "max_record": max_record}, "id": plan.id, "given": plan.id_given,
        "versions": versions(), "keep_work": keep, **state,
    }  # fmt: skip
    key = hashlib.blake2b(
        json.dumps(spell_names(told), sort_keys=True, ensure_ascii=False).encode(), digest_size=16
    ).hexdigest()
    _check_goes_on(wanted, place, key, out)
    begun = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    about = {"begun": begun, "out": str(out), "folder": str(Path.cwd()), **request()}
    about |= seal_of_work(key, about)
    return Work.open(place, key, about, fresh=fresh, kinds=RUN_KINDS)


def _check_goes_on(wanted: tuple[Path, str] | None, place: Path, key: str, out: Path) -> None:
    """Raise RunError if an interrupted run must be continued whose work has another folder or key."""
    if wanted is not None and wanted != (place, key):
        raise RunError(
            "{} cannot be resumed, because its input, quchong or a library has changed since the stop: give the "
            "command again to start anew",
            out,
        )


def _aside(folder: Path | None) -> Work:
    """Return work in a folder that is removed with the output in progress, or unstored work if the folder is None."""
    return Work() if folder is None else Work(OwnFolder.made(folder), kinds=RUN_KINDS)
