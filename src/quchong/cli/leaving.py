"""End of the process of a command whose work is done."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn

UNWRITTEN = 120
"""Exit code if standard output cannot be written to its end; Python uses the same."""


def leave(code: int) -> NoReturn:
    """End the process at once with this exit code, after `atexit` functions have run and output is flushed.

    The interpreter is not finalised, for two reasons. Finalising waits for all threads, and one may hang in a dead mount. And a
    thread of Arrow that still releases a NumPy array would ask for the lock of an interpreter that is being finalised, which aborts the
    process (exit code 134 after a complete run: docs/decisions/0298).
    """
    try:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is None:  # closed before the command began: nobody wants to read it
                continue
            try:
                stream.flush()
            except BrokenPipeError:
                pass  # nobody reads on
            except (OSError, ValueError):  # full, or closed meanwhile
                code = code or UNWRITTEN
    finally:  # a signal among them
        os._exit(code)
