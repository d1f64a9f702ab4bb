"""Stored intermediate results of a run: their folder, and whether an interrupted run can continue from them."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from quchong.decision.reviewed import Reviewed
from quchong.engines.local.memory import budget, may_exceed
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.stored_source import KnownSource, versions
from quchong.errors import RunError
from quchong.io import Source
from quchong.outputs import OwnFolder, spell_names
from quchong.plan.plan import Plan
from quchong.runs.command_line import goes_on_with, request
from quchong.runs.seal import seal_of_work
from quchong.work import Work, about_work, work_folder


def work_of(
    out: Path, plan: Plan, inputs: Sequence[Source], references: Sequence[Source], protected: Sequence[str], reviewed: Reviewed, *,
    folder: Path | None = None, memory: int | None = None, max_record: int | None = None,
    fresh: bool = False, copied: Path | None = None, aside: Path | None = None,
) -> Work:  # fmt: skip
    """Return the work of a run, stored in a folder if it may be needed again.

    It is stored if a folder is given for it, if the run may need more memory than it is given, or if an interrupted run
    has left some.

    Args:
        out: the run folder that is being written.
        plan, inputs, references, protected, reviewed: identity of the run, together with the state of every input file.
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
    files = [file for source in (*inputs, *references) for file in source.files]
    again = all(source.files and source.path is not None for source in (*inputs, *references))
    keep = aside is not None
    place = work_folder(out, folder)
    if not again or (copied is not None and any(file.is_relative_to(copied) for file in files)):
        _check_goes_on(wanted, place, "", out)
        return _aside(aside)
    try:
        stats = [file.stat() for file in files]
        known = [source.state for source in references if isinstance(source, KnownSource)]
    except OSError:  # the reader of the file will report it
        _check_goes_on(wanted, place, "", out)
        return _aside(aside)
    if (
        not keep
        and folder is None
        and about_work(place) is None
        and not may_exceed(sum(stat.st_size for stat in stats), budget(memory))
    ):
        return Work()
    names = [[source.name, source.suffix, len(source.files)] for source in (*inputs, *references)]
    state = [[str(file.absolute()), stat.st_size, stat.st_mtime_ns] for file, stat in zip(files, stats, strict=True)]
    told = {
        "config": {**plan.describe(), "max_record": max_record}, "id": plan.id, "given": plan.id_given, "protected": sorted(protected),
        "reviewed": [repr(reviewed.overturned), list(reviewed.accepted), reviewed.torn],
        "sources": names, "references": len(references), "files": state,
        "versions": versions(), "keep_work": keep, "known": known,
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
            "{} cannot go on: what it reads has changed since it was stopped, or quchong or a library has: give its command again, and it "
            "begins anew",
            out,
        )


def _aside(folder: Path | None) -> Work:
    """Return work in a folder that is removed with the output in progress, or unstored work if the folder is None."""
    return Work() if folder is None else Work(OwnFolder.made(folder), kinds=RUN_KINDS)
