"""Outputs of `quchong filter`: passed records, removed records, bad records, and the tally."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from quchong.cli.printing import pad, say
from quchong.cli.wrapping import width
from quchong.languages import Message, retold
from quchong.report.visible import Shown, shown_name

if TYPE_CHECKING:
    from quchong.engines.stream import Decided, Stream
    from quchong.io.files.streams import Output
    from quchong.io.source import Bad

SHOWN = 20
"""Maximum number of bad records that are reported one by one; the others are only counted."""


_PAGE_BEGINS = (b"<!doctype html", b"<html")
"""Beginnings of a web page, in small letters."""
SHOWN_FIRST = 3
"""Maximum number reported before a record was read: if none can be read, one error says why at the end."""


class Sinks:
    """Outputs of decided records: stdout for passed ones, and files for removed and bad ones, each None without one."""

    def __init__(self, removed: Output | None, skipped: Output | None) -> None:
        self.removed, self.skipped = removed, skipped
        self.told = 0
        self.held: list[Bad] = []
        self.broken_json = False
        self.page = False
        self._readable = False

    def take(self, decided: Decided | None) -> None:
        """Write decided records to their outputs, and flush stdout; None does nothing."""
        from quchong.io.skipped_file import skipped_line

        if decided is None:
            return
        if decided.passed:
            sys.stdout.buffer.write(decided.passed)
            sys.stdout.buffer.flush()
        if self.removed is not None and decided.removed:
            self.removed.write(decided.removed)
        if (decided.passed or decided.removed) and not self._readable:
            self._readable = True
            self._report(self.held)
        for one in decided.bad:
            if self.skipped is not None:
                self.skipped.write(skipped_line(one))
            self.broken_json |= str(one.reason).startswith("broken JSON")
            self.page |= one.row == 0 and one.raw.lstrip().lower().startswith(_PAGE_BEGINS)
        self._report(decided.bad)

    def report_held(self) -> None:
        """Report the bad records that were held back, a few of them if no record was read."""
        held = self.held if self._readable else self.held[:SHOWN_FIRST]
        self._readable, self.held = True, []
        self._report(held)

    def _report(self, bad: Sequence[Bad]) -> None:
        """Report bad records, and hold some back until a record was read: lines that are no JSON, and all but a few of the others.

        If no line is JSON, one error says at the end what to do.
        """
        for one in bad:
            if not self._readable and (self.told >= SHOWN_FIRST or str(one.reason).startswith("broken JSON")):
                if len(self.held) <= SHOWN:
                    self.held.append(one)
                continue
            if self.told < SHOWN:
                say(
                    "quchong: {}, line {}: {}",
                    one.source,
                    one.line,
                    Shown(shown_name(retold(one.reason), 1000)),
                    err=True,
                )
            elif self.told == SHOWN:
                say("quchong: further bad records are only counted; --skipped FILE writes all of them", err=True)
            self.told += 1


def written_on(path: Path, append: bool) -> Output:
    """Open an output file; with `append` an unfinished last line, as of a killed process, is ended first."""
    from quchong.io.files.input_file import reading
    from quchong.io.files.streams import Output

    cut = False
    if append and os.path.isfile(path):
        with reading(path), path.open("rb") as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                cut = file.read(1) != b"\n"
    output = Output(path, append=append)
    if cut:
        output.write(b"\n")
    return output


def print_tally(stream: Stream, before: float, state: Path | None) -> None:
    """Print the counts of read, passed, removed and bad records to stderr."""
    tally, made = stream.tally, stream.filter
    for name, key in stream.found.items():
        say("{}: {}", name, Message("the column {} is read as {}", key, Message("the text")), err=True)
    wrong = made.expected_wrongly_removed - before
    rows: list[tuple[Message, str]] = [
        (Message("read"), f"{tally.read:,}"),
        (Message("passed"), f"{tally.passed:,}"),
        (Message("removed"), f"{tally.removed:,}"),
    ]
    if tally.skipped:
        rows.append((Message("could not be read"), f"{tally.skipped:,}"))
    rows.append((Message("wrongly removed (expected)"), f"{wrong:.3g}" if wrong >= 1e-9 else "0"))
    refuted = getattr(made, "refuted", None)
    if refuted is not None:
        rows.append((Message("wrong hits found"), f"{refuted:,}"))
    rows.append((Message("filter"), Message("{:,} texts in {:,.1f} MB", made.count, made.memory_bytes / 1e6)))
    if state is not None:
        rows.append((Message("state"), str(state)))
    widest = max(width(pad(name, 0)) for name, _ in rows)
    for name, value in rows:
        say("{}  {}", pad(name, widest), value, err=True)
