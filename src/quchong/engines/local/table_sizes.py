"""Sizes of the tables of a run folder, measured on a run over a sample."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from quchong.engines.local.outcome import Outcome
from quchong.runs.layout import PAIR_GROUP, ROW_GROUP, write_parts

FIXED = 12_000
"""Bytes of run.json, and of tables without rows."""
A_DOCUMENT = 6
"""Bytes of the table of documents for each document, without its id."""
A_PAIR, A_REMOVAL = 12, 45
"""Bytes of a row of the table of pairs, and of the ledger and the clusters together, where the sample has too few."""
ENOUGH = 50
"""Rows at or above which a table of the sample shows what a row takes."""


@dataclass(frozen=True, slots=True)
class TableSizes:
    """Bytes per row of each table of a run folder.

    Attributes:
        documents, pairs: for each document, and for each row of the table of pairs.
        removals: of the ledger and the clusters, for each removed document.
    """

    documents: float
    pairs: float
    removals: float

    def folder(self, documents: int, pairs: int, removed: float) -> int:
        """Return the bytes of a run folder with these numbers of rows, without the rows of the input."""
        return int(FIXED + self.documents * documents + self.pairs * pairs + self.removals * removed)


def table_sizes(outcome: Outcome, folder: Path) -> TableSizes:
    """Measure the bytes per row of an outcome's tables, written as a run writes them.

    What a row takes depends on its relation: pairs on one template have no differences in the table, near-copies of posts have many, so no
    number is right for all.

    Args:
        outcome: of a run over a sample, which holds its pairs.
        folder: an existing folder, in which one file is written and removed again.

    Cost: packing the tables, 50 ms for 40,000 pairs.
    """
    file, documents, pairs, removed = folder / "table.parquet", len(outcome.corpus), outcome.pairs, len(outcome.ledger)
    ids = pa.table({"id": outcome.corpus.documents.shown_ids(np.arange(documents))})
    of_removals = _packed(outcome.ledger, file, ROW_GROUP) + _packed(outcome.clusters, file, ROW_GROUP)
    return TableSizes(
        A_DOCUMENT + _packed(ids, file, ROW_GROUP) / max(documents, 1),
        _packed(pairs, file, PAIR_GROUP) / len(pairs) if len(pairs) >= ENOUGH else A_PAIR,
        of_removals / removed if removed >= ENOUGH else A_REMOVAL,
    )


def _packed(table: pa.Table, path: Path, group: int) -> int:
    """Return the bytes that a table takes as a Parquet file, less those of an empty table."""
    sizes = []
    for part in (table, table.slice(0, 0)):
        write_parts([part], path, group)
        sizes.append(path.stat().st_size)
        path.unlink()
    return max(sizes[0] - sizes[1], 0)
