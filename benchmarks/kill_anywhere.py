"""Kills large runs at random moments, by kill -9, and holds what they end with to a run that nobody stopped.

    python benchmarks/kill_anywhere.py --report docs/results/faults.md        # about 15 minutes on two processors

For each method a run over short posts is done once, without work that is kept. Then the same command with `--work` and a budget of
memory so small that arrays lie in files is killed, with all its processes, and given again until it ends: a round. Every file of its
run folder must then be that of the undisturbed run byte for byte, run.json but for times, and nothing may be left beside it. Rounds
follow each other until so many kills have struck runs that had work under way. Moments are drawn from a seed; where in a run they fall
depends on the machine.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quchong.runs.manifest import TIMED

HERE = Path(__file__).parent
METHODS = ("hybrid", "two-stage", "ccdet")
STAGES = ("read", "documents", "classes", "candidates", "scored", "found", "decided", "pairs", "clusters", "ledger")
"""Values of work in the order in which a run makes them; some come in pieces."""
HEADING = "## Killed at random moments"
STARTING = 0.3
"""Seconds in which nothing but Python starts: no moment is drawn from them."""


@dataclass
class Figures:
    """What became of a method's runs."""

    method: str
    seconds: float = 0.0
    starts: int = 0
    early: int = 0
    """Kills before any work stood in its folder."""
    struck: Counter[str] = field(default_factory=Counter)
    """Kills by the last stage that was done."""
    rounds: int = 0
    went_on: int = 0
    """Starts that told what had been done before."""
    wrong: list[str] = field(default_factory=list)

    @property
    def kills(self) -> int:
        """Those that struck work under way."""
        return self.struck.total()


def content(run: Path) -> dict[str, Any]:
    """All files of a run folder: bytes, and of run.json what does not tell of time and memory."""
    found: dict[str, Any] = {p.relative_to(run).as_posix(): p.read_bytes() for p in run.rglob("*") if p.is_file()}
    about = json.loads(found.pop("run.json"))
    about["counts"].pop("peak_memory_bytes", None)
    return found | {"run.json": {name: value for name, value in about.items() if name not in (*TIMED, "command")}}


class Box:
    """A folder with the posts, and all that runs over them leave."""

    def __init__(self, folder: Path, posts: Path, method: str, memory: str) -> None:
        self.folder, self.posts, self.method = folder, posts, method
        self.run, self.work, self.temporary = folder / "run", folder / "work", folder / "tmp"
        folder.mkdir()
        self.temporary.mkdir()
        self.kept = ["--work", str(self.work), "--memory", memory]

    def started(self, out: Path, *options: str) -> subprocess.Popen[bytes]:
        """A run in a group of processes of its own."""
        argv = [sys.executable, "-m", "quchong", "dedup", str(self.posts), "-o", str(out), "--method", self.method]
        with (self.folder.parent / f"{self.method}.err").open("wb") as told:
            return subprocess.Popen(
                [*argv, *options],
                stdout=subprocess.DEVNULL,
                stderr=told,
                start_new_session=True,
                env=os.environ | {"TMPDIR": str(self.temporary), "QUCHONG_LANG": "en"},
            )

    @property
    def told(self) -> str:
        """What the last run said."""
        return (self.folder.parent / f"{self.method}.err").read_text("utf-8", "replace")

    def done(self) -> str | None:
        """The last stage that stands in the work; None where there is no work."""
        names = {path.stem.partition("-")[0] for path in self.work.rglob("*.value")} if self.work.is_dir() else set()
        if not any(self.work.rglob("work.json")):
            return None
        return next((name for name in reversed(STAGES) if name in names), "none")

    def litter(self) -> list[str]:
        """All in the box that no finished run leaves."""
        ours = {self.run, self.work, self.temporary}
        found = [path for path in self.folder.iterdir() if path not in ours]
        found += [path for folder in (self.work, self.temporary) if folder.is_dir() for path in folder.iterdir()]
        return sorted(path.relative_to(self.folder).as_posix() for path in found)


def killed(box: Box, moments: random.Random, longest: float, figures: Figures) -> int | None:
    """One start, killed at a moment or ended before: its exit code, None where it was killed."""
    process = box.started(box.run, *box.kept)
    figures.starts += 1
    try:
        return process.wait(moments.uniform(STARTING, longest))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        if (code := process.wait()) != -signal.SIGKILL:  # it ended in between
            return code
        if (done := box.done()) is None:
            figures.early += 1
        else:
            figures.struck["the run stood at its place" if box.run.exists() else done] += 1
        return None
    finally:
        figures.went_on += "goes on where it was stopped" in box.told


