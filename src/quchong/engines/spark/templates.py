"""Templates on Spark: frames of whole components found in one task each, as in the local engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Window
from pyspark.sql import functions as F

from quchong.decision.expansion import ClassPairs
from quchong.decision.template_table import LISTED
from quchong.decision.templates import FilledClasses, joins_compared, reads_templates
from quchong.engines.spark.arrow import mapped, one, signed, spoken, stacked, written
from quchong.engines.spark.component_documents import Readings, by_id
from quchong.engines.spark.components import components
from quchong.engines.spark.decisions import COMPONENT, in_components, part_of
from quchong.engines.spark.documents import ID, REFERENCE, TEXT, heads
from quchong.engines.spark.marks import plain_ids, without_mark
from quchong.engines.spark.near_pairs import Near, links
from quchong.engines.spark.scores import measures_of, scored
from quchong.engines.spark.stages import Stages
from quchong.frames.finding import FEWEST
from quchong.frames.likeness import look_alike
from quchong.frames.payloads import MET, payloads
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import take_tokens
from quchong.plan.plan import Plan
from quchong.seam import Documents
from quchong.tables import FIELD, SAME_FIELDS, SAME_PAYLOAD, TEMPLATES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TOGETHER = 5_000
"""Documents with their texts in one task, about, where components are small."""
ASKED, CONFLICT, BESIDE = "asked", "conflict", "beside"
_PAIRS = pa.schema([("left", pa.string()), ("right", pa.string()), (CONFLICT, pa.bool_())])
_TABLE = pa.schema([f for f in TEMPLATES if f.name != "template"])
_PAYLOADS = pa.schema([(ID, pa.string()), ("payload", pa.int64()), ("frame", pa.string())])
_MODELS = pa.schema([(ID, pa.string())])
_SCHEMAS = {
    "known": _PAIRS,
    "met": _PAIRS,
    "alike": _PAIRS,
    "payloads": _PAYLOADS,
    "models": _MODELS,
    "templates": _TABLE,
}
"""Tables that a task returns: conflicts of pairs it was given, pairs that meet by what fills their slots, pairs that fill all
slots alike and have slips elsewhere, documents with what they say, models of the frames of large components, and templates."""


@dataclass(frozen=True)
class Templated:
    """Near pairs after the search for templates, with conflicts of fillers set in their facts.

    Attributes:
        near: the pairs, those that meet by what fills slots among them, with the kind of fact `field` where it conflicts.
        labels: node and component of the documents in these pairs.
        table: TEMPLATES, unnumbered and in no order; None if none were looked for.
        told_apart: function that sets the kind of fact in further pairs of the same components.
    """

    near: Near
    labels: DataFrame
    table: DataFrame | None
    told_apart: Callable[[DataFrame, str], DataFrame]


def with_templates(near: Near, texts: DataFrame, docs: DataFrame, labels: DataFrame, stages: Stages) -> Templated:
    """Find the frames of each component of near pairs, add pairs that meet by what fills their slots, and tell records apart by it.

    Args:
        near: the candidate pairs and their scores.
        texts: documents with their texts.
        docs: documents without their texts.
        labels: node and component of the documents in a pair.
        stages: stores what each step found.
    """
    plan = near.plan
    if not reads_templates(plan):
        return Templated(near, labels, None, lambda pairs, _: pairs)
    marked = REFERENCE in docs.columns
    enough = labels.groupBy(COMPONENT).agg(F.count(F.lit(1)).alias("n")).filter(F.col("n") >= FEWEST).select(COMPONENT)
    enough = stages(enough, "components of templates")
    whole = docs.join(texts.select(ID, TEXT), ID).withColumn(BESIDE, F.lit(None).cast("string"))
    if joins_compared(plan):
        beside = stages(_compared_in_vain(near, marked), "compared in vain")
        own = beside.join(labels.withColumnRenamed("node", BESIDE), BESIDE).select(F.col(ID).alias("node"), COMPONENT)
        labels = stages(labels.select("node", COMPONENT).unionByName(own), "components with others")
        whole = whole.drop(BESIDE).join(beside, ID, "left")
    known = near.pairs.withColumn(ASKED, F.lit(False))
    schema = ", ".join(f"{name} struct<{written(table, ':')}>" for name, table in _SCHEMAS.items())

    def find_again(pairs: DataFrame, name: str) -> DataFrame:
        grouped = in_components(whole, pairs, labels, stages, enough, TOGETHER)
        return stages(grouped.applyInArrow(_finding(plan, measures_of(plan), near.how), schema), name)

    found = find_again(known, "templates")
    if joins_compared(plan):
        alone = (
            heads(texts, docs).select(ID, TEXT).join(_ids_in(near.pairs), ID, "left_anti").join(beside, ID, "left_anti")
        )
        like = _looking_alike(found.filter("models is not null").select("models.*"), texts, alone, plan, marked, stages)
        if like is not None:
            own = like.join(labels.withColumnRenamed("node", BESIDE), BESIDE).select(F.col(ID).alias("node"), COMPONENT)
            labels = stages(
                labels.select("node", COMPONENT).unionByName(own), "components with documents that look like them"
            )
            whole = whole.drop(BESIDE).join(beside.unionByName(like), ID, "left")
            found = find_again(known, "templates of all")
    pairs = _flagged(near.pairs, found.filter("known is not null").select("known.*"))
    met = (
        found.filter("met is not null")
        .select("met.*")
        .join(near.candidates.select("left", "right"), ["left", "right"], "left_anti")
    )
    met = stages(met, "met by slots")
    if not met.isEmpty():
        more = stages(scored(met.select("left", "right"), texts, plan), "verify met by slots")
        pairs = pairs.unionByName(_flagged(more, met.filter(CONFLICT)))
        near = replace(
            near, candidates=near.candidates.unionByName(met.select("left", "right"), allowMissingColumns=True)
        )

    # Records that fill all slots of one alike are one record with slips: they are scored again, to be listed and examined anyway.
    alike = stages(found.filter("alike is not null").select("alike.left", "alike.right"), "same fields")
    if not alike.isEmpty():
        pairs, near = _scored_anew(
            near, pairs, alike, stages(scored(alike, texts, plan, facts=SAME_FIELDS), "verify same fields")
        )
    joined = labels
    if plan.templates == "payload":
        # However little else they share, these pairs are listed; they connect components.
        same = stages(
            _same_payloads(found.filter("payloads is not null").select("payloads.*"), marked), "same payloads"
        )
        if not same.isEmpty():
            more = _flagged(
                stages(scored(same, texts, plan, facts=SAME_PAYLOAD), "verify payloads"), same, SAME_PAYLOAD
            )
            pairs, near = _scored_anew(near, pairs, same, more)
            joined = components(links(pairs, docs, plan), stages)

    def told_apart(more: DataFrame, name: str) -> DataFrame:
        both = known.unionByName(more.withColumn(ASKED, F.lit(True)))
        return _flagged(more, find_again(both, name).filter("known is not null").select("known.*"))

    return Templated(
        replace(near, pairs=stages(pairs, "told apart")), joined, found.filter("templates is not null").select("templates.*"), told_apart
    )  # fmt: skip


def _scored_anew(near: Near, pairs: DataFrame, some: DataFrame, more: DataFrame) -> tuple[DataFrame, Near]:
    """Return the pairs with the scores of `some` replaced by `more`, and with `more` among the candidates."""
    pairs = pairs.join(some, ["left", "right"], "left_anti").select(*pairs.columns).unionByName(more)
    new = some.join(near.candidates.select("left", "right"), ["left", "right"], "left_anti")
    return pairs, replace(near, candidates=near.candidates.unionByName(new, allowMissingColumns=True))


def _compared_in_vain(near: Near, marked: bool) -> DataFrame:
    """Return the documents of `compared_in_vain`, each with its partner in the column BESIDE.

    The partner is the first by its id in tables; `marked` says that ids have marks.
    """
    sides = [
        (near.candidates.select(F.col(a).alias(ID), F.col(b).alias(BESIDE)))
        for a, b in (("left", "right"), ("right", "left"))
    ]
    paired = _ids_in(near.pairs)
    alone = sides[0].union(sides[1]).join(paired, ID, "left_anti")
    met = alone.join(paired.withColumnRenamed(ID, BESIDE), BESIDE, "left_semi")
    least = F.min_by(BESIDE, without_mark(BESIDE)) if marked else F.min(BESIDE)
    return met.groupBy(ID).agg(least.alias(BESIDE))


def _ids_in(pairs: DataFrame) -> DataFrame:
    """Return the ids of the documents in pairs, each once."""
    return pairs.select(F.col("left").alias(ID)).union(pairs.select("right")).distinct()


def _looking_alike(
    models: DataFrame, texts: DataFrame, alone: DataFrame, plan: Plan, marked: bool, stages: Stages
) -> DataFrame | None:
    """Return the documents of `alone` that resemble a model document of a frame, each with that model in the column BESIDE.

    None if there are no models or no such documents. Models, one for each frame of a large component, fit the driver.
    """
    rows = models.join(texts.select(ID, TEXT), ID).toArrow()
    if not len(rows):
        return None
    rows = rows.take(pc.sort_indices(plain_ids(one(rows[ID]), marked)))
    names, forms = one(rows[ID]), plan.method.form

    def hashed(given: pa.Array) -> tuple[Ragged, np.ndarray]:
        documents = Documents.from_texts(plan.preparer.prepare(given.cast(pa.large_string()).fill_null(""), 1).texts)
        return documents.hashed(forms, 1), np.asarray(documents.texts.length, np.int64)

    known, size = hashed(one(rows[TEXT]))

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        own, lengths = hashed(batch.column(TEXT))
        docs, model = look_alike(known, size, np.arange(len(lengths)), lengths, lambda some: take_tokens(own, some))
        columns = [batch.column(ID).take(pa.array(docs)), names.take(pa.array(model))]
        return pa.RecordBatch.from_arrays(columns, [ID, BESIDE])

    found = stages(
        alone.mapInArrow(mapped(made, ID), f"{ID} string, {BESIDE} string"), "documents that look like templates"
    )
    return None if found.isEmpty() else found


def numbered_table(table: DataFrame | None, session: SparkSession) -> DataFrame:
    """Return the table TEMPLATES with its numbers, of rows that `with_templates` found; empty for None."""
    schema = spoken(TEMPLATES)
    if table is None:
        return session.createDataFrame(schema.empty_table())
    rows = table.orderBy(F.desc("records"), "model_id").limit(LISTED).toArrow()
    number = pa.array(np.arange(1, len(rows) + 1))
    columns = [number if name == "template" else rows[name] for name in schema.names]
    return session.createDataFrame(pa.table(columns, schema.names).cast(schema))


def _same_payloads(rows: DataFrame, marked: bool) -> DataFrame:
    """Return the pairs of documents of different frames with equal payloads, as `quchong.frames.payloads.same_payloads` finds them.

    Documents are in the order of their ids in tables; `marked` says that ids have marks.
    """
    named = without_mark(ID) if marked else F.col(ID)
    place = F.row_number().over(Window.partitionBy("payload").orderBy(named))
    rows = rows.withColumn("named", named)
    first = rows.withColumn("place", place).filter(F.col("place") <= MET).drop("place")
    first = first.select(
        F.col(ID).alias("one"), "payload", F.col("frame").alias("other"), F.col("named").alias("first")
    )
    met = rows.join(first, "payload").filter((F.col("first") < F.col("named")) & (F.col("frame") != F.col("other")))
    return met.select(F.least("one", ID).alias("left"), F.greatest("one", ID).alias("right"))


def _flagged(pairs: DataFrame, conflicts: DataFrame, flag: int = FIELD) -> DataFrame:
    """Return the pairs with the fact bit `flag` set on those in `conflicts`."""
    marked = conflicts.select("left", "right", F.lit(True).alias(CONFLICT)).distinct()
    bit = F.when(F.col(CONFLICT), F.lit(flag)).otherwise(F.lit(0))
    both = pairs.join(marked, ["left", "right"], "left")
    return both.withColumn("facts", F.col("facts").bitwiseOR(bit.cast("bigint"))).select(*pairs.columns)


def _finding(plan: Plan, kinds: dict[str, Any], how: Readings) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return a function that finds the templates of a part; each of its rows has one struct column that is not null."""

    def made(mine: pa.Table, met: pa.Table) -> pa.Table:
        return stacked(_find(by_id(mine), met, plan, kinds, how), _SCHEMAS)

    return made


