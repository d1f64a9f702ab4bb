"""Ends the process of a command whose work is done."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn

UNWRITTEN = 120
"""Exit code where standard output cannot be written to its end, as Python itself has it."""


def leave(code: int) -> NoReturn:
    """Ends the process at once with this exit code, after what is to be done at its end (`atexit`) and what is still to be printed.

    Python is not taken apart. Whoever waits for its threads waits for one that hangs in a dead mount as long as that hangs. And a
    thread of Arrow that still lets go of an array of NumPy asks for the lock of an interpreter that is going, which aborts the process
    (exit code 134 of a run that was whole: docs/decisions/0107).
    """
    try:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BrokenPipeError:
                pass  # nobody reads on
            except (OSError, ValueError, AttributeError):  # full, closed, or none at all
                code = code or UNWRITTEN
    finally:  # a signal among them
        os._exit(code)
