"""Processes that answer queries for the process that accepts requests, so that several processors are used.

Each opens the index for reading and sees what was acknowledged before it was asked. Questions and answers are frames of MessagePack on
its standard input and output; it ends when its input ends, so that none outlives the service.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from quchong.api.index import Index
from quchong.engines.index.answers import BadDocument
from quchong.errors import QuchongError
from quchong.serve.outcomes import Outcome, Question, Written, asked_of

_LENGTH = 8
_MOST = 1 << 31


class _Question(msgspec.Struct, array_like=True):
    """Request to an answering process: the documents, their positions, and whether passages are wanted."""

    asked: list[tuple[dict[str, Any], int, bool]]


class _Reply(msgspec.Struct, array_like=True):
    """Outcomes from an answering process: answers, refusals, or one error for all."""

    written: list[tuple[bytes, bool, bool, str | None] | None]
    bad: list[tuple[int, str, bool, bool] | None]
    error: str = ""


_encode = msgspec.msgpack.Encoder().encode
_question = msgspec.msgpack.Decoder(_Question).decode
_reply = msgspec.msgpack.Decoder(_Reply).decode


class _Talk:
    """Connection to an answering process, used by several threads: the next request is sent while one is being answered.

    Args:
        process: the process, whose standard input and output are pipes.

    Attributes:
        ready: set when the process answers. broken: True if it has ended, or may have been sent half a question.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.ready = threading.Event()
        self._sending, self._turn = threading.Lock(), threading.Condition()
        self._sent = self._received = 0
        self.broken = False

    def ask(self, frame: bytes) -> bytes:
        """Return the reply to a request frame; replies come in the order of requests.

        Raises:
            OSError, EOFError: the process has ended.
        """
        asked, told = self.process.stdin, self.process.stdout
        assert asked is not None
        assert told is not None
        with self._sending:
            try:
                _write_frame(asked, frame)
            except BaseException:  # half a frame was sent: what follows would be read as the rest of it
                self.broken = True
                raise
            mine, self._sent = self._sent, self._sent + 1
        with self._turn:
            self._turn.wait_for(lambda: self._received == mine)
        try:
            if self.broken:
                raise EOFError("the other process has ended")
            return _read_frame(told)
        except BaseException:
            self.broken = True
            raise
        finally:
            with self._turn:
                self._received += 1
                self._turn.notify_all()


class Asker:
    """Process that answers queries about an index; while it is not running, queries are answered in this process.

    Several threads may ask: the process then begins the next call without waiting for what is done with the answers to one.

    Args:
        index: the index, open in this process.
        workers: threads of the process; None for all processors.
    """

    def __init__(self, index: Index, workers: int | None = None) -> None:
        self._index, self._workers = index, workers
        self._starting, self._closed = threading.Lock(), False
        self._talk: _Talk | None = None
        self._start(None)

    def _start(self, ended: _Talk | None) -> None:
        """Start a new process in place of one that has ended, unless another thread already did."""
        with self._starting:
            if self._closed or self._talk is not ended:
                return
            if ended is not None:
                ended.process.kill()
                _release(ended.process)
                ended.process.wait()
            # -P: the folder in which the service was started is not searched for modules.
            command = [sys.executable, "-P", "-m", "quchong.serve.asking", _located(self._index)]
            self._talk = _Talk(
                subprocess.Popen([*command, str(self._workers or 0)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            )
            threading.Thread(target=self._await_ready, args=[self._talk], daemon=True).start()

    @staticmethod
    def _await_ready(talk: _Talk) -> None:
        assert talk.process.stdout is not None
        with suppress(OSError, EOFError, ValueError):
            if _read_frame(talk.process.stdout) == b"ready":
                talk.ready.set()

    def __call__(self, asked: Sequence[Question]) -> list[Outcome]:
        """Return the outcome of each query, in order.

        Raises:
            QuchongError: the index cannot answer.
        """
        talk = self._talk
        if talk is not None and talk.ready.is_set():
            with suppress(OSError, EOFError, TypeError, OverflowError, ValueError, msgspec.MsgspecError):
                return _asked_there(talk, asked)
            if talk.broken:
                self._start(talk)
        return asked_of(self._index, asked)

    def close(self) -> None:
        """End the process."""
        with self._starting:
            self._closed = True
        talk = self._talk
        if talk is None:
            return
        _release(talk.process)
        if not talk.ready.is_set():  # it is still starting, and only reads
            talk.process.kill()
        try:
            talk.process.wait(10)
        except subprocess.TimeoutExpired:
            talk.process.kill()
            talk.process.wait()


def _asked_there(talk: _Talk, asked: Sequence[Question]) -> list[Outcome]:
    """Return the outcomes that an answering process gives for these queries.

    Raises:
        OSError, EOFError: it has ended.
        TypeError, OverflowError: a value of a record cannot be sent.
        MsgspecError: it failed.
    """
    frame = _encode(_Question([(dict(one.record), one.place, one.passages) for one in asked]))
    reply = _reply(talk.ask(frame))
    if reply.error:
        raise msgspec.MsgspecError(reply.error)
    return [
        Written(*good) if good is not None else _bad(bad) for good, bad in zip(reply.written, reply.bad, strict=True)
    ]


def _release(process: subprocess.Popen[bytes]) -> None:
    """Close the pipes of a process, so that it ends."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _located(index: Index) -> str:
    """Return the location of an index as an argument for a process in the same folder."""
    return str(index.folder.resolve() if isinstance(index.folder, Path) else index.folder)


def _bad(told: tuple[int, str, bool, bool] | None) -> BadDocument:
    assert told is not None
    return BadDocument(*told)


def _write_frame(stream: IO[bytes], body: bytes) -> None:
    stream.write(len(body).to_bytes(_LENGTH, "little"))
    stream.write(body)
    stream.flush()


def _read_frame(stream: IO[bytes]) -> bytes:
    """Return the next frame.

    Raises:
        EOFError: the stream ends.
    """
    head = stream.read(_LENGTH)
    size = int.from_bytes(head, "little")
    body = stream.read(size) if len(head) == _LENGTH and size <= _MOST else b""
    if len(head) < _LENGTH or len(body) < size:
        raise EOFError("the other process has ended")
    return body


def answer_questions(location: str, workers: int | None) -> None:
    """Answer the query frames on standard input until it ends."""
    asked, told = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    with Index(location, read_only=True, workers=workers) as index:
        _write_frame(told, b"ready")
        with suppress(EOFError, KeyboardInterrupt, BrokenPipeError):
            while True:
                question = _question(_read_frame(asked))
                _write_frame(told, _encode(_answered(index, [Question(*one) for one in question.asked])))


def _answered(index: Index, asked: Sequence[Question]) -> _Reply:
    try:
        outcomes = asked_of(index, asked)
    except (QuchongError, OSError, ValueError, RuntimeError) as error:
        return _Reply([], [], f"{type(error).__name__}: {error}")
    reasons: Mapping[int, BadDocument] = {
        place: one for place, one in enumerate(outcomes) if isinstance(one, BadDocument)
    }
    return _Reply(
        [tuple(one) if isinstance(one, Written) else None for one in outcomes],  # type: ignore[misc]
        [
            (one.place, str.__str__(one.reason), one.known_id, one.again) if (one := reasons.get(place)) else None
            for place in range(len(outcomes))
        ],
    )


if __name__ == "__main__":
    import signal

    # The terminal sends it to all: the service ends this process when it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer_questions(sys.argv[1], int(sys.argv[2]) or None)
