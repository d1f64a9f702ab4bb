"""Stops of `filter`: a stream has no single result, so what must hold is about the texts that went out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import child
import shim
from answers import answer, differences
from boxes import Box
from trial import Outcome

OUT, STATE = "out.jsonl", "state"
WRITTEN = (OUT, "removed.jsonl", "skipped.jsonl", STATE)


def prepared(box: Box) -> Box:
    """Runs the stream undisturbed, and counts its calls."""
    box.untouched = answer(box.folder)
    done = _run(box)
    assert done.code == 0, done
    box.count(done)
    assert _texts(box.folder / OUT)[0] == _given(box), "undisturbed, every text goes out"
    return box


def trial(box: Box, fault: str, at: int) -> Outcome:
    """Fills the box, stops the stream at that call, and checks."""
    kind = shim.FAULTS[fault]
    box.fill()
    done = _run(box, fault=kind, at=at)
    wrong = [*_at_once(box, kind, done), *_state(box, done), *_once_more(box)]
    return Outcome(box.case.name, fault, at, done.fired, done.code, done.call, tuple(wrong))


def _run(box: Box, **more: object) -> child.Ended:
    return box.run(box.case.argv, root=box.folder, stdout=box.folder / OUT, **more)


def _given(box: Box) -> set[str]:
    """All texts of the inputs."""
    found = set()
    for path in box.pristine.glob("[0-9].jsonl"):
        found |= _texts(path)[0]
    return found


def _texts(path: Path) -> tuple[set[str], int, list[bytes]]:
    """Texts of the whole lines of a file, how many lines those are, and the lines that are none."""
    texts, whole, broken = set(), 0, []
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            texts.add(json.loads(line)["text"])
            whole += 1
        except (ValueError, KeyError, TypeError):
            broken += [line] if line else []
    return texts, whole, broken


def _at_once(box: Box, fault: shim.Fault, done: child.Ended) -> list[str]:
    wrong = []
    allowed = fault.allowed if done.fired else (0,)
    if done.late:
        wrong.append(f"the command did not end: {done.err[-1500:]}")
    elif done.code not in allowed:
        wrong.append(f"exit code {done.code}, not one of {allowed}: {done.told}")
    if done.code >= 0 and ("Traceback" in done.err or "Exception ignored" in done.err):
        wrong.append(f"a traceback: {done.told}")
    if changed := _foreign(box):
        wrong.append(f"foreign files: {changed}")
    if done.code in (0, 130) and "stopped twice" not in done.err:
        lines = sum(len([line for line in (box.folder / name).read_bytes().split(b"\n") if line])
                    for name in WRITTEN[:3] if (box.folder / name).exists())  # fmt: skip
        read = sum(int(line.split()[1].replace(",", "")) for line in done.err.splitlines() if line.startswith("read "))
        if lines != read:
            wrong.append(f"it says that {read} records were read, and {lines} stand in its outputs")
    return wrong


def _foreign(box: Box) -> str:
    now = answer(box.folder)
    return differences({k: v for k, v in now.items() if k in box.untouched}, box.untouched)


def _state(box: Box, done: child.Ended) -> list[str]:
    """The state can be read, and holds no text that has not gone out."""
    state = box.folder / STATE
    if not state.exists():
        return []
    copy, out = box.scratch / "state", box.scratch / "unknown.jsonl"
    out.unlink(missing_ok=True)
    shutil.copyfile(state, copy)
    options = tuple(o for o in box.case.argv[box.case.argv.index("state") + 1 :])
    read = box.run(("filter", "0.jsonl", "1.jsonl", "2.jsonl", "--state", str(copy), *options), stdout=out)
    if read.code:
        return [f"the state cannot be read: {read.told}"]
    known, gone = _given(box) - _texts(out)[0], _texts(box.folder / OUT)[0]
    wrong = []
    if known - gone:
        wrong.append(f"the state knows {len(known - gone)} texts that have not gone out: they are lost")
    if done.code in (0, 130) and gone - known and "stopped twice" not in done.err:
        wrong.append(f"{len(gone - known)} texts went out that the state does not know")
    return wrong


def _once_more(box: Box) -> list[str]:
    """Given again every text has gone out, and no two lines have become one."""
    done = _run(box)
    wrong = [] if done.code == 0 else [f"given again: exit code {done.code}, {done.told}"]
    texts, _, broken = _texts(box.folder / OUT)
    given = _given(box)
    if given - texts:
        wrong.append(f"{len(given - texts)} texts are lost")
    records = [
        line for path in sorted(box.pristine.glob("[0-9].jsonl")) for line in path.read_bytes().split(b"\n") if line
    ]
    broken += _texts(box.folder / "removed.jsonl")[2]
    if glued := [line for line in broken if not any(record.startswith(line) for record in records)]:
        wrong.append(f"a line that is no record and no beginning of one: {glued[0][:80]!r}")
    left = sorted(answer(box.folder).keys() - box.untouched.keys() - set(WRITTEN))
    if left:
        wrong.append(f"left behind after it was given again: {', '.join(left[:4])}")
    if changed := _foreign(box):
        wrong.append(f"foreign files after it was given again: {changed}")
    return wrong
