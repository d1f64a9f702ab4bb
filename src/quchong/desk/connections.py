"""Connections of the desk, limited in number and in waiting time.

Everybody on this machine can connect, with or without the token, so the desk limits every connection: one on which no
complete request arrives in time is closed, and if there are too many, those that have been idle the longest are
closed for the next one. A browser whose idle connection was closed opens another; a request in progress is never
interrupted.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 64
"""Maximum number of connections at a time."""
PATIENCE = 20.0
"""Maximum time in seconds for a complete request, from the opening of the connection or the end of the last answer."""


class BoundedConnection(H11Protocol):
    """Connection of HTTP/1.1 with a deadline for each request, however slowly its bytes arrive."""

    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0

    @property
    def is_idle(self) -> bool:
        """True if no request is in progress."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def connection_made(self, transport: Any) -> None:
        """Close idle connections if there are too many, and start the deadline of this one."""
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
        """Start the deadline of the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline of a connection that was closed."""
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
