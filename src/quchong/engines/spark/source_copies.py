"""Kept and removed records of files that one task reads whole, written as by the local engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.engines.spark.hadoop import Hadoop, local_path
from quchong.engines.spark.own_texts import OWN
from quchong.engines.spark.rows import FILE, RECORD, SourceFile
from quchong.engines.spark.source_files import contents, join_contents, open_source, rows_in
from quchong.io.cut_rows import write_cut_rows
from quchong.io.source import BAD, KEEP, REMOVE, Source, WantedColumns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PIECE = 1 << 20
SIDES = ("kept", "removed")
CUT = "cut"
"""Side of the rows of removed roundups with what no kept document has."""


def copy_sides(
    hadoop: Hadoop, folder: str, files: Sequence[SourceFile], counts: dict[str, int], gone: DataFrame, bad: DataFrame,
    own: DataFrame | None = None, wanted: WantedColumns | None = None,
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:  # fmt: skip
    """Split each file into kept and removed records, as on one machine.

    Returns the written files by name and side, for run.json; and those with rows that were cut, by name.

    Executors write to a local file system themselves. To any other the driver writes the bytes, piece by piece.

    Args:
        hadoop: file systems of the session.
        folder: folder of the run.
        files: files of the input.
        counts: number of records of each file, by URI.
        gone, bad: FILE and RECORD of removed rows, and of rows that could not be read.
        own: FILE, RECORD and OWN (new text) of the rows that are also written with another text; None for none.
        wanted: columns of the run, of which the first of the text gets the new texts; required with `own`.
    """
    session = gone.sparkSession
    # One row for each file, with the numbers of its removed and bad records: enough to split it in one pass.
    rows = contents(session, files)
    known = session.createDataFrame([(uri, n) for uri, n in counts.items()], f"{FILE} string, records bigint")
    rows = rows.join(F.broadcast(known), FILE)
    for name, some in (("gone", gone), ("bad", bad)):
        rows = join_contents(rows, files, some.groupBy(FILE).agg(F.collect_list(RECORD).alias(name)), "left")
    texts = F.collect_list(F.struct(RECORD, OWN)).alias("own")
    none = F.lit(None).cast(f"array<struct<{RECORD}: bigint, {OWN}: string>>").alias("own")
    rows = (
        rows.withColumn("own", none)
        if own is None
        else join_contents(rows, files, own.groupBy(FILE).agg(texts), "left")
    )
    if all(one.shared_path is not None for one in files):
        rows = rows.repartitionByRange(len(files), FILE)
    there, single = local_path(folder), len(files) == 1

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows_in(batches):
            with open_source(row) as file, tempfile.TemporaryDirectory(prefix="quchong-") as aside:
                # The fate of each row; `split` writes other records than documents to the kept side, as on one machine.
                fate = np.full(row["records"], KEEP, np.uint8)
                fate[np.array(row["gone"] or [], np.int64)] = REMOVE
                fate[np.array(row["bad"] or [], np.int64)] = BAD
                suffix = file.written_suffix
                name = row["name"] if row["name"].endswith(suffix) else row["name"] + suffix
                told = [f"{side}{suffix}" if single else f"{side}/{name}" for side in SIDES]
                paths = [(there or Path(aside)) / one for one in told]
                file.split(fate, *paths)
                sides: tuple[str, ...] = SIDES
                if new := {one[RECORD]: one[OWN] for one in sorted(row["own"] or [], key=itemgetter(RECORD))}:
                    sides, told = (*SIDES, CUT), [*told, f"{CUT}{suffix}" if single else f"{CUT}/{name}"]
                    paths.append((there or Path(aside)) / told[-1])
                    _write_cut(file, fate, new, wanted, paths[-1], Path(aside))
                for side, place, path in zip(sides, told, paths, strict=True):
                    yield _piece_batch(row["name"], side, place, None)
                    if there is None:
                        with path.open("rb") as written:
                            while piece := written.read(_PIECE):
                                yield _piece_batch(row["name"], side, place, piece)

    out: dict[str, dict[str, str]] = {one.name: {} for one in files}
    made = rows.mapInArrow(write, "name string, side string, place string, piece binary")
    if there is not None:
        for row in made.collect():
            out[row["name"]][row["side"]] = row["place"]
        return _by_side(out)
    # A remote file system: pieces arrive in order, and a row without piece begins the next file.
    stream: Any = None
    try:
        for row in made.toLocalIterator():
            if row["piece"] is None:
                if stream is not None:
                    stream.close()
                out[row["name"]][row["side"]] = row["place"]
                stream = hadoop.created(f"{folder}/{row['place']}")
            else:
                stream.write(bytearray(row["piece"]))
    finally:
        if stream is not None:
            stream.close()
    return _by_side(out)


def _write_cut(
    file: Source, fate: np.ndarray, new: Mapping[int, str], wanted: WantedColumns | None, out: Path, aside: Path
) -> None:
    assert wanted is not None
    for _ in file.documents(wanted, []):  # finds which rows are no documents
        pass
    write_cut_rows(file, fate, new, wanted, out, aside)


def _by_side(found: Mapping[str, dict[str, str]]) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    split = {name: {side: sides[side] for side in SIDES} for name, sides in found.items()}
    return split, {name: sides[CUT] for name, sides in found.items() if CUT in sides}


def _piece_batch(name: str, side: str, place: str, piece: bytes | None) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [*(pa.array([one], pa.string()) for one in (name, side, place)), pa.array([piece], pa.binary())],
        ["name", "side", "place", "piece"],
    )
