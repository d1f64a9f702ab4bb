"""Pages in the records of a WARC: which records are pages, and their HTML."""

from __future__ import annotations

from dataclasses import dataclass

from quchong.io.warc.http_body import HTML, BadBody, body_of, head_of, like_html
from quchong.languages import Message


@dataclass(frozen=True, slots=True)
class WarcPage:
    """Page of a WARC record: `html` decompressed, and the metadata of the record."""

    html: bytes
    url: str | None
    record_id: str | None
    crawl_time: str | None
    content_type: str | None


def may_be_page(kind: str, head: dict[str, str], first: bytes) -> bool:
    """Return True if a record looks like a page by its own head and the first bytes of its content.

    `kind` is "response" or "resource". True also for a response that should have an HTTP head and lacks it, which is broken.
    """
    if kind == "resource":
        return media_type(head) in ("", *HTML)
    response = head_of(first)
    if response is None:
        return media_type(head) == "application/http"
    return response.status == 200 and response.kind in ("", *HTML)


def page_of(kind: str, head: dict[str, str], block: bytes) -> tuple[WarcPage | None, str]:
    """Return the page in a whole record and "", or None and the reason why it cannot be read; None and "" if it is not a page."""
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
    """Return the media type in a record's own head, in lower case, without parameters; "" without one."""
    return head.get("content-type", "").split(";")[0].strip().lower()


def address(head: dict[str, str]) -> str | None:
    """Return the address (URL) of a record, without the angle brackets that wget writes; None without one."""
    return head.get("warc-target-uri", "").strip().removeprefix("<").removesuffix(">") or None
