"""Pool of processes that read pages.

A page that crashes its process, hangs or needs too much memory is skipped with a reason; the pages sent with it are
read again one by one. Processes are plain children fed through pipes: nothing is forked while locks are held, and the
calling script is not run again.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
from collections import deque

import pyarrow as pa

from quchong.errors import QuchongError
from quchong.languages import Message
from quchong.pages.worker import READ, receive, send
from quchong.progress import start_interpreter, uncount_child

PATIENCE = 60.0
"""Maximum time in seconds for one chunk before its process is killed.

The slowest page within the limits of `read_page` takes a tenth of it.
"""


class _Process:
    """Child process that reads pages; `ask` sends it a chunk and waits for the result."""

    def __init__(self, body: str) -> None:
        self.body, self.parent = body, os.getpid()
        self._child = start_interpreter(f"from quchong.pages.worker import main; main({body!r})")
        self._late = False
        self._greeted = False

    def greet(self) -> None:
        """Wait until the process has started.

        Raises:
            QuchongError: the process did not start; no page is the cause.
        """
        if not self._greeted and self._answer(None) is None:
            self.end()
            raise QuchongError(Message("the process that reads pages could not be started with {}", sys.executable))
        self._greeted = True

    def ask(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """Return the result for a batch; None if the process crashed or was killed."""
        return self._answer(batch)

    def _answer(self, batch: pa.RecordBatch | None) -> pa.RecordBatch | None:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        timer = threading.Timer(PATIENCE, self._lose_patience)
        timer.daemon = True
        timer.start()
        try:
            if batch is not None:
                send(self._child.stdin, batch)
            return receive(self._child.stdout)
        except (OSError, ValueError, pa.ArrowInvalid):  # gone while it was written to
            return None
        finally:
            timer.cancel()

    def _lose_patience(self) -> None:
        self._late = True
        self._child.kill()

    def why(self) -> str:
        """Return the reason why the process ended."""
        return (
            Message("reading the page took longer than {:g} s", PATIENCE)
            if self._late
            else Message(
                "the child process that parsed this page ended unexpectedly: try this page alone, or check the file"
            )
        )

    def end(self) -> None:
        """Kill the process and close its pipes."""
        self._child.kill()
        self._child.wait()
        uncount_child(self._child.pid)
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


_idle = list[_Process]()
_lock = threading.Lock()


def _started(body: str) -> _Process:
    with _lock:
        for i, process in enumerate(_idle):
            if process.body == body and process.parent == os.getpid():
                return _idle.pop(i)
    return _Process(body)


@atexit.register
def end_processes() -> None:
    """Kill the processes that wait for pages; the next batch starts new ones."""
    with _lock:
        while _idle:
            process = _idle.pop()
            if process.parent == os.getpid():
                process.end()


def on_processes(  # noqa: C901 - the threads that serve share its state
    chunks: deque[tuple[int, pa.RecordBatch]], parts: dict[int, pa.RecordBatch], body: str, workers: int
) -> None:
    """Read chunks on processes, one thread per process, and store each result in `parts` by its number."""
    running, stop, failed = list[_Process](), threading.Event(), list[BaseException]()

    def start() -> _Process:
        process = _started(body)
        with _lock:
            running.append(process)
        process.greet()
        return process

    def drop(process: _Process) -> None:
        process.end()
        with _lock:
            running.remove(process)

    def serve() -> None:
        process: _Process | None = None
        try:
            while not stop.is_set():
                try:
                    place, batch = chunks.popleft()
                except IndexError:
                    break
                answers = list[pa.RecordBatch]()
                todo = deque([batch])
                while todo and not stop.is_set():
                    part = todo.popleft()
                    process = process or start()
                    answer = process.ask(part)
                    if answer is not None:
                        answers.append(answer)
                        continue
                    why = process.why()
                    drop(process)
                    process = None
                    # a chunk whose process died is split into single pages, to find the one that is to blame
                    if part.num_rows > 1:
                        todo.extendleft(part.slice(i, 1) for i in reversed(range(part.num_rows)))
                    else:
                        nothing = [pa.nulls(1, pa.large_string())] * 5
                        answers.append(pa.record_batch([*nothing, pa.array([why], pa.large_string())], READ))
                if len(answers) == 1:
                    parts[place] = answers[0]
                elif not stop.is_set():
                    parts[place] = pa.Table.from_batches(answers, READ).combine_chunks().to_batches()[0]
            if process is not None:
                with _lock:
                    running.remove(process)
                    _idle.append(process)
        except BaseException as error:  # a thread must not end in silence
            failed.append(error)
            stop.set()

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(workers)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)  # so that Ctrl-C is heard
    except BaseException:
        stop.set()
        raise
    finally:
        while stop.is_set() and any(thread.is_alive() for thread in threads):
            with _lock:
                left = list(running)
            for process in left:
                process.end()  # its thread hears of it at once
            threads[0].join(0.02)
        if stop.is_set():
            for process in running:
                process.end()
            end_processes()
    if failed:
        raise failed[0]
