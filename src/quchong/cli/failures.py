"""Errors of the system that end a command: whether one is of standard output or of a file, and its message."""

from __future__ import annotations

import traceback

from quchong.errors import reason_of
from quchong.languages import Message, translated
from quchong.languages.message import SYSTEM

_PRINTING = frozenset({"click", "codecs", "encodings"})
"""Packages in which an error of standard output is raised, besides the commands themselves."""


def is_of_standard_output(error: OSError) -> bool:
    """Return True if an error of the system arose where a command prints: it names no file, and a command or click raised it.

    Errors of files are OutputErrors and InputErrors as a rule. One that no module has named is not to be blamed on standard output.

    >>> is_of_standard_output(OSError(28, "No space left on device", "seen/g000002/statistics.part"))
    False
    """
    if error.filename is not None:
        return False
    last = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        last = str(frame.f_globals.get("__name__", ""))
    return last.partition(".")[0] in _PRINTING or last.startswith("quchong.cli.")


def failure_of_file(error: OSError) -> Message:
    """Return the message about a system error that nobody handled, with the name of the file if the error has it."""
    reason = translated(reason_of(error), SYSTEM)
    if error.filename is None:
        return Message("a file cannot be read or written: {}", reason)
    return Message("{} cannot be read or written: {}", error.filename, reason)
