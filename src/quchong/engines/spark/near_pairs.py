"""Candidate pairs of near-duplicates on Spark, and their scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from pyspark.sql import functions as F

from quchong.engines.spark.candidates import JoinResult, Notes, by_id, join_candidates, notes_of
from quchong.engines.spark.component_documents import Readings, doubts, readings
from quchong.engines.spark.crowded import first_by_policy
from quchong.engines.spark.documents import (
    FIRST,
    HEAD,
    ID,
    REFERENCE,
    heads,
)
from quchong.engines.spark.marks import is_reference, of_input
from quchong.engines.spark.prefixes import joined_by_prefixes
from quchong.engines.spark.scores import scored
from quchong.engines.spark.sets import by_policy, feature_sets
from quchong.engines.spark.signatures import joined_by_signatures
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.policy.policy import Doubt
from quchong.seam import HammingJoin, JoinLimits, KeyJoin, SetJoin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Near:
    """Near pairs of a run, with the plan and texts that found them.

    Attributes:
        pairs: scored pairs at or above the floor.
        candidates: the pairs that were scored.
        lists: the keys they come from, with their documents.
        plan: the plan, with what was counted on this corpus.
        how: types by which the policy reads columns of strings.
        doubts: values that criteria of the policy cannot use.
        bounded: messages about what the join left out.
        met_many: ids of the documents that may share keys with more others than they were compared with; None if the join does not tell.
        unseen: ids of the documents in which the method saw nothing by which they could meet others; None if its join does not tell.
        headers: shingles of the headers that documents share (uint64, ascending); None if none were looked for.
    """

    pairs: DataFrame
    candidates: DataFrame
    lists: DataFrame
    plan: Plan
    how: Readings
    doubts: list[Doubt]
    bounded: Notes
    met_many: DataFrame | None = None
    unseen: DataFrame | None = None
    headers: np.ndarray | None = None


def links(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """Return the edges of the component graph: scored pairs, and links from the first of each exact class to the heads of its parts."""
    if not plan.method.traits.needs:
        return pairs
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST))
    return pairs.select("left", "right").unionByName(
        parts.select(F.col(FIRST).alias("left"), F.col(HEAD).alias("right"))
    )


def _drop_exact_pairs(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """Drop candidate pairs of two parts of one exact class, because these are copies already."""
    if not plan.method.traits.needs:
        return pairs
    # Replace each side by the first of its exact class; a pair with equal firsts is within one class.
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST)).select(ID, FIRST)
    for side in ("left", "right"):
        named = parts.select(F.col(ID).alias(side), F.col(FIRST).alias(f"{side}_{FIRST}"))
        pairs = pairs.join(named, side, "left").withColumn(f"{side}_{FIRST}", F.coalesce(f"{side}_{FIRST}", side))
    return pairs.filter(F.col(f"left_{FIRST}") != F.col(f"right_{FIRST}")).drop(f"left_{FIRST}", f"right_{FIRST}")


def near_pairs(texts: DataFrame, docs: DataFrame, plan: Plan, stages: Stages) -> Near:
    """Find the candidate pairs of the documents and score them; return the result."""
    with stages.stage("read columns of the policy"):
        how, strange = readings(docs, plan.policy), doubts(of_input(docs), plan.policy)
    # Only the document that represents its exact class (or a part of it) is compared.
    some, sets_of, met_many = heads(texts, docs), None, None
    match plan.method.candidates:
        case KeyJoin(limits=limits):
            met: JoinResult = join_candidates(some, limits, stages, by_id)
            met_many = _followers(met.pairs, limits)
            met = _across(met, docs, plan)
            near = scored(met.pairs, texts, plan)
        # The exact join by prefixes counts a token order, which becomes part of the plan.
        case SetJoin(prefixes=prefixes) if prefixes is not None:
            met, plan = joined_by_prefixes(some, plan, prefixes, stages)
            met, sets_of = _across(met, docs, plan), some
            near = scored(met.pairs, texts, plan)
        case SetJoin(limits=limits, noise=noise):
            # Sets without noise; long lists and crowds are cut in the order of the policy, over all documents and not
            # within a scope, as `meet_sets` does.
            sets = feature_sets(some, plan, noise, stages)
            plan, sets_of = sets.plan, sets.rows
            cut, bound = by_policy(docs, plan, how), first_by_policy(docs, plan, how, stages)
            met = join_candidates(sets.rows, limits, stages, cut, within_lists=False, bound=bound)
            met = _across(replace(met, pairs=_drop_exact_pairs(met.pairs, docs, plan)), docs, plan)
            near = scored(met.pairs, texts, plan, None if noise is None else sets.rows)
        case HammingJoin() as join:
            met = _across(joined_by_signatures(some, docs, plan, join, how, stages), docs, plan)
            sets_of = some
            near = scored(met.pairs, texts, plan)
        case join:
            raise TypeError(f"{type(join).__name__} is not joined here")
    unseen = None if sets_of is None else stages(_unseen(sets_of, docs), "without features")
    verified = stages(near, "verify")
    return Near(verified, met.pairs, met.lists, plan, how, strange, met.bounded, met_many, unseen=unseen)


def _followers(pairs: DataFrame, limits: JoinLimits) -> DataFrame:
    """Return the ids of documents that were compared with fewer others than they share keys with."""
    inside = F.max("crowded") if "crowded" in pairs.columns else F.lit(False)
    counted = pairs.groupBy("right").agg(F.count(F.lit(1)).alias("candidates"), inside.alias("inside"))
    return counted.filter((F.col("candidates") >= limits.many) | F.col("inside")).select(F.col("right").alias(ID))


def _across(met: JoinResult, docs: DataFrame, plan: Plan) -> JoinResult:
    """Return the join result with pairs of a reference and an input document alone, if the plan asks for that."""
    if not plan.only_against:
        return met
    join, pairs, notes = plan.method.candidates, met.pairs, met.bounded
    if isinstance(join, KeyJoin | SetJoin) and "met" in pairs.columns:
        notes = (*notes_of(pairs, join.limits), *notes)
    across = is_reference("left") if REFERENCE in docs.columns else F.lit(False)
    return replace(met, pairs=pairs.filter(across).select("left", "right"), bounded=notes)


def _unseen(sets: DataFrame, docs: DataFrame) -> DataFrame:
    """Return the ids of documents whose exact class has no key."""
    without = sets.filter(F.size("keys") == 0).select(F.col(ID).alias(HEAD))
    return docs.join(without, HEAD, "left_semi").select(ID)
