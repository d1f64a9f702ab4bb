"""Unique ids for the records of whole files, made as on one machine: a page crawled twice has one address and two records."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as F

from quchong.engines.spark.arrow import texts_in
from quchong.engines.spark.documents import COLUMN, ID, TEXT, wanted_name
from quchong.engines.spark.lines import REASON
from quchong.engines.spark.rows import FILE, RECORD, SourceFile
from quchong.engines.spark.source_files import contents, join_contents, open_source, rows_in
from quchong.engines.spark.stages import Stages
from quchong.pages import sites
from quchong.plan.plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_TEXT, _KNOWN, _RECORD = "digest_of_text", "known", "digest_of_record"


def without_repeats(
    documents: DataFrame, files: Sequence[SourceFile], plan: Plan, stages: Stages
) -> tuple[DataFrame, int]:
    """Rename documents whose id another one has to id~2, id~3, ...; return the documents and the number of renamed ones.

    Documents of one id are numbered in order of the digest of their text, the columns that were read, the digest of the whole
    record if these are equal, and their location, as in `quchong.engines.local.ids.unique`. If the input has an id~2 already, ids
    repeat after renaming, and the run is refused.
    """
    # Repeated ids are few, so only their documents are looked at below.
    good = documents.filter(F.col(REASON).isNull())
    again = good.groupBy(ID).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(ID)
    again = stages(again, "repeated ids")
    if again.isEmpty():
        return documents, 0
    keys = [FILE, RECORD]
    some = good.join(again, ID, "left_semi")
    names = [c for c in documents.columns if c.startswith(COLUMN)]
    looked = some.select(*keys, ID, TEXT, *(F.col(f"`{name}`") for name in names))
    schema = f"{FILE} string, {RECORD} bigint, {ID} string, {_TEXT} binary, {_KNOWN} string"
    known = stages(looked.mapInArrow(_keyed(names, plan), schema), "documents of repeated ids")
    # Only documents that are equal in text and columns need the digest of their records, for which files are read
    # again.
    alike = known.groupBy(ID, _TEXT, _KNOWN).agg(F.count(F.lit(1)).alias("n")).filter("n > 1")
    tied = known.join(alike, [ID, _TEXT, _KNOWN], "left_semi").groupBy(FILE).agg(F.collect_list(RECORD).alias("rows"))
    records = join_contents(contents(stages.session, files), files, tied).mapInArrow(
        _digests, f"{FILE} string, {RECORD} bigint, {_RECORD} binary"
    )
    # The last criterion is the location, in the order in which the user named the files.
    order = stages.session.createDataFrame([(one.uri, i) for i, one in enumerate(files)], f"{FILE} string, number int")
    ranked = known.join(records, keys, "left").join(F.broadcast(order), FILE)
    within = Window.partitionBy(ID).orderBy(_TEXT, _KNOWN, F.col(_RECORD).asc_nulls_first(), "number", RECORD)
    place = F.row_number().over(within)
    renamed = ranked.select(*keys, ID, place.alias("n")).filter("n > 1")
    renamed = stages(renamed.select(*keys, F.concat(ID, F.lit("~"), "n").alias("other")), "new ids")
    out = documents.join(renamed, keys, "left").withColumn(ID, F.coalesce("other", ID)).drop("other")
    return out.select(*documents.columns), renamed.count()


def _keyed(names: list[str], plan: Plan) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function that computes the sort keys of documents with equal ids: text digest and columns."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if not batch.num_rows:
                continue
            texts = plan.preparer.prepare(texts_in(batch, TEXT), 1).texts.to_pylist()
            digests = [_digest(text.encode("utf-8", "surrogatepass")) for text in texts]
            columns = {wanted_name(name): batch.column(name) for name in names}
            # Sites are compared in the form that the local engine compares.
            if "site" in columns:
                columns["site"] = sites(*(columns[name].cast(pa.large_string()) for name in ("site", "url")))
            rows = pa.table({ID: batch.column(ID), **columns}).to_pylist()
            yield pa.RecordBatch.from_arrays(
                [
                    batch.column(FILE), batch.column(RECORD), batch.column(ID), pa.array(digests, pa.binary()),
                    pa.array([str(row) for row in rows], pa.string()),
                ],
                [FILE, RECORD, ID, _TEXT, _KNOWN],
            )  # fmt: skip

    return run


def _digests(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the digest of each whole record, byte for byte."""
    for row in rows_in(batches):
        with open_source(row) as file:
            found = [(number, _digest(raw)) for number, _, raw in file.whole_records(row["rows"])]
        yield pa.RecordBatch.from_arrays(
            [
                pa.array([row[FILE]] * len(found), pa.string()), pa.array([number for number, _ in found], pa.int64()),
                pa.array([digest for _, digest in found], pa.binary()),
            ],
            [FILE, RECORD, _RECORD],
        )  # fmt: skip


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()
