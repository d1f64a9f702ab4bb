"""JSON lines on Spark, read as documents together with the whole lines and their locations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.engines.spark.documents import ID, TEXT, stored_name, wanted_name
from quchong.engines.spark.pages import reader_of, wanted_of
from quchong.engines.spark.rows import FILE, RECORD, START, Rows, columns_of, scope_in
from quchong.io import WantedColumns
from quchong.io.documents import numbered, whole_numbers
from quchong.io.limits import LARGEST
from quchong.io.page_documents import PageReader
from quchong.io.records.json_reader import JsonReader
from quchong.io.records.jsonl import LOOKED_AT, keys_of
from quchong.io.records.lines import BOM, Records
from quchong.io.source import Bad
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LINE, LINES, REASON, NUMBERS = "quchong_line", "quchong_lines", "reason", "quchong_numbers"
"""Columns: a line without its ending; the number of lines before it in its split; the reason why it cannot be used, or null;
True if all ids of its batch were whole numbers."""
OWN = (LINE, LINES, REASON, NUMBERS)
ENDS = ""
"""Reason of the row that ends a split, whose LINES and RECORD are the counts of the split and not a location."""
_WHITE = b" \t\r"


def first_keys(session: SparkSession, paths: list[str]) -> tuple[str, ...]:
    """Return the keys of the first lines, which are the names of columns."""
    lines = session.read.text(paths, lineSep="\n").limit(LOOKED_AT).collect()
    return keys_of(line["value"].encode("utf-8", "replace").removeprefix(BOM) for line in lines)


def json_lines(session: SparkSession, paths: list[str], plan: Plan) -> Rows:
    """Return the rows of JSON lines files, read on executors by the reader of the local engine.

    Lines are kept byte for byte, except a byte order mark, which is dropped.

    A bad line is marked as not usable, with its `reason`; other lines are not affected. The documents carry their whole rows, so
    that a file is read and parsed once.
    """
    extra, reader, wanted = columns_of(plan), reader_of(plan), wanted_of(plan)
    about = (F.col("_metadata.file_path").alias(FILE), F.col("_metadata.file_block_start").alias(START))
    lines = session.read.text(paths, lineSep="\n").select(F.col("value").cast("binary").alias(LINE), *about)
    made = [ID, TEXT, *(stored_name(name) for name in extra)]
    kinds = {
        LINE: "binary", FILE: "string", START: "bigint", LINES: "bigint", RECORD: "bigint", REASON: "string", NUMBERS: "boolean",
        **dict.fromkeys(made, "string"),
    }  # fmt: skip

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        # Spark reads the lines of a split in order in one task, so counting them gives their numbers; a last row
        # reports the totals.
        split: tuple[str, int] | None = None
        count = Counted()
        for batch in batches:
            # A batch may contain the end of one split and the beginning of the next.
            for piece in _by_split(batch):
                mine = (piece.column(FILE)[0].as_py(), piece.column(START)[0].as_py())
                if mine != split:
                    if split is not None:
                        yield _total(split, count, made)
                    split, count = mine, Counted()
                found = _read(piece.column(LINE), mine, count, wanted, reader, made)
                if found is not None:
                    yield found
        if split is not None:
            yield _total(split, count, made)

    documents = lines.mapInArrow(read, ", ".join(f"`{name}` {kind}" for name, kind in kinds.items()))
    reason = F.col(REASON)
    return Rows(documents.select("*", scope_in(plan)), F.col(ID), reason.isNull(), reason != ENDS)


@dataclass(slots=True)
class Counted:
    """Numbers of lines, and of non-blank lines, read in one split."""

    lines: int = 0
    records: int = 0


def _by_split(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Split a batch into runs of rows of one split."""
    if not batch.num_rows:
        return
    start = batch.column(START).to_numpy()
    file = batch.column(FILE).dictionary_encode().indices.to_numpy()
    edges = np.flatnonzero((np.diff(start) != 0) | (np.diff(file) != 0)) + 1
    for first, last in pairwise([0, *edges.tolist(), batch.num_rows]):
        yield batch.slice(first, last - first)


def _read(
    lines: pa.Array, split: tuple[str, int], count: Counted, wanted: WantedColumns, reader: PageReader, made: list[str]
) -> pa.RecordBatch | None:
    """Parse the non-blank lines of a split as documents; return None if all lines are blank.

    A row has the location in the split, the reason, and the wanted values, null where a line cannot be used. `count`
    has the lines of the split that were read before, and is advanced.
    """
    plain = [line.removeprefix(BOM) for line in lines.to_pylist()]
    number = count.lines + np.flatnonzero([bool(line.strip(_WHITE)) for line in plain])
    raw = [plain[i] for i in (number - count.lines).tolist()]
    first = count.records
    count.lines += len(lines)
    count.records += len(raw)
    if not raw:
        return None
    # The lines as records of one buffer, as the local reader takes them.
    ends = np.cumsum([len(line) + 1 for line in raw]).astype(np.int64)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    bad: list[Bad] = []
    records = Records(b"\n".join([*raw, b""]), starts, ends, np.arange(1, len(raw) + 1)).limited(LARGEST)
    found = JsonReader(reader.columns_to_read(wanted), "", "", whole=False).batch(records, bad)
    numbers = numbered(found) and whole_numbers(found.column(ID))
    documents = reader.read(found, wanted, "", bad)
    # The reader leaves out bad records: put its rows back at their lines, with nulls for the others.
    place = np.full(len(raw), -1, np.int64)
    place[documents.column("row").to_numpy()] = np.arange(documents.num_rows)
    which = pa.array(place, mask=place < 0)
    reasons = {b.row: b.reason for b in bad}
    values = [documents.column(n).take(which).cast(pa.string()) for n in (wanted_name(name) for name in made)]
    columns = {
        LINE: pa.array(raw, pa.binary()), FILE: pa.array([split[0]] * len(raw), pa.string()),
        START: pa.array(np.full(len(raw), split[1])), LINES: pa.array(number), RECORD: pa.array(first + np.arange(len(raw))),
        REASON: pa.array([reasons.get(i) for i in range(len(raw))], pa.string()),
        NUMBERS: pa.array(np.full(len(raw), numbers), mask=place < 0), **dict(zip(made, values, strict=True)),
    }  # fmt: skip
    return pa.RecordBatch.from_pydict(columns)


def _total(split: tuple[str, int], count: Counted, made: list[str]) -> pa.RecordBatch:
    """Return the row that ends a split, with the number of its lines and records."""
    columns = {
        LINE: pa.nulls(1, pa.binary()), FILE: pa.array([split[0]]), START: pa.array([split[1]], pa.int64()),
        LINES: pa.array([count.lines], pa.int64()), RECORD: pa.array([count.records], pa.int64()), REASON: pa.array([ENDS]),
        NUMBERS: pa.nulls(1, pa.bool_()), **dict.fromkeys(made, pa.nulls(1, pa.string())),
    }  # fmt: skip
    return pa.RecordBatch.from_pydict(columns)
