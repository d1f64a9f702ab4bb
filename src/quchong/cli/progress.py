"""Progress of a run: bars with rate and remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quchong.api.live_progress import LiveBars, LiveLines
from quchong.cli.estimate import plan_line, room_warning
from quchong.cli.printing import say
from quchong.languages import COMMA, Message, join_messages
from quchong.report.visible import compose

if TYPE_CHECKING:
    from quchong.engines.local.estimate import Estimate

_STAGES = {
    "documents": Message("reading"), "classes": Message("finding exact copies"), "candidates": Message("finding candidates"),
    "found": Message("verifying"), "decided": Message("choosing survivors"), "clusters": Message("making tables"),
}  # fmt: skip
_PARTS = {"read": Message("a part of reading"), "scored": Message("a part of verifying")}


def done_before(names: Sequence[str]) -> Message:
    """Return a message on how far an interrupted run had progressed, from the names of its stored values."""
    told = [said for name, said in _STAGES.items() if name in names]
    told += [said for name, said in _PARTS.items() if any(one.startswith(f"{name}-") for one in names)]
    return join_messages(told, COMMA) if told else Message("nothing")


class Lines(LiveLines):
    """Progress as lines, with the estimate of a large run and the stages that an interrupted run had completed."""

    def planned(self, found: Estimate) -> None:
        """Print the estimate of a large run, and a warning if a disk may be too small."""
        say("{}", plan_line(found), err=True)
        if (warning := room_warning(found)) is not None:
            say("{}", warning, err=True, fg="yellow")

    def resumed(self, done: Sequence[str]) -> None:
        """Print the stages that the interrupted run had completed."""
        say("resuming the stopped run; stages that were finished before: {}", done_before(done), err=True)


class Bars(LiveBars):
    """Progress bars, with the estimate of a large run and the finished stages of a resumed run above them."""

    def planned(self, found: Estimate) -> None:
        """Print the estimate of a large run, and a warning if a disk may be too small."""
        self.bars.console.print(compose("{}", plan_line(found)), markup=False, highlight=False)
        if (warning := room_warning(found)) is not None:
            self.bars.console.print(compose("{}", warning), style="yellow", markup=False, highlight=False)

    def resumed(self, done: Sequence[str]) -> None:
        """Print the stages that the interrupted run had completed."""
        self.bars.console.print(
            compose("resuming the stopped run; stages that were finished before: {}", done_before(done))
        )


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
    """Progress of many runs: the first run is shown stage by stage, all later runs as one bar that counts runs.

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