def _find(mine: pa.Table, met: pa.Table, plan: Plan, kinds: dict[str, Any], how: Readings) -> dict[str, pa.Table]:
    known_documents, _, parts, every = part_of(mine, met, plan, kinds | {ASKED: np.dtype(bool)}, how)
    # Classes are numbered in the order of their ids in tables, in which references need not come first.
    classes_by_id = np.argsort(known_documents.id_rank[parts.first])
    number = np.argsort(classes_by_id)
    first, every = parts.first[classes_by_id], replace(every, left=number[every.left], right=number[every.right])
    # Frames are found among the pairs that were known; those asked for are only told apart.
    known = ~every.measures[ASKED]
    found = ClassPairs(every.left[known], every.right[known], {k: v[known] for k, v in every.measures.items()})
    texts = one(mine[TEXT]).cast(pa.large_string()).fill_null("").take(pa.array(first))
    documents = Documents.from_texts(plan.preparer.prepare(texts, 1).texts)
    every_id, partner = one(mine[ID]), one(mine[BESIDE])
    some = np.flatnonzero(np.asarray(partner.is_valid()))
    others = one(pc.index_in(partner.take(pa.array(some)), every_id)).to_numpy(zero_copy_only=False).astype(np.int64)
    beside = number[parts.node[some]], number[parts.node[others]]
    classes = FilledClasses.find(replace(plan, workers=1), found, documents.texts.length, documents.take, beside)
    ids = one(mine[ID]).cast(pa.large_string()).take(pa.array(first))

    def pairs(left: np.ndarray, right: np.ndarray, conflict: np.ndarray) -> pa.Table:
        one_side, other = (ids.take(pa.array(side)) for side in (left, right))
        turned = pc.less(other, one_side)
        sides = pc.if_else(turned, other, one_side), pc.if_else(turned, one_side, other)
        return pa.table([*sides, pa.array(conflict)], _PAIRS.names)

    mask = classes.conflicts(every.left, every.right)
    a, b = classes.meetings(documents.texts.length, 1)
    one_of, other_of = classes.same_fields()
    docs, payload = payloads(classes.filled)
    models = classes.filled.frames.model[classes.filled.frame[docs]]
    return {
        "known": pairs(every.left[mask], every.right[mask], mask[mask]),
        "met": pairs(a, b, classes.conflicts(a, b)),
        "alike": pairs(one_of, other_of, np.zeros(len(one_of), bool)),
        "models": pa.table([ids.take(pa.array(classes.large_models()))], _MODELS.names),
        "payloads": pa.table([ids.take(pa.array(docs)), signed(payload), ids.take(pa.array(models))], _PAYLOADS.names),
        "templates": classes.table(
            plain_ids(ids, REFERENCE in mine.column_names), parts.sizes[classes_by_id]
        ).drop_columns(["template"]),
    }
