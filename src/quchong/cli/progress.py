"""Progress of a run: bars with rate and remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quchong.cli.estimate import plan_line, room_warning
from quchong.cli.printing import pad, say
from quchong.languages import COMMA, Message, join_messages, stage_told
from quchong.report.visible import NOTHING, Shown, compose

if TYPE_CHECKING:
    from quchong.engines.local.estimate import Estimate

_STAGES = {
    "documents": Message("reading"), "classes": Message("finding exact copies"), "candidates": Message("finding candidates"),
    "found": Message("verifying"), "decided": Message("choosing survivors"), "clusters": Message("making tables"),
}  # fmt: skip
_PARTS = {"read": Message("a part of reading"), "scored": Message("a part of verifying")}


def done_before(names: Sequence[str]) -> Message:
    """Describe how far an interrupted run had progressed, from the names of its stored values."""
    told = [said for name, said in _STAGES.items() if name in names]
    told += [said for name, said in _PARTS.items() if any(one.startswith(f"{name}-") for one in names)]
    return join_messages(told, COMMA) if told else Message("nothing")


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"


def format_memory(now: int, given: int | None, in_files: int) -> str:
    """Format the use of memory: bytes in use, the limit, and bytes moved to files."""
    whole = compose("{} of {}", Shown(_size(now)), Shown(_size(given))) if given else _size(now)
    return compose("{}, {} in files", Shown(whole), Shown(_size(in_files))) if in_files >= 1e6 else whole


class Lines:
    """Progress as one line on standard error at the end of each stage."""

    def __init__(self) -> None:
        self.name = ""
        self.done = 0
        self.unit = ""
        self.start = 0.0
        self.told: tuple[int, int | None, int] | None = None

    def memory(self, now: int, given: int | None, in_files: int) -> None:
        """Store the bytes in use, the limit, and the bytes moved to files, for the line of the stage."""
        self.told = (now, given, in_files)

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a stage and print the previous one; a repeated name continues the stage."""
        if name == self.name:
            return
        self.close()
        self.name, self.done, self.unit, self.start = name, 0, unit, time.perf_counter()

    def advance(self, amount: int) -> None:
        """Add to the count of the stage."""
        self.done += amount

    def planned(self, found: Estimate) -> None:
        """Print the estimate of a large run, and a warning if a disk may be too small."""
        say("{}", plan_line(found), err=True)
        if (warning := room_warning(found)) is not None:
            say("{}", warning, err=True, fg="yellow")

    def resumed(self, done: Sequence[str]) -> None:
        """Print the stages that an interrupted run had done."""
        say("resuming where it was stopped; done before: {}", done_before(done), err=True)

    def remark(self, message: str) -> None:
        """Print a message on its own line."""
        say("{}", message, err=True)

    def close(self) -> None:
        """Print the line of the last stage."""
        if self.name:
            seconds = time.perf_counter() - self.start
            rate = compose(", {:,.0f}/s", self.done / seconds) if self.done and seconds > 0 else NOTHING
            name, unit = stage_told(self.name), stage_told(self.unit)
            also = compose("; {}", Shown(format_memory(*self.told))) if self.told and self.told[2] >= 1e6 else NOTHING
            if self.done:
                say("{}: {:,} {} in {:.2f} s{}{}", name, self.done, unit, seconds, rate, also, err=True)
            else:
                say("{} in {:.2f} s{}", name, seconds, also, err=True)
        self.name = ""


