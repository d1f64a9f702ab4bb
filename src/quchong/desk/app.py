"""Web application of the desk: addresses and their handlers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from quchong.desk.desk import Desk
from quchong.desk.gate import Gate
from quchong.desk.page import page
from quchong.errors import OutputError, QuchongError, UsageError
from quchong.views.words import Language

_SKIPPED = 1000
"""Maximum number of pairs that a page may report as skipped."""


def app(desk: Desk, token: str, port: int, language: Language) -> Gate:
    """Return the web application of a desk, behind its gate."""

    def home(_request: Request) -> Response:
        text, policy = page(desk, language)
        return HTMLResponse(text, headers={"content-security-policy": policy})

    def list_pairs(request: Request) -> Any:
        return desk.list(dict(request.query_params))

    def pair(request: Request) -> Any:
        return desk.pair(_number(request, "pair"), _number(request, "removal"))

    def ask(request: Request) -> Any:
        named = [one for one in request.query_params.get("skipped", "").split(",") if one][:_SKIPPED]
        if not all(one.isascii() and one.isdigit() and len(one) < 16 for one in named):
            raise UsageError("skipped: give numbers of pairs, separated by commas")
        return desk.ask(map(int, named))

    def measures(_request: Request) -> Any:
        return desk.measures()

    def labels(_request: Request) -> Response:
        name = "labels.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(desk.labels().encode(), media_type="application/x-ndjson", headers=headers)

    async def label(request: Request) -> Response:
        said = await _posted_object(request)
        if isinstance(said, Response):
            return said
        given, asked = said.get("label"), said.get("asked", False)
        return await run_in_threadpool(
            _answered, lambda: desk.label(_posted_number(said, "pair"), given, asked is True)
        )

    async def verdict(request: Request) -> Response:
        said = await _posted_object(request)
        if isinstance(said, Response):
            return said
        return await run_in_threadpool(
            _answered, lambda: desk.verdict(_posted_number(said, "removal"), str(said.get("act")))
        )

    reads = {"/list": list_pairs, "/pair": pair, "/ask": ask, "/measures": measures}
    routes = [Route("/", home), Route("/labels.jsonl", labels)]
    routes += [Route(path, _reading(read)) for path, read in reads.items()]
    routes += [Route("/label", label, methods=["POST"]), Route("/verdict", verdict, methods=["POST"])]
    inner = Starlette(routes=routes)
    inner.router.redirect_slashes = False
    return Gate(inner, token, port)


def _reading(read: Callable[[Request], Any]) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        return _answered(lambda: read(request))

    return answer


def _answered(work: Callable[[], Any]) -> Response:
    """Return the result of a function as a JSON response; errors of quchong become a JSON response that the page shows."""
    try:
        return _json(work())
    except OutputError as error:
        return _json({"error": str(error)}, 507)
    except QuchongError as error:
        return _json({"error": str(error)}, 400)


def _json(value: Any, status: int = 200) -> Response:
    try:
        text = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)  # what is no number becomes null
    except TypeError:  # half a character in a text
        text = orjson.dumps(_whole_characters(value), option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(text, status, media_type="application/json")


def _whole_characters(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_whole_characters(k): _whole_characters(v) for k, v in value.items()}
    return [_whole_characters(one) for one in value] if isinstance(value, list | tuple) else value


async def _posted_object(request: Request) -> dict[str, Any] | Response:
    """Return the JSON object in a request's body, or a response with an error."""
    try:
        said = orjson.loads(await request.body())
    except orjson.JSONDecodeError:
        said = None
    return said if isinstance(said, dict) else PlainTextResponse("a JSON object is wanted", 400)


def _posted_number(said: dict[str, Any], name: str) -> int:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError("{}: give a whole number", name)
    return value


def _number(request: Request, name: str) -> int:
    given = request.query_params.get(name, "-1")
    digits = given.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise UsageError("{}: give a whole number", name)
    return int(given)
