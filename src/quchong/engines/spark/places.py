"""Locations of rows in the input, and writing of rows in that order."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pyspark.sql import functions as F

from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.lines import ENDS, LINES, REASON
from quchong.engines.spark.rows import FILE, RECORD, START, File, SourceFile

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SOURCE, ROW, AT, BEFORE = "quchong_source", "quchong_row", "quchong_at", "quchong_before"
"""Columns: the name of a row's file, the row's number in it, its number in the whole input, and the lines of the file before
the row's split."""
_SPLITS = f"{FILE} string, {START} bigint, {SOURCE} string, {AT} bigint, {ROW} bigint, {BEFORE} bigint"
_KEY = "quchong_part"
PART_BYTES = 128 << 20
"""Bytes of the input whose rows are written to one part of kept or removed rows, about."""
_MOST_PARTS = 10_000
_PACKED = 5
"""Assumed ratio of the size of a packed file's contents to its own size."""


@dataclass(frozen=True, slots=True)
class Places:
    """Locations of the rows of an input.

    Attributes:
        files: the files, in the order of the input.
        splits: a row for each split: FILE, START and SOURCE, with AT, ROW and BEFORE of its first row.
        parts: number of parts that rows are written to, each a contiguous range of the input.
        keys: for each part a value that Spark's hash partitioning sends to it.
    """

    files: list[File]
    splits: DataFrame
    parts: int
    keys: list[int]

    def place_rows(self, rows: DataFrame) -> DataFrame:
        """Replace FILE, START and RECORD of rows by SOURCE, ROW, AT and BEFORE."""
        placed = rows.join(F.broadcast(self.splits.withColumnRenamed(ROW, "first")), [FILE, START])
        placed = placed.withColumn(ROW, F.col("first") + F.col(RECORD)).withColumn(AT, F.col(AT) + F.col(RECORD))
        return placed.drop("first", FILE, START, RECORD)

    @property
    def part_number(self) -> Column:
        """Column with the number of the part that a row is written to."""
        records = max(sum(file.records for file in self.files), 1)
        return F.expr(f"cast(({AT} * {self.parts}) div {records} as int)")

    def ordered(self, rows: DataFrame) -> DataFrame:
        """Sort rows that have AT in the order of the input, one partition for each part."""
        keys = F.array(*(F.lit(key) for key in self.keys)).cast("array<bigint>")  # of another type the hash is another
        spread = rows.withColumn(_KEY, F.element_at(keys, self.part_number + 1)).repartition(self.parts, _KEY)
        return spread.sortWithinPartitions(AT).drop(_KEY)


def places_of_lines(session: SparkSession, files: Hadoop, paths: Sequence[str], read: DataFrame) -> Places:
    """Return the locations of rows in JSON lines files, from the counts of their splits (see `lines`)."""
    ends = read.filter(F.col(REASON) == ENDS).select(FILE, START, RECORD, LINES).collect()
    return _places(session, files, paths, read, [(r[FILE], r[START], r[RECORD], r[LINES]) for r in ends])


def places_of_rows(session: SparkSession, files: Hadoop, paths: Sequence[str], read: DataFrame) -> Places:
    """Return the locations of rows in Parquet files, which give row numbers themselves."""
    counts = read.groupBy(FILE).agg(F.count(F.lit(1)).alias("n")).collect()
    return _places(session, files, paths, read, [(r[FILE], 0, r["n"], 0) for r in counts])


def _places(
    session: SparkSession,
    hadoop: Hadoop,
    paths: Sequence[str],
    read: DataFrame,
    splits: list[tuple[str, int, int, int]],
) -> Places:
    by_file: dict[str, list[tuple[str, int, int, int]]] = {}
    for split in sorted(splits, key=lambda one: one[:2]):
        by_file.setdefault(normalise_uri(split[0]), []).append(split)
    found = hadoop.files(paths)
    known = {normalise_uri(path) for path, _ in found}
    found += [(by_file[one][0][0], 0) for one in sorted(by_file) if one not in known]  # a name that links lead to
    files, rows, at = [], [], 0
    for name, (path, size) in zip(display_names([path for path, _ in found]), found, strict=True):
        row = line = 0
        for file, start, records, lines in by_file.get(normalise_uri(path), []):
            rows.append((file, start, name, at + row, row, line))
            row, line = row + records, line + lines
        files.append(File(name, path, row, size))
        at += row
    parts = _parts_of(files, at)
    return Places(files, session.createDataFrame(rows, _SPLITS), parts, _keys(session, parts))


def places_of_files(session: SparkSession, files: Sequence[SourceFile], read: DataFrame) -> Places:
    """Return the locations of the records of whole files, from the counts made while reading (see `source_files`)."""
    counts = {r[FILE]: r[RECORD] for r in read.filter(F.col(REASON) == ENDS).select(FILE, RECORD).collect()}
    return places_of_sources(session, {one.uri: File(one.name, one.uri, counts[one.uri], one.bytes) for one in files})


def places_of_sources(session: SparkSession, sources: Mapping[str, File]) -> Places:
    """Return the locations of rows that carry their number in their source; keys of `sources` are the values of FILE, in order."""
    files, rows, at = list(sources.values()), [], 0
    for key, one in sources.items():
        rows.append((key, 0, one.name, at, 0, 0))
        at += one.records
    parts = _parts_of(files, at)
    return Places(files, session.createDataFrame(rows, _SPLITS), parts, _keys(session, parts))


def _parts_of(files: Sequence[File], records: int) -> int:
    packed = {".gz", ".bz2", ".zst"}
    size = sum(file.bytes * (_PACKED if posixpath.splitext(file.path)[1] in packed else 1) for file in files)
    return max(1, min(-(-size // PART_BYTES), _MOST_PARTS, records))


def normalise_uri(uri: str) -> str:
    """Normalise the URI of a file, so that all its spellings are equal."""
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}{unquote(parts.path)}"


def display_names(paths: Sequence[str]) -> list[str]:
    """Return display names of files: the file name of a single one, else paths relative to the common folder."""
    plain = ["/" + normalise_uri(path).partition("://")[2].lstrip("/") for path in paths]
    folder = posixpath.commonpath([posixpath.dirname(path) for path in plain]) if plain else ""
    return [posixpath.relpath(path, folder) for path in plain]


def _keys(session: SparkSession, parts: int) -> list[int]:
    """Return for each partition a key that Spark's hash partitioning sends there."""
    keys: dict[int, int] = {0: 0} if parts == 1 else {}
    first, size = 0, 32 * parts
    while len(keys) < parts:
        there = session.range(first, first + size, numPartitions=1).select("id", F.pmod(F.hash("id"), F.lit(parts)))
        for key, part in there.collect():
            keys.setdefault(part, key)
        first += size
    return [keys[part] for part in range(parts)]
