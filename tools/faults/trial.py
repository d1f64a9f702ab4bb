"""One stop of one command, and what must hold after it, after the next command, and after the command was given again."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import child
import shim
from answers import answer, differences
from boxes import Box

_STAGED = re.compile(r"(^|/)\.(restore|files)\.quchong-")
_OLD = re.compile(r"\.quchong-[0-9a-f]{8}(/old)?$")
"""The end of a call that looks into a staging folder to empty it."""
NOTHING_WRITTEN = "no output was written or changed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a stop: `wrong` is empty when everything held."""

    case: str
    fault: str
    at: int
    struck: bool
    code: int
    call: str
    wrong: tuple[str, ...]


def trial(box: Box, fault: str, at: int) -> Outcome:
    """Fills the box, stops the command at that call, and checks."""
    kind = shim.FAULTS[fault]
    box.fill()
    done = box.run(box.case.argv, root=box.folder, fault=kind, at=at)
    if fault == "eio-reading" and done.code == 0 and answer(box.result) != box.new:
        return Outcome(box.case.name, fault, at, done.fired, 0, done.call, tuple(_skipped(box)))
    wrong = [*at_once(box, kind, done), *(next_command(box) if at % 2 else []), *once_more(box)]
    return Outcome(box.case.name, fault, at, done.fired, done.code, done.call, tuple(wrong))


def _skipped(box: Box) -> list[str]:
    """One file of many that cannot be read is a bad record: it is listed with its reason, and nothing else is missing."""
    told = json.loads((box.result / "run.json").read_text("utf-8"))["counts"]
    lines = (box.result / "skipped.jsonl").read_text("utf-8").splitlines()
    skipped = [json.loads(line) for line in lines]
    wrong = [] if told["skipped"] == len(skipped) == 1 and skipped[0]["reason"] else [f"another result: {told}"]
    files = sum(not name.endswith("/") and name.startswith("in/") for name in box.untouched)
    return wrong + (
        [] if told["read"] + told["skipped"] == files else [f"{files} files, and {told['read']} read: rows are lost"]
    )


def at_once(box: Box, fault: shim.Fault, done: child.Ended) -> list[str]:
    """What must hold as soon as the command has ended, however it did."""
    wrong = []
    allowed = fault.allowed if done.fired else (0,)
    clean = done.code >= 0
    clears = done.call.startswith(("unlink", "rmdir")) or _OLD.search(done.call)
    cannot_clear = fault.action == shim.FAIL and (fault.sticky or bool(clears))
    now = answer(box.result)
    if cannot_clear:  # what stages single files of a run or a lab folder stands in it; the next command clears it away
        now = {name: told for name, told in now.items() if not _STAGED.search(name)}
    if done.late:
        wrong.append(f"the command did not end: {done.err[-1500:]}")
    elif done.code not in allowed:
        wrong.append(f"exit code {done.code}, not one of {allowed}: {done.told}")
    if "Fatal Python error" in done.err:
        wrong.append(f"it crashed: {done.err[:3000]}")
    if clean and ("Traceback" in done.err or "Exception ignored" in done.err):
        wrong.append(f"a traceback: {done.told}")
    if done.code and clean and not done.err.strip():
        wrong.append("an error without a word")
    if changed := box.foreign():
        wrong.append(f"foreign files: {changed}")
    if done.code == 0 and now != box.new:
        wrong.append(f"exit code 0 and another result: {differences(now, box.new)}")
    if clean and now not in (box.old, box.new) and not _recoverable(box, fault, done):
        wrong.append(f"the result is neither the old nor the new one: {differences(now, box.old)}")
    if now == box.new and done.code and NOTHING_WRITTEN in done.err:
        wrong.append("the new result is in place, and the message says that nothing was written")
    cannot_clear = cannot_clear or (done.code != 0 and box.case.argv[0] == "lab")
    if clean and not cannot_clear and (left := box.litter()):
        wrong.append(f"left behind: {', '.join(left[:4])}")
    return wrong


def _recoverable(box: Box, fault: shim.Fault, done: child.Ended) -> bool:
    """Single files that were decided on are moved by the next command; on a disk that fails for good nothing can be put back."""
    return done.code != 0 and (box.case.argv[0] in ("restore", "lab") or (fault.action == shim.FAIL and fault.sticky))


def next_command(box: Box) -> list[str]:
    """The next command finds the old result or the new one, whole; where there was none it may say that there is none."""
    argv = tuple(box.case.named if word == "ID" else word for word in box.case.reader)
    if argv[0] == "methods":
        return []
    read = box.run(argv)
    now = answer(box.result)
    if box.case.argv[0] == "restore":  # whoever reads a run leaves what a restore has staged in it to the next restore
        now = {name: told for name, told in now.items() if not name.startswith(".restore.quchong-")}
    wrong = []
    if box.old and read.code != 0:
        wrong.append(f"the next command cannot read the earlier run: exit code {read.code}, {read.told}")
    if not box.old and read.code not in (0, 5):
        wrong.append(f"the next command: exit code {read.code}, {read.told}")
    if read.code == 0 and argv[0] == "explain" and now not in (box.old, box.new):
        wrong.append(
            f"after the next command the result is neither the old nor the new one: {differences(now, box.new)}"
        )
    if read.code == 5 and now:
        wrong.append(f"what is no run stands at its place: {', '.join(sorted(now)[:4])}")
    if "Traceback" in read.err:
        wrong.append(f"the next command: a traceback: {read.told}")
    return wrong


def once_more(box: Box) -> list[str]:
    """The command given again does all of it, and leaves nothing but its result."""
    there = answer(box.result)
    argv = box.case.argv if there != box.new else (*box.case.argv, *box.case.again)
    done = box.run(argv)
    now = answer(box.result)
    wrong = []
    put_back = box.case.argv[0] == "restore" and done.code in (0, 2) and now == box.new
    if done.code != 0 and not put_back:
        wrong.append(f"given again: exit code {done.code}, {done.told}")
    elif now != box.new:
        wrong.append(f"given again it has another result: {differences(now, box.new)}")
    if left := box.litter():
        wrong.append(f"left behind after it was given again: {', '.join(left[:4])}")
    if changed := box.foreign():
        wrong.append(f"foreign files after it was given again: {changed}")
    return wrong
