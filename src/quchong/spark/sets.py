"""Sets of features of methods that compare such: made, freed of noise, and their long lists cut by policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.features.periods import noise_digest
from quchong.pipeline.corpus import SCORED_TOKENS
from quchong.pipeline.plan import Plan
from quchong.seam import Documents, SetFinder
from quchong.spark.arrow import lists_of, mapped, one, sets_in, signed, texts_in, unsigned
from quchong.spark.candidates import KEY, SALTS, Cut
from quchong.spark.documents import COLUMN, FIRST, ID, SCOPE, TEXT, light
from quchong.spark.skew import without
from quchong.spark.small import Readings, by_id, ranked
from quchong.spark.stages import Stages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOGETHER = 20_000
"""Documents whose sites are counted at once, about, where sites are small; a site is counted in one place."""
MADE = "id string, scope string, site string, keys array<bigint>, places array<bigint>, whole bigint"
NOISE = "kind int, value bigint"  # kind 0: everywhere, 1: on its site
EVERYWHERE, ON_SITE = 0, 1


@dataclass(frozen=True, slots=True)
class Sets:
    """Sets after noise: id, scope, keys, size and window for the join, weight for the rule; and the plan that knows the noise."""

    rows: DataFrame
    plan: Plan


def feature_sets(docs: DataFrame, plan: Plan, method: SetFinder, stages: Stages) -> Sets:
    """The sets of the documents that stand for their classes and have enough text, without noise.

    As on one machine noise is counted on these documents alone; what it was goes into the config hash.
    """
    heads = docs.filter((F.col(ID) == F.col(FIRST)) & (F.col("tokens") >= SCORED_TOKENS))
    needs = plan.method.traits.needs
    known = heads.select(ID, SCOPE, TEXT, *(COLUMN + name for name in needs))

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = {name: batch.column(COLUMN + name).cast(pa.large_string()) for name in needs}
        documents = Documents.of(plan.preparer.prepare(texts_in(batch, TEXT), 1).texts, **columns)
        whole = method.sets_of(documents, 1)
        noise: Any = getattr(method, "noise", None)
        kept = whole if noise is None else noise.without(whole, documents.column("site"))
        places = method.site_keys(kept, documents) if method.counted_by == "site" else np.zeros(0, np.uint64)
        none = np.zeros(len(kept) + 1, np.int64)
        out = [
            batch.column(ID), batch.column(SCOPE), documents.column("site").cast(pa.string()), lists_of(kept.values, kept.offsets),
            lists_of(places, kept.offsets if len(places) else none), pa.array(whole.lengths),
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(out, ["id", "scope", "site", "keys", "places", "whole"])

    rows = stages(known.mapInArrow(mapped(made, ID), MADE), "feature sets")
    if method.counted_by:
        noise = stages(_noise(rows, method, stages), "noise")
        plan = replace(plan, method=method.pruned(_digest(noise, stages)))
        rows = _freed(rows, noise)
    rows = rows.select(
        ID, SCOPE, "keys", "whole", F.size("keys").cast("double").alias("size"), F.lit(1).alias("window")
    )
    return Sets(stages(_weighed(rows, method), "sets without noise"), plan)


def _weighed(rows: DataFrame, method: SetFinder) -> DataFrame:
    """With `weight`, the size that the method's rule looks at."""

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        whole, kept = batch.column("whole").to_numpy(), batch.column("size").to_numpy()
        weight = pa.array(method.weight(whole, kept).astype(np.float64))
        return pa.RecordBatch.from_arrays([*batch.columns, weight], [*batch.schema.names, "weight"])

    schema = ", ".join([*(f"{f.name} {f.dataType.simpleString()}" for f in rows.schema), "weight double"])
    return rows.mapInArrow(mapped(made, ID), schema)


