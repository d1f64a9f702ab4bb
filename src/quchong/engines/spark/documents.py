"""Digest, lengths, keys and feature sets of every document, computed in Arrow batches, and exact classes.

Texts are read and prepared once, and stored with all that is computed from them. Later joins and groups carry no texts, except
where a pair is scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong import kernels
from quchong.decision.equality import class_digests, equal_letters, wordless_digest
from quchong.engines.spark.arrow import lists_of, mapped, signed, texts_in
from quchong.engines.spark.skew import joined_to, parts_of
from quchong.engines.spark.stages import Stages
from quchong.features.feature_sets import occurrences
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sketch import Signatures
from quchong.pages import sites
from quchong.plan.plan import Plan
from quchong.seam import Documents, HammingJoin, KeyJoin, Keys, SetJoin
from quchong.text import has_forward_mark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ID, TEXT, SCOPE, FIRST, PROTECTED, COLUMN = "id", "text", "scope", "first", "is_protected", "column_"
REFERENCE = "is_reference"
"""True for a document of the reference corpus; a run without references has no such column (`quchong.engines.spark.references`)."""
UNSEEN = "unseen"
"""True for a document in which the method saw nothing by which it could meet others."""
FORWARDS = "forwards"
"""True for a document that quotes somebody with a mark of forwarding."""
HEAD = "head"
"""The least id among the documents of an exact class that agree in the columns the method reads besides the text."""
"""Columns added by the engine; columns of the input that policy, scope and method need are named COLUMN and their own name."""

_DOT = "\ue02e"
"""Stands for a dot in the names of columns that Spark stores, because its functions of Arrow batches take a dot for a field."""


def stored_name(name: str) -> str:
    """Return the name under which documents store a column of the input."""
    return COLUMN + name.replace(".", _DOT)


def wanted_name(stored: str) -> str:
    """Return the name of a column of the input that documents store; other names are unchanged."""
    return stored.removeprefix(COLUMN).replace(_DOT, ".")


DESCRIBED = [
    T.StructField("tokens", T.LongType()),
    T.StructField("singles", T.LongType()),
    T.StructField("high", T.LongType()),
    T.StructField("low", T.LongType()),
    T.StructField("blank", T.BooleanType()),  # no text, or one of blanks
    T.StructField(FORWARDS, T.BooleanType()),  # quotes somebody with a mark of forwarding
    T.StructField("size", T.DoubleType()),  # for the count filter, scaled by the share of keys that are distinct
    T.StructField("window", T.LongType()),
    T.StructField("keys", T.ArrayType(T.LongType())),
    T.StructField("places", T.ArrayType(T.LongType())),  # keys on the site; empty but where noise is counted so
]
LARGE = (TEXT, "keys", "places", "size", "window")
NONE = np.zeros(0, np.uint64)


def light(texts: DataFrame) -> DataFrame:
    """Drop the large columns of documents: texts, keys, and what belongs to keys."""
    return texts.drop(*LARGE)


def heads(texts: DataFrame, docs: DataFrame) -> DataFrame:
    """Return the documents that represent the parts of their exact classes in comparisons."""
    return texts.join(docs.filter(F.col(HEAD) != F.col(ID)).select(ID), ID, "left_anti")


def in_parts(docs: DataFrame, plan: Plan) -> DataFrame:
    """Add the column `head`: the document that represents the part of the exact class that a document is in."""
    names = [stored_name(name) for name in plan.method.traits.needs if stored_name(name) in docs.columns]
    if not names:
        return docs.withColumn(HEAD, F.col(FIRST))
    alike = Window.partitionBy(FIRST, *(F.col(f"`{name}`") for name in names))
    return docs.withColumn(HEAD, F.min(ID).over(alike))


def described(documents: DataFrame, plan: Plan) -> DataFrame:
    """Return documents with the columns `DESCRIBED` (features and keys) added; keys are distinct and ascending."""
    names, site, url = documents.columns, COLUMN + "site", COLUMN + "url"
    same_site = plan.scope.same_site
    method = plan.method

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        # A text without tokens has no normal form: its digest is made of its characters, or of its id if it is blank,
        # so that blank documents are no copies.
        texts = plan.preparer.prepare(texts_in(batch, TEXT), 1).texts
        features = class_digests(plan.exact, method.form, texts, method.represent(texts, 1), 1)
        wordless, blank = np.flatnonzero(features.tokens == 0).tolist(), np.zeros(len(texts), bool)
        for i in wordless:
            blank[i] = not (texts[i].as_py() or "").strip()
            text, alone = batch.column(TEXT)[i].as_py() or "", str(batch.column(ID)[i].as_py())
            features.high[i], features.low[i] = wordless_digest(plan.exact, text, alone)
        # Sites are normalised here, once; scopes by site can be made only after that.
        given = dict(zip(names, batch.columns, strict=True))
        if site in given:
            known = sites(given[site].cast(pa.large_string()), given[url].cast(pa.large_string()))
            given[site] = known.cast(pa.string())
            if plan.scope.per == "site":
                given[SCOPE] = _scope(given[site])
            if same_site:
                given[SCOPE] = pc.binary_join_element_wise(given[SCOPE], given[site].fill_null(""), "\n")
        # Keys as the method's join takes them; every kind of join gets the same four columns.
        match method.candidates:
            case KeyJoin() as join:
                keys = _keys(join.keys(features))
            case SetJoin() as join:
                of = {name: given[stored_name(name)].cast(pa.large_string()) for name in method.traits.needs}
                keys = _keys_of_sets(join, Documents.from_texts(texts, **of))
            case HammingJoin() as join:
                keys = _words(join.sign(Documents.from_texts(texts), 1))
            case join:
                raise TypeError(f"{type(join).__name__} is not joined here")
        # Spark has no unsigned integers: the digests keep their bits as signed ones.
        own = [features.tokens.astype(np.int64), features.singles.astype(np.int64)]
        columns = [
            *given.values(),
            *map(pa.array, own),
            signed(features.high),
            signed(features.low),
            pa.array(blank),
            pa.array(has_forward_mark(texts)),
            *keys,
        ]
        return pa.RecordBatch.from_arrays(columns, [*names, *(f.name for f in DESCRIBED)])

    schema = T.StructType([*documents.schema.fields, *DESCRIBED])
    return documents.mapInArrow(mapped(made, ID), schema)


def _scope(values: pa.Array) -> pa.Array:
    """Encode scope values as `quchong.engines.spark.rows.scope_of` does: length, colon, value; "" for null."""
    lengths = pc.utf8_length(values).cast(pa.string())
    return pc.fill_null(pc.binary_join_element_wise(lengths, values, ":"), "")


def _keys(keys: Keys) -> list[pa.Array]:
    """Return size, window, keys and places of a method that joins by keys."""
    counts = np.diff(keys.offsets)
    document = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((keys.values, document))
    values, document = keys.values[order], document[order]
    again = np.zeros(len(values), bool)
    again[1:] = (values[1:] == values[:-1]) & (document[1:] == document[:-1])
    distinct = np.bincount(document[~again], minlength=len(counts))
    size = keys.size.astype(np.float64)
    size = np.where(counts > 0, size * (distinct / np.maximum(counts.astype(np.float64), 1)), size)
    return _columns(size, keys.window, values[~again], prefix_sums(distinct))


def _keys_of_sets(join: SetJoin, documents: Documents) -> list[pa.Array]:
    """Return size, window (1), keys and places of a method that joins by sets; places are the keys on the site."""
    whole, noise = join.sets(documents, 1), join.noise
    if join.prefixes is not None:
        return _lists(whole)
    if noise is None:  # of multisets each occurrence is a value: what is counted stays the same
        return _lists(occurrences(whole))
    kept = whole if noise.noise is None else noise.noise.without(whole, documents.column("site"))
    places = noise.site_keys(kept, documents) if noise.counted_by == "site" else NONE
    return _lists(kept, whole.lengths, places)


def _lists(sets: FeatureSets, size: np.ndarray | None = None, places: np.ndarray = NONE) -> list[pa.Array]:
    """Return size, window (1), keys and places of feature sets; `size` replaces the sizes of the sets."""
    return _columns(sets.lengths if size is None else size, np.ones(len(sets)), sets.values, sets.offsets, places)


def _words(signed: Signatures) -> list[pa.Array]:
    """Return size, window, keys and places of signatures; keys are the signature's words, empty for no signature."""
    words = signed.words.shape[1]
    offsets = prefix_sums(np.where(signed.defined, words, 0))
    ones = np.ones(len(signed))
    return _columns(ones, ones, signed.words[signed.defined].reshape(-1), offsets)


