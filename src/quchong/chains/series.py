"""Series: documents written on one template, such as daily bulletins and closing prices. None of them is a copy of another one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.differences.find import find_differences
from quchong.relation_codes import BINDING, EQUALS, codes_in
from quchong.seam import Documents
from quchong.tables import DIFFERENCES, FACTS
from quchong.text import form

CONFLICTS, SPARSE = 3, 100
"""Minimum number of facts in conflict of two issues of a series, and maximum number of tokens for each of them."""
FEW, DENSE = 2, 30
"""Minimum number of facts in conflict of two short issues of a series, and maximum number of tokens for each of them."""
PHRASE = 40
"""Minimum number of tokens of two issues in which no figure, date or name conflicts: shorter posts share a phrase, and are no series."""
APART = 12 * 3600.0
"""Minimum time in seconds between two issues of a series whose texts name no date."""
FIELD_NAME, DATE = "field", DIFFERENCES.index("date")


def in_series(
    pairs: pa.Table, ids: pa.Array, texts: pa.Array, seconds: np.ndarray, publishers: pa.Array, workers: int | None
) -> np.ndarray:
    """Return a boolean mask of the pairs that are two issues of a series, instead of a text and its copy.

    They say the same words about other facts. Either the run told them apart by what fills the slots of a template (`field`), or
    facts conflict everywhere in them: a date, or several figures of texts that one publisher published on different days. A copy
    that corrects a figure, or names another place, is no issue of a series.

    Args:
        pairs: PAIRS. ids, texts, seconds, publishers: the documents, as `quchong.chains.table.Members`; ids are large_string.

    Cost: an alignment of each copy whose differences the run did not examine.
    """
    n, field = len(pairs), FACTS.index(FIELD_NAME)
    left, right = (
        np.asarray(pc.fill_null(pc.index_in(pairs[s].cast(pa.large_string()), ids), -1)).astype(np.int64)
        for s in ("left_id", "right_id")
    )
    relation = codes_in(pairs["relation"])
    there = (left >= 0) & (right >= 0) & (left != right) & ~EQUALS[relation]
    template = _with_kind(pairs, FIELD_NAME) & there
    kinds = _conflicts(pairs)
    # methods that do not look at facts leave their copies unexamined
    unknown = _without_differences(pairs)
    unseen = np.flatnonzero(there & ~template & BINDING[relation] & unknown)
    kinds[unseen] = _examined(texts, left[unseen], right[unseen], workers)
    every, dates, fields = kinds.sum(axis=1), kinds[:, DATE], kinds[:, field]
    tokens = np.minimum(*(np.asarray(pairs[f"tokens_{s}"]).astype(np.int64) for s in ("left", "right")))
    known = np.asarray(pc.is_valid(publishers)) if len(publishers) else np.zeros(0, bool)
    names = (
        np.asarray(publishers.fill_null("").dictionary_encode().indices) if len(publishers) else np.zeros(0, np.int64)
    )
    gap, both, same = np.full(n, np.nan), np.zeros(n, bool), np.zeros(n, bool)
    a, b = left[there], right[there]
    gap[there], both[there], same[there] = np.abs(seconds[a] - seconds[b]), known[a] & known[b], names[a] == names[b]
    # on a template of the run: unless all that differs is one slot, such as the name of the editor, or one figure in a long text
    stated = (every > fields) & (tokens <= SPARSE * every)
    filled = template & (stated | ((tokens >= PHRASE) & (unknown | (fields > 1))))
    dense = (every >= CONFLICTS) & (tokens <= SPARSE * every) | (every >= FEW) & (tokens <= DENSE * every)
    other_day = np.nan_to_num(gap, nan=-1.0) >= APART
    issued = (dates > 0) | (other_day & both & same)
    # of another publisher it may be a copy with wrong figures, unless both the text and its time are of another day
    stranger = both & ~same & ~(other_day | np.isnan(gap))
    mask: np.ndarray = filled | (there & ~template & dense & issued & ~stranger)
    return mask


def on_template(pairs: pa.Table) -> np.ndarray:
    """Return a boolean mask of the pairs that differ in a slot of a template."""
    return _with_kind(pairs, FIELD_NAME)


def _with_kind(pairs: pa.Table, kind: str) -> np.ndarray:
    """Return a mask of the pairs whose facts in conflict include a kind."""
    mask = np.zeros(len(pairs), bool)
    if "facts" in pairs.column_names:
        facts = pairs["facts"].combine_chunks()
        parent, value = pc.list_parent_indices(facts), pc.list_flatten(facts)
        mask[np.asarray(parent.filter(pc.equal(value, kind)))] = True
    return mask


def _without_differences(pairs: pa.Table) -> np.ndarray:
    if "differences" not in pairs.column_names:
        return np.ones(len(pairs), bool)
    return np.asarray(pc.is_null(pairs["differences"]))


def _conflicts(pairs: pa.Table) -> np.ndarray:
    """Return the number of conflicting differences of each pair by kind, int64 (pairs, kinds); 0 where none were stored."""
    if "differences" not in pairs.column_names:
        return np.zeros((len(pairs), len(DIFFERENCES)), np.int64)
    listed = pairs["differences"].combine_chunks()
    parent, value = np.asarray(pc.list_parent_indices(listed)), pc.list_flatten(listed)
    kind = np.asarray(pc.fill_null(pc.index_in(pc.struct_field(value, "kind"), pa.array(DIFFERENCES)), 0))
    conflict = np.asarray(pc.struct_field(value, "conflict")).astype(bool)
    return _tabled(len(pairs), parent[conflict], kind[conflict])


def _examined(texts: pa.Array, left: np.ndarray, right: np.ndarray, workers: int | None) -> np.ndarray:
    """Return the number of conflicting differences of pairs by kind, found in their texts."""
    if not len(left):
        return np.zeros((0, len(DIFFERENCES)), np.int64)
    docs, at = np.unique(np.concatenate([left, right]), return_inverse=True)
    every = np.ones(len(left), bool)
    named = Documents.from_texts(texts.take(pa.array(docs)))
    found = find_differences(form(), named, at[: len(left)], at[len(left) :], every, every, workers)
    parent = np.repeat(np.arange(len(left)), np.diff(found.offsets))
    return _tabled(len(left), parent[found.conflict], found.kind[found.conflict])


def _tabled(n: int, parent: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """Count differences by parent and kind, int64 (n, kinds)."""
    cell = parent.astype(np.int64) * len(DIFFERENCES) + kind.astype(np.int64)
    return np.bincount(cell, minlength=n * len(DIFFERENCES)).reshape(n, len(DIFFERENCES))
