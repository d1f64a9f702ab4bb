"""Polars: frames with a namespace `copies`, which keeps one row of each copy or says of which row each one is a copy.

df.copies.drop(text="content")          rows without copies
df.copies.mark(text="content")          all rows, with the columns `copy_of` and `relation`
"""

from __future__ import annotations

from typing import Any

import polars as pl

import quchong as qc


@pl.api.register_dataframe_namespace("copies")
class Copies:
    """Copies among the rows of a frame; rows are known by their number. Options are those of `quchong.dedup`."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def drop(self, **options: Any) -> pl.DataFrame:
        """Return the rows that are kept, in their order."""
        return self._frame[qc.dedup(self._frame, **options).kept_rows]

    def mark(self, **options: Any) -> pl.DataFrame:
        """Return all rows with the number of the row that is kept instead, and the relation to it; null where the row is kept."""
        numbered = self._frame.with_row_index("row_number")
        ledger = qc.dedup(numbered, id="row_number", **options).ledger.select(["id", "survivor_id", "relation"])
        removed = pl.DataFrame(
            {"row_number": ledger["id"], "copy_of": ledger["survivor_id"], "relation": ledger["relation"]}
        )
        like = removed.with_columns(pl.col("row_number", "copy_of").cast(pl.UInt32))
        return numbered.join(like, on="row_number", how="left", maintain_order="left").drop("row_number")
