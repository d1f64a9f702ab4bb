"""Many pages at once: Arrow columns in, Arrow columns out."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from quchong.pages.page import Page, UnreadablePage, read_page


@dataclass(frozen=True, slots=True)
class PagesBatch:
    """What was read from some pages, one entry a page.

    Attributes:
        text, blocks, title, url, time: large_string, as in `Page`; text and blocks are null where the page cannot be read.
        reasons: why pages could not be read, by index.
    """

    text: pa.Array
    blocks: pa.Array
    title: pa.Array
    url: pa.Array
    time: pa.Array
    reasons: dict[int, str]


def read_pages(
    html: pa.Array, body: str = "main", content_type: pa.Array | None = None, workers: int | None = None
) -> PagesBatch:
    """Reads every page of a column; one that cannot be read costs only itself.

    Args:
        html: large_binary or large_string, without nulls.
        body: see `BODIES`.
        content_type: the header each page came with, null where not known; None for none at all.
        workers: processes at most; None for all processors. Never changes the result.
    """
    kinds: list[str | None] = [None] * len(html) if content_type is None else content_type.to_pylist()
    pages: list[Page | None] = []
    reasons: dict[int, str] = {}
    for index, kind in enumerate(kinds):
        try:
            pages.append(read_page(html[index].as_py(), body, kind))
        except UnreadablePage as error:
            pages.append(None)
            reasons[index] = str(error)
    columns = [
        pa.array([None if page is None else getattr(page, name) for page in pages], pa.large_string())
        for name in ("text", "blocks", "title", "url", "time")
    ]
    text, blocks, title, url, time = columns
    return PagesBatch(text, blocks, title, url, time, reasons)