def method_figures(box: Box, kills: int, seed: int) -> Figures:
    """Rounds of one method."""
    figures, moments = Figures(box.method), random.Random(f"{seed}/{box.method}")
    plain = box.folder.parent / "plain"
    if box.started(plain).wait():
        raise SystemExit(f"{box.method} does not run by itself: {box.told}")
    expected = content(plain)
    start = time.perf_counter()
    if box.started(box.run, *box.kept).wait() or content(box.run) != expected or box.litter():
        raise SystemExit(f"{box.method} with --work is another run, or leaves {box.litter()}: {box.told}")
    figures.seconds = time.perf_counter() - start
    shutil.rmtree(box.run)
    while figures.kills < kills:
        code = killed(box, moments, figures.seconds, figures)
        if code is None and not box.run.exists():
            continue
        # The run stands at its place: ended, or killed while it cleared up. What is left then goes with the next run to that place.
        figures.rounds += 1
        wrong = []
        if code:
            wrong.append(f"exit code {code}: {box.told[-300:]}")
        elif content(box.run) != expected:
            wrong.append("other bytes: " + ", ".join(differing(content(box.run), expected)))
        if code == 0 and (left := box.litter()):
            wrong.append(f"left behind: {', '.join(left)}")
        if wrong:
            figures.wrong += [f"after {figures.kills} kills, {one}" for one in wrong]
            shutil.rmtree(box.work, ignore_errors=True)
        shutil.rmtree(box.run, ignore_errors=True)
        print(
            f"{box.method}: {figures.kills} kills, {figures.rounds} rounds, {len(figures.wrong)} wrong",
            *wrong,
            flush=True,
        )
    if (code := box.started(box.run, *box.kept).wait()) or content(box.run) != expected or box.litter():
        figures.wrong.append(f"the last run: exit code {code}, left {box.litter()}: {box.told[-300:]}")
    shutil.rmtree(plain)
    return figures


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Files that two runs do not have alike."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def page(all_figures: list[Figures], documents: int, memory: str, seed: int) -> str:
    """The section of the page of results."""
    wrong = sum(len(one.wrong) for one in all_figures)
    lines = [
        HEADING, "",
        f"Written by `python benchmarks/kill_anywhere.py --documents {documents} --memory {memory} --seed {seed} --report ...` on "
        f"{datetime.datetime.now(datetime.UTC).date()}: kill -9 of `quchong dedup --work W --memory {memory}` over {documents:,} posts; "
        f"{wrong} findings. *Kills* hit a run that had saved work, *early* ones a run that had none yet. A *round* ends when a "
        "run completes; each of its files was then compared with those of an uninterrupted run. *Resumed* counts starts that found stages "
        "done.", "",
        "| method | seconds uninterrupted | starts | kills | early | rounds | resumed | wrong |", "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    lines += [
        f"| {one.method} | {one.seconds:.1f} | {one.starts} | {one.kills} | {one.early} | {one.rounds} | {one.went_on} | {len(one.wrong)} |"
        for one in all_figures
    ]
    names = [
        name for name in ("none", *STAGES, "the run stood at its place") if any(f.struck[name] for f in all_figures)
    ]
    lines += ["", "| last stage done at the kill | " + " | ".join(one.method for one in all_figures) + " |"]
    lines += ["|---" * (len(all_figures) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(str(one.struck[name]) for one in all_figures) + " |" for name in names]
    found = [f"- {one.method}: {said}" for one in all_figures for said in one.wrong]
    return "\n".join([*lines, *([""] if found else []), *found]) + "\n"


def put(section: str, path: Path) -> None:
    """Writes the section into a page, over the one that stands there, else behind all."""
    text = path.read_text("utf-8") if path.exists() else ""
    before = re.compile(rf"^{re.escape(HEADING)}\n.*?(?=^## |\Z)", re.S | re.M)
    text = before.sub(lambda _: section + "\n", text) if before.search(text) else f"{text.rstrip()}\n\n{section}"
    text = text.rstrip("\n") + "\n"
    path.write_text(text, "utf-8")


def main() -> None:
    """Reads the options, kills and tells."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--kills", type=int, default=50, help="of each method")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--memory", default="400M")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="page of results that gets the table")
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory(prefix="kill-anywhere-") as folder:
        posts = Path(folder) / "posts.parquet"
        subprocess.run([sys.executable, HERE / "make_posts.py", str(given.documents), posts], check=True)
        for method in given.methods.split(","):
            found.append(
                method_figures(Box(Path(folder) / method, posts, method, given.memory), given.kills, given.seed)
            )
    section = page(found, given.documents, given.memory, given.seed)
    print(section)
    if given.report:
        put(section, given.report)
    sys.exit(any(one.wrong for one in found))


if __name__ == "__main__":
    main()
