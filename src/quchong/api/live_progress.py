"""Progress of a run on standard error: bars with rate and remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

from quchong.languages import stage_told
from quchong.report.text_width import padded
from quchong.report.visible import NOTHING, Shown, compose


def _print(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"


def format_memory(now: int, given: int | None, in_files: int) -> str:
    """Format the use of memory: bytes in use, the limit, and bytes moved to files."""
    whole = compose("{} of {}", Shown(_size(now)), Shown(_size(given))) if given else _size(now)
    return compose("{}, {} in files", Shown(whole), Shown(_size(in_files))) if in_files >= 1e6 else whole


class LiveLines:
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

    def remark(self, message: str) -> None:
        """Print a message on its own line."""
        _print(compose("{}", message))

    def close(self) -> None:
        """Print the line of the last stage."""
        if self.name:
            seconds = time.perf_counter() - self.start
            rate = compose(", {:,.0f}/s", self.done / seconds) if self.done and seconds > 0 else NOTHING
            name, unit = stage_told(self.name), stage_told(self.unit)
            also = compose("; {}", Shown(format_memory(*self.told))) if self.told and self.told[2] >= 1e6 else NOTHING
            if self.done:
                _print(compose("{}: {:,} {} in {:.2f} s{}{}", name, self.done, unit, seconds, rate, also))
            else:
                _print(compose("{} in {:.2f} s{}", name, seconds, also))
        self.name = ""


class LiveBars:
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
        self.task = self.bars.add_task(
            escape(padded(compose("{}", stage_told(name)), 22)), total=total, count="", rate="", memory=""
        )

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

    def remark(self, message: str) -> None:
        """Print a message above the bars."""
        self.bars.console.print(compose("{}", message))

    def close(self) -> None:
        """Fill the last bar and stop drawing."""
        self._fill()
        self.bars.stop()


def live_progress() -> LiveBars | LiveLines:
    """Return bars if standard error is a terminal, else lines; its method `close` ends them."""
    return LiveBars() if sys.stderr.isatty() else LiveLines()
