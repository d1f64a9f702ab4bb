"""Format of the inputs of a run, found by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from quchong.engines.spark.hadoop import Hadoop
from quchong.errors import InputError, OutputError, Param, UsageError
from quchong.io.folder import PAGES
from quchong.io.formats import TEXTS, suffix_for, suffix_of
from quchong.patterns import lazy_pattern

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPLITTABLE = ("jsonl", "parquet")
"""Formats that Spark reads itself: several tasks read one file, and rows are written in parts."""
RECORDS = (".csv", ".tsv", ".json", ".arrow", ".ipc", ".feather", ".xlsx", ".jsonl", ".ndjson", ".parquet")
"""Beginnings of suffixes of files of records; one task reads a whole file unless all files are of one format of `SPLITTABLE`."""
FORMATS = (*SPLITTABLE, "records", "warc", "html", "txt")
"""Ways in which inputs are read: "records" are files of `RECORDS`, several formats among them, one task for each file."""
ONE_A_FILE = {"html", "txt"}
"""Formats in which a file is one document: web pages, and texts, which may be mixed with pages."""
_ENDINGS = lazy_pattern(r"\.(jsonl|ndjson|parquet|warc)(\.gz|\.bz2|\.zst|\.lz4)?/?$", re.IGNORECASE)


def format_of(paths: Sequence[str], given: str | None, spark: SparkSession | None = None) -> str | None:
    """Return the format in which all inputs are read, one of `FORMATS`; None if neither names nor a session show it.

    Raises:
        UsageError: the format is unknown, some inputs are files of records and others pages, texts or WARC, or names do not show it.
        InputError: with a session: one of the paths does not exist.
    """
    if "-" in paths:
        raise UsageError("the Spark engine does not read standard input: give paths that every executor can reach")
    if given is not None:
        return _format_name(given)
    found = {_kind(path) for path in paths}
    # Names that do not show a format are folders or patterns: with a session their files are listed.
    if spark is not None and None in found:
        hadoop = Hadoop(spark)
        found = {kind for path in paths for kind in ([_kind(path)] if _kind(path) else _kinds(hadoop, path))}
    known = {kind for kind in found if kind is not None}
    # Pages and texts may be mixed; they are then read as texts with pages among them. So may files of records.
    if known == ONE_A_FILE:
        known = {"txt"}
    elif len(known) > 1 and known <= {*SPLITTABLE, "records"}:
        known = {"records"}
    if len(known) == 1 and None not in found:
        return known.pop()
    if spark is None and len(known) < 2:
        return None
    raise UsageError(
        "the format of the inputs is unknown: all inputs must be files of records (JSON lines, Parquet, CSV "
        "...), or all must be WARC, or all must be web pages and texts; name the format with {}, such as "
        "jsonl, csv or html",
        Param("format"),
    )


def _format_name(given: str) -> str:
    """Return the reader's name for a format that a user names: `htm` is pages, `warc.gz` is warc, `csv` is records.

    Raises:
        UsageError: there is no such format.
    """
    suffix_for(given)
    return _kind(f"x.{given.removeprefix('.')}") or given


def _kind(path: str) -> str | None:
    """Return how a file of this name is read; None if its name does not show it."""
    if found := _ENDINGS.search(path):
        return found.group(1).lower().replace("ndjson", "jsonl")
    suffix = PurePosixPath(path).suffix.lower() if not path.endswith("/") else ""
    if suffix in (*PAGES, *TEXTS):
        return "html" if suffix in PAGES else "txt"
    named = None if path.endswith("/") else suffix_of(PurePosixPath(path).name)
    return "records" if named is not None and named.startswith(RECORDS) else None


def _kinds(hadoop: Hadoop, path: str) -> set[str | None]:
    """Return the formats of the files in a folder; beside WARC files, pages or texts, other files are ignored."""
    try:
        found = {_kind(name) for name in hadoop.match_files(path)}
        if found == {None}:
            below = (_kind(uri) for uri, _ in hadoop.walked(path))
            found = {next((kind for kind in below if kind in {"warc", *ONE_A_FILE}), None)}
    except OutputError as error:
        raise InputError(error.message) from error
    if not found:
        raise InputError("{} cannot be read, because it is empty", path)
    known = found - {None}
    if known in ({"warc"}, {"warc", "txt"}):  # a note next to a crawl is no document of it
        return {"warc"}
    # Spark reads all files of a folder of JSON lines or Parquet, but of others only files of known formats, as on one machine.
    return known if known & {"records", *ONE_A_FILE} else found
