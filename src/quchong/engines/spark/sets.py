"""Feature sets on Spark: noise taken out, long lists cut by policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.decision.documents import SCORED_TOKENS
from quchong.engines.spark.arrow import mapped, one, sets_in, signed
from quchong.engines.spark.candidates import KEY, SALTS, Cut
from quchong.engines.spark.component_documents import Readings, by_id, ranked
from quchong.engines.spark.digests import Pieces, digest_of
from quchong.engines.spark.documents import COLUMN, FIRST, HEAD, ID, REFERENCE, SCOPE
from quchong.engines.spark.skew import hot_keys, joined_to
from quchong.engines.spark.stages import Stages
from quchong.features.periods import noise_digest
from quchong.kernels.offsets import first_of_runs
from quchong.plan.plan import Plan
from quchong.seam import Documents, NoiseSteps

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TOGETHER = 20_000
"""Documents whose sites are counted in one task, and rows whose lists are cut in one task, about; a site is counted in
one task, whatever its size.
"""
NOISE = "kind int, value bigint"  # kind 0: everywhere, 1: on its site
EVERYWHERE, ON_SITE = 0, 1


@dataclass(frozen=True, slots=True)
class Sets:
    """Feature sets that are joined, and the plan with the noise that was found.

    Attributes:
        rows: id, scope, keys, size and window; where noise was taken out, also `whole`, the size before that.
        plan: the plan; its method knows the digest of the noise.
    """

    rows: DataFrame
    plan: Plan


def feature_sets(some: DataFrame, plan: Plan, method: NoiseSteps | None, stages: Stages) -> Sets:
    """Return the feature sets of documents, without noise if the method takes noise out.

    Args:
        some: texts as described, of the documents that represent exact classes.
        method: steps that find noise; None if the method has none.

    Noise is counted on these documents alone, as on one machine, and its digest is part of the config hash.
    """
    names = [ID, SCOPE, "keys", "size", "window", *([REFERENCE] if REFERENCE in some.columns else [])]
    rows = some.filter(F.col("tokens") >= SCORED_TOKENS)
    if method is None:
        return Sets(rows.select(*names), plan)
    rows = stages(rows.select(*names, "places", F.col(COLUMN + "site").alias("site")), "feature sets")
    rows = rows.withColumn("whole", F.col("size").cast("bigint"))
    if method.counted_by:
        noise = stages(_noise(rows, method, stages), "noise")
        counts = _counts(noise, stages)
        plan = replace(plan, method=method.pruned(_digest(noise, counts, stages)))
        rows = _freed(rows, noise, [kind for kind, count in counts.items() if count])
    rows = rows.withColumn("size", F.size("keys").cast("double")).select(*names, "whole")
    return Sets(stages(rows, "sets without noise"), plan)


def _noise(rows: DataFrame, method: NoiseSteps, stages: Stages) -> DataFrame:
    """Find noise features: distinct rows of kind (EVERYWHERE or ON_SITE) and value."""
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
        everywhere, on_site = method.noise_of(sets_in(one(table["keys"])), Documents.from_texts(nothing, **columns), 1)
        kind = np.repeat(np.array([EVERYWHERE, ON_SITE], np.int32), [len(everywhere), len(on_site)])
        return pa.table({"kind": pa.array(kind), "value": signed(np.concatenate([everywhere, on_site]))})

    # Pages of one site come to one task, with about TOGETHER documents of other sites.
    part = F.pmod(F.xxhash64("site"), F.lit(1 + documents // TOGETHER)).alias("part")
    sited = rows.filter(F.col("site").isNotNull()).select("site", "keys", part)
    return sited.groupBy("part").applyInArrow(of_sites, NOISE).distinct()


def _counts(noise: DataFrame, stages: Stages) -> dict[int, int]:
    """Count the noise features of each kind."""
    with stages.stage("noise"):
        found = {row["kind"]: row["n"] for row in noise.groupBy("kind").agg(F.count(F.lit(1)).alias("n")).collect()}
    return {kind: found.get(kind, 0) for kind in (EVERYWHERE, ON_SITE)}


def _digest(noise: DataFrame, counts: Mapping[int, int], stages: Stages) -> str:
    """Return the digest of the noise, kind by kind, in order of values."""

    def made(pieces: Pieces) -> str:
        of = groupby(pieces, itemgetter(0))
        lists = ((n, (values for _, values in next(of)[1]) if n else ()) for n in counts.values())
        return noise_digest(lists)

    if not any(counts.values()):
        return made(iter(()))
    with stages.stage("digest of the noise"):
        return digest_of(noise.withColumn("place", F.col("value")), made)


def _freed(rows: DataFrame, noise: DataFrame, kinds: Iterable[int]) -> DataFrame:
    """Remove the noise features of these kinds from the `keys` of each row."""
    # Only features that are noise are joined back to their documents: they are few, while anti-joining all features
    # would shuffle every set.
    lost = rows.select(ID, F.lit(0).cast("bigint").alias("key")).limit(0)
    for kind in kinds:
        # Noise on a site is named by the key of feature and site (`places`), noise everywhere by the feature.
        values = F.col("keys" if kind == EVERYWHERE else "places").alias("places")
        each = rows.select(ID, F.explode(F.arrays_zip("keys", values)).alias("one"))
        each = each.select(ID, F.col("one.keys").alias("key"), F.col("one.places").alias("value"))
        each = each.filter(F.col("key").isNotNull() & F.col("value").isNotNull())  # a page without a site has no places
        gone = noise.filter(F.col("kind") == kind).select("value")
        lost = lost.unionByName(joined_to(each, gone, ["value"], ID, hot_keys(each, ["value"])).select(ID, "key"))
    lost = lost.groupBy(ID).agg(F.collect_set("key").alias("lost"))
    out = rows.join(lost, ID, "left").withColumn("lost", F.coalesce("lost", F.array().cast("array<bigint>")))
    return out.withColumn("keys", F.array_except("keys", "lost")).drop("lost")


def by_policy(docs: DataFrame, plan: Plan, how: Readings) -> Cut:
    """Return a function that cuts long lists in policy order; a representative ranks as the best document of its part.

    Lists are cut about TOGETHER rows in a task; a longer list is cut in salted pieces first, then as a whole.
    """

    def cut(rows: DataFrame, cap: int) -> DataFrame:
        key = [SCOPE, KEY]
        # Lists within the cap need no order; most lists are, and are returned as they are.
        counts = rows.groupBy(*key).agg(F.count(F.lit(1)).alias("documents")).filter(F.col("documents") > cap)
        longest, total = counts.agg(F.max("documents"), F.sum("documents")).collect()[0]
        if not longest:
            return rows
        long = counts.select(*key)
        some = rows.join(long, key, "left_semi").join(best_of_parts(docs, plan, how), ID)
        schema = some.schema

        def first(table: pa.Table) -> pa.Table:
            table = table.rename_columns(
                ["first_" if n == ID else ID if n == "best" else n for n in table.column_names]
            )
            table = by_id(table)
            lists = _numbered(one(table[SCOPE])) * len(table) + _numbered(one(table[KEY]))
            # Sort by list, then rank; keep the first `cap` places of each list.
            order = np.lexsort((ranked(table, plan, how), lists))
            begins = np.flatnonzero(first_of_runs(lists[order]))
            place = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
            table = table.take(pa.array(np.sort(order[place < cap])))
            back = ["best" if n == ID else ID if n == "first_" else n for n in table.column_names]
            return table.rename_columns(back).select(schema.names)

        salted = [F.pmod(F.xxhash64(ID), F.lit(SALTS))] if longest > TOGETHER else []
        # A list longer than a task should hold is cut in salted pieces first: the first `cap` of all are among the
        # first `cap` of each piece.
        for salt in (salted, []) if salted else ([],):
            part = F.pmod(F.xxhash64(*key, *salt), F.lit(1 + total // TOGETHER)).alias("part")
            some = some.groupBy(part).applyInArrow(first, schema)
        return rows.join(long, key, "left_anti").unionByName(some.select(*rows.columns))

    return cut


def _numbered(values: pa.Array) -> np.ndarray:
    """Return a number for each value, from 0, equal for equal values; int64."""
    return np.asarray(values.dictionary_encode().indices.to_numpy()).astype(np.int64)


def best_of_parts(docs: DataFrame, plan: Plan, how: Readings) -> DataFrame:
    """Return for each part of an exact class the best document by policy: `best` its id, `id` that of the part's head."""
    return _best(docs, plan, how).drop(SCOPE, FIRST).withColumnRenamed(ID, "best").withColumnRenamed(HEAD, ID)


def _best(docs: DataFrame, plan: Plan, how: Readings) -> DataFrame:
    """Return the best document by policy of each part of an exact class (see `best_of_parts`), with the columns of `docs`."""
    schema = docs.schema
    # A part of one document is its own best; only larger parts are ranked.
    many = docs.groupBy(HEAD).agg(F.count(F.lit(1)).alias("n")).filter("n > 1").select(HEAD)
    alone = docs.join(many, HEAD, "left_anti").select(*docs.columns)

    def best(table: pa.Table) -> pa.Table:
        table = by_id(table)
        rank = ranked(table, plan, how)
        first = one(table[HEAD]).dictionary_encode().indices.to_numpy()
        order = np.lexsort((rank, first))
        # The first row of each part in the order of ranks.
        head = order[first_of_runs(first[order])]
        return table.take(pa.array(np.sort(head))).select(schema.names)

    part = F.pmod(F.xxhash64(HEAD), F.lit(1 + many.count() // TOGETHER)).alias("part")
    grouped = docs.join(many, HEAD, "left_semi").select(*docs.columns, part).groupBy("part")
    return alone.unionByName(grouped.applyInArrow(best, schema))
