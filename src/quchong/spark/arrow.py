"""Arrow batches on executors: what comes in, what goes out, and errors with the record that made them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

LARGE = {pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}


def texts_in(batch: pa.RecordBatch, name: str) -> pa.Array:
    """A column of texts as the kernels read them; a null is an empty text."""
    return batch.column(name).cast(pa.large_string()).fill_null("")


def mapped(made: Callable[[pa.RecordBatch], pa.RecordBatch | pa.Table]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[Any]]:
    """A function of batches for `mapInArrow`; empty batches are passed over, empty results left out."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if batch.num_rows:
                found = made(batch)
                for piece in found.to_batches() if isinstance(found, pa.Table) else [found]:
                    if piece.num_rows:
                        yield piece

    return run


def signed(values: np.ndarray) -> pa.Array:
    """uint64 as the signed integers Spark has: the same bits."""
    return pa.array(np.ascontiguousarray(values, np.uint64).view(np.int64))


def unsigned(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """The way back."""
    return np.asarray(column.to_numpy()).astype(np.int64, copy=False).view(np.uint64)
