"""The table of the pairs of a run: made part by part, and written to its file as it is made, or held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from quchong.engines.local.stage_checks import of_table
from quchong.engines.local.stage_store import KeptStages
from quchong.progress import Stages
from quchong.runs.layout import PAIR_GROUP, write_parts
from quchong.tables import PAIRS, VariantCounts


def tabulate_pairs(
    rows: int, make: Callable[[int, int], pa.Table], counts: VariantCounts, stages: Stages, kept: KeptStages, file: Path | None
) -> pa.Table | None:  # fmt: skip
    """Make the table PAIRS, and add its variants to `counts`.

    With a file, one part is in memory at a time, and each is written only there: in a family of near-equal documents the pairs with
    their differences take many times the bytes of the input. An interrupted run makes them anew from its stored decisions.

    Args:
        rows: number of pairs.
        make: function that makes the rows from a start to an end, without the end.
        counts: counter of the variants.
        stages: record of the times: "write tables" with a file, else "choose survivors".
        kept: storage of the parts if there is no file.
        file: Parquet file to write; None to return the table.

    Returns:
        The table; None if it was written to the file.

    Raises:
        OutputError: the file cannot be written.
    """
    if file is None:

        def timed(start: int, end: int) -> pa.Table:
            with stages.stage("choose survivors"):
                return make(start, end)

        table = kept.pieces("pairs", rows, timed, partial(of_table, PAIRS.names))
        counts.add(table)
        return table

    def row_groups() -> Iterator[pa.Table]:
        for start in range(0, max(rows, 1), PAIR_GROUP):
            part = make(start, min(start + PAIR_GROUP, rows))
            counts.add(part)
            yield part

    with stages.stage("write tables"):
        write_parts(row_groups(), file, PAIR_GROUP)
    return None
