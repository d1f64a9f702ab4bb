"""Passages that documents share: search in pairs of texts, offsets in the originals, and columns of the ledger."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.kernels.offsets import prefix_sums
from quchong.seam import Documents, Method, Spans
from quchong.tables import PASSAGE
from quchong.text import Edit

SHORTEST = 8
"""Least tokens of a passage; in short texts a quarter of the shorter one, but 2 at least."""


def find_passages(
    method: Method, documents: Documents, left: np.ndarray, right: np.ndarray, tokens: np.ndarray, same: np.ndarray,
    workers: int | None,
) -> Spans:  # fmt: skip
    """Find the passages of pairs: those that the method provides, else maximal equal sequences of tokens.

    Args:
        tokens: number of tokens of the shorter text of each pair. Passages have at least 8 tokens, fewer in short texts.
        same: mask of the pairs with equal normal forms: such a pair is one passage, whatever the method counts.
    """
    own, whole = np.flatnonzero(~same), np.flatnonzero(same)
    passages_of = method.extras.passages
    found = None if passages_of is None else passages_of(documents, left[own], right[own], workers)
    if found is not None:
        if not len(whole):
            return found
        equal = _equal_runs(method.form, documents, left[whole], right[whole], tokens[whole], workers)
        return _merged(len(left), (own, found), (whole, equal))
    return _equal_runs(method.form, documents, left, right, tokens, workers)


def _equal_runs(
    form: kernels.text.Form | None, documents: Documents, left: np.ndarray, right: np.ndarray, tokens: np.ndarray,
    workers: int | None,
) -> Spans:  # fmt: skip
    if form is None:
        return Spans.from_offsets(np.zeros(len(left) + 1, np.int64), np.zeros((0, 4), np.int64))
    shortest = np.clip(tokens // 4, 2, SHORTEST).astype(np.uint32)
    width = np.where(tokens >= 3 * SHORTEST, 5, 2).astype(np.uint8)
    return Spans.from_offsets(*kernels.align.passages(form, documents.texts, left, right, width, shortest, workers))


def _merged(pairs: int, *parts: tuple[np.ndarray, Spans]) -> Spans:
    """Merge the spans of disjoint subsets of pairs into the spans of all `pairs`."""
    pair = np.concatenate([index[spans.pair] for index, spans in parts])
    order = np.argsort(pair, kind="stable")
    counts = np.bincount(pair, minlength=pairs)
    return Spans(
        prefix_sums(counts),
        np.concatenate([spans.places for _, spans in parts])[order],
        np.concatenate([spans.exact for _, spans in parts])[order],
    )


def original(
    edits: Mapping[int, Edit], left: np.ndarray, right: np.ndarray, offsets: np.ndarray, places: np.ndarray
) -> np.ndarray:
    """Convert offsets of passages in prepared texts (`places`) to offsets in the original texts; `edits` has the edit of each document."""
    if not edits:
        return places
    out = places.copy()
    for docs, columns in ((left, slice(0, 2)), (right, slice(2, 4))):
        for i in _edited(edits, docs):
            edit = edits[int(docs[i])]
            for k in range(int(offsets[i]), int(offsets[i + 1])):
                out[k, columns] = edit.back(int(places[k, columns][0]), int(places[k, columns][1]))
    return out


def _edited(edits: Mapping[int, Edit], docs: np.ndarray) -> list[int]:
    """Return the indices in `docs` of documents that preparation changed; the shorter of the two lists is iterated."""
    if len(edits) > len(docs):
        return [i for i, doc in enumerate(docs.tolist()) if doc in edits]
    found: list[int] = np.flatnonzero(np.isin(docs, np.fromiter(edits, np.int64))).tolist()
    return found


def passage_lists(offsets: np.ndarray, places: np.ndarray, exact: np.ndarray) -> pa.Array:
    """Build the ledger's column of passages: a list of PASSAGE for each pair."""
    columns = [pa.array(places[:, k]) for k in range(4)] + [kinds(exact)]
    struct = pa.StructArray.from_arrays(columns, fields=list(PASSAGE))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), struct, type=pa.list_(PASSAGE))


def kinds(exact: np.ndarray) -> pa.Array:
    """Return the kind of each passage by name: "exact" or "near"."""
    return pa.DictionaryArray.from_arrays(pa.array(np.where(exact, 0, 1), pa.int8()), ["exact", "near"]).cast(
        pa.string()
    )
