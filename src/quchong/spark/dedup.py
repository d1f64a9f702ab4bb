"""The engine: a DataFrame in, DataFrames out, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F

from quchong.api.plan import make_plan
from quchong.errors import InputError, UsageError
from quchong.pipeline.ledger import find_passages, kinds
from quchong.pipeline.plan import Plan
from quchong.seam import Documents, Finder, Staged
from quchong.spark.arrow import mapped, texts_in
from quchong.spark.candidates import joined
from quchong.spark.components import components
from quchong.spark.decided import PROTECTED, decided
from quchong.spark.describe import FIRST, ID, SCOPE, TEXT, described, in_classes
from quchong.spark.judged import judged

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PASSAGE = "struct<start:bigint,end:bigint,survivor_start:bigint,survivor_end:bigint,kind:string>"


@dataclass(frozen=True)
class SparkResult:
    """What a run found, as DataFrames: kept and removed rows of the input, and the tables of `quchong.tables`."""

    kept: DataFrame
    removed: DataFrame
    ledger: DataFrame
    pairs: DataFrame
    clusters: DataFrame
    capped: DataFrame


class _Keep:
    """Writes a stage down, so that a lost executor costs that stage only; reads it back.

    Under a folder all executors see (HDFS, S3, one machine's disk), else in the executors' memory and disks.
    """

    def __init__(self, work: str | None) -> None:
        self.work = work

    def __call__(self, df: DataFrame, name: str) -> DataFrame:
        session = df.sparkSession
        session.sparkContext.setJobDescription(f"quchong: {name}")
        if self.work is None:
            return df.localCheckpoint()
        path = f"{self.work}/{name}"
        df.write.mode("overwrite").parquet(path)
        return session.read.parquet(path)


def dedup(
    df: DataFrame, *, id: str = "id", text: str = "text", protect: Iterable[str] = (), work: str | None = None, **options: Any
) -> SparkResult:
    """Finds exact copies, near-duplicates and contained documents of a DataFrame, as `quchong.dedup` does of a file.

    Args:
        df: documents; `id` is a column of unique strings, `text` one of strings (a null is an empty text).
        protect: ids that are never removed.
        work: a folder every executor sees, for what is written between stages; None keeps it on the executors.
        **options: as for `quchong.dedup`: method, keep, relations, variants, per, same_site, strip, social, boilerplate, and
            the method's parameters.

    Raises:
        UsageError: an option that cannot be used here, with what could be.
        InputError: ids that are missing or repeated.

    The same pairs, relations, survivors and passages as on one machine, for any number of partitions and executors.
    """
    plan, docs, kept = _prepared(df, id, text, protect, work, options)
    near = _pairs(docs, plan, kept)
    labels = components(near[0], kept)
    tables = decided(docs, near[0], labels, plan, kept)
    ledger = kept(_with_passages(tables["ledger"], docs, plan), "passages")
    gone = ledger.select(F.col("id").alias("_gone"))
    key = df[id].cast("string")
    return SparkResult(
        df.join(gone, key == gone["_gone"], "left_anti"), df.join(gone, key == gone["_gone"], "left_semi"),
        ledger, tables["pairs"], tables["clusters"], near[1],
    )  # fmt: skip


def pairs(df: DataFrame, *, id: str = "id", text: str = "text", work: str | None = None, **options: Any) -> DataFrame:
    """The verified pairs alone (`quchong.tables.PAIRS`), as `dedup` finds them."""
    plan, docs, kept = _prepared(df, id, text, (), work, options)
    near, _ = _pairs(docs, plan, kept)
    return decided(docs, near, components(near, kept), plan, kept)["pairs"]


def _prepared(df: DataFrame, id: str, text: str, protect: Iterable[str], work: str | None, options: dict[str, Any]) -> tuple[Plan, DataFrame, _Keep]:
    plan = make_plan(text=text, id=id, **options)
    if isinstance(plan.method, Finder | Staged) or "spark" not in plan.method.traits.engines:
        raise UsageError(f"method {plan.method.name} runs on one machine only: see engines in `quchong methods --json`")
    if plan.scope.within is not None:
        raise UsageError("within is not known on a cluster: use per with a column of days")
    for name in (id, text):
        if name not in df.columns:
            raise InputError(f"the data has no column {name!r}: it has {', '.join(df.columns)}; name yours with id= and text=")
    kept = _Keep(work)
    extra = [c for c in plan.wanted.extra if c in df.columns and c not in (id, text)]
    scope = F.lit("")
    if plan.scope.per is not None:
        scope = F.coalesce(F.col(plan.scope.per).cast("string"), F.lit(""))
    named = df.select(F.col(id).cast("string").alias(ID), F.coalesce(F.col(text).cast("string"), F.lit("")).alias(TEXT), scope.alias(SCOPE), *extra)
    docs = in_classes(kept(described(named, plan), "described"), plan)
    wanted = [str(p) for p in protect]
    docs = kept(docs.withColumn(PROTECTED, F.col(ID).isin(wanted) if wanted else F.lit(False)), "documents")
    _check_ids(docs)
    return plan, docs, kept


def _check_ids(docs: DataFrame) -> None:
    bad = docs.groupBy(ID).agg(F.count(F.lit(1)).alias("n")).filter((F.col("n") > 1) | F.col(ID).isNull()).limit(1).collect()
    if bad:
        row = bad[0]
        raise InputError(
            "some rows have no id: give every row one" if row[ID] is None
            else f"the id {row[ID]!r} stands in {row['n']} rows: ids must be unique, make them so first"
        )  # fmt: skip


def _pairs(docs: DataFrame, plan: Plan, kept: _Keep) -> tuple[DataFrame, DataFrame]:
    met = joined(docs, plan.method.join())
    candidates = kept(met.pairs, "candidates")
    return kept(judged(candidates, docs, plan), "judged"), met.capped


def _with_passages(ledger: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """The ledger with the passages each removed document shares with its survivor, in characters of the originals."""
    texts = docs.select(ID, F.col(TEXT).alias("own_text"), F.col("tokens").alias("own_tokens"), F.col("high").alias("own_high"), F.col("low").alias("own_low"))
    other = docs.select(F.col(ID).alias("survivor_id"), *(F.col(c).alias(f"other_{c}") for c in (TEXT, "tokens", "high", "low")))
    both = ledger.join(texts, ID).join(other, "survivor_id")
    names = ledger.columns

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        prepared = plan.preparer.prepare(pa.concat_arrays([texts_in(batch, "own_text"), texts_in(batch, "other_text")]), 1)
        tokens = np.minimum(batch.column("own_tokens").to_numpy(), batch.column("other_tokens").to_numpy())
        same = (batch.column("own_high").to_numpy() == batch.column("other_high").to_numpy()) & (
            batch.column("own_low").to_numpy() == batch.column("other_low").to_numpy()
        )
        spans = find_passages(plan.method, Documents.of(prepared.texts), np.arange(n), np.arange(n, 2 * n), tokens, same, 1)
        places = spans.places.copy()
        for i in range(n):
            for side, doc in ((slice(0, 2), i), (slice(2, 4), n + i)):
                if doc in prepared.edits:
                    for k in range(int(spans.offsets[i]), int(spans.offsets[i + 1])):
                        places[k, side] = prepared.edits[doc].back(*places[k, side].tolist())
        columns = [pa.array(places[:, k]) for k in range(4)] + [kinds(spans.exact)]
        struct = pa.StructArray.from_arrays(columns, ["start", "end", "survivor_start", "survivor_end", "kind"])
        lists = pa.ListArray.from_arrays(pa.array(spans.offsets, pa.int32()), struct)
        return pa.RecordBatch.from_arrays([*(batch.column(c) for c in names), lists], [*names, "passages"])

    schema = ", ".join([*(f"{f.name} {f.dataType.simpleString()}" for f in ledger.schema), f"passages array<{PASSAGE}>"])
    return both.mapInArrow(mapped(made), schema)
