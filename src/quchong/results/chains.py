"""Chains of a run: near-copies by who was made of whom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.chains import Members, chain_table, worth_reading
from quchong.decision.differing import fills_otherwise
from quchong.decision.hypotheses import relation_codes
from quchong.decision.pairs import measured_in
from quchong.errors import Param, UsageError
from quchong.plan.plan import Plan
from quchong.policy.times import plain_column, times
from quchong.relation_codes import PARTIALS
from quchong.relations import PARTIAL
from quchong.results.document_columns import TEXT
from quchong.results.run import Run
from quchong.similarity.relations import EVERY_FACT
from quchong.tables import FIELD


def chains_of(
    run: Run,
    pairs: pa.Table,
    time: str | None = None,
    source: str | None = None,
    title: str = "title",
    workers: int | None = None,
) -> pa.Table:
    """Compute the table CHAINS of some pairs of a run, with the likeliest source of each near-copy.

    Args:
        time, source, title: columns with the time of publication, the publisher and the title; None for those that the run had.
        workers: threads; None for all processors.

    Raises:
        UsageError: the column `time` contains no times.
    """
    time, source = (one or key for one, key in zip((time, source), run.keys[1:], strict=True))
    pairs = _near_on_templates(pairs, run.plan())
    ids = worth_reading(pairs)
    ids = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    ids = ids.take(pc.sort_indices(ids))
    here = run.columns(run.ids.places(ids), tuple(dict.fromkeys((time, source, title))))
    try:
        seconds = times(here[time])
    except UsageError as error:
        raise UsageError("{} holds no times: {}", Param("time", time), error) from error
    members = Members(
        ids.cast(pairs["left_id"].type), here[TEXT].combine_chunks(), seconds, _strings(here[source]), _strings(here[title])
    )  # fmt: skip
    return chain_table(members, pairs, workers)


def chains_with(table: pa.Table, ids: Sequence[str]) -> pa.Table:
    """Return the chains that contain these documents; all chains if no id is given.

    Raises:
        UsageError: a document is in no chain.
    """
    if not ids:
        return table
    column = table["id"].cast(pa.large_string())
    names = pa.array(ids, pa.large_string())
    absent = names.filter(pc.invert(pc.is_in(names, column)))
    if len(absent):
        raise UsageError(
            "{!r} is in no chain: no document has this id, or it is like no other; documents.parquet has all ids",
            absent[0].as_py(),
        )
    mine = table["chain_id"].filter(pc.is_in(column, names))
    return table.filter(pc.is_in(table["chain_id"], mine))


def _strings(column: pa.ChunkedArray) -> pa.Array:
    values = plain_column(column)
    if pa.types.is_nested(values.type):
        return pa.array([None if v is None else str(v) for v in values.to_pylist()], pa.large_string())
    return values.cast(pa.large_string())


def _near_on_templates(pairs: pa.Table, plan: Plan | None) -> pa.Table:
    """Return the pairs with those of records on one template called partial that are near in nothing but the template.

    Records on a form may be made of each other, as bulletins are, but only those that their shares or an alignment would accept.
    """
    if "facts" not in pairs.column_names:
        return pairs
    measures = measured_in(pairs)
    some = np.flatnonzero(fills_otherwise(measures, len(pairs)))
    if plan is None or not len(some):
        return pairs
    here = {name: values[some] for name, values in measures.items()}
    codes = relation_codes(plan.method.rule, here | {"facts": here["facts"] & (EVERY_FACT & ~FIELD)})
    far = np.zeros(len(pairs), bool)
    far[some] = PARTIALS[codes]
    relation = pc.if_else(pa.array(far), pa.scalar(PARTIAL, pairs["relation"].type), pairs["relation"])
    return pairs.set_column(pairs.schema.get_field_index("relation"), pairs.schema.field("relation"), relation)
