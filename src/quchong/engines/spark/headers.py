"""Headers that many documents share, and what is left of each text without them, as in the local engine (`quchong.decision.headers`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.decision.expansion import ClassPairs
from quchong.decision.headers import header_suspects, least_inside, looks_for_headers
from quchong.decision.pairs import RESTS
from quchong.engines.spark.arrow import mapped, one, signed, texts_in, unsigned
from quchong.engines.spark.documents import ID, REFERENCE, TEXT
from quchong.engines.spark.marks import plain_ids
from quchong.engines.spark.near_pairs import Near
from quchong.engines.spark.scores import SIDES
from quchong.engines.spark.skew import hot_keys, joined_to
from quchong.engines.spark.stages import Stages
from quchong.plan.plan import Plan
from quchong.seam import Documents
from quchong.similarity.counted_headers import CountedHeaders
from quchong.similarity.header_counting import count_headers
from quchong.similarity.headers import Headed, measure_rests, with_headers

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

PART, SUSPECT, CARRIER, PLACE = "part", "suspect", "carrier", "place"
SHARES = ("containment_left", "containment_right", "tokens_left", "tokens_right")
READ = (*SHARES, "ngram_size")
TOGETHER = 100_000
"""Pairs whose suspects are looked for in one task, about, where components are small."""


def with_rests(near: Near, texts: DataFrame, labels: DataFrame, stages: Stages) -> Near:
    """Return the near pairs with the measures `rest_left` and `rest_right`; unchanged if the rule reads none.

    Args:
        near: scored pairs.
        texts: documents with their texts.
        labels: for each document in a pair (node) its connected component of pairs.
        stages: stores suspects, shingles and measures.
    """
    if not looks_for_headers(near.plan.method.rule):
        return near
    near = replace(near, headers=_find_headers(near, texts, labels, stages))
    return replace(near, pairs=pairs_with_rests(near, near.pairs, texts, stages, "pairs with headers"))


def pairs_with_rests(near: Near, pairs: DataFrame, texts: DataFrame, stages: Stages, name: str) -> DataFrame:
    """Return scored pairs with `rest_left` and `rest_right` by the headers of `near`, stored under a name; unchanged if it has none."""
    if near.headers is None:
        return pairs
    if not len(near.headers):
        nothing = F.lit(None).cast("double")
        return pairs.select("*", *(nothing.alias(rest) for rest in RESTS))
    rests = _rests(replace(near, pairs=pairs), texts, near.headers, stages)
    return stages(pairs.join(rests, list(SIDES), "left"), name)


def _find_headers(near: Near, texts: DataFrame, labels: DataFrame, stages: Stages) -> np.ndarray:
    """Return the shingles of all headers (uint64, ascending, distinct); they fit the driver, as a header has a few hundred."""
    pairs = near.pairs.select(*SIDES, *SHARES)
    with stages.stage("headers"):
        parts = 1 + pairs.count() // TOGETHER
    part = F.pmod(F.xxhash64("component"), F.lit(parts)).alias(PART)
    placed = pairs.join(labels.withColumnRenamed("node", "left"), "left").select(*SIDES, *SHARES, part)
    found = placed.groupBy(PART).applyInArrow(
        _suspecting(near.plan, REFERENCE in texts.columns), f"{SUSPECT} string, {CARRIER} string, {PLACE} bigint"
    )
    found = stages(found, "header suspects")
    if found.isEmpty():
        return np.zeros(0, np.uint64)
    known = texts.select(ID, TEXT)
    both = found.join(known.select(F.col(ID).alias(SUSPECT), F.col(TEXT).alias(f"{SUSPECT}_{TEXT}")), SUSPECT)
    both = both.join(known.select(F.col(ID).alias(CARRIER), F.col(TEXT).alias(f"{CARRIER}_{TEXT}")), CARRIER)
    schema = f"{SUSPECT} string, shingle bigint, few boolean"
    made = stages(both.groupBy(SUSPECT).applyInArrow(_counting(near.plan), schema), "headers").toArrow()
    suspect = one(made[SUSPECT]).dictionary_encode().indices.to_numpy().astype(np.int64)
    few = one(made["few"]).to_numpy(zero_copy_only=False).astype(bool)
    return CountedHeaders(suspect, unsigned(made["shingle"]), few).known_shingles()


def _suspecting(plan: Plan, marked: bool) -> Callable[[pa.Table], pa.Table]:
    """Return a function that lists suspects and their carriers among the pairs of whole components.

    Documents are in the order of their ids in tables; `marked` says that ids have marks.
    """
    least = least_inside(plan.method)

    def made(met: pa.Table) -> pa.Table:
        ids = pc.unique(pa.chunked_array([*met["left"].chunks, *met["right"].chunks], pa.string()))
        ids = ids.take(pc.sort_indices(plain_ids(ids, marked)))
        left, right = (one(pc.index_in(met[side], ids)).to_numpy().astype(np.int64) for side in SIDES)
        measures = {name: met[name].to_numpy() for name in SHARES}
        suspect, carrier = header_suspects(ClassPairs(left, right, measures), np.arange(len(ids)), least)
        place = pa.array(np.arange(len(suspect)))
        return pa.table({SUSPECT: ids.take(pa.array(suspect)), CARRIER: ids.take(pa.array(carrier)), PLACE: place})

    return made


def _counting(plan: Plan) -> Callable[[pa.Table], pa.Table]:
    """Return a function that finds the header's shingles of one suspect from its carriers."""

    def made(rows: pa.Table) -> pa.Table:
        rows = rows.sort_by(PLACE).combine_chunks()
        n = len(rows)
        texts = pa.concat_arrays([one(rows[f"{SUSPECT}_{TEXT}"]).slice(0, 1), one(rows[f"{CARRIER}_{TEXT}"])]).cast(
            pa.large_string()
        )
        documents = Documents.from_texts(plan.preparer.prepare(texts.fill_null(""), 1).texts)
        found = count_headers(plan.method.form, documents, np.zeros(n, np.int64), np.arange(1, n + 1), 1)
        suspect = pa.array([rows[SUSPECT][0].as_py()] * len(found.shingle), pa.string())
        return pa.table({SUSPECT: suspect, "shingle": signed(found.shingle), "few": pa.array(found.few)})

    return made


