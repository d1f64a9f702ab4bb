"""Where a run keeps its work, and whether it goes on with what an earlier process left there."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from quchong.decision.reviewed import Reviewed
from quchong.engines.local.known import KnownSource, versions
from quchong.engines.local.memory import budget, may_exceed
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.errors import RunError
from quchong.io import Source
from quchong.outputs import OwnFolder, spell_names
from quchong.plan.plan import Plan
from quchong.runs.command import goes_on_with, request
from quchong.runs.seal import seal_of_work
from quchong.work import Work, about_work, work_folder


def work_of(
    out: Path, plan: Plan, inputs: Sequence[Source], references: Sequence[Source], protected: Sequence[str], reviewed: Reviewed, *,
    folder: Path | None = None, memory: int | None = None, max_record: int | None = None,
    fresh: bool = False, copied: Path | None = None, aside: Path | None = None,
) -> Work:  # fmt: skip
    """The work of a run: kept where a folder is given for it, where the run may need more memory than it is given, and where a
    stopped run has left some; else nowhere.

    Args:
        out: the run folder that is being written.
        plan, inputs, references, protected, reviewed: what is compared, and how. All of it with the state of every input file tells one run
            from another.
        folder: see `work_folder`.
        memory: bytes; None for half of what there is.
        max_record: as it was asked for; None where the memory decides, which may differ when a run goes on.
        fresh: what is there of a stopped run is removed first.
        aside: a folder for it, where it must be kept in any case until the run ends, and no other process can go on with it.
        copied: where standard input lies while this process lives; what is read from there cannot be read again by another.

    Raises:
        OutputError: see `Work.open`.
        RunError: a run that must go on (`quchong.runs.command.going_on`) has another key than the one that was stopped.
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
    except OSError:  # whoever reads the file says so
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
    """Raise RunError where a run must go on with the work of another place or key."""
    if wanted is not None and wanted != (place, key):
        raise RunError(
            "{} cannot go on: what it reads has changed since it was stopped, or quchong or a library has: give its command again, and it "
            "begins anew",
            out,
        )


def _aside(folder: Path | None) -> Work:
    """Work in a folder that goes with the output being written; none without."""
    return Work() if folder is None else Work(OwnFolder.made(folder), kinds=RUN_KINDS)
