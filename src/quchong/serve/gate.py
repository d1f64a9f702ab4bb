"""Checks of every request: id, language, caller, role and time limit; afterwards the request is counted and logged.

Without access control a service is reached from this machine only. Pages of other sites in the same browser reach it too, so that the
name in Host must be one of this machine (DNS rebinding), and a request of a page must come from the page of the service.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from quchong.errors import meant
from quchong.languages import Message, join_names, speaking
from quchong.patterns import lazy_pattern
from quchong.serve.access import ANYBODY, AccessFile, Caller
from quchong.serve.addresses import ADDRESSES, DOCUMENT, Address
from quchong.serve.heads import HEADERS, headers_of, preferred_language, request_id
from quchong.serve.limits import Limits
from quchong.serve.log import RequestLog
from quchong.serve.metrics import Metrics
from quchong.serve.problems import Problem, problem_of, problem_response
from quchong.serve.rates import Rates

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_LOOPBACK = lazy_pattern(rf"(?:{'|'.join(map(re.escape, LOOPBACK_NAMES))})(?::[0-9]{{1,5}})?", re.IGNORECASE)
"""Names of this machine that a browser cannot be made to take for another one."""
_LONGEST_ALIKE = 100
"""Characters of a wrong address that are compared with the addresses, so that a long one costs no more than others."""
_BEARER = lazy_pattern(r"[Bb]earer +([\x21-\x7e]{1,512})")


class Gate:
    """Application that every request passes first: it checks access and limits, counts, logs, and calls the addresses of the service.

    Args:
        inner: the addresses; they find the handler, and call `admit` before the body is read.
        limits: times, and the rate of one caller.
        access: who may call; None for everybody on this machine.
        metrics, log: where requests are counted and logged.
    """

    def __init__(
        self, inner: ASGIApp, limits: Limits, access: AccessFile | None, metrics: Metrics, log: RequestLog
    ) -> None:
        self._inner, self._limits, self._access, self._metrics, self._log = inner, limits, access, metrics, log
        self._rates = Rates(limits.rate)

    @property
    def wants_tokens(self) -> bool:
        """True if callers must give access tokens."""
        return self._access is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; any error becomes an answer that describes it."""
        if scope["type"] != "http":
            return
        headers = headers_of(scope["headers"])
        state: dict[str, Any] = {"request": request_id(headers), "gate": self, "headers": headers}
        scope = {
            **scope,
            "path": scope["raw_path"].decode("ascii", "replace"),
            "root_path": "",
            "state": state,
            "app": self,
        }
        sender = _Sender(send, state["request"])
        begun = time.perf_counter()
        with speaking(preferred_language(headers)):
            try:
                await self._inner(scope, receive, sender)
            except ClientDisconnect:
                state["gone"] = True
            except asyncio.CancelledError as error:  # the service stops, and has waited long enough
                state["error"] = error
                raise
            except Exception as error:
                await self._tell(error, scope, receive, sender)
            finally:
                seconds = time.perf_counter() - begun
                address: Address | None = state.get("address")
                route = address.path if address else "other"
                method = scope["method"] if address else "other"
                self._metrics.count_request(route, method, sender.status, seconds)
                self._log.write(scope, state, sender.status, sender.bytes, seconds)

    async def _tell(self, error: Exception, scope: Scope, receive: Receive, sender: _Sender) -> None:
        """Answer with an error; if an answer has begun, cut the connection, so that a part is not taken for the whole."""
        state = scope["state"]
        problem = problem_of(_as_problem(error, scope["path"]))
        if problem.status >= 500:
            state["error"] = error
        if sender.status:
            state["error"] = error
            raise error
        await problem_response(problem, state["request"])(scope, receive, sender)

    def admit(self, scope: Scope, address: Address) -> None:
        """Let a request pass to its handler.

        Raises:
            Problem: it comes from a foreign page, its caller is unknown or may not do this, or comes too often.
        """
        state = scope["state"]
        state["address"] = address
        headers: Mapping[str, str] = state["headers"]
        if self._access is None:
            _check_host(headers)
        _check_page(headers, scope)
        caller = self._caller(headers)
        state["caller"] = caller
        if address.role is None:
            return
        if caller is None and headers.get("authorization"):
            detail = Message(
                "this access token is unknown, and may have been replaced; send Authorization: Bearer TOKEN"
            )
            raise Problem("no-token", detail, headers={"www-authenticate": "Bearer"})
        if caller is None:
            detail = Message("send the header Authorization: Bearer TOKEN; quchong access add makes a token")
            raise Problem("no-token", detail, headers={"www-authenticate": "Bearer"})
        if not caller.may(address.role):
            detail = Message("this token has the role {}, but the request needs {}", caller.role, address.role)
            raise Problem("not-allowed", detail)
        client = scope.get("client") or ("", 0)
        if (wait := self._rates.wait(caller.name if caller.digest else str(client[0]))) > 0:
            detail = Message(
                "more than {:g} requests in a second: send the request again after {} s", self._limits.rate or 0, wait
            )
            raise Problem("too-many-requests", detail, headers={"retry-after": str(wait)})

    def _caller(self, headers: Mapping[str, str]) -> Caller | None:
        if self._access is None:
            return ANYBODY
        found = _BEARER.fullmatch(headers.get("authorization", ""))
        return self._access.caller(found[1]) if found else None


