"""Texts as an index stores them: each compressed by itself, many packed or read together.

A context of Zstandard that is made for one text takes longer than the text. Texts are therefore compressed by one context where Python has
one that lasts, and many are decompressed as one stream (docs/decisions/0321).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module

import numpy as np
import pyarrow as pa

from quchong.engines.index.document_store import COMPRESSED, MOST_RATIO, Row, damaged_document
from quchong.kernels.offsets import prefix_sums

_CODEC = pa.Codec("zstd", 1)
_LEAST_COMPRESSED = 200
"""Texts shorter than this many bytes are stored as they are."""
_LASTING = ("compression.zstd", "backports.zstd")
"""Modules with a context that lasts: of Python 3.14, and the same for earlier ones, which is used if it is installed."""
_STREAMED, _MOST_STREAMED = 4, 1 << 28
"""Texts from which on they are decompressed as one stream, and the most bytes of them all."""
_UNREADABLE = (OSError, ValueError, TypeError, AttributeError, OverflowError)
"""Errors of a text that is damaged; Arrow's are OSErrors and ValueErrors."""


def packed_texts(texts: pa.Array) -> list[tuple[bytes, int, int]]:
    """Return texts as stored: bytes of each, its size before compression, and the mark COMPRESSED or 0."""
    compress, out = compressor(), list[tuple[bytes, int, int]]()
    for plain in texts.cast(pa.large_binary()).to_pylist():
        size, mark, stored = len(plain), 0, plain
        if size >= _LEAST_COMPRESSED and len(small := compress(plain)) < size:
            stored, mark = small, COMPRESSED
        out.append((stored, size, mark))
    return out


@cache
def compressor() -> Callable[[bytes], bytes]:
    """Return a function that compresses bytes into one Zstandard frame, usable by any thread."""
    for name in _LASTING:
        try:
            made = import_module(name).ZstdCompressor
        except ImportError:
            continue
        return partial(made(level=1).compress, mode=made.FLUSH_FRAME)
    return partial(_CODEC.compress, asbytes=True)


def original_text(row: Row) -> str | None:
    """Return the original text of a document in the catalogue; None if the index does not keep texts.

    Raises:
        DamagedRow: the document is not as it was stored.
    """
    if row.text is None:
        return None
    row.check()
    try:
        if not row.marks & COMPRESSED:
            return row.text.decode()
        if row.size > MOST_RATIO * max(1, len(row.text)):  # no memory is taken for a size that is forged
            raise damaged_document(row.number)
        return bytes(_CODEC.decompress(row.text, row.size)).decode()
    except _UNREADABLE as error:
        raise damaged_document(row.number) from error


def original_texts(rows: Sequence[Row]) -> pa.Array:
    """Return the original texts of documents in the catalogue as a column of large strings; "" for those that are not kept.

    Raises:
        DamagedRow: a document is not as it was stored.

    Cost: a third of that of the texts one by one.
    """
    if len(rows) >= _STREAMED:
        try:
            return _column(rows)
        except _UNREADABLE:  # one by one they say which is damaged
            pass
    return pa.array([original_text(row) or "" for row in rows], pa.large_string())


def _column(rows: Sequence[Row]) -> pa.Array:
    """Return the texts of documents as a column; the compressed ones are read as one stream of frames.

    Raises:
        DamagedRow: a document is not as it was stored.
        OSError, ValueError, TypeError, AttributeError, OverflowError: one is not what it says, or all are very long.
    """
    frames: list[bytes] = []
    size, whole = 0, True
    for row in rows:
        if row.text is None or not row.marks & COMPRESSED:
            whole = False
        elif row.size <= MOST_RATIO * max(1, len(row.text)):
            frames.append(row.text)
            size += row.size
        else:
            raise ValueError("a size that is forged")
        if row.text is not None:
            row.check()
    if size > _MOST_STREAMED:
        raise ValueError("one by one they take no memory for a size that is forged")
    with pa.CompressedInputStream(pa.BufferReader(b"".join(frames)), "zstd") as stream:
        read = stream.read(size)
        if len(read) < size or stream.read(1):
            raise ValueError("texts have other sizes than their documents say")
    pieces = [read] if whole else list(_pieces(rows, read))
    sizes = [row.size for row in rows] if whole else list(map(len, pieces))
    offsets, data = prefix_sums(np.array(sizes, np.int64)), read if whole else b"".join(pieces)
    column = pa.Array.from_buffers(pa.large_string(), len(rows), [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    column.validate(full=True)
    return column


def _pieces(rows: Sequence[Row], read: bytes) -> Iterator[bytes | memoryview]:
    """Yield the bytes of each document's text; `read` has the decompressed ones one after another."""
    view, start = memoryview(read), 0
    for row in rows:
        if row.text is None or not row.marks & COMPRESSED:
            yield row.text or b""
        else:
            yield view[start : start + row.size]
            start += row.size
