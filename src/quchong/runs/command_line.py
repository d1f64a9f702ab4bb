"""Command line that makes a run, recorded in run.json, and its request, recorded in `work.json`.

A run in Python has neither. The command line sets these as context variables and not as arguments of its calls, because they have no
effect on a run; only a run that must continue (`going_on`) refuses to start over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

_command: ContextVar[Sequence[str] | None] = ContextVar("command", default=None)
_request: ContextVar[Mapping[str, Any] | None] = ContextVar("request", default=None)
_work: ContextVar[tuple[Path, str] | None] = ContextVar("work", default=None)


@contextmanager
def made_by(command: Sequence[str]) -> Iterator[None]:
    """Record this command in every run.json written in the block: its arguments, without the name of the program."""
    before = _command.set(command)
    try:
        yield
    finally:
        _command.reset(before)


def command_line() -> dict[str, Any]:
    """Return the entry of run.json about the command; empty for a run in Python."""
    command = _command.get()
    return {} if command is None else {"command": _without_secrets(list(command))}


@contextmanager
def asked_for(request: Mapping[str, Any]) -> Iterator[None]:
    """Record this request in every `work.json` written in the block: plain values by name, as `resume` reads them."""
    before = _request.set(request)
    try:
        yield
    finally:
        _request.reset(before)


def request() -> dict[str, Any]:
    """Return the entry of `work.json` about the request; empty for a run in Python."""
    asked = _request.get()
    return {} if asked is None else {"request": {name: _without_secrets(value) for name, value in asked.items()}}


def _without_secrets(value: Any) -> Any:
    """Return a JSON value in which addresses have no passwords and signatures."""
    from quchong.io.files.addresses import redacted  # with PyArrow, which help does without

    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, Mapping):
        return {name: _without_secrets(one) for name, one in value.items()}
    return [_without_secrets(one) for one in value] if isinstance(value, list | tuple) else value


@contextmanager
def going_on(folder: Path, key: str) -> Iterator[None]:
    """Require every run in the block to continue the work with this folder and key; otherwise it fails."""
    before = _work.set((folder, key))
    try:
        yield
    finally:
        _work.reset(before)


def goes_on_with() -> tuple[Path, str] | None:
    """Return folder and key of the work that a run must continue; None if it may start anew."""
    return _work.get()
