"""Tries every command that takes a run folder on a crafted one, in this process, and tells what was wrong."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
import stat
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from crafted import Stage

import quchong as qc
from quchong.errors import QuchongError

SECRET = "SECRET-7391"
RUNNING = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "pty.spawn",
)
"""Audit events of a process that starts."""


class Watch:
    """Counts processes that are started while a folder is tried."""

    def __init__(self) -> None:
        self.on, self.started = False, 0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: Any) -> None:
        if self.on and event in RUNNING:
            self.started += 1


def state(place: Path) -> dict[str, Any]:
    """All that lies in a folder: kind, mode, owner, target of links, contents."""
    found: dict[str, Any] = {}
    for base, folders, names in os.walk(place):
        for name in (*folders, *names):
            path = Path(base, name)
            about = path.lstat()
            content: Any = None
            if stat.S_ISLNK(about.st_mode):
                content = str(path.readlink())
            elif stat.S_ISREG(about.st_mode) and about.st_size < 1 << 24:
                content = hashlib.blake2b(path.read_bytes()).hexdigest()
            found[str(path.relative_to(place))] = (about.st_mode, about.st_uid, about.st_size, content)
    return found


def _result(run: Path) -> Any:
    return qc.load(run)


def _explain(run: Path, out: Path) -> Any:
    saved = _result(run)
    return [saved.explain(one) for one in ("d7", "d7.txt", "d0", "old")[:2]]


def _each(*acts: Callable[[Any], Any]) -> Callable[[Path, Path], Any]:
    def tried(run: Path, out: Path) -> Any:
        saved, told = _result(run), []
        for act in acts:
            with contextlib.suppress(QuchongError):
                told.append(act(saved))
        return told

    return tried


def _review(run: Path, out: Path) -> Any:
    from quchong.desk.desk import Desk
    from quchong.desk.documents import Documents
    from quchong.desk.run import DeskRun

    saved = _result(run)._run
    desk = DeskRun(saved)
    _ = desk.distance, desk.strata, Desk
    return Documents(desk)._rows(range(min(3, len(desk.documents))))


def _texts(saved: Any) -> Any:
    return saved.texts(["d0", "d7", "d0.txt", "d7.txt", "old"])


READING: dict[str, Callable[[Path, Path], Any]] = {
    "explain": _explain,
    "tables": _each(
        lambda s: s.kept.to_pylist(), lambda s: s.removed.to_pylist(), lambda s: s.skipped, lambda s: s.unscored, lambda s: s.alarms,
        lambda s: s.counts, _texts, lambda s: s.least_similar(), lambda s: s.compare("d0", "d7"), lambda s: s.compare("d0.txt", "d7.txt"),
        lambda s: s.left_alone, lambda s: repr(s), lambda s: s.summary(), lambda s: s.explain("none"),
    ),
    "chains": lambda run, out: _result(run).chains(out=out / "c.jsonl", overwrite=True).to_pylist(),
    "report": lambda run, out: _result(run).report(lang="en").html,
    "workbook": lambda run, out: _result(run).report(out / "x.xlsx"),
    "inspect": _each(lambda s: s.inspect("d0").to_dict(), lambda s: s.inspect("d0.txt", "d7.txt").to_dict()),
    "rethreshold": lambda run, out: _result(run).rethreshold(0.9).ledger.to_pylist(),
    "save": lambda run, out: str(_result(run).save(out / "copy")),
    "annotate": lambda run, out: str(_result(run).save(out / "noted", mode="annotate")),
    "labels": _each(lambda s: s.labels().to_pylist()),
    "review": _review,
    "against": lambda run, out: qc.dedup([{"id": "n", "text": "a text of its own"}], against=run, recall_sample=0).counts,
    "input": lambda run, out: qc.dedup(run, recall_sample=0).kept.to_pylist(),
    "evaluate": lambda run, out: qc.evaluate(_result(run), [{"left_id": "d0", "right_id": "d7", "label": "same"}]),
}  # fmt: skip
WRITING: dict[str, Callable[[Path, Path], Any]] = {
    "restore unknown": lambda run, out: _restore(run, ["none-such"]),
    "restore all": lambda run, out: _restore(run, None),
}


def _restore(run: Path, ids: Any) -> Any:
    from quchong.runs.restore import restore

    return restore(run, ids or (), everything=ids is None)


def try_all(stage: Stage, rng: random.Random, watch: Watch, few: int | None = None) -> Iterator[str]:
    """What was wrong: a traceback, a secret that was shown, a process that started, a change where none may be.

    Args:
        few: of the commands that read so many, drawn; None for all.
    """
    out = stage.place / "out"
    reading = sorted(READING) if few is None else ["explain", *rng.sample(sorted(set(READING) - {"explain"}), few)]
    box = stage.run.parent
    outside, inside = state(stage.outside), state(box)
    for name in [*reading, *WRITING]:
        act = READING.get(name) or WRITING[name]
        out.mkdir(exist_ok=True)
        before, watch.on = watch.started, True
        shown = ""
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                shown = repr(act(stage.run, out))
        except QuchongError as error:
            shown = str(error)
        except Exception:
            yield f"{name}: {traceback.format_exc(limit=-6)}"
        finally:
            watch.on = False
        if SECRET in shown or any(SECRET in text for text in _written(out)):
            yield f"{name}: showed a secret"
        if "which is read here" in shown:  # nothing that is read lies there
            yield f"{name}: refused a place to write: {shown}"
        if watch.started != before:
            yield f"{name}: started a process"
        if (now := state(stage.outside)) != outside:
            yield f"{name}: changed what lies outside: {_unlike(outside, now)}"
            outside = now
        if name in READING and (here := state(box)) != inside:
            yield f"{name}: changed the folder: {_unlike(inside, here)}"
            inside = here


def _written(out: Path) -> Iterator[str]:
    for path in out.rglob("*"):
        if path.is_file() and path.suffix in (".jsonl", ".csv", ".html", ".txt"):
            yield path.read_text(encoding="utf-8", errors="replace")
            path.unlink()


def _unlike(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))[:5]
