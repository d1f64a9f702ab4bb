"""Connections of a service, limited in number, in the size of their heads, and in the time for one.

A connection on which no complete head arrives in time is closed, and so is one whose caller takes no part of its answer in time. If there
are too many connections, those that have been idle the longest are closed for the next one; if all are busy, the next one is refused at
once, and nothing is kept of it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quchong.languages import Message, speaking
from quchong.serve.heads import headers_of, preferred_language, request_id
from quchong.serve.limits import Limits
from quchong.serve.problems import Problem, problem_bytes

RETRY_SECONDS = 1
"""Seconds after which a caller for whom there was no connection may come again."""


class BoundedConnection(HttpToolsProtocol):
    """Connection of HTTP/1.1 with limits; `limited` makes a class with those of a service."""

    limits = Limits()
    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _since = 0.0
    _head = 0
    _in_head = True

    @property
    def is_idle(self) -> bool:
        """True if no request is in progress."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_made(self, transport: Any) -> None:
        """Make room for the connection, or refuse it, and start its deadline."""
        if len(self.connections) >= self.limits.connections:
            idle = [one for one in self.connections if isinstance(one, BoundedConnection) and one.is_idle]
            if idle:
                oldest = min(idle, key=lambda one: one._since)
                self.connections.discard(oldest)
                oldest.transport.abort()
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            detail = Message(
                "all {:,} connections are in use: send your request again after {} s",
                self.limits.connections,
                RETRY_SECONDS,
            )
            self._refuse(Problem("too-many-connections", detail, headers={"retry-after": str(RETRY_SECONDS)}))
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes; a head that grows too large ends the connection."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        # what is left of several heads in one piece is smaller than the piece: only a head that goes on is counted further
        if self._in_head and self._head > self.limits.header:
            self._refuse(self._too_large())

    def on_headers_complete(self) -> None:
        """Begin the request: its head was small enough, and in time."""
        self._in_head, self._head = False, 0
        if self.transport.is_closing():  # requests behind one that was refused
            return
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.limits.header:
            self._refuse(self._too_large())
            return
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, unless its request was refused."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End the body of a request; what comes next is a head."""
        self._in_head = True
        if not self.transport.is_closing():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Start the deadline of the next request."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Begin to watch whether the caller reads the answer."""
        super().pause_writing()
        self._watch(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Stop watching, because the caller has read most of the answer."""
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadlines of a connection that was closed."""
        for timer in (self._deadline, self._taking):
            if timer is not None:
                timer.cancel()
        self._deadline = self._taking = None
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are not an HTTP request with a problem, and close; the parser's words in `msg` are not used."""
        self._refuse(
            Problem(
                "broken-request",
                Message("this is not a request of HTTP/1.1: check the first line, the headers and the length"),
            )
        )

    def _too_large(self) -> Problem:
        detail = Message(
            "the address and the headers have more than {:,} bytes: make them shorter, and send documents in the body",
            self.limits.header,
        )
        return Problem("head-too-large", detail, limit=self.limits.header)

    def _refuse(self, problem: Problem) -> None:
        """Send a problem and close the connection, even if the caller does not read it.

        It is in the language of the headers that have arrived by then.
        """
        if not self.transport.is_closing():
            headers = headers_of(getattr(self, "headers", None) or ())
            with speaking(preferred_language(headers)):
                self.transport.write(problem_bytes(problem, request_id(headers)))
            self.transport.close()
            self._taking = self.loop.call_later(self.limits.send_seconds, self.transport.abort)

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(self.limits.head_seconds, self._late)

    def _late(self) -> None:
        """Close a connection on which no request began in time; an answer being sent has its own deadline."""
        if not self.is_idle:
            return
        if self.transport.get_write_buffer_size():
            self._wait()
            if self._taking is None:
                self._watch(self.transport.get_write_buffer_size())
        else:
            self.transport.abort()

    def _watch(self, left: int) -> None:
        """Check after some seconds that fewer than `left` bytes are still unsent; otherwise drop the caller."""
        if self._taking is not None:
            self._taking.cancel()
        self._taking = self.loop.call_later(self.limits.send_seconds, self._look, left)

    def _look(self, before: int) -> None:
        self._taking = None
        left = self.transport.get_write_buffer_size()
        if left >= before:
            self.transport.abort()
        elif left:
            self._watch(left)


def limited(limits: Limits) -> type[BoundedConnection]:
    """Return the class of connections with the limits of a service."""
    return type("LimitedConnection", (BoundedConnection,), {"limits": limits})
