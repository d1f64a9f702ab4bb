"""The command line a run folder is made by, which run.json names.

A run in Python has none. The command line says what it is here, not in the calls it makes: nothing they do depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_command: ContextVar[Sequence[str] | None] = ContextVar("command", default=None)


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
