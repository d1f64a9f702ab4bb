"""References that executors read: tables of Parquet files at addresses, among them the kept rows of run folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from quchong.engines.spark.documents import ID
from quchong.engines.spark.hadoop import Hadoop
from quchong.engines.spark.pages import quoted, rows_of_pages
from quchong.engines.spark.places import display_names, normalise_uri
from quchong.engines.spark.rows import FILE, PLACE, RECORD, START, Rows, rows_of
from quchong.engines.spark.stages import Stages
from quchong.errors import InputError
from quchong.plan.plan import Plan
from quchong.runs.layout import MANIFEST
from quchong.tables import REFERENCE_PREFIX

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PARQUET = ".parquet"


def named_references(rows: Rows) -> DataFrame:
    """Return the documents of rows with the ids of references."""
    return rows.documents.filter(rows.usable).withColumn(ID, F.concat(F.lit(REFERENCE_PREFIX), ID))


def at_addresses(
    addresses: Sequence[str], renamed: Callable[[DataFrame, Plan], DataFrame], plan: Plan, stages: Stages
) -> tuple[DataFrame, tuple[dict[str, Any], ...]]:
    """Return a DataFrame of the reference documents in Parquet files, and the entries of run.json for these files.

    Args:
        addresses: of Parquet files, folders of such, and run folders.
        renamed: returns a table with the names of columns that the data has.
        plan: of the run. stages: times the reading.

    Raises:
        InputError: an address cannot be read, or is a run folder whose kept rows are not in Parquet.
    """
    session, hadoop = stages.session, Hadoop(stages.session)
    paths = [kept_at(hadoop, path) for path in dict.fromkeys(addresses)]
    place = (
        F.col("_metadata.file_path").alias(FILE), F.lit(0).cast("bigint").alias(START),
        F.col("_metadata.row_index").alias(RECORD),
    )  # fmt: skip
    try:
        table = renamed(session.read.parquet(*paths), plan)
        made = rows_of_pages if plan.pages in table.columns else rows_of
        documents = named_references(made(table, plan, place))
        with stages.stage("read references"):
            read = [row[FILE] for row in documents.select(FILE).distinct().collect()]
    except PySparkException as error:
        raise InputError("{} cannot be read: {}", ", ".join(addresses), str(error).splitlines()[0]) from error
    # Files are told by their names and numbers, in the order in which they were named.
    found = hadoop.files(paths)
    names = display_names([path for path, _ in found])
    number = {normalise_uri(path): k for k, (path, _) in enumerate(found)}
    known = [(uri, names[k], k) for uri in read if (k := number.get(normalise_uri(uri), -1)) >= 0]
    told = session.createDataFrame(known, f"{FILE} string, name string, number bigint")
    columns = [F.col(quoted(name)) for name in documents.columns if name not in PLACE[:2]]
    placed = documents.join(F.broadcast(told), FILE).select(
        *columns, F.col("name").alias(FILE), F.col("number").alias(START)
    )
    entries = ({"name": name, "path": path, "bytes": size} for name, (path, size) in zip(names, found, strict=True))
    return placed, tuple(entries)


def kept_at(hadoop: Hadoop, path: str) -> str:
    """Return the path of the kept rows of a run folder; another path is returned as it is.

    Raises:
        InputError: the kept rows are not in Parquet.
    """
    if not hadoop.exists(f"{path}/{MANIFEST}"):
        return path
    try:
        manifest = json.loads(hadoop.read(f"{path}/{MANIFEST}"))
        files = {sides.get("kept") for sides in manifest["files"].values()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("{} cannot be read: {}", f"{path}/{MANIFEST}", type(error).__name__) from error
    if len(files) != 1 or not (kept := str(*files)).endswith(_PARQUET):
        raise InputError(
            "the kept rows of {} are not in one Parquet table: copy the folder to this machine, and give the "
            "path of the copy",
            path,
        )
    return f"{path}/{kept}"
