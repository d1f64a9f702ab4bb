"""Comparison of crowded documents with the survivors of their near-copies, as in the local engine (`quchong.decision.following`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from quchong.decision.following import ROUNDS, to_follow
from quchong.decision.pairs import RESTS
from quchong.engines.spark.arrow import one
from quchong.engines.spark.component_documents import Readings, by_id
from quchong.engines.spark.decisions import COMPONENT, crowds_in, flagged, in_components, part_of
from quchong.engines.spark.documents import ID
from quchong.engines.spark.headers import pairs_with_rests
from quchong.engines.spark.near_pairs import Near
from quchong.engines.spark.scores import measures_of, scored
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.seam import KeyJoin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_SCHEMA = "left string, right string"


def followed(
    near: Near, told_apart: Callable[[DataFrame, str], DataFrame], texts: DataFrame, docs: DataFrame, labels: DataFrame, stages: Stages
) -> Near:  # fmt: skip
    """Compare crowded documents also with the survivors of their near-copies; return the near pairs with those found.

    Args:
        near: the candidate pairs and their scores, records on one template told apart, and what is left of texts without headers.
        told_apart: function that tells records on one template apart in further pairs (`Templated.told_apart`).
        texts: documents with their texts.
        docs: documents without their texts.
        labels: for each document in a pair (node) its connected component of pairs; added pairs join documents of one component only.
        stages: stores the pairs of each round.
    """
    join = near.plan.method.candidates
    if not isinstance(join, KeyJoin) or near.met_many is None:
        return near
    crowded = stages(near.met_many, "crowds")
    if crowded.isEmpty():
        return near
    # Only components with a crowded document are decided again in each round.
    some = labels.join(crowded.withColumnRenamed(ID, "node"), "node").select(COMPONENT).distinct()
    in_crowds = flagged(docs, crowded)
    kinds = measures_of(near.plan) | {name: np.dtype(np.float64) for name in RESTS if name in near.pairs.columns}
    asked = _asking(near.plan, kinds, near.how)
    pairs, candidates = near.pairs, near.candidates
    for number in range(ROUNDS):
        grouped = in_components(in_crowds, pairs, labels, stages, some)
        # Pairs that were candidates already have been scored, or fell below the floor: they are not asked for again.
        new = grouped.applyInArrow(asked, _SCHEMA).join(
            candidates.select("left", "right"), ["left", "right"], "left_anti"
        )
        new = stages(new, f"survivors to follow {number}")
        if new.isEmpty():
            break
        more = stages(scored(new, texts, near.plan), f"verify crowds {number}")
        more = stages(told_apart(more, f"templates of crowds {number}"), f"told apart in crowds {number}")
        more = pairs_with_rests(near, more, texts, stages, f"pairs of crowds {number} with headers")
        pairs = pairs.unionByName(more)
        candidates = candidates.unionByName(new, allowMissingColumns=True)
    return replace(near, pairs=pairs, candidates=candidates)


def _asking(plan: Plan, kinds: dict[str, Any], how: Readings) -> Callable[[pa.Table, pa.Table], pa.Table]:
    """Return a function that lists, for one part of the corpus, the further pairs to compare."""

    def made(mine: pa.Table, met: pa.Table) -> pa.Table:
        mine = by_id(mine)
        documents, _, parts, found = part_of(mine, met, plan, kinds, how)
        left, right = to_follow(documents, plan, parts, found, crowds_in(mine)[parts.first])
        names = one(mine[ID])
        return pa.table(
            {side: names.take(pa.array(parts.first[ends])) for side, ends in (("left", left), ("right", right))}
        )

    return made
