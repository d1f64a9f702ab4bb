"""Files of records that one task reads whole with the reader of the local engine: CSV, TSV, JSON arrays, Arrow, workbooks, WARC.

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

from quchong.engines.spark.arrow import TYPES
from quchong.engines.spark.documents import ID, TEXT, stored_name, wanted_name
from quchong.engines.spark.found_files import MOST_BYTES
from quchong.engines.spark.hadoop import Hadoop, local_path
from quchong.engines.spark.lines import ENDS, LINE, LINES, NUMBERS, REASON
from quchong.engines.spark.pages import reader_of, wanted_of
from quchong.engines.spark.places import display_names
from quchong.engines.spark.rows import FILE, RECORD, START, Rows, SourceFile, columns_of, path_of, scope_in
from quchong.errors import InputError
from quchong.io import open_inputs
from quchong.io.columnar.ipc import ArrowFile
from quchong.io.documents import numbered, whole_numbers
from quchong.io.formats import FILES, WARCS, check, source, suffix_for, suffix_of
from quchong.io.page_documents import Pages
from quchong.io.source import Bad, Source
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CONTENT = "content"
_KNOWN = f"name string, {FILE} string, suffix string, split string"


def source_files(hadoop: Hadoop, paths: Sequence[str], format: str | None, *, warc: bool) -> list[SourceFile]:
    """Return the files of records that paths name: files, folders with all files below them, or patterns.

    A local file system is read as by `quchong.io.open_inputs`. On others, files are chosen by name, in the order of `paths`,
    then by path.

    Args:
        hadoop: file systems of the session.
        paths: files, folders and patterns.
        format: the format of all files, if the user named it.
        warc: True if the files are WARC files: files of other formats beside them are then left out.

    Raises:
        InputError: there is no such file, a file is of another kind, or a file that only Hadoop reaches has more than `MOST_BYTES`.
    """
    # If all paths are local, the sources are those of the local engine, with the same names and order.
    uris = [path if "://" in path else hadoop.qualified(path) for path in paths]
    plain = [local_path(uri) for uri in uris]
    if all(path is not None for path in plain):
        out = []
        for found in open_inputs([str(path) for path in plain], format):
            assert found.path is not None
            if (found.suffix in WARCS) is not warc or found.suffix in FILES:
                raise InputError(
                    "{} is {}, but other inputs are not: all inputs must be of one kind", found.path, found.suffix
                )
            split = found.split_name if isinstance(found, ArrowFile) else None
            uri, size = found.path.absolute().as_uri(), found.path.stat().st_size
            out.append(SourceFile(found.name, uri, found.suffix, size, split, found.column_names()))
        return out
    # Otherwise files are chosen by suffix; one that several patterns match is read once.
    found_sizes: dict[str, int] = {}
    for path in uris:
        mine = [(uri, size) for uri, size in hadoop.below(path) if format or _is_wanted(suffix_of(uri), warc)]
        if not mine:
            raise InputError("{} cannot be read, because it has no file of records", path)
        for uri, size in mine:
            found_sizes.setdefault(uri, size)
    for uri, size in found_sizes.items():
        if size > MOST_BYTES:
            raise InputError(
                "{} has {:,} bytes, but Spark reads a file of this format through Hadoop only up to {:,} bytes: mount "
                "the file system on every executor and write the address as file:///..., or split the file",
                uri,
                size,
                MOST_BYTES,
            )
    # The suffix decides how a file is read; a WARC file that was named without a known suffix is read as plain WARC.
    suffixes = [_suffix(uri, format, warc) for uri in found_sizes]
    return [
        SourceFile(name, uri, suffix, size)
        for name, (uri, size), suffix in zip(
            display_names(list(found_sizes)), found_sizes.items(), suffixes, strict=True
        )
    ]


def _is_wanted(suffix: str | None, warc: bool) -> bool:
    """Return True if files with this suffix are WARC files, or else files of records."""
    return suffix in WARCS if warc else suffix is not None and suffix not in (*WARCS, *FILES)


def _suffix(uri: str, format: str | None, warc: bool) -> str:
    """Return the suffix that tells how a file is read."""
    named = suffix_of(uri)
    if warc:
        return named if named in WARCS else ".warc"
    return suffix_for(format) if format is not None else named or ""


def first_columns(session: SparkSession, files: Sequence[SourceFile]) -> list[str]:
    """Return the names of the columns of all files, as far as they are known before a file is read as documents.

    Cost: files that only Hadoop reaches are read once more, unless they are WARC files, whose columns are known.
    """
    if all(one.suffix in WARCS or one.shared_path is not None for one in files):
        return list(dict.fromkeys(name for one in files for name in one.columns))

    def names(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows_in(batches):
            with open_source(row) as file:
                columns = list(file.column_names())
            rows = [pa.array([row["name"]] * len(columns), pa.string()), pa.array(range(len(columns)), pa.int64())]
            yield pa.RecordBatch.from_arrays([*rows, pa.array(columns, pa.string())], ["name", "at", "column"])

    found = contents(session, files).mapInArrow(names, "name string, at bigint, column string").collect()
    order = {one.name: i for i, one in enumerate(files)}
    found.sort(key=lambda row: (order[row["name"]], row["at"]))
    return list(dict.fromkeys(row["column"] for row in found))


def contents(session: SparkSession, files: Sequence[SourceFile]) -> DataFrame:
    """Return one row and one partition for each file: `name`, FILE (its URI), `suffix`, `split`; `content` is null if executors have it."""
    rows = [(one.name, one.uri, one.suffix, one.split) for one in files]
    known = session.createDataFrame(rows, _KNOWN)
    if all(one.shared_path is not None for one in files):
        return known.repartitionByRange(len(rows), FILE).withColumn(_CONTENT, F.lit(None).cast("binary"))
    read = session.read.format("binaryFile").load([one.uri for one in files])
    read = read.select(F.col("path").alias(FILE), _CONTENT)
    return read.join(F.broadcast(known), FILE)  # nothing is shuffled: a task has one large file, or several small ones


def join_contents(rows: DataFrame, files: Sequence[SourceFile], lists: DataFrame, how: str = "inner") -> DataFrame:
    """Join lists of records, one row for each file, to `contents`; lists are broadcast where `content` holds whole files."""
    here = all(one.shared_path is not None for one in files)
    return rows.join(lists if here else F.broadcast(lists), FILE, how)


@contextlib.contextmanager
def open_source(row: dict[str, Any]) -> Iterator[Source]:
    """Yield a row of `contents` as a source of the local engine that can be read on this executor."""
    uri, suffix, content = str(row[FILE]), str(row["suffix"]), row[_CONTENT]
    path = path_of(uri)
    if content is None and path is not None:
        yield _open_file(path, suffix, row["split"])
        return
    with tempfile.TemporaryDirectory(prefix="quchong-") as folder:
        there = Path(folder) / (PurePosixPath(unquote(urlsplit(uri).path)).name or f"x{suffix}")
        there.write_bytes(content)
        yield _open_file(there, suffix, row["split"])


def _open_file(path: Path, suffix: str, split: str | None) -> Source:
    """Open a file as the local engine does."""
    check(path, suffix)
    found = source(path, suffix, "", forced=True)
    if isinstance(found, ArrowFile):
        found.split_name = split
    return found


def rows_in(batches: Iterator[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of `contents`, one at a time."""
    for batch in batches:
        for i in range(batch.num_rows):
            yield {
                name: column[i].as_buffer() if name == _CONTENT and column[i].is_valid else column[i].as_py()
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            }


