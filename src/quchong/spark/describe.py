"""Per document: digest, lengths and keys, made in Arrow batches by the method itself."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.pipeline.plan import Plan
from quchong.spark.arrow import mapped, signed, texts_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ID, TEXT, SCOPE, FIRST = "id", "text", "scope", "first"
DESCRIBED = [
    T.StructField("tokens", T.LongType()),
    T.StructField("singles", T.LongType()),
    T.StructField("high", T.LongType()),
    T.StructField("low", T.LongType()),
    T.StructField("size", T.DoubleType()),  # for the count filter, scaled by the share of keys that are distinct
    T.StructField("window", T.LongType()),
    T.StructField("keys", T.ArrayType(T.LongType())),
]


def described(documents: DataFrame, plan: Plan) -> DataFrame:
    """id, text, scope and extra columns, with `DESCRIBED`: the keys of each document once each, ascending."""

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        texts = plan.preparer.prepare(texts_in(batch, TEXT), 1).texts
        features = plan.method.features(texts, 1)
        _strict(features.tokens, features.high, features.low, batch)
        keys = plan.method.keys(features)
        counts = np.diff(keys.offsets)
        document = np.repeat(np.arange(len(counts)), counts)
        order = np.lexsort((keys.values, document))
        values, document = keys.values[order], document[order]
        again = np.zeros(len(values), bool)
        again[1:] = (values[1:] == values[:-1]) & (document[1:] == document[:-1])
        distinct = np.bincount(document[~again], minlength=len(counts))
        all_keys = counts.astype(np.float64)
        repeats = counts - distinct
        size = keys.size.astype(np.float64)
        size = np.where(counts > 0, size * ((all_keys - repeats) / np.maximum(all_keys, 1)), size)
        offsets = np.concatenate([[0], np.cumsum(distinct)]).astype(np.int32)
        lists = pa.ListArray.from_arrays(pa.array(offsets), signed(values[~again]))
        columns = [
            *batch.columns, pa.array(features.tokens.astype(np.int64)), pa.array(features.singles.astype(np.int64)),
            signed(features.high), signed(features.low), pa.array(size), pa.array(keys.window.astype(np.int64)), lists,
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(columns, [*batch.schema.names, *(f.name for f in DESCRIBED)])

    schema = T.StructType([*documents.schema.fields, *DESCRIBED])
    return documents.mapInArrow(mapped(made), schema)


def _strict(tokens: np.ndarray, high: np.ndarray, low: np.ndarray, batch: pa.RecordBatch) -> None:
    """Texts without letters or digits are compared by their strict form, as the local engine does; an empty one is alone."""
    for i in np.flatnonzero(tokens == 0).tolist():
        text = batch.column(TEXT)[i].as_py() or ""
        strict = " ".join(unicodedata.normalize("NFKC", text).lower().split())
        seed = b"strict:" + strict.encode() if strict else b"empty:" + str(batch.column(ID)[i].as_py()).encode()
        digest = hashlib.blake2b(seed, digest_size=16).digest()
        high[i], low[i] = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def in_classes(docs: DataFrame, plan: Plan) -> DataFrame:
    """The documents with `first`: the least id among those with an equal normal form in their scope, confirmed by letters."""
    key = ["high", "low", SCOPE]
    heads = docs.groupBy(*key).agg(F.min(ID).alias(FIRST), F.count(F.lit(1)).alias("copies"))
    joined = docs.join(heads.filter("copies > 1"), key, "left").drop("copies")
    joined = joined.withColumn(FIRST, F.coalesce(FIRST, ID))
    form = plan.method.form
    if form is None:
        return joined
    from quchong import kernels

    firsts = docs.select(F.col(ID).alias(FIRST), F.col(TEXT).alias("first_text"))
    members = joined.filter((F.col(FIRST) != F.col(ID)) & (F.col("tokens") > 0)).select(ID, TEXT, FIRST)

    def refuted(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        texts = pa.concat_arrays([texts_in(batch, TEXT), texts_in(batch, "first_text")])
        prepared = plan.preparer.prepare(texts, 1).texts
        equal = kernels.equal_forms(plan.method.form, prepared, np.arange(n), np.arange(n, 2 * n), 1)  # type: ignore[arg-type]
        return pa.RecordBatch.from_arrays([batch.column(ID).filter(pa.array(equal == 0))], ["other_id"])

    wrong = members.join(firsts, FIRST).mapInArrow(mapped(refuted), "other_id string")
    out = joined.join(wrong, joined[ID] == wrong["other_id"], "left")
    return out.withColumn(FIRST, F.when(F.col("other_id").isNotNull(), F.col(ID)).otherwise(F.col(FIRST))).drop("other_id")
