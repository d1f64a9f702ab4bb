"""Runs over files that Spark can reach: session, inputs and run folder."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from quchong.decision.alarms import Alarm
from quchong.engines.spark.dedup import Run, check, run_all
from quchong.engines.spark.documents import ID, REFERENCE
from quchong.engines.spark.folder import fresh_folder, places
from quchong.engines.spark.formats import ONE_A_FILE, SPLITTABLE, format_of
from quchong.engines.spark.found_files import text_files
from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.lines import first_keys, json_lines
from quchong.engines.spark.pages import rows_of_pages
from quchong.engines.spark.references import Opener
from quchong.engines.spark.rows import FILE, RECORD, START, Rows, rows_of
from quchong.engines.spark.source_files import file_documents, first_columns, source_files
from quchong.engines.spark.stages import Stages
from quchong.engines.spark.text_files import text_documents
from quchong.engines.spark.writing import write
from quchong.errors import InputError, Param, QuchongError, UsageError
from quchong.languages import Message
from quchong.outputs import Place, check_apart
from quchong.patterns import lazy_pattern
from quchong.plan.column_choice import with_usual_columns
from quchong.plan.plan import Plan
from quchong.plan.sources import no_other_text
from quchong.progress import Progress
from quchong.runs.layout import MANIFEST
from quchong.runs.nothing_read import check_replaces

_MASTER = lazy_pattern(r"spark://.+|k8s://.+|yarn$|local(?:-cluster)?(?:\[[^\]]+\])?$|mesos://.+")
"""Addresses of clusters that Spark can read."""
_FRAME = lazy_pattern(r"\s*at [\w.$/<>]+\(")
"""Line of a trace of Java."""


def session(master: str | None, settings: Mapping[str, str]) -> SparkSession:
    """Start or get a session on a master such as spark://host:7077, yarn, k8s://... or local[4]; without one, that of spark-submit.

    Raises:
        UsageError: no Java, no master, or settings Spark does not take.
        QuchongError: Spark does not start.
    """
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise UsageError(
            "Spark needs Java 17, but there is no java on the path, and JAVA_HOME is not set: install Java 17, "
            "or set JAVA_HOME"
        )
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        raise UsageError(
            "no Spark cluster is named: give {}, such as spark://host:7077, yarn, k8s://https://host or local[4]",
            Param("master"),
        )
    if master is not None and not _MASTER.match(master):
        raise UsageError(
            "{} is not the address of a Spark cluster: use an address such as spark://host:7077, yarn, "
            "k8s://https://host or local[4]",
            Param("master", master),
        )
    # getOrCreate returns the session of spark-submit if there is one, with these settings added.
    builder = SparkSession.builder.appName("quchong dedup").config("spark.ui.showConsoleProgress", "false")
    if master is not None:
        builder = builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        found: SparkSession = builder.getOrCreate()
        found.sparkContext.setLogLevel("ERROR")
    except (PySparkException, Py4JError, OSError) as error:
        lines = [line for line in str(error).splitlines() if line.strip() and not _FRAME.match(line)]
        where = master or Message("the master of spark-submit")
        raise QuchongError(
            "Spark did not start on {}: {}", where, lines[-1].strip() if lines else type(error).__name__
        ) from error
    return found


def end(spark: SparkSession) -> None:
    """End a session; a session whose Java process has ended already is left as it is."""
    with contextlib.suppress(Py4JError, OSError):
        spark.stop()


def dedup_files(  # noqa: PLR0913 - the call of the command line, by keywords
    spark: SparkSession, paths: Sequence[str], output: str, plan: Plan, *, format: str | None = None,
    protect: Iterable[str] = (), work: str | None = None, overwrite: bool = False,
    progress: Progress | None = None, read: Sequence[Place] = (), references: Opener | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Carry out a run over files of records, or of one document each; write the run folder and return its manifest.

    kept/ and removed/ contain whole rows in the format and order of the input, or the paths of pages and texts. Rows of JSON lines
    and Parquet are in parts; those of a file of another format are in one file, as on one machine. skipped/ contains
    bad lines and files with the reason. ledger.parquet/, pairs.parquet/, clusters.parquet/ and documents.parquet/ are the tables,
    each a folder of parts. run.json is written last.

    Args:
        spark: the session.
        paths, output: paths as Spark knows them (hdfs://, s3a://, file://, or those of its default file system).
        plan: the plan of the run.
        format: as `quchong.dedup`; required if the names of the inputs do not show it.
        protect: ids that are never removed.
        work: folder for the results of stages; by default in the staging folder of `output`, removed at the end.
        overwrite: replace an earlier run.
        progress: receives the name of each stage as it begins.
        read: locations of other files that are read, which no output may overwrite.
        references: opens the reference corpus, for the columns of the plan; None for none.

    Raises:
        UsageError, InputError, OutputError: as `quchong.dedup`.
    """
    check(plan)
    kind = format_of(paths, format, spark)
    assert kind is not None
    if plan.roundups == "cut" and kind not in (*SPLITTABLE, "records"):
        raise no_other_text(", ".join(paths))
    files = Hadoop(spark)
    works = places(files, [] if work is None else [work], "--work")
    written = places(files, [output], "-o")
    check_apart([*places(files, paths), *read], [*written, *works], makes_folder=True)
    check_apart(works, written)
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")  # times keep their zone and unit
    with fresh_folder(files, output, overwrite=overwrite) as fresh:
        stages = Stages(spark, work or f"{fresh}/_stages", progress)
        try:
            rows, plan = _rows(spark, files, list(dict.fromkeys(paths)), kind, format, plan)
            found = run_all(rows, plan, protect, stages, references)
            manifest = write(found, files, paths, fresh, kind, _alarms(found, references))
        finally:
            with contextlib.suppress(Py4JError, OSError):  # where Spark is still there
                stages.clear()
        files.remove(f"{fresh}/_stages")
        files.write(f"{fresh}/{MANIFEST}", json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
        check_replaces(manifest, earlier_manifest(files, output), output)
    return manifest


def _alarms(found: Run, opener: Opener | None) -> list[Alarm]:
    """Return the alarms about references that are not as an earlier run left them."""
    references = found.references
    if opener is None or references is None or REFERENCE not in found.documents.columns:
        return []

    def read() -> pa.Table:
        mine = found.documents.filter(REFERENCE).orderBy(START, RECORD)
        return mine.select(ID, "tokens", F.col(START).alias("source"), F.col(RECORD).alias("row")).toArrow()

    return opener.alarms(read, references.sources, found.result.plan)


def earlier_manifest(files: Hadoop, out: str) -> dict[str, Any]:
    """Return the content of run.json in a folder; an empty dict if the file is missing or cannot be read."""
    try:
        found = json.loads(files.read(f"{out}/{MANIFEST}"))
    except (QuchongError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _rows(
    spark: SparkSession, files: Hadoop, paths: list[str], kind: str, format: str | None, plan: Plan
) -> tuple[Rows, Plan]:
    """Return the rows of the inputs, and the plan with the columns that were found in them under usual names."""
    place = (
        F.col("_metadata.file_path").alias(FILE), F.lit(0).cast("bigint").alias(START),
        F.col("_metadata.row_index").alias(RECORD),
    )  # fmt: skip
    try:
        if kind in ("records", "warc"):
            whole = source_files(files, paths, format, warc=kind == "warc")
            plan = with_usual_columns(plan, first_columns(spark, whole))
            return file_documents(spark, whole, plan), plan
        if kind in ONE_A_FILE:
            return text_documents(spark, text_files(files, paths, format), plan), plan
        if kind == "jsonl":
            plan = with_usual_columns(plan, first_keys(spark, paths))
            return json_lines(spark, paths, plan), plan
        table = spark.read.parquet(*paths)
        plan = with_usual_columns(plan, table.columns)
        made = rows_of_pages if plan.pages in table.columns else rows_of
        return made(table, plan, place), plan
    except PySparkException as error:
        raise InputError("{} cannot be read: {}", ", ".join(paths), str(error).splitlines()[0]) from error
