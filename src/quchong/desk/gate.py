"""Checks that every request passes first: it comes from this machine's browser, from the desk's own page, and is small.

The desk listens on the loopback address only. This keeps out other machines, but not other pages in the same browser
or other users of this machine. Therefore the address contains a token that cannot be guessed. The name in Host must
be the one by which the desk was opened, which stops foreign names that resolve to this machine (DNS rebinding). A
request that changes something must be JSON from the desk's own page.
"""

from __future__ import annotations

import hmac
from collections.abc import MutableMapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 16_384
"""Maximum size of a request's body in bytes."""
METHODS = ("GET", "HEAD", "POST")
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every answer; a page sets a more detailed policy."""


class Gate:
    """Middleware that refuses foreign requests and passes the others on, without the token in their path.

    Args:
        inner: the application that answers.
        token: the first part of every path.
        port: the port on which the desk listens.
    """

    def __init__(self, inner: ASGIApp, token: str, port: int) -> None:
        self._inner, self._token = inner, token.encode()
        names = ("127.0.0.1", "localhost")
        self._hosts = {f"{name}:{port}".encode() for name in names} | (
            {n.encode() for n in names} if port == 80 else set()
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or pass it on; add headers to the answer and limit the size of the body."""
        if scope["type"] != "http":
            return
        answer: ASGIApp | None = self._refused(scope)
        if answer is None:
            path = scope["path"]
            rest = path[1 + len(self._token) :]
            scope = {**scope, "path": rest, "raw_path": rest.encode(), "root_path": ""}
            answer = self._inner

        async def armed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message)
            await send(message)

        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                raise HTTPException(413, "too much at once", {"connection": "close"})
            return message

        await answer(scope, bounded, armed)

    def _refused(self, scope: Scope) -> PlainTextResponse | None:
        """Return the answer that refuses a request; None if it is accepted."""
        said: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            said.setdefault(name.lower(), []).append(value)
        hosts = said.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse("this desk has another address", 421)
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not hmac.compare_digest(first.encode("utf-8", "replace"), self._token) or not slash:
            return PlainTextResponse("open the desk by the whole address that quchong review printed", 403)
        method = scope["method"]
        if method not in METHODS:
            return PlainTextResponse("no such method here", 405, {"allow": ", ".join(METHODS)})
        if _is_of_another_page(said, hosts[0], method):
            return PlainTextResponse("only the page of the desk asks here", 403)
        return _change_refused(said) if method == "POST" else None


def _is_of_another_page(said: MutableMapping[bytes, list[bytes]], host: bytes, method: str) -> bool:
    """Return True if a page of another origin sent the request, by its headers Origin and Sec-Fetch; `said` are the headers by name."""
    if any(origin.lower() != b"http://" + host.lower() for origin in said.get(b"origin", [])):
        return True
    sites, modes = said.get(b"sec-fetch-site", []), said.get(b"sec-fetch-mode", [])
    opened = method != "POST" and (modes == [b"navigate"] or sites == [b"none"])
    return not opened and any(site != b"same-origin" for site in sites)


def _change_refused(said: MutableMapping[bytes, list[bytes]]) -> PlainTextResponse | None:
    """Return the answer that refuses a POST request that is no JSON or too large; None if it is accepted. `said` are its headers."""
    kinds = said.get(b"content-type", [])
    if len(kinds) != 1 or kinds[0].split(b";")[0].strip().lower() != b"application/json":
        return PlainTextResponse("JSON is wanted", 415)
    lengths = said.get(b"content-length", [])
    if any(not length.isdigit() or int(length) > LARGEST for length in lengths):
        return PlainTextResponse("too much at once", 413, {"connection": "close"})
    return None


def _add_headers(message: MutableMapping[str, Any]) -> None:
    """Add the headers of every answer, except those that the message has already."""
    there = {name.lower() for name, _ in message["headers"]}
    new = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in there]
    message["headers"] = [*message["headers"], *new]
