"""Many pages at once, on processes: the library that parses pages keeps Python's lock, so threads would wait for each other.

A page that crashes its process, hangs in it or asks for too much memory costs only itself: the pages sent along with it
are read again one by one, and it is skipped with a reason. Processes are plain children fed through pipes: nothing is
forked with locks held, and the script that calls is not run again.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import UsageError
from quchong.kernels.dispatch import threads_of
from quchong.pages.page import BODIES, LARGEST
from quchong.pages.worker import READ, read_batch, receive, send

CHUNK_BYTES, CHUNK_PAGES = 4 << 20, 64
"""What is sent to a process at once."""
SMALL_BYTES, SMALL_PAGES = 4 << 20, 32
"""A batch within both is read here: starting a process would take longer."""
PATIENCE = 60.0
"""Seconds a process may take for what was sent to it before it is ended. The slowest page the bounds of `read_page` let
through takes a tenth of that."""


@dataclass(frozen=True, slots=True)
class PagesBatch:
    """What was read from pages, aligned with them: arrays of large_string.

    A page that could not be read has null in all of them, and its place and the reason in `reasons`. `text`, `blocks`,
    `title`, `url`, `time` are those of `quchong.pages.Page`, null where a page does not say.
    """

    text: pa.Array
    blocks: pa.Array
    title: pa.Array
    url: pa.Array
    time: pa.Array
    reasons: dict[int, str] = field(default_factory=dict)


def read_pages(
    html: pa.Array, body: str = "main", content_type: pa.Array | None = None, workers: int | None = None
) -> PagesBatch:
    """Reads pages, on `workers` processes (None: one a core); small batches are read in this one.

    Args:
        html: large_binary (or binary) as they came, or large_string already decoded; no nulls.
        body: see `quchong.pages.BODIES`.
        content_type: headers they came with, strings as many as pages, null where there was none.
        workers: at least 1. Processes stay for the next batch and end with this one.

    The same for any number of workers, but for pages ended for the time they took. Empty for no pages.

    Raises:
        UsageError: an unknown body, a missing extra, or a number of workers below 1.
    """
    if body not in BODIES:
        raise UsageError(f"unknown --body {body!r}: use {', '.join(BODIES[:-1])} or {BODIES[-1]}")
    workers = threads_of(workers)
    _needs(body)
    reasons, taken = dict[int, str](), list[int]()
    sizes = np.asarray(pc.binary_length(html).fill_null(0)).astype(np.int64)
    for i in np.flatnonzero(sizes > LARGEST).tolist():  # never sent anywhere
        reasons[i] = f"a page of {sizes[i]:,} bytes; at most {LARGEST:,} are read"
    taken = np.flatnonzero(sizes <= LARGEST).tolist()
    columns = {"html": html} | ({} if content_type is None else {"content_type": content_type.cast(pa.large_string())})
    table = pa.record_batch(list(columns.values()), list(columns))
    parts = dict[int, pa.RecordBatch]()
    if len(taken) <= SMALL_PAGES and int(sizes[taken].sum()) <= SMALL_BYTES:
        rows = table.take(pa.array(taken, pa.int64()))
        said = rows.column("content_type") if content_type is not None else None
        parts[0] = read_batch(rows.column("html"), said, body)
    else:
        chunks = deque[tuple[int, pa.RecordBatch]]()
        for place, (start, end) in enumerate(_chunks(sizes[taken])):
            chunks.append((place, table.take(pa.array(taken[start:end], pa.int64()))))
        _on_processes(chunks, parts, body, min(workers, len(chunks)))
    read = pa.Table.from_batches([parts[i] for i in sorted(parts)], READ).combine_chunks()
    for i, reason in zip(taken, read.column("reason").to_pylist(), strict=True):
        if reason is not None:
            reasons[i] = reason
    where = np.full(len(html), -1, np.int64)
    where[taken] = np.arange(len(taken))
    index = pa.array(where, mask=where < 0)
    names = ("text", "blocks", "title", "url", "time")
    text, blocks, title, url, time = (_whole(read.column(name).take(index)) for name in names)
    return PagesBatch(text, blocks, title, url, time, dict(sorted(reasons.items())))


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], pa.large_string())


def _needs(body: str) -> None:
    """Says which extra is missing before anything is started."""
    try:
        import resiliparse.extract.html2text  # noqa: F401
    except ImportError as error:
        raise UsageError("reading pages needs the extra html: pip install 'quchong[html]'") from error
    if body == "accurate":
        from quchong.pages.accurate import library

        library()


def _chunks(sizes: np.ndarray) -> list[tuple[int, int]]:
    out, start, total = list[tuple[int, int]](), 0, 0
    for i, size in enumerate(sizes.tolist()):
        if i > start and (total + size > CHUNK_BYTES or i - start >= CHUNK_PAGES):
            out.append((start, i))
            start, total = i, 0
        total += size
    return [*out, (start, len(sizes))] if len(sizes) else out


class _Process:
    """A child that reads pages; `ask` sends it some and waits for what it read."""

    def __init__(self, body: str) -> None:
        self.body, self.parent = body, os.getpid()
        path = os.pathsep.join(p for p in sys.path if p)
        call = f"from quchong.pages.worker import main; main({body!r})"
        # A session of its own: Ctrl-C reaches this process alone, which ends its children itself.
        self._child = subprocess.Popen(
            [sys.executable, "-c", call],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        self._late = False

    def ask(self, batch: pa.RecordBatch) -> pa.RecordBatch | None:
        """What it read; None where it crashed or was ended."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        timer = threading.Timer(PATIENCE, self._lose_patience)
        timer.daemon = True
        timer.start()
        try:
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
        """Why it is gone."""
        return f"reading it took longer than {PATIENCE:g} s" if self._late else "reading it ended the process that did"

    def end(self) -> None:
        """Ends it, whatever it does, and takes its pipes away."""
        self._child.kill()
        self._child.wait()
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
    """Ends the processes that wait for pages; the next batch starts new ones."""
    with _lock:
        while _idle:
            process = _idle.pop()
            if process.parent == os.getpid():
                process.end()


def _on_processes(
    chunks: deque[tuple[int, pa.RecordBatch]], parts: dict[int, pa.RecordBatch], body: str, workers: int
) -> None:
    """One thread a process: each takes the next chunk until none is left; `parts` gets the answers by place."""
    running, stop, failed = list[_Process](), threading.Event(), list[BaseException]()

    def start() -> _Process:
        process = _started(body)
        with _lock:
            running.append(process)
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
