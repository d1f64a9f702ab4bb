"""Finds the pairs of documents that are alike: candidates, scored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from quchong.cluster.policy import Doubt
from quchong.engines.spark.candidates import Joined, Notes, by_id, joined
from quchong.engines.spark.crowded import first_by_policy
from quchong.engines.spark.documents import (
    FIRST,
    HEAD,
    ID,
    heads,
)
from quchong.engines.spark.part import Readings, doubts, readings
from quchong.engines.spark.prefixes import joined_by_prefixes
from quchong.engines.spark.scores import scored
from quchong.engines.spark.sets import by_policy, feature_sets
from quchong.engines.spark.signatures import joined_by_signatures
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.seam import HammingJoin, KeyJoin, SetJoin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Near:
    """Judged pairs, the candidates and lists they come from, the plan with what was counted, how columns are read, and what the join
    bounded.
    """

    pairs: DataFrame
    candidates: DataFrame
    lists: DataFrame
    plan: Plan
    how: Readings
    doubts: list[Doubt]
    bounded: Notes


def links(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """What hangs together: scored pairs, and the parts of one exact class."""
    if not plan.method.traits.needs:
        return pairs
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST))
    return pairs.select("left", "right").unionByName(
        parts.select(F.col(FIRST).alias("left"), F.col(HEAD).alias("right"))
    )


def _apart(pairs: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """The candidates without parts of one exact class: these are copies."""
    if not plan.method.traits.needs:
        return pairs
    parts = docs.filter(F.col(HEAD) == F.col(ID)).filter(F.col(HEAD) != F.col(FIRST)).select(ID, FIRST)
    for side in ("left", "right"):
        named = parts.select(F.col(ID).alias(side), F.col(FIRST).alias(f"{side}_{FIRST}"))
        pairs = pairs.join(named, side, "left").withColumn(f"{side}_{FIRST}", F.coalesce(f"{side}_{FIRST}", side))
    return pairs.filter(F.col(f"left_{FIRST}") != F.col(f"right_{FIRST}")).drop(f"left_{FIRST}", f"right_{FIRST}")


def near_pairs(texts: DataFrame, docs: DataFrame, plan: Plan, stages: Stages) -> Near:
    """Candidates, scored."""
    with stages.stage("read columns of the policy"):
        how, strange = readings(docs, plan.policy), doubts(docs, plan.policy)
    some = heads(texts, docs)
    match plan.method.candidates:
        case KeyJoin(limits=limits):
            met: Joined = joined(some, limits, stages, by_id)
            near = scored(met.pairs, texts, plan)
        case SetJoin(prefixes=prefixes) if prefixes is not None:
            met, plan = joined_by_prefixes(some, plan, prefixes, stages)
            near = scored(met.pairs, texts, plan)
        case SetJoin(limits=limits, noise=noise):
            sets = feature_sets(some, plan, noise, stages)
            plan = sets.plan
            cut, bound = by_policy(docs, plan, how), first_by_policy(docs, plan, how, stages)
            met = joined(sets.rows, limits, stages, cut, within_lists=False, bound=bound)
            met = replace(met, pairs=_apart(met.pairs, docs, plan))
            near = scored(met.pairs, texts, plan, None if noise is None else sets.rows)
        case HammingJoin() as join:
            met = joined_by_signatures(some, docs, plan, join, how, stages)
            near = scored(met.pairs, texts, plan)
        case join:
            raise TypeError(f"{type(join).__name__} is not joined here")
    return Near(stages(near, "verify"), met.pairs, met.lists, plan, how, strange, met.bounded)
