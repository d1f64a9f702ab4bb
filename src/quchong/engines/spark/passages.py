"""Passages that each removed document shares with its survivor, and the differences of both, added to the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.decision.differing import of_ledger, removed_differences
from quchong.decision.passages import find_passages, original, passage_lists
from quchong.engines.spark.arrow import mapped, spoken, texts_in, type_name
from quchong.engines.spark.documents import COLUMN, ID, TEXT, stored_name
from quchong.engines.spark.skew import hot_keys, joined_to
from quchong.plan.plan import Plan
from quchong.relation_codes import EQUALS, codes_in
from quchong.seam import Documents
from quchong.tables import LEDGER
from quchong.text import Edit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def with_passages(ledger: DataFrame, texts: DataFrame, plan: Plan) -> DataFrame:
    """Add passages (in characters of the original texts) and differences to the ledger.

    Rows of one frequent survivor are spread over parts.
    """
    needs = plan.method.traits.needs
    of_text = (TEXT, "tokens", "high", "low", *(stored_name(name) for name in needs))
    # Both texts of each removal come together once; a survivor of very many documents is copied to several parts.
    own = texts.select(ID, *(F.col(c).alias(f"own_{c}") for c in of_text))
    other = texts.select(F.col(ID).alias("survivor_id"), *(F.col(c).alias(f"other_{c}") for c in of_text))
    both = joined_to(ledger.join(own, ID), other, ["survivor_id"], ID, hot_keys(ledger, ["survivor_id"]))
    names = ledger.columns

    def made(batch: pa.RecordBatch) -> pa.RecordBatch:
        n = batch.num_rows
        # One batch of 2n documents: the removed ones first, their survivors in the same order.
        stacked = pa.concat_arrays([texts_in(batch, f"own_{TEXT}"), texts_in(batch, f"other_{TEXT}")])
        prepared = plan.preparer.prepare(stacked, 1)
        sides = {
            name: [batch.column(f"{s}_{COLUMN}{name}").cast(pa.large_string()) for s in ("own", "other")]
            for name in needs
        }
        documents = Documents.from_texts(
            prepared.texts, **{name: pa.concat_arrays(both) for name, both in sides.items()}
        )
        own, other = (
            {c: batch.column(f"{s}_{c}").to_numpy() for c in ("tokens", "high", "low")} for s in ("own", "other")
        )
        same = (own["high"] == other["high"]) & (own["low"] == other["low"])
        tokens = np.minimum(own["tokens"], other["tokens"])
        left, right = np.arange(n), np.arange(n, 2 * n)
        # Passages are found in prepared texts, and their offsets are then converted to the original texts.
        spans = find_passages(plan.method, documents, left, right, tokens, same, 1)
        places = original(prepared.edits, left, right, spans.offsets, spans.places)
        lists = passage_lists(spans.offsets, places, spans.exact)
        columns = [lists, _differences(batch, plan, documents, prepared.edits).cast(added["differences"])]
        return pa.RecordBatch.from_arrays([*(batch.column(c) for c in names), *columns], [*names, *added])

    # The schema of the ledger with the two columns that were left out so far.
    added = {f.name: f.type for f in spoken(pa.schema([LEDGER.field(name) for name in ("passages", "differences")]))}
    schema = ", ".join(
        [
            *(f"{f.name} {f.dataType.simpleString()}" for f in ledger.schema),
            *(f"{name} {type_name(kind)}" for name, kind in added.items()),
        ]
    )
    return both.mapInArrow(mapped(made, ID), schema).select(*LEDGER.names)


def _differences(batch: pa.RecordBatch, plan: Plan, documents: Documents, edits: Mapping[int, Edit]) -> pa.Array:
    """Return the lists of differences between the documents of a batch (first half) and their survivors (second half)."""
    n = batch.num_rows
    near = np.flatnonzero(~EQUALS[codes_in(batch.column("relation"))])
    turn = pc.greater(batch.column(ID), batch.column("survivor_id")).to_numpy(zero_copy_only=False)[near]
    mine, others = near.astype(np.uint32), (n + near).astype(np.uint32)
    found = removed_differences(plan.method, documents, mine, others, turn, 1, edits, np.arange(2 * n))
    place, known = np.zeros(n, np.int64), np.zeros(n, bool)
    place[near], known[near] = np.arange(len(near)), True
    return of_ledger(found.take(pa.array(place, mask=~known)))
