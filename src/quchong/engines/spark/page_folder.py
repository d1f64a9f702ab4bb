"""Folder of web pages as a DataFrame, one page in each file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from quchong.engines.spark.hadoop import Hadoop
from quchong.errors import InputError
from quchong.io.folder import PAGES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def pages(spark: SparkSession, folder: str) -> DataFrame:
    """Return the web pages in a folder and below it: `id` (string, path below the folder, as on one machine) and `html` (binary).

    Pages are files whose names end in .html, .htm, .xhtml or .shtml, in any case; hidden ones (. or _ in front) are ignored.
    A page is read as one value, when the DataFrame is computed.

    Args:
        spark: the session.
        folder: the folder (hdfs://, s3a://, file://, or a path of Spark's default file system).

    Raises:
        InputError: the folder does not exist.
    """
    root = Hadoop(spark).qualified(folder).rstrip("/")
    ends = ",".join("".join(f"[{c}{c.upper()}]" for c in ending.removeprefix(".")) for ending in PAGES)
    reader: Any = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        files = reader.option("pathGlobFilter", f"*.{{{ends}}}").load(folder)
    except PySparkException as error:
        raise InputError("{} cannot be read: {}", folder, str(error).splitlines()[0]) from error
    below = F.expr(f"substring(path, {len(root) + 2})")
    out: DataFrame = files.select(below.alias("id"), F.col("content").alias("html"))
    return out
