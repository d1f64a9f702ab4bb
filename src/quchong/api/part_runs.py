"""Runs in parts: `dedup_part` reads a share of the inputs, on any machine of a shared disk, and `dedup(join=...)` does the rest."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from quchong.engines.local.group_scores import GroupScores
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.part_checks import DONE
from quchong.engines.local.part_reading import PartRead, read_part
from quchong.engines.local.part_shares import PartNumber, check_count
from quchong.engines.local.part_verifying import verify_part
from quchong.engines.local.read_parts import StoredParts, with_parts
from quchong.engines.local.run_kinds import RUN_KINDS
from quchong.engines.local.scored_parts import StoredGroups
from quchong.engines.local.stored_source import versions
from quchong.errors import OutputError, Param, RunError, UsageError
from quchong.io.files.addresses import address_of
from quchong.io.files.location import location_of
from quchong.languages import SEMICOLON, Message, join_messages, join_names
from quchong.outputs import UNFINISHED, OwnFolder, only_one, spell_names
from quchong.plan.plan import Plan
from quchong.plan.sources import Data, read_once
from quchong.progress import Stages
from quchong.results.against import indexes_among
from quchong.runs.command_line import command_line
from quchong.work import Unencodable, Work, about_work, part_folder, part_folders

_OF_PARTS = ("--part", "--step", "--join")
"""Options of a command line that say what of a run in parts is done."""
SHOWN = 5
"""Most missing parts whose commands a message shows."""


def check_divisible(name: str, count: object, out: Path, *, keep_work: bool) -> int:
    """Return the number of parts of a run, checked with the options that such a run cannot have.

    Raises:
        UsageError: it is no number of parts; the output is on another machine; or the run stores features for later ones.
    """
    if address_of(out) is not None:
        raise UsageError(
            "{}: the parts need an output folder that all of them can reach: give a path, not {}",
            Param(name),
            out,
        )
    if keep_work:
        raise UsageError(
            "{}: a run in parts cannot store data for later runs; leave out {}", Param(name), Param("keep_work", True)
        )
    return check_count(name, count)


def check_shared_files(data: Data, against: Data | None) -> None:
    """Raise UsageError for inputs that only this process can read: standard input, pipes, and documents of an index."""
    copied = read_once(data) or (against is not None and (read_once(against) or indexes_among(against)))
    if copied:
        raise _only_files()


def terms_of_parts(inputs: RunInputs, plan: Plan, count: int) -> dict[str, Any]:
    """Return all that the parts of one run must have alike, as JSON values: inputs, configuration, versions, number of parts.

    A file counts as the same if its name, size and time of change (of a remote file: its version) are.
    """
    found = [(file, location_of(file).state()) for source in inputs.all_sources for file in source.files]
    state = inputs.state() | {"files": [[file.name, about.size, about.version] for file, about in found]}
    told = {
        **plan.describe(), "max_record": plan.max_record, "id": [plan.id, plan.id_given], "versions": versions(),
        "inputs": state, "parts": count,
    }  # fmt: skip
    terms: dict[str, Any] = json.loads(json.dumps(spell_names(told), ensure_ascii=False))
    return terms


def do_part(
    inputs: RunInputs, plan: Plan, part: PartNumber, out: Path, stages: Stages, step: str = "read", *, within: Path | None = None,
    fresh: bool = False, memory: int | None = None,
) -> PartRead:  # fmt: skip
    """Do a step of a part of a run into its folder of work; what was done under the same terms is not done again.

    Raises:
        UsageError: an input can be read only once.
        OutputError: another process works on this part, or its folder cannot be written.
        RunError: the step is "verify", and not all parts have been read.
    """
    _check_shared(inputs)
    joined = join_inputs(inputs, plan, out, part.count, within) if step == "verify" else None
    folder = part_folder(out, part.number, part.count, within)
    terms = terms_of_parts(inputs, plan, part.count)
    begun = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    about = {"begun": begun, "out": str(out), "part": [part.number, part.count], "terms": terms}
    with only_one(folder, partial(_busy, str(part))), _told_if_joined(part, () if joined is None else joined.folders):
        work = Work.open(folder, _key(terms), about, fresh=fresh, kinds=RUN_KINDS)
        try:
            if DONE not in work.found:
                stages.resumed(work.found)
            pairs = None if joined is None else verify_part(joined.inputs, plan, part, work, stages, memory)
            return replace(read_part(inputs, plan, part, work, stages), pairs=pairs)
        except Unencodable as error:
            raise UsageError(
                "part {}: the reason of a bad record cannot be stored in a file ({}), so this run cannot be "
                "divided into parts",
                part,
                error,
            ) from error
        finally:
            work.close()
            UNFINISHED[:] = [one for one in UNFINISHED if one != out]


@contextmanager
def _told_if_joined(part: PartNumber, folders: Sequence[Path]) -> Iterator[None]:
    """Raise a RunError that says so, if the work in the block fails because the run was joined and the folders of its parts are gone."""
    try:
        yield
    except (OSError, OutputError, RunError) as error:
        if not any(about_work(folder) is None for folder in folders):
            raise
        raise RunError(
            "part {} was not verified: the run was joined or started again, so the folders of its parts no "
            "longer exist",
            part,
        ) from error


@dataclass(frozen=True, slots=True)
class JoinedParts:
    """Inputs of a run with what its parts have read of them, the scores that they have stored, and their folders."""

    inputs: RunInputs
    scores: GroupScores | None = None
    folders: tuple[Path, ...] = ()

    def check_idle(self) -> None:
        """Raise OutputError if another process is at work on one of the parts."""
        for number, folder in enumerate(self.folders, 1):
            with only_one(folder, partial(_busy, f"{number}/{len(self.folders)}")):
                pass

    def end(self) -> None:
        """Remove the folders of the parts, because the run has its place.

        Files that quchong did not write stay, and so does the folder of a part on which a process began to work meanwhile.
        """
        for number, folder in enumerate(self.folders, 1):
            with suppress(OSError, OutputError), only_one(folder, partial(_busy, str(number))):
                Work(OwnFolder.open_path(folder)).end()


def join_inputs(inputs: RunInputs, plan: Plan, out: Path, count: int | None, within: Path | None) -> JoinedParts:
    """Return the inputs such that what all parts of a run have read of them is not read again; unchanged if `count` is None.

    Raises:
        RunError: a part is missing, is not complete, is being read, or belongs to another run; the message has the commands to give.
    """
    if count is None:
        return JoinedParts(inputs)
    _check_shared(inputs)
    terms = terms_of_parts(inputs, plan, count)
    key = _key(terms)
    folders = [part_folder(out, number, count, within) for number in range(1, count + 1)]
    missing: list[int] = []
    for number, folder in enumerate(folders, 1):
        about = about_work(folder)
        if about is not None and about["key"] != key:
            raise RunError(
                "part {} belongs to another run, because it differs in {}; read it again: {}",
                f"{number}/{count}",
                join_names(_differing(about.get("terms"), terms)),
                _command(number, count),
            )
        if about is None or DONE not in _open(folder).found:
            missing.append(number)
    if missing:
        commands = [_command(number, count) for number in missing[: SHOWN + 1]]
        raise RunError(
            "{} of {} parts have not been read completely: {}; read them first: {}",
            len(missing),
            count,
            join_names(_first([str(number) for number in missing], 4 * SHOWN)),
            join_messages(_first(commands, SHOWN), SEMICOLON),
        )
    opened: list[Callable[[], Work]] = [partial(_open, folder) for folder in folders]
    stored = StoredParts(opened, [f"{number}/{count}" for number in range(1, count + 1)])
    references = with_parts(inputs.references, 0, stored, key)
    sources = with_parts(inputs.sources, len(references), stored, key)
    return JoinedParts(replace(inputs, sources=sources, references=references), StoredGroups(opened), tuple(folders))


def parts_left(out: Path, within: Path | None) -> Message | None:
    """Return a message about folders of parts that are there when a run to the output has its place; None without any."""
    left = [folder.name for folder in part_folders(out, within) if about_work(folder) is not None]
    if not left:
        return None
    names = join_names(_first(left, SHOWN))
    return Message(
        "parts of another run with the output {} still exist; remove them if you do not need them: {}", out, names
    )


def _first(names: Sequence[str], most: int) -> list[str]:
    """Return the names, or the first of them and an ellipsis."""
    return [*names[:most], "..."] if len(names) > most else list(names)


def _open(folder: Path) -> Work:
    """Open the work of a part for reading."""
    opened = OwnFolder.open_path(folder)
    names = [name.removesuffix(".value") for name in opened.names() if name.endswith(".value")]
    return Work(opened, names, kinds=RUN_KINDS)


def _check_shared(inputs: RunInputs) -> None:
    """Raise UsageError unless every input is a file, which several processes can read."""
    spool = inputs.spool
    copied = spool is not None and any(file.is_relative_to(spool.folder) for file in inputs.files)
    if copied or not inputs.can_be_read_again:
        raise _only_files()


def _only_files() -> UsageError:
    return UsageError(
        "a run in parts can read only files, because the other parts cannot read standard input, data in "
        "memory or documents of an index: write these to a file first"
    )


def _key(terms: Mapping[str, Any]) -> str:
    canonical = json.dumps(terms, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _differing(then: Any, now: Mapping[str, Any]) -> list[str]:
    """Return the names of the terms that differ, and the names of files that do; at most a few."""
    if not isinstance(then, dict):
        return ["?"]
    names = [name for name in sorted({*then, *now}) if then.get(name) != now.get(name)]
    if names == ["inputs"] and isinstance(then.get("inputs"), dict):
        before, after = then["inputs"].get("files"), now["inputs"]["files"]
        if isinstance(before, list) and len(before) == len(after):
            changed = [str(new[0]) for old, new in zip(before, after, strict=True) if old != new]
            return changed[:SHOWN] or names
    if "parameters" in names and isinstance(old := then.get("parameters"), dict):
        new = now["parameters"]
        names.remove("parameters")
        names += [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return names or ["?"]


def _command(number: int, count: int) -> str:
    """Return the command that reads a part of the run that this process joins, quoted for the shell; for a run in Python the call."""
    import shlex

    words = command_line().get("command")
    if not words:
        return f'quchong.dedup_part(..., part="{number}/{count}")'
    place = words.index("--") if "--" in words else len(words)
    kept, after = list[str](), False
    for word in words[:place]:
        own = not after and word.partition("=")[0] in _OF_PARTS
        if not own and not after:
            kept.append(word)
        after = own and "=" not in word
    kept, place = [*kept, *words[place:]], len(kept)
    return shlex.join(["quchong", *kept[:place], "--part", f"{number}/{count}", *kept[place:]])


def _busy(part: str, owner: str, place: str) -> Message:
    return Message("another process ({}) is running part {}: wait until it ends", owner, part)
