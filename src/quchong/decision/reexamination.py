"""Examination of pairs of a finished run that were not examined, because their differences decided nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.differing import fact_bits, fact_names, looked_at
from quchong.decision.documents import seconds_between
from quchong.decision.pairs import measured_in, newer_sides
from quchong.relation_codes import CONFLICTS, EXAMINED, codes_in, codes_of
from quchong.seam import Documents, Method
from quchong.tables import FIELD, PAIRS, SHARED_HEADER, one_array
from quchong.text import Edit


def unexamined(pairs: pa.Table) -> np.ndarray:
    """Return the rows of a table of pairs whose differences were not examined, int64 ascending.

    They decided nothing, or the pair is known to be of two records on one template, or near by a shared header alone.
    """
    mask = ~EXAMINED[codes_in(pairs["relation"])]
    untold = np.flatnonzero(pairs["differences"].is_null().to_numpy() & ~mask)
    some = pairs.select(["facts", "rule", "aligned_left"]).take(pa.array(untold))
    known = (fact_bits(one_array(some["facts"])) & FIELD) != 0
    known |= pc.equal(some["rule"], SHARED_HEADER).to_numpy(zero_copy_only=False)
    mask[untold[known & (some["aligned_left"].fill_null(0.0).to_numpy() == 0)]] = True
    return np.flatnonzero(mask)


def examine_pairs(  # noqa: PLR0913 - what `looked_at` takes, and times
    method: Method, documents: Documents, left: np.ndarray, right: np.ndarray, pairs: pa.Table, seconds: np.ndarray,
    edits: Mapping[int, Edit], names: np.ndarray, workers: int | None,
) -> pa.Table:  # fmt: skip
    """Return rows of PAIRS with the relation, rule, differences and facts that an examination gives, as a run of all differences has them.

    Args:
        method: of the run.
        documents: their texts, each once.
        left, right: uint32, both documents of each row.
        pairs: rows of PAIRS, which none was examined.
        seconds: float64 for each document, its time; NaN for none.
        edits, names, workers: see `looked_at`.
    """
    measures, lists = looked_at(method, documents, left, right, measured_in(pairs), workers, edits, names)
    relation, rule = method.rule.decide(measures)
    conflicting = CONFLICTS[codes_of(relation)]
    later = np.where(conflicting, seconds_between(seconds[left], seconds[right]), 0.0)
    made = {
        "relation": pa.array(relation, pa.string()),
        "rule": pa.array(rule, pa.string()),
        "facts": fact_names(measures["facts"]),
        "supersedes": newer_sides(later),
        **{name: pa.array(measures[name]) for name in ("aligned_left", "aligned_right", "unexplained")},
    }
    if lists is not None:
        made["differences"] = lists
    for name, values in made.items():
        field = PAIRS.field(name)
        pairs = pairs.set_column(pairs.schema.get_field_index(name), field, values.cast(field.type))
    return pairs


def replaced_rows(table: pa.Table, rows: np.ndarray, new: pa.Table) -> pa.Table:
    """Return a table with the rows `rows` (int64) replaced by those of `new`, in order."""
    order = np.arange(len(table))
    order[rows] = len(table) + np.arange(len(rows))
    return pa.concat_tables([table, new.cast(table.schema)]).take(pa.array(order))
