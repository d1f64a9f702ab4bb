"""Who goes: every connected component decided by the code of the local engine, on one executor each.

What decides about a document lies within its component: exact copies, the pairs it stands in, and theirs. No text is needed,
so a component is small: a row a document, a row a pair of classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.pipeline.candidates import Classes, Found
from quchong.pipeline.corpus import Corpus, TextStore
from quchong.pipeline.ledger import clusters, confirmed
from quchong.pipeline.local import priorities
from quchong.pipeline.pairs import DocumentPairs, Fate, expand, fates, to_table
from quchong.pipeline.plan import Plan
from quchong.seam import Features
from quchong.spark.arrow import unsigned
from quchong.spark.describe import FIRST, ID
from quchong.spark.judged import measures_in, measures_of
from quchong.tables import CLUSTERS, LEDGER, PAIRS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

COMPONENT = "component"
SCHEMAS = {"pairs": PAIRS, "ledger": LEDGER.remove(LEDGER.get_field_index("passages")), "clusters": CLUSTERS}
PROTECTED = "is_protected"


def decided(docs: DataFrame, pairs: DataFrame, labels: DataFrame, plan: Plan, kept: Callable[[DataFrame, str], DataFrame]) -> dict[str, DataFrame]:
    """The tables of a run, as in `quchong.tables` but for passages.

    Args:
        docs: described documents with `first` and `is_protected`.
        pairs: judged pairs of first documents.
        labels: node and component of the documents in a pair.
    """
    light = docs.drop("text", "keys", "size", "window")
    of = labels.select(F.col("node").alias(FIRST), COMPONENT)
    placed = light.join(of, FIRST, "left").withColumn(COMPONENT, F.coalesce(COMPONENT, FIRST))
    copies = placed.groupBy(COMPONENT).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(COMPONENT)
    rows = kept(placed.join(copies, COMPONENT), "placed")
    links = kept(pairs.join(labels.withColumnRenamed("node", "left"), "left"), "links")
    kinds = measures_of(plan)
    grouped = rows.groupBy(COMPONENT).cogroup(links.groupBy(COMPONENT))
    return {
        name: kept(grouped.applyInArrow(_deciding(plan, kinds, name), _spark_schema(schema)), name)
        for name, schema in SCHEMAS.items()
    }


def _deciding(plan: Plan, kinds: dict[str, Any], name: str) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """What makes one table of a component out of its documents and pairs."""
    schema = SCHEMAS[name]

    def made(mine: pa.Table, met: pa.Table) -> pa.Table:
        return _decide(mine, met, plan, kinds)[name].select(schema.names).cast(_spoken(schema))

    return made


def _spoken(schema: pa.Schema) -> pa.Schema:
    """The schema with types Spark has."""
    plain = {pa.large_string(): pa.string(), pa.uint8(): pa.int64(), pa.uint32(): pa.int64()}
    return pa.schema([pa.field(f.name, plain.get(f.type, f.type)) for f in schema])


def _spark_schema(schema: pa.Schema) -> str:
    names = {pa.string(): "string", pa.int64(): "bigint", pa.float64(): "double", pa.bool_(): "boolean"}
    return ", ".join(f"{f.name} {names[f.type]}" for f in _spoken(schema))


def _decide(mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any]) -> dict[str, pa.Table]:
    mine = mine.take(pc.sort_indices(mine[ID]))
    corpus = _corpus(mine)
    classes = _classes(mine)
    ids = pc.index_in(met["left"], mine[ID].combine_chunks()), pc.index_in(met["right"], mine[ID].combine_chunks())
    left, right = (classes.node[i.to_numpy(zero_copy_only=False).astype(np.int64)] for i in ids)
    order = np.lexsort((right, left))
    met = met.take(pa.array(order))
    found = Found(left[order], right[order], measures_in(met, kinds), len(order), 0, 0)
    protected = mine[PROTECTED].to_numpy(zero_copy_only=False).astype(bool)
    priority = priorities(corpus, plan, protected)
    pairs, _ = expand(corpus, plan, classes, found, priority)
    none = np.zeros(len(corpus), bool)
    fate = fates(pairs, priority, none, protected, plan.relations, none)
    return {"pairs": to_table(corpus, pairs), "clusters": clusters(corpus, fate), "ledger": _ledger(corpus, plan, pairs, fate)}


def _ledger(corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate) -> pa.Table:
    removed = np.flatnonzero(fate.removed)
    return confirmed(corpus, plan, pairs, fate, pa.nulls(len(removed))).drop_columns(["passages"])


def _corpus(mine: pa.Table) -> Corpus:
    """Documents of one component as the local engine has them, without texts."""
    n = len(mine)
    zeros = np.zeros(n, np.int64)
    features = Features(
        mine["tokens"].to_numpy().astype(np.uint32), mine["singles"].to_numpy().astype(np.uint32),
        unsigned(mine["high"]), unsigned(mine["low"]), np.zeros(1, np.int64), np.zeros(0, np.uint64),
    )  # fmt: skip
    ids = mine[ID].combine_chunks().cast(pa.large_string())
    columns = mine.drop_columns([COMPONENT, FIRST, PROTECTED]).append_column("row", pa.array(zeros))
    columns = columns.set_column(columns.schema.get_field_index(ID), ID, ids)
    large = {pa.string(): pa.large_string()}
    columns = columns.cast(pa.schema([pa.field(f.name, large.get(f.type, f.type)) for f in columns.schema]))
    return Corpus([], ids, TextStore([]), {}, features, columns, zeros.astype(np.int32), zeros, 0, {}, np.arange(n))


def _classes(mine: pa.Table) -> Classes:
    """Classes by `first`; documents are sorted by id, so classes are in the order of their first."""
    first = pc.index_in(mine[FIRST], mine[ID].combine_chunks()).to_numpy().astype(np.int64)
    heads, node = np.unique(first, return_inverse=True)
    members = np.argsort(node, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=len(heads)))]).astype(np.int64)
    none = np.zeros(0, np.int64)
    return Classes(node, heads, members, offsets, none, none, 0)
