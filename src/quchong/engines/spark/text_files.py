"""Web pages and texts, one document in each file, read by the reader of the local engine.

Files that executors have on their disk (or mount) are opened there. Files that only Hadoop reaches are read by Spark's
`binaryFile`, copied to the executor's disk and read from there, as files of records are (`source_files`).
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.engines.spark.arrow import TYPES
from quchong.engines.spark.documents import ID, TEXT, stored_name, wanted_name
from quchong.engines.spark.found_files import MOST_BYTES, TextFiles, literal
from quchong.engines.spark.lines import LINE, LINES, REASON
from quchong.engines.spark.pages import reader_of, wanted_of
from quchong.engines.spark.rows import FILE, RECORD, START, Rows, columns_of, scope_in
from quchong.errors import InputError
from quchong.io.folder import Marks, TextFolder
from quchong.io.page_documents import Pages
from quchong.io.source import Bad
from quchong.plan.column_choice import check_unnamed
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MARK = "quchong_mark"
"""Column with the mark by which a file is recognised, see `quchong.io.folder.mark_of`."""
_PATH, _SIZE, _CONTENT, _URI = "path_below", "size", "content", "uri"
TASK_BYTES = 32 << 20
"""Bytes of pages that one task reads, about."""


def text_documents(session: SparkSession, sources: Sequence[TextFiles], plan: Plan) -> Rows:
    """Return the rows of files, one document each; ids are paths below the folder of their source, as on one machine.

    A file that cannot be read, or is no page or text, is marked as not usable, with its `reason`. The column of lines has the
    path of every other file, because kept and removed files are listed by path.

    Cost: one pass over the files. The driver holds their paths.
    """
    check_unnamed(plan, [one.name for one in sources])
    extra, reader, wanted = columns_of(plan), reader_of(plan), wanted_of(plan)
    made = [ID, TEXT, *(stored_name(name) for name in extra)]
    kinds = {
        LINE: "binary", FILE: "string", START: "bigint", LINES: "bigint", RECORD: "bigint", REASON: "string",
        MARK: "binary",
        **dict.fromkeys(made, "string"),
    }  # fmt: skip
    # The root is None if only Hadoop reaches the files: their contents then come with the rows.
    forms = {one.name: (one.root if one.is_local else None, one.form) for one in sources}

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for name, files in _by_source(batches):
            root, form = forms[name]
            with _open_files(files, root, name, form) as folder:
                numbers, bad = files[RECORD].to_numpy(), list[Bad]()
                marks = folder.marks = list[bytes]()
                paths = folder.table_of(np.ones(len(numbers), bool))["path"].combine_chunks()
                # Documents first, as the reader yields them; a document without id is named by source and row.
                for found in Pages(folder, reader).documents(wanted, bad):
                    rows = found.column("row").to_numpy()
                    values = [found.column(wanted_name(one)).cast(pa.string()) for one in made]
                    values[0] = pc.coalesce(
                        values[0], pa.array([f"{name}#{n}" for n in numbers[rows].tolist()], pa.string())
                    )
                    listed = paths.take(pa.array(rows)).cast(pa.binary())
                    none = pa.nulls(len(rows))
                    mine = _selected_marks(marks, rows.tolist())
                    yield _batch(kinds, name, [listed, none, pa.array(numbers[rows]), none, mine, *values])
                # Then the files that could not be read, with the reason in place of values.
                lost = [
                    pa.array([one.raw for one in bad], pa.binary()),
                    pa.array([None if one.line is None else one.line - 1 for one in bad], pa.int64()),
                    pa.array([int(numbers[one.row]) for one in bad], pa.int64()),
                    pa.array([str(one.reason) for one in bad], pa.string()),
                    _selected_marks(marks, [one.row for one in bad]),
                ]
                yield _batch(kinds, name, [*lost, *(pa.nulls(len(bad)) for _ in made)])

    documents = _contents(session, sources).mapInArrow(
        read, ", ".join(f"`{name}` {kind}" for name, kind in kinds.items())
    )
    reason = F.col(REASON)
    return Rows(
        documents.select("*", scope_in(plan)), F.col(ID), reason.isNull(), reason.isNotNull(), id_type="string",
        sources=tuple(one.run_entry for one in sources),
    )  # fmt: skip


def _batch(kinds: dict[str, str], name: str, values: list[pa.Array]) -> pa.RecordBatch:
    """Build a batch of rows of one source: line, lines, record, reason, mark, and the document's columns."""
    n = len(values[0])
    line, lines, record, reason, mark, *made = values
    columns = [line, pa.array([name] * n), pa.array(np.zeros(n, np.int64)), lines, record, reason, mark, *made]
    types = [TYPES[kind] for kind in kinds.values()]
    return pa.RecordBatch.from_arrays([one.cast(kind) for one, kind in zip(columns, types, strict=True)], list(kinds))


