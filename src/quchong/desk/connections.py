"""Connections of the desk: few, and none that waits for long.

Whoever is on this machine can connect, with or without the token. So the desk counts on nobody: a connection on which no whole request
comes in time is closed, and where there are too many, those that have been idle for longest make room for the next one. A browser whose
idle connection was closed opens another; a request under way is never cut off.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 64
"""Connections at a time."""
PATIENCE = 20.0
"""Seconds in which a whole request has to come, from the opening of the connection or the end of the last answer."""


class BoundedConnection(H11Protocol):
    """A connection of HTTP/1.1 with a deadline for each request, however slowly its bytes come in."""

    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0

    @property
    def is_idle(self) -> bool:
        """Is no request under way?"""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_made(self, transport: Any) -> None:
        """Make room for the connection where there are too many, and begin to wait."""
        while len(self.connections) >= MOST:
            idle = [one for one in self.connections if isinstance(one, BoundedConnection) and one.is_idle]
            if not idle:
                break
            oldest = min(idle, key=lambda one: one._since)
            self.connections.discard(oldest)
            oldest._close()
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(PATIENCE, self._late)

    def _late(self) -> None:
        if self.is_idle:
            self._close()

    def _close(self) -> None:
        self.transport.abort()
