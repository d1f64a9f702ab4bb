"""Counts of a run on Spark, and its alarms."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quchong.decision.alarms import (
    FLOOD,
    Alarm,
    bad_input,
    bounded,
    columns_by_usual_names,
    floods,
    giant_clusters,
    many_without_features,
    many_without_text,
    meetings_bounded,
    policy_doubts,
    removed_for_roundups,
    small_shares,
    untimed_posts,
)
from quchong.decision.classes import CLASS_LIMIT
from quchong.decision.documents import SCORED_TOKENS
from quchong.decision.templates import reads_templates
from quchong.engines.spark import skew
from quchong.engines.spark.candidates import notes_of
from quchong.engines.spark.dedup import SparkResult
from quchong.engines.spark.documents import FIRST, ID, REFERENCE, UNSEEN
from quchong.engines.spark.marks import of_input
from quchong.plan.plan import DEFAULT_KEEP, POSTS_KEEP
from quchong.relations import CONFLICTING, CONTAINED_IN, DUPLICATE, TABLE
from quchong.seam import KeyJoin, SetJoin
from quchong.tables import FACTS, HEADED, ORIGINAL, OVERRULED, ROUNDUP, SHARED_HEADER, SMALL_SHARE, TOP
from quchong.tables import FIRST as FIRST_PUBLISHED

SHOWN = 10


def counts_of(found: SparkResult) -> dict[str, Any]:
    """Count documents read, kept and removed by relation, and more, under the names of the local engine's run.json."""
    own = F.col(ID) == F.col(FIRST)
    few = F.col("tokens") < SCORED_TOKENS
    reference = F.col(REFERENCE) if REFERENCE in found.documents.columns else F.lit(False)
    row = found.documents.agg(
        F.count_if(~reference).alias("read"), F.count_if(reference).alias("reference"), F.count_if(own).alias("distinct"),
        F.count_if(~reference & (few | F.col(UNSEEN))).alias("unscored"), F.count_if(~reference & F.col("blank")).alias("blank"),
        F.count_if(~reference & F.col(UNSEEN) & ~few).alias("unseen"),
    ).collect()[0]  # fmt: skip
    # One aggregation for each table; the results are a few rows.
    by_relation = found.ledger.groupBy("relation").agg(F.count(F.lit(1)).alias("n")).orderBy(F.desc("n"), "relation")
    removed = {r["relation"]: r["n"] for r in by_relation.collect()}
    # The names are those of the local run.json.
    total = sum(removed.values())
    skipped = found.skipped.count()
    policy = {r["policy"]: r["n"] for r in found.policy.groupBy("policy").agg(F.count(F.lit(1)).alias("n")).collect()}
    return {
        "read": row["read"],
        "reference": row["reference"],
        "kept": row["read"] - total,
        "removed": total,
        "removed_by_relation": removed,
        "variants": _variants(found),
        "shared_headers": _shared_headers(found),
        "other_terms": _other_terms(found),
        "small_shares": found.ledger.filter(F.col("rule") == SMALL_SHARE).count(),
        "roundups_removed": found.ledger.filter(F.col("rule") == ROUNDUP).count(),
        **_templates(found),
        "policy_overruled": policy.get(OVERRULED, 0),
        "kept_as_first": policy.get(FIRST_PUBLISHED, 0),
        "originals": policy.get(ORIGINAL, 0),
        "roundups": policy.get(ROUNDUP, 0),
        **({} if found.plan.keep_per_cluster == 1 else {"kept_beside": policy.get(TOP, 0)}),
        "skipped": skipped,
        "records": row["read"] + skipped,
        "without_text": row["blank"],
        "unscored": row["unscored"],
        "unseen": row["unseen"],
        "distinct": row["distinct"],
        "candidates": found.candidates.count(),
        "pairs": found.pairs.count(),
        "hot_keys": found.lists.filter(F.col("documents") > skew.HOT).count(),
    }


def _templates(found: SparkResult) -> dict[str, Any]:
    """Count templates as `quchong.decision.template_counts` does."""
    if not reads_templates(found.plan):
        return {}
    table = found.templates.agg(F.count(F.lit(1)).alias("n"), F.sum("records").alias("records")).collect()[0]
    binding = [one.name for one in TABLE if one.binding]
    on_one = F.array_contains("facts", "field")
    near = found.pairs.filter(F.col("relation").isin(*binding) | F.coalesce(on_one, F.lit(False))).select(
        "left_id", "right_id"
    )
    sides = near.select(F.col("left_id").alias(ID)).unionAll(near.select(F.col("right_id").alias(ID)))
    once = sides.groupBy(ID).agg(F.count(F.lit(1)).alias("n")).filter("n = 1").select(ID)
    alone = found.pairs.filter((F.col("relation") == DUPLICATE) & (F.col("unexplained") > 0)).select(
        "left_id", "right_id"
    )
    for side in ("left_id", "right_id"):
        alone = alone.join(once.withColumnRenamed(ID, side), side, "left_semi")
    apart = found.pairs.filter(on_one)
    return {
        "templates": {
            "templates": table["n"], "records": table["records"] or 0, "told_apart": apart.count(), "without_evidence": alone.count(),
        }
    }  # fmt: skip


def _removed_ids(found: SparkResult) -> DataFrame:
    """Return the ids of the removed documents as pairs have them: strings in a run with references, also where ids are numbers."""
    return found.ledger.select(F.col(ID).cast(found.pairs.schema["left_id"].dataType).alias(ID))


