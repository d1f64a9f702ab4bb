"""Division of large batches of a source into batches of limited text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from quchong.io.arrays import text_lengths

TEXT_BYTES = 16 << 20
"""Approximate bytes of text in one batch of documents."""


_BATCH_ROWS = 1 << 16


def portions(batch: pa.RecordBatch, keys: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Split a batch into slices of at most about TEXT_BYTES of text in the columns `keys`; yield each with its first row."""
    for base in range(0, batch.num_rows, _BATCH_ROWS):
        part = batch.slice(base, _BATCH_ROWS)
        total = np.cumsum(sum(text_lengths(part.column(key)) for key in keys))
        start = 0
        while start < part.num_rows:
            before = int(total[start - 1]) if start else 0
            end = max(start + 1, int(np.searchsorted(total, before + TEXT_BYTES, "right")))
            yield base + start, part.slice(start, end - start)
            start = end
