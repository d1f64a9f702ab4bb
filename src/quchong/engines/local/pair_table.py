"""The table of the pairs of a run: made part by part, and written to its file as it is made, or held."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.pairs import DocumentPairs, to_table
from quchong.engines.local.stage_checks import of_table
from quchong.engines.local.stage_store import KeptStages
from quchong.kernels.machine import Stop
from quchong.runs.layout import PAIR_GROUP, write_parts
from quchong.tables import PAIRS, VariantCounts


def hold_pairs(documents: DocumentColumns, pairs: DocumentPairs, counts: VariantCounts, kept: KeptStages) -> pa.Table:
    """Return the table PAIRS, whose parts `kept` stores, and add its variants to `counts`."""

    def make(start: int, end: int) -> pa.Table:
        return to_table(documents, pairs.row_range(start, end))

    table = kept.pieces("pairs", len(pairs), make, partial(of_table, PAIRS.names))
    counts.add(table)
    return table


def write_pairs(
    documents: DocumentColumns, pairs: DocumentPairs, counts: VariantCounts, file: Path, stop: Stop
) -> None:
    """Write the table PAIRS to a file, and add its variants to `counts`.

    One part is in memory at a time, and each is written only there: in a family of near-equal documents the pairs with their
    differences take many times the bytes of the input. An interrupted run makes them anew from its stored decisions.

    Args:
        documents, pairs: see `to_table`.
        counts: counter of the variants.
        file: Parquet file to write.
        stop: set by another thread, it ends the writing early; the file is of no use then.

    Raises:
        OutputError: the file cannot be written.
    """

    def row_groups() -> Iterator[pa.Table]:
        for start in range(0, max(len(pairs), 1), PAIR_GROUP):
            if start and stop.is_set():
                return
            part = to_table(documents, pairs.row_range(start, min(start + PAIR_GROUP, len(pairs))))
            counts.add(part)
            yield part

    write_parts(row_groups(), file, PAIR_GROUP)
