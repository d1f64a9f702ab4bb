"""Run folder of a run on Spark: rows and tables as folders of parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as F

from quchong.decision.alarms import Alarm
from quchong.decision.manifest import describe, describe_cut
from quchong.engines.spark.dedup import GONE, Run
from quchong.engines.spark.documents import ID, REFERENCE
from quchong.engines.spark.fates import fates
from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.lines import LINE, LINES, REASON
from quchong.engines.spark.marks import of_input
from quchong.engines.spark.own_texts import OWN, figures_of_own
from quchong.engines.spark.pages import RAW, raw_rows
from quchong.engines.spark.places import (
    AT,
    BEFORE,
    ROW,
    SOURCE,
    Places,
    places_of_files,
    places_of_lines,
    places_of_rows,
    places_of_sources,
)
from quchong.engines.spark.report import biggest_clusters, counts_of, found_alarms
from quchong.engines.spark.rows import BAD_PAGE, FILE, PLACE, RECORD, START
from quchong.engines.spark.source_copies import copy_sides
from quchong.engines.spark.text_files import contents_of
from quchong.io.skipped_file import skipped_line
from quchong.io.source import Bad
from quchong.patterns import lazy_pattern
from quchong.tables import FATES, PART

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PART_OF = lazy_pattern(r"part-(\d+)-")
LISTED = ".txt"
"""Suffix of lists of paths, which are written in place of rows that are files."""
_OURS = (*PLACE, SOURCE, ROW, AT, BEFORE, BAD_PAGE)


@dataclass(frozen=True, slots=True)
class _Folder:
    """Run folder that is being written, and the locations of its rows."""

    files: Hadoop
    path: str
    places: Places

    def lines(self, rows: DataFrame, name: str, suffix: str = ".jsonl") -> str:
        """Write rows of one column as lines, in their order; return the pattern of their names for run.json."""
        rows.write.text(f"{self.path}/{name}", lineSep="\n")
        return self._rename_parts(name, suffix)

    def columns(self, rows: DataFrame, name: str) -> str:
        """Write rows as Parquet, in their order; return the pattern of their names for run.json."""
        rows.write.parquet(f"{self.path}/{name}")
        return self._rename_parts(name, ".parquet")

    def table(self, rows: DataFrame, name: str) -> None:
        """Write a table as a folder of Parquet parts."""
        rows.write.option("compression", "zstd").parquet(f"{self.path}/{name}.parquet")

    def _rename_parts(self, name: str, suffix: str) -> str:
        """Rename parts, so that names contain their number and nothing else; return the pattern of the names."""
        for part in self.files.names(f"{self.path}/{name}"):
            if found := _PART_OF.match(part):
                self.files.move(f"{self.path}/{name}/{part}", f"{self.path}/{name}/part-{int(found[1]):05d}{suffix}")
        return f"{name}/*{suffix}"


def write(
    found: Run, files: Hadoop, paths: Sequence[str], folder: str, kind: str, more: Sequence[Alarm] = ()
) -> dict[str, Any]:
    """Write rows and tables of a run; return its manifest for run.json.

    Args:
        found: a run over files.
        files: file systems of the session.
        paths: the inputs.
        folder: a new folder.
        kind: what `formats.format_of` returned.
        more: alarms in addition to those of the result.
    """
    result, rows = found.result, found.rows
    stages, spark = result.stages, result.stages.session
    assert rows.whole is not None
    # Locations of all rows first: rows and tables are written in the order of the input.
    with stages.stage("places of rows"):
        if rows.files:
            places = places_of_files(spark, rows.files, rows.whole)
        elif kind == "jsonl":
            places = places_of_lines(spark, files, paths, rows.whole)
        elif rows.sources:
            places = places_of_sources(spark, {one.name: one for one in rows.sources})
        else:
            read = rows.whole if rows.reasons else of_input(found.documents)
            places = places_of_rows(spark, files, paths, read)
    out = _Folder(files, folder, places)
    whole, gone = rows.whole.filter(rows.usable), result.ledger.select(F.col("id").cast("string").alias(GONE))
    # Files that a task reads whole are split record by record; rows of other formats are written as parts.
    sides: dict[str, str] = {}
    split: dict[str, dict[str, str]] = {}
    cut_files: dict[str, str] = {}
    if rows.files:
        with stages.stage("write kept and removed"):
            mine = whole.join(gone, rows.key == F.col(GONE), "left_semi").select(FILE, RECORD)
            counts = {file.path: file.records for file in places.files}
            new = None if found.own is None else found.own.filter(f"{OWN} <> ''").select(F.col(ID).alias(GONE), OWN)
            split, cut_files = copy_sides(
                files, folder, rows.files, counts, mine, rows.whole.filter(rows.bad).select(FILE, RECORD),
                None if new is None else whole.join(new, rows.key == F.col(GONE)).select(FILE, RECORD, OWN),
                result.plan.wanted_columns,
            )  # fmt: skip
    for name, how in () if rows.files else (("kept", "left_anti"), ("removed", "left_semi")):
        with stages.stage(f"write {name}"):
            mine = whole.join(gone, rows.key == F.col(GONE), how)
            if kind == "jsonl" or rows.sources:
                mine = places.ordered(places.place_rows(mine.select(*PLACE, LINE)))
                sides[name] = out.lines(
                    mine.select(F.col(LINE).cast("string")), name, LISTED if rows.sources else ".jsonl"
                )
            else:
                mine = places.ordered(places.place_rows(mine))
                sides[name] = out.columns(mine.drop(*_OURS), name)
    if result.cut is not None and not rows.files:
        with stages.stage("write cut"):
            lines = kind == "jsonl"
            cut = places.ordered(places.place_rows(result.cut.select(*PLACE, LINE) if lines else result.cut))
            own = (
                out.lines(cut.select(F.col(LINE).cast("string")), "cut")
                if lines
                else out.columns(cut.drop(*_OURS), "cut")
            )
            cut_files = {file.name: own for file in places.files}
    with stages.stage("write skipped"):
        out.lines(_skipped(rows.whole.filter(rows.bad), places, kind), "skipped")
    with stages.stage("write tables"):
        for name in ("ledger", "pairs", "clusters", "templates"):
            out.table(getattr(result, name), name)
    # The table of documents has the location of each row, and its part where rows are in parts.
    what = fates(
        found.documents,
        gone.select(F.col(GONE).alias("id")),
        found.policy,
        result.plan.policy,
        found.how,
        found.id_type,
        stages,
    )
    with stages.stage("write documents"):
        parts = () if rows.files else (PART,)  # which is the file of the input for them
        mine = places.place_rows(what.filter("not reference")).withColumns(
            {"source": F.col(SOURCE), "row": F.col(ROW), PART: places.part_number}
        )
        table = places.ordered(mine).select(*FATES.names, *parts)
        if REFERENCE in found.documents.columns:
            table = _references(what).select(*FATES.names, *parts).union(table)
        out.table(table, "documents")
    # Counts and alarms last, from tables that are stored by now.
    with stages.stage("count"):
        counts, biggest = counts_of(result), biggest_clusters(result)
        alarms = found_alarms(result, biggest)
        contents = contents_of(rows.whole) if rows.sources else {}
    # Files of text have a digest, by which `quchong.results.outside_sources` recognises them.
    inputs = [
        {"name": file.name, "path": file.path, "bytes": file.bytes, "records": file.records}
        | ({} if file.format is None else {"format": file.format})
        | (dict(zip(("bytes", "blake2b"), contents[file.name], strict=True)) if rows.sources else {})
        for file in places.files
    ]
    about = describe(
        result.plan, mode="remove", inputs=inputs, files=split or {file.name: sides for file in places.files}, counts=counts,
        alarms=[alarm.describe() for alarm in [*alarms, *more]],
        against=() if found.references is None else found.references.entries,
    )  # fmt: skip
    about["versions"] |= {"spark": spark.version}
    if found.own is not None:
        about |= describe_cut(*figures_of_own(found.own), cut_files)
    return about | {
        "seconds": {name: round(spent.seconds, 4) for name, spent in stages.spent.items()},
        "engine": "spark",
        "biggest_clusters": [{"survivor_id": survivor, "documents": n} for survivor, n in biggest],
        "stages": {name: spent.described() for name, spent in stages.spent.items()},
        "partitions": int(spark.conf.get("spark.sql.shuffle.partitions") or 0),
        "parts": {
            f"{name}.parquet": len(_part_names(out, name))
            for name in ("ledger", "pairs", "clusters", "templates", "documents")
        },
    }


def _references(what: DataFrame) -> DataFrame:
    """Return the rows of references in the table of documents, in the order in which they were read; they are in no part of the rows."""
    rows = what.filter("reference").withColumns({"source": F.col(FILE), "row": F.col(RECORD), PART: F.lit(-1)})
    return rows.coalesce(1).sortWithinPartitions(START, RECORD)


def _part_names(out: _Folder, name: str) -> list[str]:
    return [part for part in out.files.names(f"{out.path}/{name}.parquet") if _PART_OF.match(part)]


def _skipped(bad: DataFrame, places: Places, kind: str) -> DataFrame:
    """Return records that cannot be read as JSON lines with location and reason, as `quchong.io.write_skipped` writes them."""
    if kind == "jsonl":
        cut = F.expr(f"if(endswith({LINE}, X'0D'), substring({LINE}, 1, length({LINE}) - 1), {LINE})")
        rows = bad.select(*PLACE, REASON, LINES, cut.alias(RAW))
    elif LINE in bad.columns:
        rows = bad.select(*PLACE, REASON, LINES, F.col(LINE).alias(RAW))
    elif BAD_PAGE in bad.columns:
        rows = raw_rows(bad, (*PLACE, BAD_PAGE)).withColumnRenamed(BAD_PAGE, REASON)
        rows = rows.withColumn(LINES, F.lit(None).cast("bigint"))
    else:  # a row of a table without pages is a document, whatever is in it
        return bad.select(F.lit("").alias("value")).limit(0)
    line = (F.col(BEFORE) + F.col(LINES) + 1).alias("line")
    placed = places.ordered(places.place_rows(rows))
    return placed.select(SOURCE, ROW, line, REASON, RAW).mapInArrow(_skipped_lines, "value string")


def _skipped_lines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        columns = [column.to_pylist() for column in batch.columns]
        made = [
            skipped_line(Bad(source, row, line, reason, raw or b"")).rstrip(b"\n")
            for source, row, line, reason, raw in zip(*columns, strict=True)
        ]
        yield pa.RecordBatch.from_arrays([pa.array(made, pa.binary()).cast(pa.string())], ["value"])
