"""An input that grows, is cut, is replaced or rewritten while a command reads it."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import corpus
import shim
from answers import Answer, differences
from ground import QUIET, Ground, Situation, stopping

KINDS = ("jsonl", "jsonl.gz", "csv", "parquet", "arrow", "warc", "texts")
TABLES = ("kept", "removed", "ledger.parquet", "pairs.parquet", "clusters.parquet", "documents.parquet")


def _other(ground: Ground, kind: str) -> Path:
    """The same input with other rows, elsewhere."""
    folder = ground.scratch / "other"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder / corpus.write(folder, kind, corpus.rows(30, 44))


def _grown(path: Path, other: Path) -> None:
    with _first(path).open("ab") as file:
        file.write(_first(other).read_bytes())


def _cut(path: Path, other: Path) -> None:
    place = _first(path)
    with place.open("r+b") as file:
        file.truncate(place.stat().st_size // 2)


def _replaced(path: Path, other: Path) -> None:
    if path.is_dir():
        path.rename(path.with_name("was"))
    other.rename(path) if path.is_dir() else shutil.move(other, path)


def _rewritten(path: Path, other: Path) -> None:
    """In place, and the same in size."""
    place = _first(path)
    raw, new = place.read_bytes(), _first(other).read_bytes()
    with place.open("r+b") as file:
        file.write((new * (len(raw) // len(new) + 1))[: len(raw)])


def _gone(path: Path, other: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def _first(path: Path) -> Path:
    return sorted(path.iterdir())[1] if path.is_dir() else path


CHANGES: dict[str, Callable[[Path, Path], None]] = {
    "grown": _grown, "cut": _cut, "replaced": _replaced, "rewritten": _rewritten, "gone": _gone,
}  # fmt: skip


def _answer(ground: Ground, run: str) -> Answer:
    """What a run decided: its rows and tables."""
    return {k: v for k, v in ground.at(run).items() if k.startswith(TABLES)}


def changing(ground: Ground, kind: str, change: str, share: float) -> None:
    """Changed after this share of the reading: an error with exit code 3, or the answer for one of both, never a mix."""
    name = ground.write(kind)
    argv = ("dedup", name, "-o", "run", *QUIET)
    read = ground.good(*argv, root=ground.folder).reads
    answers = {"old": _answer(ground, "run")}
    shutil.rmtree(ground.folder / "run", ignore_errors=True)
    one = ground.start(*argv, **stopping(shim.READS, max(1, round(share * read))))
    if one.stopped():
        CHANGES[change](ground.folder / name, _other(ground, kind))
        one.signal(signal.SIGCONT)
    done = one.end()
    ground.code = done.code
    ground.demand("Traceback" not in done.err, f"a traceback: {done.told}")
    ground.demand(done.code in (0, 3), f"exit code {done.code}: {done.told}")
    if done.code:
        ground.demand(not ground.at("run"), "an error, and a result")
        return
    now = _answer(ground, "run")
    if now == answers["old"]:
        return
    (ground.folder / "run").rename(ground.folder / "mixed")
    again = ground.run(*argv)
    new = _answer(ground, "run") if again.code == 0 else {}
    told = f"{differences(now, answers['old'])}; {differences(now, new)}"
    ground.demand(now == new, f"neither the old input's answer nor the new one's: {told}")


CHANGING: dict[str, Situation] = {
    f"changing/{kind}-{change}-{share:g}": partial(changing, kind=kind, change=change, share=share)
    for kind in KINDS
    for change in CHANGES
    for share in (0.05, 0.3, 0.5, 0.7, 0.95)
}
