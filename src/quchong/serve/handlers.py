"""Handlers of the addresses: what was asked is read, the service does it, and the result is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import unquote

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

from quchong.engines.index.answers import BadDocument
from quchong.errors import UsageError, meant
from quchong.io.records.reader import Refused
from quchong.languages import Message, join_names, language, speaking
from quchong.report import render
from quchong.serve.addresses import Address
from quchong.serve.bodies import (
    JSON,
    LINE_TYPES,
    LINES,
    check_charset,
    check_record,
    line_record,
    lines_of,
    media_type,
    parsed_object,
    record_of,
    whole_body,
)
from quchong.serve.lanes import stopping
from quchong.serve.outcomes import Record, written
from quchong.serve.page import page
from quchong.serve.problems import Problem, problem_of
from quchong.serve.service import STREAMED, OutcomeList, Service
from quchong.serve.written import (
    StreamedLines,
    answer_line,
    answer_response,
    explanation_page,
    json_response,
    problem_line,
    problem_of_document,
    text_response,
)

Handler = Callable[[Request, Service], Awaitable[Response]]
Ask = Callable[..., Awaitable[OutcomeList]]
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


async def add(request: Request, service: Service) -> Response:
    """Add a document or a stream of them."""
    return await _ask_one_or_many(request, service, service.add, fresh=201)


async def query(request: Request, service: Service) -> Response:
    """Answer a query about a document, or about each document of a stream."""
    return await _ask_one_or_many(request, service, service.query, fresh=200)


async def _ask_one_or_many(request: Request, service: Service, ask: Ask, *, fresh: int) -> Response:
    passages, with_text, only_known = (flag(request, name) for name in ("passages", "text", "only_known"))
    kind, charset = media_type(request)
    if (id := request.query_params.get("id")) == "":
        raise Problem(
            "wrong-argument",
            Message("{} is empty: give an id, or leave out this field; the index then chooses an id", "id"),
        )
    if kind in LINE_TYPES:
        check_charset(charset)
        for name, given in (("id", id), ("text", with_text)):
            if given:
                raise Problem(
                    "wrong-argument",
                    Message("{} applies only to a single document: for a stream, leave out this parameter", name),
                )
        lines = _stream(request, service, ask, passages=passages, only_known=only_known)
        return StreamedLines(lines)
    async with whole_body(request, service.room) as raw:
        record = record_of(raw, kind, charset, service.columns, id)
        told = await ask([record], passages=passages)
    (outcome,) = told.outcomes
    if isinstance(outcome, BadDocument):
        raise problem_of_document(outcome)
    status = 200 if told.again else fresh
    if with_text:
        return text_response(outcome, await service.text_as_read(record), status)
    return answer_response(outcome, status)


async def _stream(
    request: Request, service: Service, ask: Ask, *, passages: bool, only_known: bool
) -> AsyncIterator[bytes]:
    """Yield an answer line for each line of a stream, in order; a bad line gets a line with the problem.

    What ends the stream before its end, such as a full disk, is told by a last line without a number.
    """
    said, speech = request.scope["state"]["request"], language()
    try:
        async for numbered in lines_of(request, service.room, STREAMED):
            parts = await _answered_lines(numbered, service, ask, said, passages=passages, only_known=only_known)
            request.scope["state"]["documents"] = request.scope["state"].get("documents", 0) + len(numbered)
            if parts:
                yield b"\n".join(parts) + b"\n"
            if service.stopping:
                raise stopping()
    except ClientDisconnect:
        raise
    except Exception as error:
        request.scope["state"]["error"] = error
        with speaking(speech):
            told = orjson.dumps({"problem": problem_of(error).as_dict(said)}, default=str)
        yield told + b"\n"


async def _answered_lines(
    numbered: Sequence[tuple[int, bytes]], service: Service, ask: Ask, said: str, *, passages: bool, only_known: bool
) -> list[bytes]:
    records: list[Record] = []
    places: list[int] = []
    out: dict[int, bytes] = {}
    for line, raw in numbered:
        try:
            records.append(line_record(raw, service.columns))
            places.append(line)
        except Refused as refused:
            out[line] = problem_line(Problem("bad-document", refused.reason), line, said)
    outcomes = (
        (await _with_room(service, ask, records, passages=passages, first=numbered[0][0] - 1)).outcomes
        if records
        else []
    )
    for line, outcome in zip(places, outcomes, strict=True):
        if isinstance(outcome, BadDocument):
            out[line] = problem_line(problem_of_document(outcome), line, said)
        elif not (only_known and outcome.new):
            out[line] = answer_line(outcome, line)
    return [out[line] for line in sorted(out)]


async def _with_room(service: Service, ask: Ask, records: Sequence[Record], **options: Any) -> OutcomeList:
    """Return the outcomes of a part of a stream, waiting for room if too much is waiting."""
    while True:
        await service.room.wait(len(records))
        try:
            return await ask(records, **options)
        except Problem as problem:
            if problem.name != "too-many-requests":
                raise
            await asyncio.sleep(0)  # another one was quicker


def check_parameters(request: Request, address: Address) -> None:
    """Raise Problem for a parameter in the query that the address does not have."""
    known = [one.name for one in address.parameters]
    for name in request.query_params:
        if name not in known:
            more = meant(name, known)
            told = Message(
                "there is no parameter {!r}{}; the parameters of this address are {}",
                name,
                more,
                join_names(known) or "-",
            )
            raise Problem("wrong-argument", told)


def flag(request: Request, name: str) -> bool:
    """Return a parameter of the query that is true or false; False if it is not given.

    Raises:
        Problem: it is something else.
    """
    said = ",".join(request.query_params.getlist(name) or ["false"]).lower()
    if said in ("true", "1"):
        return True
    if said in ("false", "0"):
        return False
    if name == "text":
        raise Problem(
            "wrong-argument",
            Message(
                "{}={!r}: give true or false, for texts in the answer; the text to look for belongs in the body",
                name,
                said,
            ),
        )
    raise Problem("wrong-argument", Message("{}={!r}: give true or false", name, said))


def id_of(request: Request) -> str:
    """Return the id in the path of a request, decoded.

    Raises:
        Problem: it is no UTF-8.
    """
    try:
        return unquote(request.path_params["id"], errors="strict")
    except UnicodeDecodeError:
        raise Problem("wrong-argument", Message("the id in the address is not UTF-8")) from None


async def document(request: Request, service: Service) -> Response:
    """Answer with the relations and the text of a document of the index."""
    id = id_of(request)
    answer = await service.answer(id, passages=flag(request, "passages"))
    return text_response(written(answer), await service.text(id))


async def delete(request: Request, service: Service) -> Response:
    """Delete a document."""
    id = id_of(request)
    if not await service.delete(id):
        raise Problem("not-found", Message("no document of the index has the id {!r}", id))
    return Response(status_code=204)


async def explain(request: Request, service: Service) -> Response:
    """Explain why a document is removed or kept, as JSON, text or a page."""
    wanted = request.query_params.get("format")
    wanted = _accepted(request) if wanted is None else wanted
    if wanted not in ("json", "text", "html"):
        raise Problem("wrong-argument", Message("{}={!r}: must be {}", "format", wanted, "json, text, html"))
    found = await service.explanation(id_of(request))
    if wanted == "json":
        return json_response(found.as_dict())
    if wanted == "text":
        return PlainTextResponse(render(found))
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return HTMLResponse(explanation_page(found, language()), headers={"content-security-policy": policy})


def _accepted(request: Request) -> str:
    """Return the format that the header Accept names first (html, text or json); json if it names none of these."""
    forms = {"text/html": "html", "text/plain": "text", JSON: "json"}
    for one in request.headers.get("accept", "").split(","):
        if (found := forms.get(one.partition(";")[0].strip().lower())) is not None:
            return found
    return "json"


async def compare(request: Request, service: Service) -> Response:
    """Compare two texts or records."""
    kind, charset = media_type(request)
    async with whole_body(request, service.room) as raw:
        said = _object(raw, kind, charset)
        sides = [said.get(name) for name in ("left", "right")]
        if not all(isinstance(side, str | dict) for side in sides) or len(said) != 2:
            raise Problem("bad-document", Message("give only left and right, each a text or a record"))
        for side in sides:
            if isinstance(side, dict):
                _check(side, service)
        found = await service.compare(*sides)
    return json_response(found.as_dict())


def _check(record: dict[str, Any], service: Service) -> None:
    try:
        check_record(record, service.columns(record))
    except Refused as refused:
        raise Problem("bad-document", refused.reason) from None


def _object(raw: bytes, kind: str, charset: str) -> dict[str, Any]:
    if kind not in ("", JSON):
        raise Problem("wrong-media-type", Message("a body of type {!r} cannot be read: use {}", kind, JSON))
    check_charset(charset)
    return parsed_object(raw)


async def stats(_request: Request, service: Service) -> Response:
    """Answer with the figures of the index."""
    return json_response((await service.stats()).as_dict())


async def export(_request: Request, service: Service) -> Response:
    """Stream all documents as JSON lines."""
    tables = service.tables()
    first = await anext(tables, None)  # so that an index without texts is told before the answer begins

    async def lines() -> AsyncIterator[bytes]:
        table = first
        while table is not None:
            yield b"".join(
                orjson.dumps(
                    {name: value for name, value in row.items() if value is not None}, option=orjson.OPT_APPEND_NEWLINE
                )
                for row in table.to_pylist()
            )
            table = await anext(tables, None)

    return StreamingResponse(lines(), media_type=LINES)


async def expire(request: Request, service: Service) -> Response:
    """Delete the documents that are older than a time span."""
    kind, charset = media_type(request)
    async with whole_body(request, service.room) as raw:
        said = _object(raw, kind, charset)
    span = said.get("older_than")
    if not isinstance(span, str) or len(said) != 1:
        raise Problem("bad-document", Message("give only older_than, a time span such as {!r}", "30d"))
    try:
        return json_response({"deleted": await service.expire(span)})
    except UsageError as error:
        raise Problem("bad-document", error.message) from error


async def compact(_request: Request, service: Service) -> Response:
    """Free the disk space of deleted documents."""
    return json_response((await service.compact()).as_dict())


async def metrics(_request: Request, service: Service) -> Response:
    """Answer with all counts and times."""
    figures = await service.stats()
    body = service.metrics.exposition(figures, service.room.documents, service.room.bytes)
    return Response(body, headers={"content-type": PROMETHEUS})


async def live(_request: Request, _service: Service) -> Response:
    """Answer a liveness check: the process is running."""
    return json_response({"status": "ok"})


async def ready(_request: Request, service: Service) -> Response:
    """Answer a readiness check: whether the service answers documents now."""
    if not service.is_ready:
        raise Problem(
            "stopping",
            Message("the service is stopping: use another instance, or wait until this one is started again")
            if service.stopping
            else Message("the service is busy, because no more documents can wait: ask again in a second"),
            headers={"retry-after": "1"},
        )
    return json_response({"status": "ok"})


async def start_page(request: Request, service: Service) -> Response:
    """Answer with the page on which a text is pasted."""
    gate: Any = request.scope["state"]["gate"]
    kinds = ("text", "page", "record") if service.columns().html is not None else ("text", "record")
    text, policy = page(kinds, service.limits.body, language(), tokens=gate.wants_tokens, texts=service.keeps_texts)
    return HTMLResponse(text, headers={"content-security-policy": policy})


HANDLERS: dict[str, Handler] = {
    "add": add, "query": query, "document": document, "delete": delete, "explain": explain, "compare": compare, "stats": stats,
    "export": export, "expire": expire, "compact": compact, "metrics": metrics, "live": live, "ready": ready, "page": start_page,
}  # fmt: skip
"""Handlers by the name of their address."""
