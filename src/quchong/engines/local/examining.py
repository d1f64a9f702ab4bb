"""Examination of blocks of pairs in worker processes, so that several processors find differences at a time.

Differences are read by the interpreter, of which a process runs one thread at a time. The processes are plain children that are fed
through pipes: nothing is forked while locks are held, and the calling script is not run again. What none of them can do, the run does
itself, so that its results do not depend on them.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any

import numpy as np

from quchong.decision.difference_lists import DifferenceLists
from quchong.engines.local.examining_process import Pairs, examined, message_of
from quchong.kernels.checked import threads_of
from quchong.plan.plan import Plan
from quchong.progress import start_interpreter, uncount_child
from quchong.seam import active_differences
from quchong.work.values import receive_value, send_value

PAIRS = 50_000
"""Candidate pairs for each process beside a run; starting one takes a second of a processor."""
MEMORY = 1 << 30
"""Bytes of a run's memory limit for each process, the run itself among them."""
MOST = 15
"""Maximum number of processes beside a run."""
_PATIENCE = 5.0
"""Seconds after which a process that does not end is killed."""
_CALL = "from quchong.engines.local.examining_process import main; main()"


class _Process:
    """Child process that examines blocks of pairs by the steps that it is started with."""

    def __init__(self, steps: list[Any]) -> None:
        self._child = start_interpreter(_CALL)
        with suppress(OSError):  # it has ended already, which is noticed when it is asked
            self._send(steps)

    def _send(self, message: list[Any]) -> None:
        assert self._child.stdin is not None
        send_value(self._child.stdin, message)

    def ask(self, pairs: Pairs) -> Any:
        """Return the answer to a block of pairs; None if the process cannot examine it.

        Raises:
            OSError, EOFError: the process has ended.
        """
        assert self._child.stdout is not None
        self._send(pairs.message())
        return receive_value(self._child.stdout)

    def end(self) -> None:
        """End the process, at once if it waits for a block."""
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            self._child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        uncount_child(self._child.pid)


class Examining:
    """Examination of blocks of pairs by the threads of a run and by processes beside it. A context, left when all is examined.

    Args:
        plan: the method that has the steps of the examination, and the number of workers.
        memory: memory limit of the run in bytes; None for no limit.
    """

    def __init__(self, plan: Plan, memory: int | None = None) -> None:
        self._steps, self._workers, self._memory = active_differences(plan.method), plan.workers, memory
        self._free: SimpleQueue[_Process] = SimpleQueue()
        self._all: list[_Process] = []

    def __enter__(self) -> Examining:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._all:
            process.end()
        self._all.clear()

    @property
    def processes(self) -> int:
        """Number of processes that were started."""
        return len(self._all)

    def begin(self, pairs: int) -> None:
        """Start processes for a number of candidate pairs, unless some were started before."""
        count = 0 if self._all else self._worth(pairs)
        message = message_of(self._steps) if count and self._steps is not None else None
        if message is None:
            return
        with suppress(OSError):  # where no process may be started, threads do all
            for _ in range(count):
                self._all.append(_Process(message))
                self._free.put(self._all[-1])

    def _worth(self, pairs: int) -> int:
        """Return how many child processes are worth starting for `pairs` candidate pairs; 0 without a Python interpreter."""
        if not sys.executable or getattr(sys, "frozen", False):
            return 0
        room = MOST if self._memory is None else self._memory // MEMORY - 1
        return max(0, min(threads_of(self._workers) - 1, pairs // PAIRS, room, MOST))

    def examined(self, pairs: Pairs) -> tuple[dict[str, np.ndarray], DifferenceLists | None]:
        """Return the extended measures of a block and its lists of differences, if the method determines any. Thread-safe.

        A process that is free examines it, else the calling thread.
        """
        if self._steps is None:
            return dict(pairs.measures), None
        with suppress(Empty):
            process = self._free.get_nowait()
            if (answer := self._answer_of(process, pairs)) is not None:
                told, arrays = answer
                return told, DifferenceLists.of_arrays(arrays)
        return examined(self._steps, pairs, self._workers)

    def _answer_of(self, process: _Process, pairs: Pairs) -> tuple[dict[str, np.ndarray], Sequence[np.ndarray]] | None:
        """Return a process's answer for a block; None if it has ended or cannot answer."""
        with suppress(OSError, EOFError):
            answer = process.ask(pairs)
            self._free.put(process)
            return None if answer is None else (answer[0], answer[1])
        return None
