"""Per document: digest, lengths and keys, made in Arrow batches by the method itself; and exact classes."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong import kernels
from quchong.pages import sites
from quchong.pipeline.plan import Plan
from quchong.spark.arrow import lists_of, mapped, signed, texts_in
from quchong.spark.skew import joined_to, parts_of
from quchong.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ID, TEXT, SCOPE, FIRST, PROTECTED, COLUMN = "id", "text", "scope", "first", "is_protected", "column_"
"""Columns of our own; those of the input that policy, scope and method ask for stand beside them under COLUMN and their name."""

DESCRIBED = [
    T.StructField("tokens", T.LongType()),
    T.StructField("singles", T.LongType()),
    T.StructField("high", T.LongType()),
    T.StructField("low", T.LongType()),
    T.StructField("size", T.DoubleType()),  # for the count filter, scaled by the share of keys that are distinct
    T.StructField("window", T.LongType()),
    T.StructField("keys", T.ArrayType(T.LongType())),
]


def light(docs: DataFrame) -> DataFrame:
    """The documents without what is large: texts and keys."""
    return docs.drop(TEXT, "keys", "size", "window")


def described(documents: DataFrame, plan: Plan) -> DataFrame:
    """id, text, scope and the input's columns, with `DESCRIBED`: the keys of each document once each, ascending."""
    names, site, url = documents.columns, COLUMN + "site", COLUMN + "url"
    same_site = plan.scope.same_site

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
        size = keys.size.astype(np.float64)
        size = np.where(counts > 0, size * (distinct / np.maximum(counts.astype(np.float64), 1)), size)
        lists = lists_of(values[~again], np.concatenate([[0], np.cumsum(distinct)]))
        given = dict(zip(names, batch.columns, strict=True))
        if site in given:
            known = sites(given[site].cast(pa.large_string()), given[url].cast(pa.large_string()))
            given[site] = known.cast(pa.string())
            if same_site:
                given[SCOPE] = pc.binary_join_element_wise(given[SCOPE], given[site].fill_null(""), "\n")
        columns = [
            *given.values(), pa.array(features.tokens.astype(np.int64)), pa.array(features.singles.astype(np.int64)),
            signed(features.high), signed(features.low), pa.array(size), pa.array(keys.window.astype(np.int64)), lists,
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(columns, [*names, *(f.name for f in DESCRIBED)])

    schema = T.StructType([*documents.schema.fields, *DESCRIBED])
    return documents.mapInArrow(mapped(made, ID), schema)


def _strict(tokens: np.ndarray, high: np.ndarray, low: np.ndarray, batch: pa.RecordBatch) -> None:
    """Texts without letters or digits are compared by their strict form, as the local engine does; an empty one is alone."""
    for i in np.flatnonzero(tokens == 0).tolist():
        text = batch.column(TEXT)[i].as_py() or ""
        strict = " ".join(unicodedata.normalize("NFKC", text).lower().split())
        seed = b"strict:" + strict.encode() if strict else b"empty:" + str(batch.column(ID)[i].as_py()).encode()
        digest = hashlib.blake2b(seed, digest_size=16).digest()
        high[i], low[i] = int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def in_classes(docs: DataFrame, plan: Plan, stages: Stages) -> DataFrame:
    """The documents with `first`: the least id among those with an equal normal form in their scope, confirmed by letters.

    Only short rows are grouped. Of a class of very many copies the text of the first is sent to as many parts.
    """
    key = ["high", "low", SCOPE]
    heads = docs.groupBy(*key).agg(F.min(ID).alias(FIRST), F.count(F.lit(1)).alias("copies")).filter("copies > 1")
    heads = stages(heads, "exact classes")
    rows = docs.select(ID, *key, "tokens")
    members = joined_to(rows, heads.drop("copies"), key, ID, parts_of(heads, key, "copies"))
    members = stages(members.filter(F.col(FIRST) != F.col(ID)).select(ID, FIRST, "tokens"), "exact copies")
    out = docs.join(members.select(ID, FIRST), ID, "left")
    if plan.method.form is not None:
        wrong = _refuted(docs, members, heads, plan)
        out = out.join(wrong, ID, "left").withColumn(FIRST, F.when(F.col("wrong").isNull(), F.col(FIRST))).drop("wrong")
    return out.withColumn(FIRST, F.coalesce(FIRST, ID))


def _refuted(docs: DataFrame, members: DataFrame, heads: DataFrame, plan: Plan) -> DataFrame:
    """Ids of members whose text is not their first's, though the digest is (never yet seen)."""
    texts = docs.select(ID, TEXT)
    firsts = texts.withColumnRenamed(ID, FIRST).withColumnRenamed(TEXT, "first_text")
    firsts = firsts.join(heads.select(FIRST), FIRST, "left_semi")
    own = members.filter("tokens > 0").select(ID, FIRST).join(texts, ID)
    both = joined_to(own, firsts, [FIRST], ID, parts_of(heads, [FIRST], "copies"))

    def refuted(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        texts = pa.concat_arrays([texts_in(batch, TEXT), texts_in(batch, "first_text")])
        prepared = kernels.texts_of([plan.preparer.prepare(texts, 1).texts])
        form = plan.method.form  # made there: tables are not sent
        equal = kernels.equal_forms(form, prepared, np.arange(n), np.arange(n, 2 * n), 1)
        ids = batch.column(ID).filter(pa.array(equal == 0))
        return pa.RecordBatch.from_arrays([ids, pa.array(np.ones(len(ids), bool))], [ID, "wrong"])

    return both.mapInArrow(mapped(refuted, ID), f"{ID} string, wrong boolean")