class _Sender:
    """Sender of the parts of an answer, which adds headers and counts bytes.

    Attributes:
        status: status that was sent; 0 before. bytes: bytes of the body that were sent.
    """

    def __init__(self, send: Send, request: str) -> None:
        self._send, self._request = send, request
        self.status = self.bytes = 0

    async def __call__(self, message: Event) -> None:
        """Send one part; it waits while the caller has not taken most of the parts before."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = {name.lower() for name, _ in message["headers"]}
            added = [(name, value) for name, value in HEADERS.items() if name not in own]
            message["headers"] = [*message["headers"], *added, (b"x-request-id", self._request.encode())]
        else:
            self.bytes += len(message.get("body", b""))
        await self._send(message)


def _check_host(headers: Mapping[str, str]) -> None:
    if not _LOOPBACK.fullmatch(headers.get("host", "")):
        detail = Message(
            "without access tokens, the service answers only requests that come from this machine and use one "
            "of the host names {}",
            join_names(LOOPBACK_NAMES),
        )
        raise Problem("foreign-host", detail)


def _check_page(headers: Mapping[str, str], scope: Scope) -> None:
    """Raise Problem if a browser page of another site sent the request, by its headers."""
    origin, host = headers.get("origin"), headers.get("host", "").lower()
    site = headers.get("sec-fetch-site", "none")
    opened = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
    foreign = site not in ("none", "same-origin") and not opened
    try:
        foreign = foreign or (origin is not None and urlsplit(origin).netloc.lower() != host)
    except ValueError:  # brackets that are not closed
        foreign = True
    if foreign:
        raise Problem("foreign-page", Message("a browser may call this service only from the service's own page"))


def _as_problem(error: Exception, path: str) -> Exception:
    """Return an error of the router as a Problem; other errors unchanged.

    Args:
        error: the error.
        path: what was asked for, of which the addresses that are spelt alike are named.
    """
    if isinstance(error, HTTPException):
        if error.status_code == 405:
            allow = dict(error.headers or {})
            detail = Message("this address accepts only {}", allow.get("Allow", "-"))
            if any(one.path == path and one.body is DOCUMENT for one in ADDRESSES):
                line = f"""curl --json '{{"text": "..."}}' http://HOST:PORT{path}"""
                detail = Message("this address accepts only {}, with the text in the body: {}", "POST", line)
            return Problem("wrong-method", detail, headers=allow)
        alike = meant(path.rstrip("/")[:_LONGEST_ALIKE], [one.path for one in ADDRESSES])
        return Problem("no-such-address", Message("no such address{}: GET /openapi.json lists all addresses", alike))
    return error


def admitted(request: Request, address: Address) -> None:
    """Let a request pass the gate by which it came (`Gate.admit`): check role and limits, or raise Problem."""
    gate: Gate = request.scope["state"]["gate"]
    gate.admit(request.scope, address)
