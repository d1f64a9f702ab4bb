"""Problems as answers: every error becomes an RFC 9457 object in the language of the caller."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import orjson
from starlette.responses import Response

from quchong.errors import InputError, OutputError, QuchongError, RunError, UsageError
from quchong.languages import Message, retold
from quchong.serve.heads import HEADERS

PROBLEM = "application/problem+json"
TYPES: dict[str, tuple[int, Message]] = {
    "broken-body": (400, Message("The body cannot be read")),
    "broken-request": (400, Message("This is not an HTTP request")),
    "wrong-argument": (400, Message("An argument cannot be used")),
    "no-token": (401, Message("An access token is required")),
    "not-allowed": (403, Message("This access token does not allow this request")),
    "read-only": (403, Message("This service only answers queries")),
    "foreign-page": (403, Message("This service does not answer requests from pages of other sites")),
    "not-found": (404, Message("There is no such document")),
    "no-such-address": (404, Message("There is no such address")),
    "wrong-method": (405, Message("This address does not support this HTTP method")),
    "slow-body": (408, Message("The body did not arrive in time")),
    "known-id": (409, Message("The index has this id already")),
    "too-large": (413, Message("The body is too large")),
    "wrong-media-type": (415, Message("A body of this type cannot be read")),
    "foreign-host": (421, Message("The service does not answer under this host name")),
    "bad-document": (422, Message("The content of the body cannot be used")),
    "too-many-requests": (429, Message("Too many requests")),
    "head-too-large": (431, Message("The head of the request is too large")),
    "internal": (500, Message("The service failed")),
    "stopping": (503, Message("The service is stopping, or not ready")),
    "damaged": (503, Message("The index cannot be read")),
    "too-late": (503, Message("The answer took too long")),
    "too-many-connections": (503, Message("Too many connections are open")),
    "no-room": (507, Message("The index cannot be written")),
}
"""Status and title of each type of problem, by its name."""


class Problem(Exception):
    """Answer that is a problem.

    Args:
        name: type of the problem, one of `TYPES`.
        detail: what is wrong and what to do.
        headers: further headers of the answer.
        more: further members of the problem, for programs.
    """

    def __init__(self, name: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(name)
        self.name, self.detail, self.headers, self.more = name, detail, headers or {}, more

    @property
    def status(self) -> int:
        """HTTP status code of the answer."""
        return TYPES[self.name][0]

    def as_dict(self, request: str = "") -> dict[str, Any]:
        """Return the problem as an object for JSON, in the language that is spoken; `request` is the id of the request."""
        status, title = TYPES[self.name]
        out: dict[str, Any] = {
            "type": f"urn:quchong:problem:{self.name}",
            "title": title.translation(),
            "status": status,
            "detail": retold(self.detail),
        }
        return out | ({"request": request} if request else {}) | self.more


_ERRORS: dict[type[QuchongError], str] = {
    InputError: "bad-document",
    UsageError: "wrong-argument",
}
"""Type of the problem of each kind of errors."""


def problem_response(problem: Problem, request: str = "") -> Response:
    """Return the HTTP response for a problem."""
    body = orjson.dumps(problem.as_dict(request), default=str)
    return Response(body, problem.status, problem.headers, media_type=PROBLEM)


def problem_bytes(problem: Problem, request: str) -> bytes:
    """Return an HTTP/1.1 answer with a problem, head and body, that ends its connection."""
    body = orjson.dumps(problem.as_dict(request), default=str)
    headers = {name.encode(): value.encode() for name, value in problem.headers.items()} | HEADERS
    lines = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}".encode(), b"content-type: " + PROBLEM.encode(),
        b"content-length: %d" % len(body), b"connection: close", b"x-request-id: " + request.encode(),
        *(name + b": " + value for name, value in headers.items()),
    ]  # fmt: skip
    return b"\r\n".join([*lines, b"", body])


def problem_of(error: Exception) -> Problem:
    """Return an error as a problem; an unexpected error gives only the message that the service failed."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RunError):  # its message names a place of this machine
        return Problem(
            "damaged", Message("the index cannot be read; the reason is in the log under the id of this request")
        )
    if isinstance(error, OutputError):  # likewise
        return Problem(
            "no-room",
            Message(
                "the index cannot be written and was not changed; the reason is in the log under the id of this request"
            ),
        )
    for kind, name in _ERRORS.items():
        if isinstance(error, kind):
            return Problem(name, error.message)
    return Problem("internal", Message("the service failed; the reason is in its log under the id of this request"))
