"""Worker process that reads pages: batches on stdin, results on stdout.

A frame is eight bytes of length and an Arrow stream. Only `quchong.pages.pool` starts it.
"""

from __future__ import annotations

import contextlib
import struct
import sys
from typing import IO

import pyarrow as pa

from quchong.pages.page import UnreadablePage, read_page

MEMORY = 4 << 30
"""Maximum address space of a worker in bytes; a page that needs more ends the worker, and is skipped."""
READ = pa.schema([(name, pa.large_string()) for name in ("text", "blocks", "title", "url", "time", "reason")])


def read_batch(html: pa.Array, content_type: pa.Array | None, body: str) -> pa.RecordBatch:
    """Read pages one by one; return a row of READ for each, with a null text and a `reason` if it was not read."""
    rows = list[tuple[str | None, ...]]()
    for i in range(len(html)):
        said = content_type[i].as_py() if content_type is not None else None
        try:
            page = read_page(html[i].as_py(), body, said)
        except UnreadablePage as error:
            rows.append((None, None, None, None, None, str(error)))
        else:
            rows.append((page.text, page.blocks, page.title, page.url, page.time, None))
    columns = zip(*rows, strict=True) if rows else [()] * len(READ)
    return pa.record_batch([pa.array(column, pa.large_string()) for column in columns], READ)


def send(out: IO[bytes], batch: pa.RecordBatch) -> None:
    """Write a frame and flush it."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    data = sink.getvalue()
    out.write(struct.pack("<q", data.size))
    out.write(data)
    out.flush()


def receive(source: IO[bytes]) -> pa.RecordBatch | None:
    """Read a frame; return None if the other side has closed."""
    head = source.read(8)
    if len(head) < 8:
        return None
    (size,) = struct.unpack("<q", head)
    data = source.read(size)
    if len(data) < size:
        return None
    with pa.ipc.open_stream(data) as stream:
        return stream.read_next_batch()


def main(body: str) -> None:
    """Send an empty answer as a greeting, then answer requests until the input ends."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    source, out = sys.stdin.buffer, sys.stdout.buffer
    send(out, read_batch(pa.array([], pa.large_binary()), None, body))  # it is there
    while (batch := receive(source)) is not None:
        said = batch.column("content_type") if "content_type" in batch.schema.names else None
        send(out, read_batch(batch.column("html"), said, body))
