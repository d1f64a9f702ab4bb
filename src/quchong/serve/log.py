"""Log of a service: one JSON object for each request, without texts unless they are asked for."""

from __future__ import annotations

import datetime
import sys
import traceback
from typing import IO, Any

import orjson

from quchong.errors import QuchongError

SLOW_FIELDS = 512
"""Most characters of one value in the log."""


class RequestLog:
    """Log of requests, a line each.

    Args:
        stream: where lines are written; None for standard error.
        on: False writes errors only.
    """

    def __init__(self, stream: IO[str] | None = None, *, on: bool = True) -> None:
        self._stream, self._on = stream, on

    def write(self, scope: Any, state: dict[str, Any], status: int, size: int, seconds: float) -> None:
        """Write the log line of a request; an unexpected error also has its location in the program."""
        error: BaseException | None = state.get("error")
        if not (self._on or error):
            return
        caller = state.get("caller")
        client = scope.get("client") or ("", 0)
        line: dict[str, Any] = {
            "time": now(), "level": "error" if error else "info", "request": state["request"], "method": scope["method"],
            "path": scope["path"][:SLOW_FIELDS], "status": status, "seconds": round(seconds, 6), "bytes": size,
            "client": client[0], "caller": caller.name if caller is not None else None,
        }  # fmt: skip
        if "documents" in state:
            line["documents"] = state["documents"]
        if state.get("gone"):
            line["gone"] = True
        if error is not None:
            line["error"] = f"{type(error).__name__}: {error}"[: 4 * SLOW_FIELDS]
        if error is not None and not isinstance(error, QuchongError):
            line["trace"] = [
                f"{one.filename}:{one.lineno} {one.name}" for one in traceback.extract_tb(error.__traceback__)
            ]
        self.line(line)

    def event(self, event: str, **more: Any) -> None:
        """Write a line about the service itself, unless only errors are logged."""
        if self._on:
            self.line({"time": now(), "level": "info", "event": event, **more})

    def warning(self, warning: str) -> None:
        """Write a line about something that should be mended, whatever else is logged."""
        self.line({"time": now(), "level": "warning", "warning": warning})

    def line(self, told: dict[str, Any]) -> None:
        """Write one object; a log that cannot be written stops nothing."""
        stream = self._stream or sys.stderr
        try:
            stream.write(orjson.dumps(told, default=str).decode() + "\n")
            stream.flush()
        except (OSError, ValueError, AttributeError):
            return


def now() -> str:
    """Return the current time as RFC 3339 in UTC, to the millisecond."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
