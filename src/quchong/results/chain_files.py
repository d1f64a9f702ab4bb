"""Files of chains: JSON lines or Parquet, by suffix."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from quchong.errors import OutputError, Param, UsageError
from quchong.outputs import settled, staged_file
from quchong.runs.layout import write_table
from quchong.tables import CHAINS

SUFFIXES = (".jsonl", ".parquet")
_BEGINNING = b'{"chain_id": '


def check_chain_file(out: Path, overwrite: bool) -> None:
    """Check that chains can be written to a path.

    Raises:
        UsageError: the path has another suffix.
        OutputError: the file exists (without `overwrite`), or contains no chains.
    """
    if out.suffix not in SUFFIXES:
        raise UsageError("{} has to end in {}", Param("out", str(out)), " or ".join(SUFFIXES))
    settled(out)
    if not os.path.lexists(out):
        return
    if not overwrite:
        raise OutputError(
            "{} exists: choose another file with {}, or replace it with {}", out, Param("out"), Param("overwrite", True)
        )
    if not _is_ours(out):
        raise OutputError(
            "{} holds no chains, so {} leaves it alone: choose another file with {}",
            out,
            Param("overwrite", True),
            Param("out"),
        )


def _is_ours(out: Path) -> bool:
    """Return True if the file contains chains, or is empty."""
    try:
        if not out.is_file():
            return False
        if out.suffix == ".parquet":
            with pa.OSFile(os.fsencode(out)) as file:
                return bool(pq.read_schema(file).names == CHAINS.names)
        with out.open("rb") as file:
            beginning = file.read(len(_BEGINNING))
        return not beginning or beginning == _BEGINNING
    except (OSError, pa.ArrowException):
        return False


def write_chains(table: pa.Table, out: Path, overwrite: bool) -> None:
    """Write CHAINS to a file atomically; the same table gives the same bytes.

    Raises:
        UsageError, OutputError: as `check_chain_file`; or the file cannot be written.
    """
    check_chain_file(out, overwrite)
    with staged_file(out) as new:
        if out.suffix == ".parquet":
            write_table(table, new)
            return
        with new.open("w", encoding="utf-8", newline="\n") as file:
            each_line(table, lambda line: file.write(line + "\n"))


def each_line(table: pa.Table, take: Callable[[str], Any]) -> None:
    """Call `take` with every row of CHAINS as one line of JSON; times are in ISO 8601."""
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            row["published"] = None if row["published"] is None else row["published"].isoformat()
            take(json.dumps(row, ensure_ascii=False))