def _selected_marks(marks: list[bytes], rows: list[int]) -> pa.Array:
    return pa.array([marks[row] for row in rows], pa.binary())


def contents_of(whole: DataFrame) -> dict[str, tuple[int, str]]:
    """Return for each source the number of bytes read from its files, and the digest of these bytes, as the local engine computes it.

    One executor reads the marks in order; no process holds all of them.
    """
    ordered = whole.select(FILE, RECORD, MARK).coalesce(1).sortWithinPartitions(FILE, RECORD)

    def summed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = dict[str, Marks]()
        for batch in batches:
            for name, mark in zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True):
                found.setdefault(name, Marks()).add(mark)
        told = [(name, *one.size_and_digest()) for name, one in found.items()]
        columns = [
            pa.array([one[i] for one in told], kind) for i, kind in enumerate((pa.string(), pa.int64(), pa.string()))
        ]
        yield pa.RecordBatch.from_arrays(columns, [FILE, "bytes", "digest"])

    rows = ordered.select(FILE, MARK).mapInArrow(summed, f"{FILE} string, bytes bigint, digest string").collect()
    return {row[FILE]: (row["bytes"], row["digest"]) for row in rows}


def _listing(session: SparkSession, sources: Sequence[TextFiles]) -> DataFrame:
    """Return one row for each file: name of its source (FILE), number in it (RECORD), path and size."""
    tables = []
    for one in sources:
        columns: dict[str, Any] = {
            FILE: pa.array([one.name] * len(one.files), pa.string()), RECORD: pa.array(np.arange(len(one.files))),
            _PATH: pa.array([os.fsencode(path) for path in one.files], pa.binary()), _SIZE: pa.array(one.sizes, pa.int64()),
        }  # fmt: skip
        if not one.is_local:
            columns[_URI] = pa.array([f"{one.root}/{path}" for path in one.files], pa.string())
        tables.append(pa.table(columns))
    made: Any = session.createDataFrame
    out: DataFrame = made(pa.concat_tables(tables, promote_options="default"))
    return out


def _contents(session: SparkSession, sources: Sequence[TextFiles]) -> DataFrame:
    """Add `content` to the listing; null if executors have the file, or if it is too large to pass through Spark."""
    files = _listing(session, sources)
    none = F.lit(None).cast("binary").alias(_CONTENT)
    if all(one.is_local for one in sources):
        size = sum(sum(one.sizes) for one in sources)
        tasks = max(2 * session.sparkContext.defaultParallelism, -(-size // TASK_BYTES))
        return files.repartition(min(tasks, sum(len(one.files) for one in sources))).select("*", none)
    reader: Any = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    paths = [literal(place) for one in sources for place in one.places]
    read = reader.load(paths).filter(F.col("length") <= MOST_BYTES).select(F.col("path").alias(_URI), _CONTENT)
    whole = read.join(F.broadcast(files.filter(F.col(_SIZE) <= MOST_BYTES)), _URI).select(*files.columns, _CONTENT)
    out: DataFrame = whole.union(files.filter(F.col(_SIZE) > MOST_BYTES).select("*", none))
    return out


def _by_source(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[str, pa.Table]]:
    """Yield the name and the files of each source in the batches, sorted by number."""
    for batch in batches:
        files = pa.Table.from_batches([batch])
        for name in pc.unique(files[FILE]).to_pylist():
            mine = files.filter(pc.equal(files[FILE], name))
            yield str(name), mine.take(pc.sort_indices(mine[RECORD]))


@contextlib.contextmanager
def _open_files(files: pa.Table, root: str | None, name: str, form: str | None) -> Iterator[TextFolder]:
    """Yield some files of a source as a readable source on this executor; `root` is None if only Hadoop reaches it."""
    paths = [Path(os.fsdecode(path)) for path in files[_PATH].to_pylist()]
    if root is not None:
        if not os.path.lexists(root):
            raise InputError(
                "{} does not exist on {}: every executor must be able to read it under this path",
                root,
                socket.gethostname(),
            )
        yield TextFolder(Path(root), [Path(root) / path for path in paths], name, form)
        return
    with tempfile.TemporaryDirectory(prefix="quchong-") as folder:
        for i, path in enumerate(paths):
            there = Path(folder) / path
            there.parent.mkdir(parents=True, exist_ok=True)
            with there.open("wb") as file:
                if (content := files[_CONTENT][i]).is_valid:
                    file.write(content.as_buffer())
                else:  # too large whatever is in it: a file of that size, which takes no room
                    file.truncate(files[_SIZE][i].as_py())
        yield TextFolder(Path(folder), [Path(folder) / path for path in paths], name, form)