def _columns(
    size: np.ndarray, window: np.ndarray, values: np.ndarray, offsets: np.ndarray, places: np.ndarray = NONE
) -> list[pa.Array]:
    """Return size, window, keys and places in the types of `DESCRIBED`; `places` is aligned with `values`, or empty."""
    at = offsets if len(places) else np.zeros_like(offsets)
    weights = [pa.array(size.astype(np.float64)), pa.array(window.astype(np.int64))]
    return [*weights, lists_of(values, offsets), lists_of(places, at)]


def in_classes(texts: DataFrame, plan: Plan, stages: Stages) -> DataFrame:
    """Return documents with the column `first`, the least id of their exact class, confirmed letter by letter.

    Only short rows are grouped. In a class of very many copies the text of the first is sent to several parts.
    """
    key = ["high", "low", SCOPE]
    firsts = texts.groupBy(*key).agg(F.min(ID).alias(FIRST), F.count(F.lit(1)).alias("copies")).filter("copies > 1")
    firsts = stages(firsts, "exact classes")
    rows = texts.select(ID, *key, "tokens")
    members = joined_to(rows, firsts.drop("copies"), key, ID, parts_of(firsts, key, "copies"))
    members = stages(members.filter(F.col(FIRST) != F.col(ID)).select(ID, FIRST, "tokens"), "exact copies")
    out = light(texts).join(members.select(ID, FIRST), ID, "left")
    if plan.method.form is not None:
        wrong = _refuted(texts, members, firsts, plan)
        out = out.join(wrong, ID, "left").withColumn(FIRST, F.when(F.col("wrong").isNull(), F.col(FIRST))).drop("wrong")
    return out.withColumn(FIRST, F.coalesce(FIRST, ID))


