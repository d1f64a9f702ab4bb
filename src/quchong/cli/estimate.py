"""What a run will take, printed before it begins."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from quchong.api import estimate
from quchong.cli.printing import say, say_json
from quchong.languages import Message


def _bytes(size: int | None) -> Message:
    if size is None:
        return Message("not known before all is read")
    return Message("{:,.1f} GB", size / 1e9) if size >= 1e9 else Message("{:,.0f} MB", size / 1e6)


def _time(seconds: float | None) -> Message:
    if seconds is None:
        return Message("not known before all is read")
    return Message("{:,.0f} min", seconds / 60) if seconds >= 120 else Message("{:,.1f} s", seconds)


def print_estimate(inputs: Any, out: str | None, options: dict[str, Any], as_json: bool) -> None:
    """Prints the estimate of a run, or as JSON on stdout."""
    found = estimate(inputs, out=None if out is None else Path(out), **options)
    if as_json:
        say_json(asdict(found))
        return
    many = (
        Message("not known before all is read") if found.documents is None else Message("about {:,}", found.documents)
    )
    say("documents             {}", many)
    say("time                  {}", _time(found.seconds))
    if found.given is None:
        say("memory                {}", _bytes(found.memory))
    else:
        say("memory                {} of {}", _bytes(found.memory), _bytes(found.given))
    say("files meanwhile       {}, {} are free", _bytes(found.files), _bytes(found.free))
    say("reckoned from a run over {:,} documents; nothing was written", found.sampled)
