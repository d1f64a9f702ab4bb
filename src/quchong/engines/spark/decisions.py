"""Decides connected components, many at a time on an executor.

What decides about a document lies within its component: exact copies, the pairs it stands in, and theirs. No text is needed,
so a component is small: a row a document, a row a pair of classes. One component is decided in one place, whatever its size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.decision.classes import Classes
from quchong.decision.clusters import clusters
from quchong.decision.documents import DocumentColumns
from quchong.decision.expansion import Found, expand
from quchong.decision.ledger import ledger
from quchong.decision.pairs import to_table
from quchong.decision.survivors import fates
from quchong.engines.spark.arrow import one, spoken, written
from quchong.engines.spark.documents import FIRST, HEAD, ID
from quchong.engines.spark.part import Readings, by_id, classes_of, documents_of
from quchong.engines.spark.scores import lists_in, measures_in, measures_of
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.tables import CLUSTERS, FATES, LEDGER, PAIRS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.group_ops import PandasCogroupedOps

COMPONENT, PART = "component", "part"
SCHEMAS = {
    "pairs": PAIRS, "ledger": pa.schema([f for f in LEDGER if f.name not in ("passages", "differences")]), "clusters": CLUSTERS,
    "policy": pa.schema([FATES.field("id"), FATES.field("policy")]),
}  # fmt: skip
"""Tables by name; `policy` has a row for each document the policy has something to do with, see FATES."""
TOGETHER = 50_000
"""Documents that are decided at once, about, where components are small."""


def decided(
    docs: DataFrame, pairs: DataFrame, labels: DataFrame, plan: Plan, how: Readings, stages: Stages
) -> dict[str, DataFrame]:
    """The tables of a run, as in `quchong.tables` but for passages and differences of the ledger.

    Args:
        docs: light documents with `first` and `is_protected`.
        pairs: scored pairs of first documents.
        labels: node and component of the documents in a pair.
        plan, how: what decides.
        stages: where parts and tables are written down.
    """
    grouped = in_components(docs, pairs, labels, stages)
    kinds = measures_of(plan)
    schema = ", ".join(f"{name} struct<{written(fields, ':')}>" for name, fields in SCHEMAS.items())
    tables = stages(grouped.applyInArrow(_deciding(plan, kinds, how), schema), "decide")
    return {name: tables.filter(F.col(name).isNotNull()).select(f"{name}.*") for name in SCHEMAS}


def in_components(
    docs: DataFrame, pairs: DataFrame, labels: DataFrame, stages: Stages, some: DataFrame | None = None
) -> PandasCogroupedOps:
    """Documents and pairs part by part, each of whole components, those of one document left out; as `decided` takes them.

    What an earlier call gave must have been computed: both are written down in the same place.

    Args:
        some: the components that are asked for, in a column `component`; None for all of two documents or more.
    """
    of = labels.select(F.col("node").alias(FIRST), COMPONENT)
    placed = docs.join(of, FIRST, "left").withColumn(COMPONENT, F.coalesce(COMPONENT, FIRST))
    if some is None:
        some = placed.groupBy(COMPONENT).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(COMPONENT)
    rows = stages(placed.join(some, COMPONENT), "components of documents")
    with stages.stage("components of documents"):
        parts = 1 + rows.count() // TOGETHER
    part = F.pmod(F.xxhash64(COMPONENT), F.lit(parts)).alias(PART)
    links = pairs.join(labels.withColumnRenamed("node", "left"), "left")
    links = stages(links.join(some, COMPONENT).select("*", part).drop(COMPONENT), "components of pairs")
    return rows.select("*", part).drop(COMPONENT).groupBy(PART).cogroup(links.groupBy(PART))


def part_of(
    mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any], how: Readings
) -> tuple[DocumentColumns, Classes, Classes, Found]:
    """The documents of a part, which stand by id, their classes, the parts of these that were compared, and their pairs."""
    documents, classes, parts = documents_of(mine, plan, how), classes_of(mine), classes_of(mine, HEAD)
    ids = one(mine[ID])
    sides = (one(pc.index_in(met[side], ids)) for side in ("left", "right"))
    left, right = (parts.node[i.to_numpy(zero_copy_only=False).astype(np.int64)] for i in sides)
    order = np.lexsort((right, left))
    met = met.take(pa.array(order))
    found = Found(left[order], right[order], measures_in(met, kinds), differences=lists_in(met, kinds))
    return documents, classes, parts, found


def _deciding(plan: Plan, kinds: dict[str, Any], how: Readings) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """What makes the rows of all tables, one kind to a column, out of documents and pairs of components."""

    def made(mine: pa.Table, met: pa.Table) -> pa.Table:
        tables = _decide(mine, met, plan, kinds, how)
        types = {name: pa.struct(list(spoken(schema))) for name, schema in SCHEMAS.items()}
        blocks = []
        for name, schema in SCHEMAS.items():
            table = tables[name].select(schema.names).cast(spoken(schema)).combine_chunks()
            rows = one(table.to_struct_array()).cast(types[name])
            blocks.append(pa.table({n: rows if n == name else pa.nulls(len(rows), t) for n, t in types.items()}))
        return pa.concat_tables(blocks)

    return made


def _decide(mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any], how: Readings) -> dict[str, pa.Table]:
    documents, classes, parts, found = part_of(by_id(mine), met, plan, kinds, how)
    pairs = expand(documents, plan, classes, parts, found)
    fate = fates(documents, pairs, plan.removing, np.zeros(len(documents), bool))
    later = pa.nulls(int(fate.removed.sum()))
    said = pa.table([documents.ids, fate.policy_of(np.arange(len(documents)))], SCHEMAS["policy"])
    return {
        "pairs": to_table(documents, pairs), "clusters": clusters(documents, fate),
        "ledger": ledger(documents, plan, pairs, fate, later, later),
        "policy": said.filter(pc.not_equal(said["policy"], "")),
    }  # fmt: skip
