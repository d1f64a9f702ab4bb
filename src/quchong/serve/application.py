"""Web application of a service: the table of addresses, the handlers, and the gate around them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from quchong.serve.access import AccessFile
from quchong.serve.addresses import ADDRESSES, Address
from quchong.serve.description import description
from quchong.serve.gate import Gate, admitted
from quchong.serve.handlers import HANDLERS, Handler, check_parameters
from quchong.serve.log import RequestLog
from quchong.serve.service import Service
from quchong.serve.written import json_response


def application(service: Service, access: AccessFile | None, log: RequestLog) -> Gate:
    """Return the application of a service.

    Args:
        service: the service.
        access: who may call; None for everybody on this machine.
        log: where requests are logged.
    """
    handlers: dict[str, Handler] = {**HANDLERS, "openapi": _described}
    paths: dict[str, list[Address]] = {}
    for one in ADDRESSES:
        paths.setdefault(one.path, []).append(one)
    routes = [
        Route(path, _called(some, handlers, service), methods=[one.method for one in some])
        for path, some in paths.items()
    ]
    plain = {path: _called(some, handlers, service) for path, some in paths.items() if "{" not in path}
    taken = {(path, one.method): plain[path] for path in plain for one in paths[path]}
    inner = _Addresses(taken, Router(routes, redirect_slashes=False))
    return Gate(inner, service.limits, access, service.metrics, log)


class _Addresses:
    """Router of all addresses; those without variable parts are looked up in a dictionary.

    Args:
        taken: functions by path and method.
        router: all addresses.
    """

    def __init__(self, taken: dict[tuple[str, str], Callable[[Request], Awaitable[Response]]], router: Router) -> None:
        self._taken, self._router = taken, router

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by its handler; unknown addresses and methods get the router's error."""
        call = self._taken.get((scope["path"], scope["method"]))
        if call is None:
            await self._router(scope, receive, send)
            return
        response = await call(Request(scope, receive, send))
        await response(scope, receive, send)


def _called(
    addresses: list[Address], handlers: dict[str, Handler], service: Service
) -> Callable[[Request], Awaitable[Response]]:
    """Return the function that lets a request pass the gate and calls the handler of its method."""
    by_method = {one.method: one for one in addresses}

    async def call(request: Request) -> Response:
        address = by_method["GET" if request.method == "HEAD" else request.method]
        admitted(request, address)
        if address.role is not None:
            check_parameters(request, address)
        return await handlers[address.name](request, service)

    return call


async def _described(_request: Request, service: Service) -> Response:
    columns = service.columns()
    return json_response(description(columns.keys[0], columns.id, columns.html))