class Bars:
    """Progress as bars drawn by rich: done, rate, remaining time."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bars: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[memory]}"),
            console=Console(stderr=True),
        )
        self.bars.start()
        self.task: Any = None
        self.name = ""
        self.start = 0.0
        self.done = 0
        self.total: int | None = None
        self.unit = ""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a new bar and fill the previous one; a repeated name continues its bar, with a larger total."""
        from rich.markup import escape

        if name == self.name:
            self.total = None if total is None or self.total is None else self.total + total
            self.bars.update(self.task, total=self.total)
            return
        self._fill()
        self.name = name
        self.start, self.done, self.total, self.unit = time.perf_counter(), 0, total, unit
        self.task = self.bars.add_task(escape(pad(stage_told(name), 22)), total=total, count="", rate="", memory="")

    def memory(self, now: int, given: int | None, in_files: int) -> None:
        """Show the memory in use, its limit, and the bytes moved to files."""
        if self.task is not None:
            self.bars.update(self.task, memory=format_memory(now, given, in_files))

    def advance(self, amount: int) -> None:
        """Move the current bar, and update its rate."""
        self.done += amount
        seconds = time.perf_counter() - self.start
        rate = f"{self.done / seconds:,.0f}/s" if seconds > 0 else ""
        self.bars.update(self.task, advance=amount, rate=rate, count=self._count(self.total))

    def _count(self, total: int | None) -> str:
        """Return the count of the bar, followed by the expected total if that is larger."""
        beside = f"/{total:,}" if total is not None and total > self.done else ""
        return compose("{:,}{} {}", self.done, Shown(beside), stage_told(self.unit))

    def _fill(self) -> None:
        """Fill the bar, whatever total was expected, because that may have been an estimate. A stage without counting shows no count."""
        if self.task is not None:
            full = self.done or 1
            self.bars.update(self.task, total=full, completed=full, count=self._count(None) if self.done else "")

    def planned(self, found: Estimate) -> None:
        """Print the estimate of a large run, and a warning if a disk may be too small."""
        self.bars.console.print(compose("{}", plan_line(found)), markup=False, highlight=False)
        if (warning := room_warning(found)) is not None:
            self.bars.console.print(compose("{}", warning), style="yellow", markup=False, highlight=False)

    def resumed(self, done: Sequence[str]) -> None:
        """Print the stages that an interrupted run had done."""
        self.bars.console.print(compose("resuming where it was stopped; done before: {}", done_before(done)))

    def remark(self, message: str) -> None:
        """Print a message above the bars."""
        self.bars.console.print(compose("{}", message))

    def close(self) -> None:
        """Fill the last bar and stop drawing."""
        self._fill()
        self.bars.stop()


class Remarks(Lines):
    """Progress that prints remarks, the estimate of a large run, and what an interrupted one had done, but no stages."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Ignore the stage."""

    def advance(self, amount: int) -> None:
        """Ignore the amount."""

    def close(self) -> None:
        """Do nothing, as there is no line of a stage."""


class Quiet:
    """Progress that shows nothing."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Ignore the stage, as nothing is shown."""

    def advance(self, amount: int) -> None:
        """Ignore the amount, as nothing is shown."""

    def close(self) -> None:
        """Do nothing, as nothing is shown."""


class Further:
    """Progress of many runs: the first run by its stages, unless it was shown before; all others as one bar that counts them.

    Args:
        shown: the progress that is drawn.
        first: True if the first run is still to come.
    """

    def __init__(self, shown: Bars | Lines | Quiet, *, first: bool = True) -> None:
        self.shown = shown
        self.first = first
        self.begins: str | None = None
        self.name = ""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Show a stage of the first run; for later runs, count one when the stage is the one that the first run began with."""
        begins = self.begins is None or name == self.begins != self.name
        if begins and self.begins is not None:
            self.first = False
        if begins and not self.first:
            self.shown.stage("further runs", None, "runs")
            self.shown.advance(1)
        self.begins, self.name = self.begins or name, name
        if self.first:
            self.shown.stage(name, total, unit)

    def advance(self, amount: int) -> None:
        """Add to the count of a stage of the first run."""
        if self.first:
            self.shown.advance(amount)

    def memory(self, now: int, given: int | None, in_files: int) -> None:
        """Show the memory in use, its limit, and the bytes moved to files."""
        if not isinstance(self.shown, Quiet):
            self.shown.memory(now, given, in_files)

    def remark(self, message: str) -> None:
        """Print a message of the first run; those of others are dropped."""
        if self.first and not isinstance(self.shown, Quiet):
            self.shown.remark(message)

    def close(self) -> None:
        """Close the underlying progress."""
        self.shown.close()


def watcher(quiet: bool, *, lines: bool = False) -> Bars | Lines | Quiet:
    """Return bars on a terminal, no progress if `quiet`; elsewhere remarks alone, or with `lines` a line for each stage."""
    if quiet:
        return Quiet()
    if sys.stderr.isatty():
        return Bars()
    return Lines() if lines else Remarks()
