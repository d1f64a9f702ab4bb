"""Child processes of a run that execute code of this package, fed through pipes."""

from __future__ import annotations

import os
import subprocess
import sys

from quchong.progress.memory import count_child


def start_interpreter(call: str) -> subprocess.Popen[bytes]:
    """Start a Python interpreter that executes a statement, with this one's search path, and pipes for its standard input and output.

    Its memory counts as that of this process, until `uncount_child`.

    Raises:
        OSError: no process may be started.
    """
    # -P: the working folder is not searched for modules. A session of its own: Ctrl-C reaches this process alone, which ends its children.
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", call],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        start_new_session=True,
    )
    count_child(child.pid)
    return child
