"""Estimate of a run, printed instead of the run, or as a line above its progress."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quchong.cli.printing import print_alarms, say, say_json
from quchong.languages import Message

if TYPE_CHECKING:
    from quchong.engines.local.estimate import Estimate


def _bytes(size: int | None) -> Message:
    if size is None:
        return Message("not known before all input is read")
    return Message("{:,.1f} GB", size / 1e9) if size >= 1e9 else Message("{:,.0f} MB", size / 1e6)


def _time(seconds: float | None) -> Message:
    if seconds is None:
        return Message("not known before all input is read")
    if seconds >= 120:
        return Message("{:,.0f} min", seconds / 60)
    return Message("{:,.0f} s", seconds) if seconds >= 10 else Message("{:,.1f} s", seconds)


APART = 1.5
"""Both figures are shown if the higher exceeds the lower by more than this factor."""
_ANYWHERE = Message(
    "the lower figures are for copies near each other, the higher ones and all others for copies anywhere in the input"
)


def _is_wide(found: Estimate) -> bool:
    """Return True if where copies lie decides how long the run takes, or how much it writes."""
    spans = (found.least_seconds, found.seconds), (found.least_files, found.files)
    return any(most is not None and least is not None and most > APART * least for least, most in spans)


def _span(found: Estimate, lower: Message, higher: Message) -> Message:
    """Return the higher figure of an estimate; both figures, if where copies lie decides and they are not the same in print."""
    return Message("{} to {}", lower, higher) if _is_wide(found) and str(lower) != str(higher) else higher


def _times(found: Estimate) -> Message:
    return _span(found, _time(found.least_seconds), _time(found.seconds))


def _files(found: Estimate) -> Message:
    return _span(found, _bytes(found.least_files), _bytes(found.files))


def print_estimate(inputs: Any, out: str | None, options: dict[str, Any], as_json: bool) -> None:
    """Print the estimate of a run, as text or as JSON.

    Raises:
        InputError: nothing was read.
    """
    from quchong.api import estimate
    from quchong.runs.nothing_read import check_estimate

    found = estimate(inputs, out=None if out is None else Path(out), **options)
    check_estimate(found.sampled, found.documents)
    if as_json:
        say_json(asdict(found))
        return
    many = (
        Message("not known before all input is read")
        if found.documents is None
        else Message("about {:,}", found.documents)
    )
    say("documents             {}", many)
    say("time                  {}", _times(found))
    if found.given is None:
        say("memory                {}", _bytes(found.memory))
    else:
        say("memory                {} of {}", _bytes(found.memory), _bytes(found.given))
    say("files during the run  {}, {} are free", _files(found), _bytes(found.free))
    if out is not None:
        say("run folder            {}", _bytes(found.output))
    if _is_wide(found):
        say("{}", _ANYWHERE)
    say("estimated from a run over {:,} documents; nothing was written", found.sampled)
    if (warning := room_warning(found)) is not None:
        say("{}", warning, fg="yellow")
    if found.beyond is not None:
        say("warning: {}", found.beyond, fg="yellow")
    print_alarms(found.alarms)


def plan_line(found: Estimate) -> Message:
    """Return the estimate of a large run in one line."""
    held = _bytes(found.memory)
    if found.given is not None:
        held = Message("{} of {}", held, _bytes(found.given))
    said = Message("plan: {:,} documents, about {}; memory {}", found.documents, _times(found), held)
    if found.files:
        said = Message("{}; files during the run: {}, free disk space: {}", said, _files(found), _bytes(found.free))
    return Message("{} ({})", said, _ANYWHERE) if _is_wide(found) else said


def room_warning(found: Estimate) -> Message | None:
    """Return a warning if a disk may be too small, else None. Nothing is refused, because it is an estimate."""
    if found.short is None:
        return None
    return Message(
        "warning: {} may not have enough room: make room, or name a folder on another disk with --work. If the "
        "disk becomes full, the run stops and keeps its work; the same command resumes it",
        found.short,
    )
