"""WARC files on Spark, read as documents, one task for each file.

A file that executors have on their disk (or mount) is read there piece by piece. A file that only Hadoop reaches is read by
Spark's `binaryFile`, copied to the executor's disk and read from there.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.engines.spark.documents import ID, TEXT, stored_name, wanted_name
from quchong.engines.spark.found_files import MOST_BYTES
from quchong.engines.spark.hadoop import Hadoop, local_path
from quchong.engines.spark.lines import ENDS, LINE, LINES, NUMBERS, REASON
from quchong.engines.spark.pages import reader_of, wanted_of
from quchong.engines.spark.places import display_names
from quchong.engines.spark.rows import FILE, RECORD, START, Rows, Warc, columns_of, path_of, scope_of
from quchong.errors import InputError
from quchong.io import open_inputs
from quchong.io.formats import WARCS, suffix_of
from quchong.io.page_documents import Pages
from quchong.io.source import Bad
from quchong.io.warc.file import WarcFile
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CONTENT = "content"


def warc_files(hadoop: Hadoop, paths: Sequence[str], format: str | None) -> list[Warc]:
    """Return the WARC files that paths name: files, folders with all files below them, or patterns.

    A local file system is read as by `quchong.io.open_inputs`. On others, files are chosen by name, in the order of `paths`,
    then by path.

    Raises:
        InputError: there is no such file, a file is no WARC, or a file that only Hadoop reaches has more than `MOST_BYTES`.
    """
    # If all paths are local, the sources are those of the local engine, with the same names and order.
    uris = [path if "://" in path else hadoop.qualified(path) for path in paths]
    plain = [local_path(uri) for uri in uris]
    if all(path is not None for path in plain):
        out = []
        for source in open_inputs([str(path) for path in plain], format):
            if not isinstance(source, WarcFile):
                raise InputError("{} is not a WARC file, and other inputs are: all must be of one format", source.path)
            out.append(Warc(source.name, source.path.absolute().as_uri(), source.suffix, source.path.stat().st_size))
        return out
    # Otherwise files are chosen by suffix; one that several patterns match is read once.
    found: dict[str, int] = {}
    for path in uris:
        mine = [(uri, size) for uri, size in hadoop.below(path) if format or suffix_of(uri) in WARCS]
        if not mine:
            raise InputError("{} cannot be read: there is not a WARC file", path)
        for uri, size in mine:
            found.setdefault(uri, size)
    for uri, size in found.items():
        if size > MOST_BYTES:
            raise InputError(
                "{} holds {:,} bytes, and a WARC that only Hadoop reaches may hold {:,}: mount its file system on every "
                "executor and name it file:///..., or split it",
                uri,
                size,
                MOST_BYTES,
            )
    # The suffix decides how a file is read; one that was named without a known suffix is read as plain WARC.
    kinds = [suffix_of(uri) or ".warc" for uri in found]
    return [
        Warc(name, uri, kind if kind in WARCS else ".warc", size)
        for name, (uri, size), kind in zip(display_names(list(found)), found.items(), kinds, strict=True)
    ]


def contents(session: SparkSession, files: Sequence[Warc]) -> DataFrame:
    """Return one row and one partition for each file: `name`, FILE (its URI), `suffix`, and `content`, null if executors have the file."""
    rows = [(one.name, one.uri, one.suffix) for one in files]
    known = session.createDataFrame(rows, f"name string, {FILE} string, suffix string")
    if all(one.shared_path is not None for one in files):
        return known.repartitionByRange(len(rows), FILE).withColumn(_CONTENT, F.lit(None).cast("binary"))
    read = session.read.format("binaryFile").load([one.uri for one in files])
    read = read.select(F.col("path").alias(FILE), _CONTENT)
    return read.join(F.broadcast(known), FILE)  # nothing is shuffled: a task has one large file, or several small ones


def join_contents(rows: DataFrame, files: Sequence[Warc], lists: DataFrame, how: str = "inner") -> DataFrame:
    """Join lists of records, one row for each file, to `contents`; lists are broadcast where `content` holds whole files."""
    here = all(one.shared_path is not None for one in files)
    return rows.join(lists if here else F.broadcast(lists), FILE, how)


@contextlib.contextmanager
def open_warc(row: dict[str, Any]) -> Iterator[WarcFile]:
    """Yield a row of `contents` as a WARC file that can be read on this executor."""
    uri, suffix, content = str(row[FILE]), str(row["suffix"]), row[_CONTENT]
    path = path_of(uri)
    if content is None and path is not None:
        yield WarcFile(path, "", suffix)
        return
    with tempfile.TemporaryDirectory(prefix="quchong-") as folder:
        there = Path(folder) / (PurePosixPath(unquote(urlsplit(uri).path)).name or f"x{suffix}")
        there.write_bytes(content)
        yield WarcFile(there, "", suffix)


def rows_in(batches: Iterator[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of `contents`, one at a time."""
    for batch in batches:
        for i in range(batch.num_rows):
            yield {
                name: column[i].as_buffer() if name == _CONTENT and column[i].is_valid else column[i].as_py()
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            }


