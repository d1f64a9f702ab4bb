"""Decisions on connected components, many of them in one task.

A document is decided by its component alone: its exact copies, its pairs, and the pairs of its partners. No text is needed, so a
component is small: one row for each document, one for each pair of classes. A component is decided in one task, whatever its size.
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
from quchong.decision.examination import only_deciding
from quchong.decision.expansion import ClassPairs, expand
from quchong.decision.ledger import ledger
from quchong.decision.pairs import RESTS, to_table
from quchong.decision.survivors import cut_pairs, fates
from quchong.engines.spark.arrow import one, stacked, written
from quchong.engines.spark.component_documents import Readings, by_id, classes_of, documents_of
from quchong.engines.spark.documents import FIRST, HEAD, ID
from quchong.engines.spark.near_pairs import Near
from quchong.engines.spark.scores import lists_in, measures_in, measures_of
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.tables import CLUSTERS, FATES, LEDGER, PAIRS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.group_ops import PandasCogroupedOps

COMPONENT, PART, CROWDED = "component", "part", "crowded"
SCHEMAS = {
    "pairs": PAIRS, "ledger": pa.schema([f for f in LEDGER if f.name not in ("passages", "differences")]), "clusters": CLUSTERS,
    "cut": pa.schema([LEDGER.field("id"), pa.field("other_id", pa.large_string())]),
    "policy": pa.schema([FATES.field("id"), FATES.field("policy")]),
}  # fmt: skip
"""Tables by name; `policy` has a row for each document on which the policy has something to report, see FATES."""
TOGETHER = 50_000
"""Documents that are decided in one task, about, where components are small."""


def decided(docs: DataFrame, near: Near, labels: DataFrame, stages: Stages) -> dict[str, DataFrame]:
    """Decide all components and return the tables of a run, without passages and differences of the ledger.

    Args:
        docs: light documents with `first` and `is_protected`.
        near: scored pairs of first documents, with the rules and the types by which the policy reads columns.
        labels: node and component of the documents in a pair.
        stages: stores parts and tables.
    """
    plan, how = near.plan, near.how
    grouped = in_components(docs, near.pairs, labels, stages)
    kinds = measures_of(plan) | {name: np.dtype(np.float64) for name in RESTS if name in near.pairs.columns}
    schema = ", ".join(f"{name} struct<{written(fields, ':')}>" for name, fields in SCHEMAS.items())
    tables = stages(grouped.applyInArrow(_deciding(plan, kinds, how), schema), "decide")
    return {name: tables.filter(F.col(name).isNotNull()).select(f"{name}.*") for name in SCHEMAS}


def in_components(
    docs: DataFrame,
    pairs: DataFrame,
    labels: DataFrame,
    stages: Stages,
    some: DataFrame | None = None,
    together: int = TOGETHER,
) -> PandasCogroupedOps:
    """Group documents and pairs into parts, each of whole components; components of one document are left out.

    The result of an earlier call must have been computed, because each call stores its tables under the same names.

    Args:
        some: the wanted components, in a column `component`; None for all of two documents or more.
        together: documents of a part, about, where components are small.
    """
    # Labels are of first documents; a copy has the label of its first, and a document in no pair is its own component.
    of = labels.select(F.col("node").alias(FIRST), COMPONENT)
    placed = docs.join(of, FIRST, "left").withColumn(COMPONENT, F.coalesce(COMPONENT, FIRST))
    if some is None:
        some = placed.groupBy(COMPONENT).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(COMPONENT)
    rows = stages(placed.join(some, COMPONENT), "components of documents")
    with stages.stage("components of documents"):
        parts = 1 + rows.count() // together
    # Whole components are dealt to parts by a hash, documents and pairs alike.
    part = F.pmod(F.xxhash64(COMPONENT), F.lit(parts)).alias(PART)
    links = pairs.join(labels.withColumnRenamed("node", "left"), "left")
    links = stages(links.join(some, COMPONENT).select("*", part).drop(COMPONENT), "components of pairs")
    return rows.select("*", part).drop(COMPONENT).groupBy(PART).cogroup(links.groupBy(PART))


def part_of(
    mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any], how: Readings
) -> tuple[DocumentColumns, Classes, Classes, ClassPairs]:
    """Return the documents of a part sorted by id, their exact classes, the compared parts of these, and the scored pairs."""
    documents, classes, parts = documents_of(mine, plan, how), classes_of(mine), classes_of(mine, HEAD)
    ids = one(mine[ID])
    # Pairs name documents by id; here they become numbers of parts, sorted, as the local engine has them.
    sides = (one(pc.index_in(met[side], ids)) for side in ("left", "right"))
    left, right = (parts.node[i.to_numpy(zero_copy_only=False).astype(np.int64)] for i in sides)
    order = np.lexsort((right, left))
    met = met.take(pa.array(order))
    found = ClassPairs(left[order], right[order], measures_in(met, kinds), differences=lists_in(met, kinds))
    return documents, classes, parts, found


def flagged(docs: DataFrame, crowded: DataFrame) -> DataFrame:
    """Return documents with the column CROWDED: True for those whose ids `crowded` has."""
    return docs.join(crowded.withColumn(CROWDED, F.lit(True)), ID, "left").fillna(False, [CROWDED])


def crowds_in(mine: pa.Table) -> np.ndarray:
    """Return a mask of the documents of a part that are in a crowd; all False if the part has no column CROWDED."""
    if CROWDED not in mine.column_names:
        return np.zeros(len(mine), bool)
    return np.asarray(mine[CROWDED].to_numpy(zero_copy_only=False)).astype(bool)


def _deciding(plan: Plan, kinds: dict[str, Any], how: Readings) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return the function that decides a part; its rows carry one struct column for each table, all others null."""

    def made(mine: pa.Table, met: pa.Table) -> pa.Table:
        return stacked(_decide(mine, met, plan, kinds, how), SCHEMAS)

    return made


def _decide(mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any], how: Readings) -> dict[str, pa.Table]:
    mine = by_id(mine)
    documents, classes, parts, found = part_of(mine, met, plan, kinds, how)
    found = only_deciding(documents, plan, classes, parts, found)
    pairs = expand(documents, plan, classes, parts, found)
    fate = fates(documents, pairs, plan, np.zeros(len(documents), bool))
    later = pa.nulls(int(fate.removed.sum()))
    said = pa.table([documents.ids, fate.policy_of(np.arange(len(documents)))], SCHEMAS["policy"])
    roundups, others = cut_pairs(documents, plan, pairs, fate)
    return {
        "cut": pa.table([documents.ids.take(pa.array(roundups)), documents.ids.take(pa.array(others))], SCHEMAS["cut"]),
        "pairs": to_table(documents, pairs), "clusters": clusters(documents, fate),
        "ledger": ledger(documents, plan, pairs, fate, later, later),
        "policy": said.filter(pc.not_equal(said["policy"], "")),
    }  # fmt: skip
