"""Results of an index as bodies of answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import escape
from typing import Any

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quchong.engines.index.answers import BadDocument
from quchong.languages import Message
from quchong.report import Explanation
from quchong.serve.outcomes import Written
from quchong.serve.problems import Problem


class StreamedLines(Response):
    """Response of JSON lines that are made while the body of the request is still read.

    Nothing else reads the request meanwhile, as `StreamingResponse` would, to hear that the caller has gone: here the body tells.

    Args:
        parts: bytes of whole lines.
    """

    def __init__(self, parts: AsyncIterator[bytes]) -> None:
        super().__init__(media_type="application/x-ndjson")
        del self.headers["content-length"]
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head, then each part as soon as it is made."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for part in self._parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def answer_line(answer: Written, line: int) -> bytes:
    """Return an answer as a line of a stream; the line number comes first."""
    return b'{"line":%d,' % line + answer.body[1:]


def answer_response(answer: Written, status: int = 200) -> Response:
    """Return the response that has an answer."""
    return Response(answer.body, status, media_type="application/json")


def text_response(answer: Written, text: str | None, status: int = 200) -> Response:
    """Return the response that has an answer and, last, the text that its offsets count in."""
    body = answer.body[:-1] + b',"text":' + orjson.dumps(text) + b"}"
    return Response(body, status, media_type="application/json")


def json_response(value: Any, status: int = 200) -> Response:
    """Return the response that has a value of dictionaries, lists and plain values."""
    return Response(orjson.dumps(value, default=str), status, media_type="application/json")


def problem_of_document(bad: BadDocument) -> Problem:
    """Return the problem that tells why a document cannot be used."""
    return Problem("known-id" if bad.known_id else "bad-document", bad.reason)


def problem_line(problem: Problem, line: int, request: str) -> bytes:
    """Return the line of a stream that tells a problem of one line of the input."""
    return orjson.dumps({"line": line, "problem": problem.as_dict(request)}, default=str)


def explanation_page(explanation: Explanation, language: str) -> str:
    """Return an explanation as an HTML page without scripts and external resources."""
    title = Message("document {}", explanation.id).translation()
    words = "zh-Hans" if language == "zh" else "en"
    return (
        f'<!doctype html><html lang="{words}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title></head><body>{explanation._repr_html_()}</body></html>"
    )
