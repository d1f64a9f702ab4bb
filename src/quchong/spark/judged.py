"""Candidates held to their texts: the method judges them in Arrow batches, both texts beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql import types as T

from quchong.pipeline.plan import Plan
from quchong.seam import Documents
from quchong.spark.arrow import mapped, texts_in
from quchong.spark.describe import ID, TEXT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KINDS = {"b": (T.BooleanType(), pa.bool_()), "f": (T.DoubleType(), pa.float64())}


def measures_of(plan: Plan) -> dict[str, Any]:
    """The columns `judge` gives, by a run on nothing: name and dtype."""
    none = np.zeros(0, np.uint32)
    empty = Documents.of(pa.array([], pa.large_string()))
    return {name: values.dtype for name, values in plan.method.judge(empty, none, none, 1).items()}


def judged(candidates: DataFrame, docs: DataFrame, plan: Plan) -> DataFrame:
    """left, right and all measures of the pairs at or above the floor."""
    kinds = measures_of(plan)
    needs = plan.method.traits.needs
    texts = docs.select(ID, TEXT, *needs)
    sides = []
    for side in ("left", "right"):
        renamed = [F.col(ID).alias(side), *(F.col(c).alias(f"{side}_{c}") for c in (TEXT, *needs))]
        sides.append(texts.select(*renamed))
    both = candidates.select("left", "right").join(sides[0], "left").join(sides[1], "right")

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        ids = pa.concat_arrays([batch.column("left"), batch.column("right")]).cast(pa.large_string())
        encoded = ids.dictionary_encode()
        index = encoded.indices.to_numpy().astype(np.int64)
        first = np.unique(index, return_index=True)[1]
        stacked = {c: pa.concat_arrays([texts_in(batch, f"{s}_{c}") if c == TEXT else batch.column(f"{s}_{c}").cast(pa.large_string()) for s in ("left", "right")]) for c in (TEXT, *needs)}  # fmt: skip
        chosen = {c: values.take(pa.array(first)) for c, values in stacked.items()}
        prepared = plan.preparer.prepare(chosen.pop(TEXT), 1).texts
        n = batch.num_rows
        measures = plan.method.judge(
            Documents.of(prepared, **chosen), index[:n].astype(np.uint32), index[n:].astype(np.uint32), 1
        )
        kept = pa.array(plan.method.listed(measures))
        columns = [batch.column("left"), batch.column("right")]
        columns += [pa.array(_plain(measures[name]), _kind(dtype)[1]) for name, dtype in kinds.items()]
        return pa.RecordBatch.from_arrays(columns, ["left", "right", *kinds]).filter(kept)

    ids = [T.StructField("left", T.StringType()), T.StructField("right", T.StringType())]
    schema = T.StructType([*ids, *(T.StructField(name, _kind(dtype)[0]) for name, dtype in kinds.items())])
    return both.mapInArrow(mapped(made), schema)


def _kind(dtype: np.dtype[Any]) -> tuple[Any, pa.DataType]:
    return _KINDS.get(dtype.kind, (T.LongType(), pa.int64()))


def _plain(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64) if values.dtype.kind in "iu" else values


def measures_in(table: pa.Table, kinds: dict[str, Any]) -> dict[str, np.ndarray]:
    """Measures of a table as the method gave them."""
    return {name: table[name].to_numpy(zero_copy_only=False).astype(dtype) for name, dtype in kinds.items()}
