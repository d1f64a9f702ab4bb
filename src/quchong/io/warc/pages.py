"""Finds the records of a WARC that are pages, and their pages."""

from __future__ import annotations

from dataclasses import dataclass

from quchong.io.warc.http_body import HTML, BadBody, body_of, head_of, like_html
from quchong.languages import Message


@dataclass(frozen=True, slots=True)
class WarcPage:
    """A page as a WARC has it: `html` with all packing undone, and the fields that came with it."""

    html: bytes
    url: str | None
    record_id: str | None
    crawl_time: str | None
    content_type: str | None


def may_be_page(kind: str, head: dict[str, str], first: bytes) -> bool:
    """Does a record look like a page by its own head and the beginning of its content?

    `kind` is response or resource. A response that should have an HTTP head and has none does: it is broken.
    """
    if kind == "resource":
        return media_type(head) in ("", *HTML)
    response = head_of(first)
    if response is None:
        return media_type(head) == "application/http"
    return response.status == 200 and response.kind in ("", *HTML)


def page_of(kind: str, head: dict[str, str], block: bytes) -> tuple[WarcPage | None, str]:
    """The page in a whole record, or why it cannot be read; neither for what turns out to be no page."""
    fields, size, media = {"content-type": head.get("content-type", "")}, 0, media_type(head)
    if kind == "response":
        response = head_of(block)
        if response is None:
            return None, Message("a response without an HTTP head") if block else Message("an empty response")
        fields, size, media = response.fields, response.size, response.kind
    try:
        body = body_of(block[size:], fields, "warc-truncated" in head)
    except BadBody as bad:
        return None, str(bad)
    if not media and not like_html(body):
        return None, ""
    return WarcPage(
        body, address(head), head.get("warc-record-id"), head.get("warc-date"), fields.get("content-type") or None
    ), ""


def media_type(head: dict[str, str]) -> str:
    """The media type a record has by its own head, in lower case, without parameters."""
    return head.get("content-type", "").split(";")[0].strip().lower()


def address(head: dict[str, str]) -> str | None:
    """The address a record is for; wget writes it in angle brackets, as an example of WARC 1.0 has it."""
    return head.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">") or None
