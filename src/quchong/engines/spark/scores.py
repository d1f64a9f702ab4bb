"""Scores of candidate pairs in Arrow batches, with the texts of both documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.decision.differing import looked_at, no_lists
from quchong.engines.spark.arrow import in_schema, mapped, sets_in, spoken, texts_in, type_name
from quchong.engines.spark.documents import COLUMN, ID, TEXT
from quchong.engines.spark.skew import hot_keys, joined_to
from quchong.plan.plan import Plan
from quchong.seam import Documents, SetJoin
from quchong.tables import PAIRS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS = {"b": (T.BooleanType(), pa.bool_()), "f": (T.DoubleType(), pa.float64())}
SIDES = ("left", "right")
_OF_SETS = ("keys", "size", "whole")
LISTS = "differences"
_LISTED = pa.schema([PAIRS.field(LISTS)])


def measures_of(plan: Plan) -> dict[str, Any]:
    """Return name and dtype of each measure of the method, found by scoring nothing."""
    none = np.zeros(0, np.uint32)
    empty = Documents.from_texts(pa.array([], pa.large_string()))
    measures = plan.method.score(empty, none, none, 1)
    measures, _ = looked_at(plan.method, empty, none, none, measures, 1, {}, none)
    return {name: values.dtype for name, values in measures.items()}


def scored(
    candidates: DataFrame, texts: DataFrame, plan: Plan, sets: DataFrame | None = None, *, facts: int = 0
) -> DataFrame:
    """Score candidate pairs; return left, right and all measures of those at or above the floor, with any differences listed.

    Args:
        candidates: left, right.
        texts: documents with their texts.
        sets: feature sets without noise: id, keys, their size, and the size with noise.
        facts: bits of BY_TEMPLATES that all these pairs have; with some, pairs below the floor are returned too.

    Both texts are sent to the task that scores the pair; a document in very many pairs is sent to several parts.
    """
    kinds, on_sets = measures_of(plan), sets is not None
    method, needs = plan.method, plan.method.traits.needs
    join = method.candidates
    noise, prefixes = (join.noise, join.prefixes) if isinstance(join, SetJoin) else (None, None)
    own = {TEXT: TEXT, **{COLUMN + name: name for name in needs}}
    known = texts.select(ID, *own)
    if sets is not None:
        known = known.join(sets.select(ID, *_OF_SETS), ID)
    both = candidates.select(*SIDES)
    # Texts are joined one side after the other. A hub document is hot on its side, so its pairs are spread by the
    # partner's id.
    for side in SIDES:
        renamed = known.select(*(F.col(c).alias(side if c == ID else f"{side}_{c}") for c in known.columns))
        other = SIDES[1 - SIDES.index(side)]
        both = joined_to(both, renamed, [side], other, hot_keys(candidates, [side]))

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        # A document in several pairs of the batch is prepared once.
        index, chosen = _stacked(batch, own)
        prepared = plan.preparer.prepare(chosen.pop(TEXT), 1)
        documents = Documents.from_texts(prepared.texts, **chosen)
        left, right = index[:n].astype(np.uint32), index[n:].astype(np.uint32)
        if on_sets and noise is not None:
            features, size, whole = _stacked(batch, {name: name for name in _OF_SETS})[1].values()
            weight = noise.weight(whole.to_numpy(), size.to_numpy())
            measures = noise.score_sets(documents, sets_in(features), weight, left, right, 1)
        else:
            if prefixes is not None:  # what is no pair need not be measured in all ways
                near = prefixes.screened(documents, left, right, 1)
                batch, left, right = batch.filter(pa.array(near)), left[near], right[near]
            measures = method.score(documents, left, right, 1)
        # Differences are dear: only pairs above the floor are aligned.
        kept = np.flatnonzero(method.rule.floor(measures)) if not facts else np.arange(len(left))
        batch, left, right = batch.take(pa.array(kept)), left[kept], right[kept]
        measures = {name: values[kept] for name, values in measures.items()}
        if facts:
            measures["facts"] = np.full(len(kept), facts, np.uint16)
        names = np.arange(len(documents))
        measures, lists = looked_at(method, documents, left, right, measures, 1, prepared.edits, names)
        columns = [batch.column(side) for side in SIDES]
        columns += [pa.array(_signed_values(measures[name]), _kind(dtype)[1]) for name, dtype in kinds.items()]
        columns.append((no_lists(len(kept)) if lists is None else lists).cast(spoken(_LISTED)[0].type))
        return pa.RecordBatch.from_arrays(columns, [*SIDES, *kinds, LISTS])

    ids = [T.StructField(side, T.StringType()) for side in SIDES]
    schema = T.StructType([*ids, *(T.StructField(name, _kind(dtype)[0]) for name, dtype in kinds.items())])
    schema = schema.add(LISTS, T.DataType.fromDDL(type_name(_LISTED[0].type)))
    return both.mapInArrow(mapped(made, "right"), schema)


def _stacked(batch: pa.RecordBatch, names: dict[str, str]) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Return the positions of each pair's documents among a batch's distinct documents, and their columns renamed."""
    ids = pa.concat_arrays([batch.column(side) for side in SIDES]).dictionary_encode()
    index = ids.indices.to_numpy().astype(np.int64)
    first = pa.array(np.unique(index, return_index=True)[1])
    out = {}
    for name, new in names.items():
        sides = [batch.column(f"{side}_{name}") for side in SIDES]
        if name == TEXT:
            sides = [texts_in(batch, f"{side}_{name}") for side in SIDES]
        elif name not in _OF_SETS:
            sides = [values.cast(pa.large_string()) for values in sides]
        out[new] = pa.concat_arrays(sides).take(first)
    return index, out


def _kind(dtype: np.dtype[Any]) -> tuple[Any, pa.DataType]:
    return _KINDS.get(dtype.kind, (T.LongType(), pa.int64()))


def _signed_values(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64) if values.dtype.kind in "iu" else values


def measures_in(table: pa.Table, kinds: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return the measures of a table in the dtypes of the method."""
    return {name: table[name].to_numpy(zero_copy_only=False).astype(dtype) for name, dtype in kinds.items()}


def lists_in(table: pa.Table, kinds: dict[str, Any]) -> list[pa.Array] | None:
    """Return the lists of differences of the pairs of a table, or None if the method does not look for differences."""
    return [in_schema(table[LISTS], _LISTED[0].type)] if "facts" in kinds else None
