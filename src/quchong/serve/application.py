"""Web application of a service: the table of addresses, the handlers, and the gate around them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

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
    return Gate(Router(routes, redirect_slashes=False), service.limits, access, service.metrics, log)


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
