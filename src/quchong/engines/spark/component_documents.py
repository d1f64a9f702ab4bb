"""Documents of a part, as the columns that `quchong.decision` takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.decision.classes import Classes, grouped
from quchong.decision.documents import DocumentColumns
from quchong.engines.spark.arrow import one, unsigned
from quchong.engines.spark.documents import COLUMN, FIRST, FORWARDS, ID, PROTECTED, REFERENCE, stored_name, wanted_name
from quchong.engines.spark.marks import plain_ids
from quchong.plan.plan import Plan
from quchong.policy.policy import Doubt, Policy
from quchong.seam import Features

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Readings = Mapping[str, pa.DataType]
"""Types by which the policy reads columns of strings: whole numbers, numbers or, where a value is neither, bytes."""

_NUMBERS = (pa.int64(), pa.float64())


def readings(docs: DataFrame, policy: Policy) -> dict[str, pa.DataType]:
    """Return for each string column that the policy compares the type (number or text) by which it is read."""
    types = dict(docs.dtypes)
    names = {r.column for r in policy.criteria if r.name == "column" and types.get(stored_name(r.column)) == "string"}
    out: dict[str, pa.DataType] = {}
    for name in sorted(names):
        column = stored_name(name)
        found = docs.select(F.col(f"`{column}`")).mapInArrow(_readable(column), "whole boolean, number boolean")
        row = found.agg(F.min("whole"), F.min("number")).collect()[0]
        out[name] = pa.large_binary() if row[1] is False else pa.float64() if row[0] is False else pa.int64()
    return out


def doubts(docs: DataFrame, policy: Policy) -> list[Doubt]:
    """Count, over all documents, the values that criteria of the policy cannot use, such as unreadable times."""
    if not policy.columns:
        return []

    def counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = {wanted_name(n): batch.column(n) for n in batch.schema.names}
            counts = policy.counted(pa.table(columns))
            rows = zip(*counts, strict=True) if counts else ([], [], [], [])
            kinds = (pa.int32(), pa.int32(), pa.int64(), pa.string())
            yield pa.RecordBatch.from_arrays([pa.array(v, k) for v, k in zip(rows, kinds, strict=True)], list(_COUNTED))

    names = [stored_name(name) for name in policy.columns if stored_name(name) in docs.columns]
    some = docs.select(*(F.col(f"`{name}`") for name in names)) if names else docs.select(ID)
    found = some.mapInArrow(counted, ", ".join(f"{k} {v}" for k, v in _COUNTED.items()))
    total = found.groupBy("place", "what").agg(F.sum("n").alias("n"), F.min("example").alias("example"))
    return policy.doubts((r["place"], r["what"], r["n"], r["example"]) for r in total.collect())


_COUNTED = {"place": "int", "what": "int", "n": "bigint", "example": "string"}


def _readable(column: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function that says for each batch whether all values are whole numbers, and whether all are numbers."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            values = _stripped(batch.column(column))
            yield pa.RecordBatch.from_pydict(
                {"whole": [_reads(values, _NUMBERS[0])], "number": [_reads(values, _NUMBERS[1])]}
            )

    return run


def _stripped(column: pa.Array) -> pa.Array:
    values = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, values.type), values)


def _reads(values: pa.Array, kind: pa.DataType) -> bool:
    try:
        values.cast(kind)
    except pa.ArrowInvalid:
        return False
    return True


def read_as(values: pa.Array, name: str, how: Readings) -> pa.Array:
    """Cast a column of the input to the type by which the policy reads it (`readings`)."""
    return _stripped(values).cast(how[name]) if name in how else values


def documents_of(rows: pa.Table, plan: Plan, how: Readings) -> DocumentColumns:
    """Build the document columns of a part, with priorities under the plan's policy; rows must be sorted by id, references first."""
    marked = REFERENCE in rows.column_names
    ids = plain_ids(one(rows[ID]).cast(pa.large_string()), marked)
    references = pc.sum(rows[REFERENCE]).as_py() or 0 if marked else 0
    # Ids of tables are not in the order of marked ids, which has references first.
    id_rank = pc.rank(ids, tiebreaker="first").to_numpy().astype(np.int64) - 1 if marked else np.arange(len(rows))
    features = Features(
        rows["tokens"].to_numpy().astype(np.uint32), rows["singles"].to_numpy().astype(np.uint32),
        unsigned(rows["high"]), unsigned(rows["low"]), np.zeros(1, np.int64), np.zeros(0, np.uint64),
    )  # fmt: skip
    columns: dict[str, pa.Array] = {"row": pa.array(np.zeros(len(rows), np.int64)), ID: ids}
    for name in rows.column_names:
        if name.startswith(COLUMN):
            plain = wanted_name(name)
            columns[plain] = read_as(one(rows[name]), plain, how)
    protected = np.asarray(rows[PROTECTED].to_numpy(zero_copy_only=False)).astype(bool)
    forwards = np.asarray(rows[FORWARDS].to_numpy(zero_copy_only=False)).astype(bool)
    documents = replace(DocumentColumns.unranked(ids, id_rank, features, references), forwards=forwards)
    return documents.under(plan.policy, pa.table(columns), protected, plan.time_key)


def by_id(rows: pa.Table) -> pa.Table:
    """Sort rows by id."""
    return rows.take(pc.sort_indices(rows[ID]))


def ranked(rows: pa.Table, plan: Plan, how: Readings) -> np.ndarray:
    """Return the rank of each row (sorted by id), 0 the best: protected documents first, then by policy."""
    return documents_of(rows, plan, how).priority


def classes_of(rows: pa.Table, by: str = FIRST) -> Classes:
    """Group rows into exact classes by the column `first`, or into their parts by `head`; classes are in the order of their first id."""
    first = one(pc.index_in(rows[by], one(rows[ID]))).to_numpy(zero_copy_only=False).astype(np.int64)
    return grouped(np.argsort(first, kind="stable"), np.sort(first), np.arange(len(rows)))
