"""Connections of a service, limited in number, in the size of their heads, and in the time for one.

A connection on which no complete head arrives in time is closed. If there are too many connections, those that have been idle the longest
are closed for the next one; if all are busy, the next one is refused at once, and nothing is kept of it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quchong.serve.limits import Limits

_TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: 26\r\nconnection: close\r\n\r\nthe head is too large here"
)
_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 1\r\n"
    b"content-length: 20\r\nconnection: close\r\n\r\ntoo many connections"
)


class BoundedConnection(HttpToolsProtocol):
    """Connection of HTTP/1.1 with limits; `limited` makes a class with those of a service."""

    limits = Limits()
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _since = 0.0
    _head = 0

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
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take bytes; a head that grows too large ends the connection."""
        if self.transport.is_closing():
            return
        reading_head = self.is_idle
        self._head += len(data)
        super().data_received(data)
        if reading_head and self.is_idle and self._head > self.limits.header and not self.transport.is_closing():
            self.transport.write(_TOO_LARGE)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Begin the request: its head was small enough, and in time."""
        large = self._head > 0 and sum(len(name) + len(value) + 4 for name, value in self.headers) > self.limits.header
        if large:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Start the deadline of the next request."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give a caller who takes no part of its answer some time, after which it is cut off."""
        self._stalled = self.loop.call_later(self.limits.send_seconds, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on: the caller takes its answer."""
        if self._stalled is not None:
            self._stalled.cancel()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline of a connection that was closed."""
        for timer in (self._deadline, self._stalled):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._since, self._head = self.loop.time(), 0
        self._deadline = self.loop.call_later(self.limits.head_seconds, self._late)

    def _late(self) -> None:
        if self.is_idle:
            self.transport.abort()


def limited(limits: Limits) -> type[BoundedConnection]:
    """Return the class of connections with the limits of a service."""
    return type("LimitedConnection", (BoundedConnection,), {"limits": limits})