def _variants(found: SparkResult) -> dict[str, Any]:
    """Return the numbers of variant pairs that stay, in all and by kind of fact, and of removals by kind, as `clusters.counts` does."""
    kinds = [F.count_if(F.array_contains("facts", kind)).alias(kind) for kind in FACTS]
    variant, gone = F.col("relation").isin(*CONFLICTING), _removed_ids(found)
    stay = found.pairs.filter(variant).select("left_id", "right_id", "facts")
    for side in ("left_id", "right_id"):
        stay = stay.join(gone.withColumnRenamed(ID, side), side, "left_anti")
    kept = stay.agg(F.count(F.lit(1)).alias("n"), *kinds).collect()[0]
    removed = found.ledger.filter(variant).agg(*kinds).collect()[0]
    by_fact = [
        dict(sorted(((kind, row[kind]) for kind in FACTS if row[kind]), key=lambda kn: -kn[1]))
        for row in (kept, removed)
    ]
    return {"kept_pairs": kept["n"], "kept_by_fact": by_fact[0], "removed_by_fact": by_fact[1]}


def _other_terms(found: SparkResult) -> int:
    """Count the copies that were removed although a content word differs, as `quchong.tables.other_terms` does."""
    return found.ledger.filter(~F.col("relation").isin(*CONFLICTING) & F.array_contains("facts", "term")).count()


def _shared_headers(found: SparkResult) -> int:
    """Count kept documents that would have been called copies for a shared header, as `quchong.tables.VariantCounts` does."""
    gone = _removed_ids(found)
    shared = found.pairs.filter(F.col("rule") == SHARED_HEADER)
    for side in HEADED:
        shared = shared.join(gone.withColumnRenamed(ID, side), side, "left_anti")
    ids = [shared.filter(F.col(rest).isNotNull()).select(F.col(side).alias(ID)) for side, rest in HEADED.items()]
    return ids[0].union(ids[1]).distinct().count()


def biggest_clusters(found: SparkResult) -> list[tuple[str, int]]:
    """Return survivor and number of documents of the largest clusters, at most ten."""
    sizes = found.clusters.groupBy("cluster_id").agg(F.count(F.lit(1)).alias("n"))
    return [(r["cluster_id"], r["n"]) for r in sizes.orderBy(F.desc("n"), "cluster_id").limit(SHOWN).collect()]


def found_alarms(found: SparkResult, biggest: list[tuple[str, int]] | None = None) -> list[Alarm]:
    """Return the alarms that the local engine would give, except that of sources nearly emptied.

    Among them are giant clusters, bounded lists and classes, and bad records.

    biggest: result of `biggest_clusters`, if it was computed before.
    """
    unseen = F.col(UNSEEN) & (F.col("tokens") >= SCORED_TOKENS)
    read, blank, without = of_input(found.documents).agg(
        F.count(F.lit(1)), F.count_if(F.col("blank")), F.count_if(unseen)
    ).collect()[0]  # fmt: skip
    join = found.plan.method.candidates
    cap, exact = join.cap, isinstance(join, SetJoin) and join.prefixes is not None
    count = F.count(F.lit(1)).alias("n")
    # The exact join by prefixes cuts no list, so long ones are no alarm there.
    cut = F.lit(not exact) & (F.col("documents") > cap)
    lists = found.lists.filter(cut).agg(count, F.max("documents").alias("most")).collect()[0]
    classes = found.documents.groupBy(FIRST).agg(count).filter(F.col("n") > CLASS_LIMIT)
    large = classes.agg(F.count(F.lit(1)).alias("n"), F.max("n").alias("most")).collect()[0]
    out = giant_clusters(dict(biggest_clusters(found) if biggest is None else biggest), read)
    out += bounded(lists["n"], lists["most"] or 0, cap, large["n"], large["most"] or 0)
    # `met` counts the partners before the bound: a document with more than `most` has lost some.
    if isinstance(join, KeyJoin | SetJoin) and "met" in found.candidates.columns:
        out += meetings_bounded(notes_of(found.candidates, join.limits))
    out += meetings_bounded(found.bounded)
    out += columns_by_usual_names(found.plan.columns_found)
    out += policy_doubts(
        found.doubts, asked=found.plan.keep not in (DEFAULT_KEEP, POSTS_KEEP) and not found.plan.policy.arrival
    )
    out += many_without_text(blank, read)
    out += many_without_features(without, read, found.plan.method.name)
    shares, removed = found.ledger.agg(F.count_if(F.col("rule") == SMALL_SHARE), F.count(F.lit(1))).collect()[0]
    out += small_shares(shares, removed)
    contained = found.ledger.filter(F.col("relation") == CONTAINED_IN).count()
    out += untimed_posts(lambda: found.doubts, contained, found.plan.policy)
    originals, roundups = (found.policy.filter(F.col("policy") == word).count() for word in (ORIGINAL, ROUNDUP))
    flooding = found.templates.filter((F.col("records") >= FLOOD) & (F.size("slots") == 1)).select(
        "records", "model_id", "slots"
    )
    out += floods(row.asDict(True) for row in flooding.collect())
    out += removed_for_roundups(originals, roundups, found.plan.roundups)
    return out + bad_input(found.repeated, found.skipped.count(), read, 0, "skipped/")
