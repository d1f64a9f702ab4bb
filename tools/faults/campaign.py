"""Draws stops until time is up, and tells of those after which something was wrong."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import random
import shutil
import time
from pathlib import Path

import boxes
import report
import shim
import situations
import stream
import trial
from boxes import Box
from cases import CASES

WARM = ("quchong.cli.dedup", "quchong.cli.filter", "quchong.cli.passages", "quchong.cli.restore", "quchong.cli.statistics",
        "quchong.cli.explain", "quchong_lab.command", "quchong.cli.methods", "quchong.api", "quchong.cli.printing",
        "quchong.cli.progress", "quchong.runs.restore", "quchong.results.cutting", "quchong.engines.stream",
        "quchong.methods.bases.stream_filters", "quchong_lab", "pyarrow.parquet", "pyarrow.csv",
        "pyarrow.feather", "resiliparse.extract.html2text", "quchong.cli.spark",
        "quchong.cli.main", "pyarrow.dataset", "email.parser", "numpy.random", "pandas")  # fmt: skip
"""Imported before anything is forked off, pandas since Arrow does where it is installed; none of them starts a thread."""


EVEN = (
    "kill",
    "int",
    "enospc",
    "kill-after",
    "term",
    "eio-stays",
    "kill-half",
    "hup",
    "erofs-stays",
    "int-twice",
    "edquot",
)
"""Kinds of stop of a run without chance."""


def listing() -> str:
    """Cases, kinds of stop and situations."""
    return "\n".join(["cases", *(f"  {n}" for n in CASES), "stops", *(f"  {n}@N" for n in shim.FAULTS),
                      "situations", *(f"  {n}" for n in situations.SITUATIONS)])  # fmt: skip


def _again(case: str, fault: str | None, at: int = 0) -> str:
    return f"python tools/faults --case {case}" + (f" --fault {fault}@{at}" if fault else "")


class Campaign:
    """One run of the tool."""

    def __init__(self, asked: argparse.Namespace, work: Path) -> None:
        self.asked, self.work = asked, work
        self.seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
        self.until = time.monotonic() + asked.seconds
        self.outcomes: list[trial.Outcome] = []
        self.boxes: dict[str, Box] = {}
        self.undisturbed: set[str] = set()

    def run(self) -> int:
        """Runs it; 1 when something was wrong."""
        for module in WARM:
            with contextlib.suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module)
        importlib.import_module("quchong.text.normalise").tables()  # read once, here
        begun = time.monotonic()
        if self.asked.case:
            for name in self.asked.case:
                self._one(name)
        else:
            print(f"seed {self.seed}: the same stops again with --seed {self.seed}", flush=True)
            self._many()
        summary = report.summary(self.outcomes, self.seed, time.monotonic() - begun)
        print(summary)
        if self.asked.report:
            report.write(self.asked.report, self.outcomes, f"seed {self.seed}")
        return int(any(one.wrong for one in self.outcomes))

    def _one(self, name: str) -> None:
        if name in situations.SITUATIONS:
            self._situation(name)
        elif not self.asked.fault:
            for fault, at in self._even(name):
                self._stop(name, fault, at)
        else:
            fault, at = self.asked.fault.split("@")
            self._stop(name, fault, int(at))

    def _many(self) -> None:
        names = [name for name in CASES if self.asked.cases in name and self.asked.only != "situations"]
        for name in situations.SITUATIONS:
            if self.asked.cases in name and self.asked.only != "stops" and not self._over():
                self._situation(name)
        rng = random.Random(self.seed)
        while names and not self._over():
            if not self.asked.even:
                rng.shuffle(names)
            for name in names:
                for fault, at in self._even(name) if self.asked.even else self._drawn(name, rng):
                    if self._over():
                        return
                    self._stop(name, fault, at)
            if self.asked.even:
                return

    def _over(self) -> bool:
        return time.monotonic() > self.until or (
            self.asked.stops is not None and len(self.outcomes) >= self.asked.stops
        )

    def _drawn(self, name: str, rng: random.Random) -> list[tuple[str, int]]:
        """A few stops of one case: making its box costs as much as one."""
        box, found = self._box(name), []
        for _ in range(1 if box.case.slow else 5):
            fault = rng.choice(list(shim.FAULTS))
            calls = box.reads if shim.FAULTS[fault].kind == shim.READS else box.changes
            if calls and calls == box.changes and rng.random() < 0.6:
                found.append((fault, rng.choice(box.turns)))
            elif calls:
                found.append((fault, rng.randint(1, calls)))
        return found

    def _even(self, name: str) -> list[tuple[str, int]]:
        """Calls that are more than a write, at most --stops of them evenly spread, the kinds of stop in turn: no chance."""
        turns = self._box(name).turns
        count = min(len(turns), self.asked.stops or len(turns))
        places = [turns[-1 - n * (len(turns) - 1) // max(count - 1, 1)] for n in range(count)]
        return [(EVEN[n % len(EVEN)], at) for n, at in enumerate(places)]

    def _box(self, name: str) -> Box:
        if self.boxes.get("now") is None or self.boxes["now"].case.name != name:
            made = boxes.make(CASES[name], self.work)
            self.boxes["now"] = stream.prepared(made) if made.case.stream else made
            if made.wrong and name not in self.undisturbed:
                self.undisturbed.add(name)
                self._take(trial.Outcome(name, "", 0, False, 0, "undisturbed", tuple(made.wrong)), made.folder)
        return self.boxes["now"]

    def _stop(self, name: str, fault: str, at: int) -> None:
        box = self._box(name)
        self._take((stream if box.case.stream else trial).trial(box, fault, at), box.folder)

    def _situation(self, name: str) -> None:
        self._take(situations.run(name, self.work), self.work / "box")

    def _take(self, outcome: trial.Outcome, folder: Path) -> None:
        self.outcomes.append(outcome)
        report.log(self.asked.kept / f"stops-{self.seed}.jsonl", outcome)
        what = f"{outcome.case} {outcome.fault}@{outcome.at}" if outcome.fault else outcome.case
        if not outcome.wrong:
            if not self.asked.quiet:
                print(f"ok     {what} (exit {outcome.code}{', ' + outcome.call if outcome.call else ''})", flush=True)
            return
        kept = self.asked.kept / what.replace(" ", "-").replace("/", "-")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, symlinks=True, ignore_dangling_symlinks=True)
        print(f"WRONG  {what} (exit {outcome.code}, {outcome.call})", flush=True)
        for line in outcome.wrong:
            print(f"       {line}")
        print(f"       folder: {kept}; again: {_again(outcome.case, outcome.fault or None, outcome.at)}", flush=True)
