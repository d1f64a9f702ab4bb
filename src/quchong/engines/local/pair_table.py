"""The table of the pairs of a run: made part by part, and written to its file as it is made, or held."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.pairs import DocumentPairs, to_table
from quchong.engines.local.background import in_order
from quchong.engines.local.stage_checks import of_table
from quchong.engines.local.stage_store import KeptStages
from quchong.kernels.machine import Stop
from quchong.runs.layout import PAIR_GROUP, write_parts
from quchong.tables import PAIRS, VariantCounts


def hold_pairs(
    documents: DocumentColumns, pairs: DocumentPairs, removed: np.ndarray, counts: VariantCounts, kept: KeptStages
) -> pa.Table:
    """Return the table PAIRS, made in parts that `kept` stores, and count its variants in `counts`."""

    def make(start: int, end: int) -> pa.Table:
        return to_table(documents, pairs.row_range(start, end))

    table = kept.pieces("pairs", len(pairs), make, partial(of_table, PAIRS.names))
    counts.add(table, ~(removed[pairs.left] | removed[pairs.right]))
    return table


def write_pairs(
    documents: DocumentColumns,
    pairs: DocumentPairs,
    removed: np.ndarray,
    counts: VariantCounts,
    file: Path,
    at_once: int,
    stop: Stop,
) -> None:
    """Write the table PAIRS to a file, and add its variants to `counts`.

    Few parts are in memory at a time, and each is written only there: in a family of near-equal documents the pairs with their
    differences take many times the bytes of the input. An interrupted run makes them anew from its stored decisions.

    Args:
        documents, pairs: see `to_table`.
        removed: mask of the documents.
        counts: counter of the variants.
        file: Parquet file to write.
        at_once: parts made at the same time, while another is written; with 1 one after another.
        stop: set by another thread, it ends the writing early; the file is of no use then.

    Raises:
        OutputError: the file cannot be written.
    """

    def make(start: int) -> tuple[pa.Table, np.ndarray]:
        part = pairs.row_range(start, min(start + PAIR_GROUP, len(pairs)))
        return to_table(documents, part), ~(removed[part.left] | removed[part.right])

    def row_groups() -> Iterator[pa.Table]:
        for part, kept in in_order(make, range(0, max(len(pairs), 1), PAIR_GROUP), at_once):
            counts.add(part, kept)
            yield part
            if stop.is_set():
                return

    write_parts(row_groups(), file, PAIR_GROUP)