def file_documents(session: SparkSession, files: Sequence[SourceFile], plan: Plan) -> Rows:
    """Return the rows of files, read on executors as on one machine; of WARC files records that are no documents are left out.

    A record that cannot be used is marked as not usable, with its `reason`; the column of lines has its bytes.
    """
    extra, reader, wanted = columns_of(plan), reader_of(plan), wanted_of(plan)
    made = [ID, TEXT, *(stored_name(name) for name in extra)]
    kinds = {
        LINE: "binary", FILE: "string", START: "bigint", LINES: "bigint", RECORD: "bigint", REASON: "string", NUMBERS: "boolean",
        **dict.fromkeys(made, "string"),
    }  # fmt: skip

    # All rows have the columns of `kinds`: documents have no line, bad records no values, and the last row of a file
    # only its count.
    def batch_of(uri: str, rows: pa.Array, **given: pa.Array) -> pa.RecordBatch:
        columns = {
            FILE: pa.array([uri] * len(rows)),
            START: pa.array([0] * len(rows), pa.int64()),
            RECORD: rows,
        } | given
        types = [TYPES[kind] for kind in kinds.values()]
        arrays = [columns.get(name, pa.nulls(len(rows))).cast(kind) for name, kind in zip(kinds, types, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, list(kinds))

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows_in(batches):
            uri = str(row[FILE])
            with open_source(row) as file:
                bad: list[Bad] = []
                count = 0
                # Documents as the local reader yields them; one without id is named by file and record.
                for found in Pages(file, reader).documents(wanted, bad):
                    count += found.num_rows
                    ids = found.column(wanted_name(ID))
                    numbers = numbered(found) and not ids.null_count and whole_numbers(ids)
                    made_up = pa.array(
                        [f"{row['name']}#{i}" for i in found.column("row").to_pylist()], pa.large_string()
                    )
                    values = {name: found.column(wanted_name(name)) for name in made}
                    values[ID] = pc.coalesce(values[ID], made_up)
                    documents = batch_of(
                        uri,
                        found.column("row"),
                        **{NUMBERS: pa.array([numbers] * found.num_rows, pa.bool_())},
                        **values,
                    )
                    yield from pa.Table.from_batches([documents]).to_batches(_PIECE)
                # Bad records are read again for their bytes, which go to skipped/.
                about = {one.row: one for one in bad}
                for number, _, raw in file.whole_records(list(about)):
                    line = about[number].line
                    yield batch_of(
                        uri, pa.array([number]), **{
                            LINE: pa.array([raw], pa.binary()), REASON: pa.array([str(about[number].reason)]),
                            LINES: pa.array([None if line is None else line - 1], pa.int64()),
                        },
                    )  # fmt: skip
                yield batch_of(uri, pa.array([count + len(bad)]), **{REASON: pa.array([ENDS])})

    documents = contents(session, files).mapInArrow(read, ", ".join(f"`{name}` {kind}" for name, kind in kinds.items()))
    reason = F.col(REASON)
    # Pages of a crawl are named by addresses; other records may have numbers for ids, which is known when all are read.
    id_type = "string" if all(one.suffix in WARCS for one in files) else None
    return Rows(
        documents.select("*", scope_in(plan)),
        F.col(ID),
        reason.isNull(),
        reason != ENDS,
        id_type=id_type,
        files=tuple(files),
    )


_PIECE = 64
"""Documents in one batch of the result."""