def _noise(rows: DataFrame, method: SetFinder, stages: Stages) -> DataFrame:
    """Kind and value of what is noise, each once."""
    with stages.stage("noise"):
        documents = rows.count()
    if method.counted_by == "frequency":
        counted = rows.select(F.explode("keys").alias("value")).groupBy("value").agg(F.count(F.lit(1)).alias("n"))

        def frequent(batch: pa.RecordBatch) -> pa.RecordBatch:
            mask = pa.array(method.noise_by_frequency(batch.column("n").to_numpy(), documents))
            values = batch.column("value").filter(mask)
            return pa.RecordBatch.from_arrays(
                [pa.array(np.full(len(values), EVERYWHERE, np.int32)), values], ["kind", "value"]
            )

        return counted.mapInArrow(mapped(frequent, "value"), NOISE)

    def of_sites(table: pa.Table) -> pa.Table:
        columns = {"site": one(table["site"]).cast(pa.large_string())}
        nothing = pa.array([""] * len(table), pa.large_string())
        everywhere, on_site = method.noise_of(sets_in(one(table["keys"])), Documents.of(nothing, **columns), 1)
        kind = np.repeat(np.array([EVERYWHERE, ON_SITE], np.int32), [len(everywhere), len(on_site)])
        return pa.table({"kind": pa.array(kind), "value": signed(np.concatenate([everywhere, on_site]))})

    part = F.pmod(F.xxhash64("site"), F.lit(1 + documents // TOGETHER)).alias("part")
    sited = rows.filter(F.col("site").isNotNull()).select("site", "keys", part)
    return sited.groupBy("part").applyInArrow(of_sites, NOISE).distinct()


def _digest(noise: DataFrame, stages: Stages) -> str:
    """The digest of the noise, made by one executor that reads it in order: nothing is held at once, here or there."""
    with stages.stage("digest of the noise"):
        counts = {row["kind"]: row["n"] for row in noise.groupBy("kind").agg(F.count(F.lit(1)).alias("n")).collect()}
        lengths = [counts.get(kind, 0) for kind in (EVERYWHERE, ON_SITE)]
        if not sum(lengths):
            return noise_digest((0, ()) for _ in lengths)
        unsigned_order = F.col("value").bitwiseXOR(F.lit(-(2**63)))
        ordered = noise.coalesce(1).sortWithinPartitions("kind", unsigned_order)

        def hashed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            pieces = _by_kind(batches)
            digest = noise_digest((length, _of_kind(pieces, kind)) for kind, length in enumerate(lengths))
            yield pa.RecordBatch.from_pydict({"digest": [digest]})

        digest: str = ordered.mapInArrow(hashed, "digest string").collect()[0]["digest"]
        return digest


class _by_kind:
    """Pieces of values of one kind, in order, with the next one to be seen before it is taken."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self.pieces = self._cut(batches)
        self.next = next(self.pieces, None)

    @staticmethod
    def _cut(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, np.ndarray]]:
        for batch in batches:
            kinds, values = batch.column("kind").to_numpy(), unsigned(batch.column("value"))
            for kind in np.unique(kinds).tolist():
                yield kind, values[kinds == kind]

    def take(self) -> np.ndarray:
        assert self.next is not None
        values = self.next[1]
        self.next = next(self.pieces, None)
        return values


def _of_kind(pieces: _by_kind, kind: int) -> Iterator[np.ndarray]:
    while pieces.next is not None and pieces.next[0] == kind:
        yield pieces.take()


def _freed(rows: DataFrame, noise: DataFrame) -> DataFrame:
    """The rows with their sets without noise; empty sets where nothing is left."""
    alone = F.transform(
        "keys", lambda k: F.struct(k.alias("keys"), k.alias("places"))
    )  # counted by frequency: no places
    both = F.when(F.size("places") > 0, F.arrays_zip("keys", "places")).otherwise(alone)
    each = rows.select(ID, F.explode(both).alias("one")).select(ID, "one.keys", "one.places")
    for kind, column in ((EVERYWHERE, "keys"), (ON_SITE, "places")):
        each = without(each, column, noise.filter(F.col("kind") == kind).select(F.col("value").alias(column)))
    left = each.groupBy(ID).agg(F.sort_array(F.collect_list("keys")).alias("left_keys"))
    nothing = F.array().cast("array<bigint>")
    out = rows.join(left, ID, "left")
    return out.withColumn("keys", F.coalesce("left_keys", nothing)).drop("left_keys")


def by_policy(docs: DataFrame, plan: Plan, how: Readings) -> Cut:
    """Cuts lists by policy: each document that stands for its class takes the place of the best of them."""

    def cut(rows: DataFrame, cap: int) -> DataFrame:
        key = [SCOPE, KEY]
        counts = rows.groupBy(*key).agg(F.count(F.lit(1)).alias("documents"))
        long = counts.filter(F.col("documents") > cap).select(*key)
        if long.isEmpty():
            return rows
        best = _best(docs, plan, how).drop(SCOPE).withColumnRenamed(ID, "best").withColumnRenamed(FIRST, ID)
        some = rows.join(long, key, "left_semi").join(best, ID).withColumn("salt", F.pmod(F.xxhash64(ID), F.lit(SALTS)))
        schema = some.schema

        def first(table: pa.Table) -> pa.Table:
            table = table.rename_columns(
                ["first_" if n == ID else ID if n == "best" else n for n in table.column_names]
            )
            table = by_id(table)
            kept = np.sort(np.argsort(ranked(table, plan, how), kind="stable")[:cap])
            table = table.take(pa.array(kept))
            back = ["best" if n == ID else ID if n == "first_" else n for n in table.column_names]
            return table.rename_columns(back).select(schema.names)

        for grouping in ([*key, "salt"], key):
            some = some.groupBy(*grouping).applyInArrow(first, schema)
        return rows.join(long, key, "left_anti").unionByName(some.select(*rows.columns))

    return cut


def _best(docs: DataFrame, plan: Plan, how: Readings) -> DataFrame:
    """Of every class the best document by policy, without texts."""
    rows = light(docs)
    schema = rows.schema
    many = rows.groupBy(FIRST).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(FIRST)
    alone = rows.join(many, FIRST, "left_anti").select(*rows.columns)

    def best(table: pa.Table) -> pa.Table:
        table = by_id(table)
        rank = ranked(table, plan, how)
        first = one(table[FIRST]).dictionary_encode().indices.to_numpy()
        order = np.lexsort((rank, first))
        head = order[np.diff(first[order], prepend=-1) != 0]
        return table.take(pa.array(np.sort(head))).select(schema.names)

    part = F.pmod(F.xxhash64(FIRST), F.lit(1 + many.count() // TOGETHER)).alias("part")
    grouped = rows.join(many, FIRST, "left_semi").select(*rows.columns, part).groupBy("part")
    return alone.unionByName(grouped.applyInArrow(best, schema))