def _rests(near: Near, texts: DataFrame, headers: np.ndarray, stages: Stages) -> DataFrame:
    """Return left, right, `rest_left` and `rest_right` for the pairs in which a document has a header."""
    plan, pairs = near.plan, near.pairs.select(*SIDES, *READ)
    least = least_inside(plan.method)
    known = texts.select(ID, TEXT)

    def having(batch: pa.RecordBatch) -> pa.RecordBatch:
        documents = Documents.from_texts(plan.preparer.prepare(texts_in(batch, TEXT), 1).texts)
        return batch.select([ID]).filter(pa.array(with_headers(plan.method.form, documents, headers, 1)))

    # Documents that are contained in another one by more than `least`, and have a header; then their pairs.
    inside = [pairs.filter(F.col(f"containment_{side}") >= least).select(F.col(side).alias(ID)) for side in SIDES]
    some = known.join(inside[0].union(inside[1]).distinct(), ID, "left_semi")
    some = stages(some.mapInArrow(mapped(having, ID), f"{ID} string"), "documents with headers")
    for side in SIDES:
        flag = some.select(F.col(ID).alias(side), F.lit(True).alias(f"{side}_headed"))
        pairs = pairs.join(flag, side, "left").fillna(False, [f"{side}_headed"])
    both = stages(pairs.filter("left_headed or right_headed"), "pairs of documents with headers")
    candidates = both.select(*SIDES)
    for side in SIDES:
        renamed = known.select(F.col(ID).alias(side), F.col(TEXT).alias(f"{side}_{TEXT}"))
        other = SIDES[1 - SIDES.index(side)]
        both = joined_to(both, renamed, [side], other, hot_keys(candidates, [side]))

    def measured(batch: pa.RecordBatch) -> pa.RecordBatch:
        # A document in several pairs of the batch is prepared once.
        ids = pa.concat_arrays([batch.column(side) for side in SIDES]).dictionary_encode()
        index = ids.indices.to_numpy().astype(np.int64)
        first = pa.array(np.unique(index, return_index=True)[1])
        texts = pa.concat_arrays([texts_in(batch, f"{side}_{TEXT}") for side in SIDES]).take(first)
        documents = Documents.from_texts(plan.preparer.prepare(texts, 1).texts)
        left, right = np.split(index, 2)
        headed = np.zeros(len(documents), bool)
        for side, docs in zip(SIDES, (left, right), strict=True):
            headed[docs] |= batch.column(f"{side}_headed").to_numpy(zero_copy_only=False)
        measures = {name: batch.column(name).to_numpy() for name in READ}
        mine = Headed(headers, headed, least)
        found = measure_rests(plan.method.form, documents, mine, left, right, measures, 1)
        columns = [batch.column(side) for side in SIDES] + [pa.array(found[name], from_pandas=True) for name in RESTS]
        return pa.RecordBatch.from_arrays(columns, [*SIDES, *RESTS])

    schema = ", ".join([*(f"{side} string" for side in SIDES), *(f"{name} double" for name in RESTS)])
    return stages(both.mapInArrow(mapped(measured, "right"), schema), "what is left without headers")
