"""A file of ours as one table with all its columns, values as they stand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

from quchong.io.memory import table_of_dicts
from quchong.io.warcfile import WarcFile


def read_whole(path: Path) -> pa.Table:
    """The rows of a JSONL, CSV, TSV, Parquet or Arrow file, the pages of a WARC, or a list of paths (one column `path`).

    JSONL: every key that occurs is a column; one of mixed types holds text. CSV: every value is text, as it stands.
    """
    names = "".join(path.suffixes)
    if ".warc" in names:
        return WarcFile(path, path.name, names).rows()
    if ".parquet" in names:
        return pq.read_table(path)
    if any(s in names for s in (".arrow", ".ipc", ".feather")):
        return pyarrow.feather.read_table(path)
    with pa.input_stream(str(path), compression="detect") as stream:
        text = stream.read().decode("utf-8-sig")
    if ".txt" in names:
        return pa.table({"path": pa.array(text.splitlines(), pa.large_string())})
    if ".csv" in names or ".tsv" in names:
        return _delimited(text, "\t" if ".tsv" in names else None)
    return table_of_dicts([_object(line) for line in text.split("\n") if line.strip()])


def _object(line: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = json.loads(line)  # NaN and infinities
    return found


def _delimited(text: str, delimiter: str | None) -> pa.Table:
    head = text.split("\n", 1)[0]
    if delimiter is None:
        delimiter = "," if "," in head else next((d for d in ";\t" if d in head), ",")
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    columns = list(zip(*rows[1:], strict=True)) if len(rows) > 1 else [()] * len(rows[0])
    return pa.table([pa.array(list(c), pa.large_string()) for c in columns], names=rows[0])
