"""The command line a run folder is made by, which run.json names, and what it asks for, which `work.json` of a stopped run holds.

A run in Python has neither. The command line says it here, not in the calls it makes: nothing they do depends on it, but that a run which
goes on (`going_on`) refuses to begin anew.
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
    """Within, every run.json names this command: its arguments, without the name of the program."""
    before = _command.set(command)
    try:
        yield
    finally:
        _command.reset(before)


def command_line() -> dict[str, Any]:
    """What run.json says of the command; nothing where there is none."""
    command = _command.get()
    return {} if command is None else {"command": list(command)}


@contextmanager
def asked_for(request: Mapping[str, Any]) -> Iterator[None]:
    """Within, every `work.json` holds what was asked for: plain values by name, as `resume` takes them."""
    before = _request.set(request)
    try:
        yield
    finally:
        _request.reset(before)


def request() -> dict[str, Any]:
    """What `work.json` says of what was asked for; nothing where there is no command."""
    asked = _request.get()
    return {} if asked is None else {"request": dict(asked)}


@contextmanager
def going_on(folder: Path, key: str) -> Iterator[None]:
    """Within, a run goes on with the work of this folder and this key, or not at all."""
    before = _work.set((folder, key))
    try:
        yield
    finally:
        _work.reset(before)


def goes_on_with() -> tuple[Path, str] | None:
    """The folder and the key of the work that a run must go on with; None where it may begin anew."""
    return _work.get()
