"""Format of the inputs of a run, found by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from quchong.engines.spark.hadoop import Hadoop
from quchong.errors import InputError, OutputError, Param, UsageError
from quchong.io.folder import PAGES
from quchong.io.formats import TEXTS
from quchong.languages import join_names

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FORMATS = ("jsonl", "parquet", "warc", "html", "txt")
ONE_A_FILE = {"html", "txt"}
"""Formats in which a file is one document: web pages, and texts, which may be mixed with pages."""
_ENDINGS = re.compile(r"\.(jsonl|ndjson|parquet|warc)(\.gz|\.bz2|\.zst|\.lz4)?/?$", re.IGNORECASE)


def format_of(paths: Sequence[str], given: str | None, spark: SparkSession | None = None) -> str | None:
    """Return the one format of all inputs, or None if the names do not show it and there is no session yet to list folders with.

    Raises:
        UsageError: the format is not JSON lines, Parquet, WARC, web pages or texts, there are several, or names do not show it.
        InputError: with a session: one of the paths does not exist.
    """
    if "-" in paths:
        raise UsageError("the Spark engine reads no stdin: give paths that every executor sees")
    found = {_kind(path) for path in paths}
    # Names that do not show a format are folders or patterns: with a session their files are listed.
    if spark is not None and None in found and given is None:
        hadoop = Hadoop(spark)
        found = {kind for path in paths for kind in ([_kind(path)] if _kind(path) else _kinds(hadoop, path))}
    known = found - {None}
    # Pages and texts may be mixed; they are then read as texts with pages among them.
    if known == ONE_A_FILE:
        found, known = found - {"html"}, {"txt"}
    kind = None if given is None else _format_name(given)
    if kind is None and len(found) == 1:
        kind = next(iter(found))
    if kind is None and spark is None and len(known) < 2:
        return None
    if kind is None:
        raise UsageError(
            "the format of the inputs is unknown: all must be JSON lines, or all Parquet, or all WARC, or all web pages and "
            "texts; say {} jsonl, parquet, warc, html or txt",
            Param("format"),
        )
    if kind not in FORMATS:
        raise UsageError(
            "{}: the Spark engine reads {} and {}",
            Param("format", kind),
            join_names(FORMATS[:-1]),
            FORMATS[-1],
        )
    return kind


def _format_name(given: str) -> str:
    """Return the format that a user's name means here: `htm` is html, `warc.gz` is warc."""
    kind = _kind(f"x.{given}")
    return kind if kind in {"warc", *ONE_A_FILE} else given


def _kind(path: str) -> str | None:
    if found := _ENDINGS.search(path):
        return found.group(1).lower().replace("ndjson", "jsonl")
    suffix = PurePosixPath(path).suffix.lower() if not path.endswith("/") else ""
    return "html" if suffix in PAGES else "txt" if suffix in TEXTS else None


def _kinds(hadoop: Hadoop, path: str) -> set[str | None]:
    """Return the formats of the files in a folder; next to WARC files, pages or texts, files of other formats are
    ignored, as on one machine.
    """
    try:
        found = {_kind(name) for name in hadoop.match_files(path)}
        if found == {None}:
            below = (_kind(uri) for uri, _ in hadoop.walked(path))
            found = {next((kind for kind in below if kind in {"warc", *ONE_A_FILE}), None)}
    except OutputError as error:
        raise InputError(error.message) from error
    if not found:
        raise InputError("{} cannot be read: there is nothing", path)
    known = found - {None}
    if known in ({"warc"}, {"warc", "txt"}):  # a note next to a crawl is no document of it
        return {"warc"}
    return known if known and known <= ONE_A_FILE else found