def _refuted(docs: DataFrame, members: DataFrame, classes: DataFrame, plan: Plan) -> DataFrame:
    """Return the ids of class members whose text differs from their first although the digests are equal."""
    texts = docs.select(ID, TEXT)
    firsts = texts.withColumnRenamed(ID, FIRST).withColumnRenamed(TEXT, "first_text")
    firsts = firsts.join(classes.select(FIRST), FIRST, "left_semi")
    own = members.filter("tokens > 0").select(ID, FIRST).join(texts, ID)
    both = joined_to(own, firsts, [FIRST], ID, parts_of(classes, [FIRST], "copies"))

    def refuted(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        texts = pa.concat_arrays([texts_in(batch, TEXT), texts_in(batch, "first_text")])
        prepared = kernels.arrays.texts_of([plan.preparer.prepare(texts, 1).texts])
        form = plan.method.form  # made there: tables are not sent
        equal = equal_letters(plan.exact, form, prepared, np.arange(n), np.arange(n, 2 * n), 1)
        ids = batch.column(ID).filter(pa.array(~equal))
        return pa.RecordBatch.from_arrays([ids, pa.array(np.ones(len(ids), bool))], [ID, "wrong"])

    return both.mapInArrow(mapped(refuted, ID), f"{ID} string, wrong boolean")
