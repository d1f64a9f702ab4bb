"""Reader of many pages at once in processes, because the parser holds Python's global lock."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.kernels.checked import threads_of
from quchong.pages import accurate
from quchong.pages.page import LARGEST, check_body, library, too_large
from quchong.pages.processes import on_processes
from quchong.pages.worker import READ, read_batch
from quchong.tables import one_array

CHUNK_BYTES, CHUNK_PAGES = 4 << 20, 64
"""Maximum size of the chunk sent to a process at once."""
SMALL_BYTES, SMALL_PAGES = 4 << 20, 32
"""Limits of a batch that is read in this process, because starting another one would take longer."""


@dataclass(frozen=True, slots=True)
class PagesBatch:
    """Texts and metadata of a batch of pages: arrays of large_string, aligned with the pages.

    `text`, `blocks`, `title`, `url`, `time` are those of `quchong.pages.Page`, null if a page does not declare them.
    A page that could not be read is null in all of them, and `reasons` has its row and the reason.
    """

    text: pa.Array
    blocks: pa.Array
    title: pa.Array
    url: pa.Array
    time: pa.Array
    reasons: dict[int, str] = field(default_factory=dict)


def read_pages(
    html: pa.Array,
    body: str = "main",
    content_type: pa.Array | None = None,
    workers: int | None = None,
    most: int = LARGEST,
) -> PagesBatch:
    """Read pages on `workers` processes (None: one per core); small batches are read in this process.

    The result is the same for any number of workers, except for pages that were stopped by the time limit. No pages
    give an empty batch.

    Args:
        html: large_binary (or binary), as given, or large_string already decoded; no nulls.
        body: see `quchong.pages.BODIES`.
        content_type: a header per page as strings, null if there is none.
        most: maximum size of a page in bytes; a larger one is not read.
        workers: 1 to 1024. Processes are kept for the next batch and end with this process.

    Raises:
        UsageError: the body is unknown, an extra is missing, or the number of workers is out of range.
    """
    check_body(body)
    workers = threads_of(workers)
    _needs(body)
    reasons = dict[int, str]()
    sizes = np.asarray(pc.binary_length(html).fill_null(0)).astype(np.int64)
    for i in np.flatnonzero(sizes > most).tolist():  # never sent anywhere
        reasons[i] = too_large(sizes[i], most)
    # rows of the pages that are read
    taken = np.flatnonzero(sizes <= most).tolist()
    columns = {"html": html} | ({} if content_type is None else {"content_type": content_type.cast(pa.large_string())})
    table = pa.record_batch(list(columns.values()), list(columns))
    parts = dict[int, pa.RecordBatch]()
    if len(taken) <= SMALL_PAGES and int(sizes[taken].sum()) <= SMALL_BYTES:
        rows = table.take(pa.array(taken, pa.int64()))
        said = rows.column("content_type") if content_type is not None else None
        parts[0] = read_batch(rows.column("html"), said, body)
    else:
        chunks = deque[tuple[int, pa.RecordBatch]]()
        for place, (start, end) in enumerate(_chunks(sizes[taken])):
            chunks.append((place, table.take(pa.array(taken[start:end], pa.int64()))))
        on_processes(chunks, parts, body, min(workers, len(chunks)))
    # results in the order of the chunks, then spread over all rows
    read = pa.Table.from_batches([parts[i] for i in sorted(parts)], READ).combine_chunks()
    for i, reason in zip(taken, read.column("reason").to_pylist(), strict=True):
        if reason is not None:
            reasons[i] = reason
    where = np.full(len(html), -1, np.int64)
    where[taken] = np.arange(len(taken))
    index = pa.array(where, mask=where < 0)
    names = ("text", "blocks", "title", "url", "time")
    text, blocks, title, url, time = (one_array(read.column(name).take(index)) for name in names)
    return PagesBatch(text, blocks, title, url, time, dict(sorted(reasons.items())))


def _needs(body: str) -> None:
    """Raise UsageError for a missing extra before any process is started."""
    library()
    if body == "accurate":
        accurate.library()


def _chunks(sizes: np.ndarray) -> list[tuple[int, int]]:
    out, start, total = list[tuple[int, int]](), 0, 0
    for i, size in enumerate(sizes.tolist()):
        if i > start and (total + size > CHUNK_BYTES or i - start >= CHUNK_PAGES):
            out.append((start, i))
            start, total = i, 0
        total += size
    return [*out, (start, len(sizes))] if len(sizes) else out