def warc_pages(session: SparkSession, files: Sequence[Warc], plan: Plan) -> Rows:
    """Return the rows of WARC files: pages, read on executors as on one machine; records that are no documents are left out.

    A broken record, or a page that cannot be read, is marked as not usable, with its `reason`; the column of lines has the bytes
    of the record.
    """
    extra, reader, wanted = columns_of(plan), reader_of(plan), wanted_of(plan)
    made = [ID, TEXT, *(stored_name(name) for name in extra)]
    kinds = {
        LINE: "binary", FILE: "string", START: "bigint", LINES: "bigint", RECORD: "bigint", REASON: "string", NUMBERS: "boolean",
        **dict.fromkeys(made, "string"),
    }  # fmt: skip

    # All rows have the columns of `kinds`: documents have no line, bad records no values, and the last row of a file
    # only its count.
    def batch_of(
        uri: str, rows: pa.Array, raw: pa.Array | None, reason: pa.Array | None, values: list[pa.Array] | None
    ) -> pa.RecordBatch:
        n = len(rows)
        none = pa.nulls(n, pa.string())
        texts = [none] * len(made) if values is None else [value.cast(pa.string()) for value in values]
        return pa.RecordBatch.from_arrays([
            pa.nulls(n, pa.binary()) if raw is None else raw, pa.array([uri] * n, pa.string()), pa.array([0] * n, pa.int64()),
            pa.nulls(n, pa.int64()), rows, none if reason is None else reason,
            pa.array([False] * n) if reason is None else pa.nulls(n, pa.bool_()), *texts,
        ], list(kinds))  # fmt: skip

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows_in(batches):
            uri = str(row[FILE])
            with open_warc(row) as file:
                bad: list[Bad] = []
                count = 0
                # Pages as the local reader yields them; a page without id is named by file and record.
                for found in Pages(file, reader).documents(wanted, bad):
                    count += found.num_rows
                    made_up = pa.array(
                        [f"{row['name']}#{i}" for i in found.column("row").to_pylist()], pa.large_string()
                    )
                    columns = [found.column(wanted_name(name)) for name in made]
                    columns[0] = pc.coalesce(columns[0], made_up)
                    documents = batch_of(uri, found.column("row"), None, None, columns)
                    yield from pa.Table.from_batches([documents]).to_batches(_PIECE)
                # Bad records are read again for their bytes, which go to skipped/.
                reasons = {one.row: one.reason for one in bad}
                for number, _, raw in file.whole_records(list(reasons)):
                    yield batch_of(
                        uri, pa.array([number], pa.int64()), pa.array([raw], pa.binary()), pa.array([reasons[number]], pa.string()), None
                    )  # fmt: skip
                total = pa.array([count + len(bad)], pa.int64())
                yield batch_of(uri, total, None, pa.array([ENDS]), None)

    documents = contents(session, files).mapInArrow(read, ", ".join(f"`{name}` {kind}" for name, kind in kinds.items()))
    per = stored_name(plan.scope.per) if plan.scope.per in extra else ID
    scope = scope_of(F.lit("") if plan.scope.per is None else F.col(f"`{per}`"))
    reason = F.col(REASON)
    return Rows(
        documents.select("*", scope), F.col(ID), reason.isNull(), reason != ENDS, id_type="string", warcs=tuple(files)
    )


_PIECE = 64
"""Pages in one batch of the result."""
