"""Texts of removed roundups without what kept documents have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.decision.passages import find_passages, original
from quchong.differences.own_text import own_text
from quchong.engines.spark.arrow import mapped, texts_in
from quchong.engines.spark.documents import COLUMN, ID, TEXT, stored_name
from quchong.engines.spark.lines import LINE
from quchong.io.nested.replacing import NoPlaceError, new_values, with_values
from quchong.io.row_changes import rewritten, root_and_steps
from quchong.plan.plan import Plan
from quchong.seam import Documents

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

OWN, CUT = "own_text", "cut_characters"
_OF = "quchong_roundup"


def own_texts(met: DataFrame, texts: DataFrame, plan: Plan) -> DataFrame:
    """Return for each removed roundup its ID, the text left (OWN, "" for none) and the number of characters cut (CUT).

    Args:
        met: ID of a roundup, and `other_id` of a document whose text is cut out of it (`quchong.decision.survivors.cut_pairs`).
        texts: the documents with their texts.
    """
    needs = plan.method.traits.needs
    columns = (TEXT, "tokens", "high", "low", *(stored_name(name) for name in needs))
    own = texts.select(ID, *(F.col(c).alias(f"own_{c}") for c in columns))
    other = texts.select(F.col(ID).alias("other_id"), *(F.col(c).alias(f"other_{c}") for c in columns))

    def shared_spans(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        stacked = pa.concat_arrays([texts_in(batch, f"own_{TEXT}"), texts_in(batch, f"other_{TEXT}")])
        prepared = plan.preparer.prepare(stacked, 1)
        values = {
            name: pa.concat_arrays(
                [batch.column(f"{s}_{COLUMN}{name}").cast(pa.large_string()) for s in ("own", "other")]
            )
            for name in needs
        }
        tokens, high, low = (
            [batch.column(f"{s}_{c}").to_numpy() for s in ("own", "other")] for c in ("tokens", "high", "low")
        )
        same = (high[0] == high[1]) & (low[0] == low[1])
        left, right = np.arange(n), np.arange(n, 2 * n)
        documents = Documents.from_texts(prepared.texts, **values)
        spans = find_passages(plan.method, documents, left, right, np.minimum(*tokens), same, 1)
        places = original(prepared.edits, left, right, spans.offsets, spans.places)[spans.exact]
        row = pa.array(np.repeat(left, np.diff(spans.offsets))[spans.exact])
        return pa.RecordBatch.from_arrays(
            [batch.column(ID).take(row), pa.array(places[:, 0]), pa.array(places[:, 1])], [ID, "start", "end"]
        )

    spans = (
        met.join(own, ID)
        .join(other, "other_id")
        .mapInArrow(mapped(shared_spans, ID), f"{ID} string, start bigint, end bigint")
    )
    of = spans.groupBy(ID).agg(F.collect_list(F.struct("start", "end")).alias("spans"))
    whole = met.select(ID).distinct().join(texts.select(ID, TEXT), ID).join(of, ID, "left")

    def cut_texts(batch: pa.RecordBatch) -> pa.RecordBatch:
        texts, spans = texts_in(batch, TEXT).to_pylist(), batch.column("spans").to_pylist()
        left = [own_text(t, [(s["start"], s["end"]) for s in some or ()]) for t, some in zip(texts, spans, strict=True)]
        made = [pa.array([one.text for one in left], pa.string()), pa.array([one.cut for one in left], pa.int64())]
        return pa.RecordBatch.from_arrays([batch.column(ID), *made], [ID, OWN, CUT])

    return whole.mapInArrow(mapped(cut_texts, ID), f"{ID} string, {OWN} string, {CUT} bigint")


def own_rows(whole: DataFrame, key: Column, own: DataFrame, text: str) -> DataFrame:
    """Return the rows of roundups that have a text of their own, with that text and all other columns.

    Args:
        whole: rows of the input, with columns or as JSON lines. key: their ids. text: the column of the text.
        own: result of `own_texts`.
    """
    mine = whole.join(own.filter(f"{OWN} <> ''").select(F.col(ID).alias(_OF), OWN), key == F.col(_OF)).drop(_OF)
    if LINE not in whole.columns:
        if text in whole.columns and whole.schema[text].dataType == T.StringType():
            return mine.withColumn(text, F.col(OWN)).drop(OWN)

        def with_texts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                new = dict(enumerate(batch.column(OWN).to_pylist()))
                yield rewritten(batch.drop_columns([OWN]), 0, new, text, np.ones(batch.num_rows, np.bool_))

        return mine.select(*whole.columns, OWN).mapInArrow(with_texts, whole.schema)
    names = [name for name in mine.columns if name not in (LINE, OWN)]

    def with_values_of(line: bytes, new: str) -> bytes:
        item = json.loads(line)
        root, steps = root_and_steps(text, list(item))
        value = item.get(root)
        if steps or isinstance(value, list | dict):
            try:
                item[root] = with_values(value, new_values(value, steps, new))
            except NoPlaceError:  # stays whole, as on one machine
                return line
        else:
            item[text] = new
        return json.dumps(item, ensure_ascii=False).encode()

    def rewritten_lines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            lines = [
                with_values_of(line, new)
                for line, new in zip(batch.column(LINE).to_pylist(), batch.column(OWN).to_pylist(), strict=True)
            ]
            columns = [*(batch.column(name) for name in names), pa.array(lines, pa.binary())]
            yield pa.RecordBatch.from_arrays(columns, [*names, LINE])

    fields = [*(mine.schema[name] for name in names), T.StructField(LINE, T.BinaryType())]
    return mine.mapInArrow(rewritten_lines, T.StructType(fields)).select(*whole.columns)


def figures_of_own(own: DataFrame) -> tuple[int, int, int]:
    """Return the number of roundups with a text of their own, the characters cut out of all, and the number of roundups without one."""
    left = F.count_if(F.col(OWN) != "").alias("left")
    row = own.agg(left, F.coalesce(F.sum(CUT), F.lit(0)).alias("cut"), F.count(F.lit(1)).alias("n")).collect()[0]
    return row["left"], row["cut"], row["n"] - row["left"]
