"""Ids of a run's documents: taken from the input or made from file and row, made unique, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.io.arrays import as_strings
from quchong.io.source import Source
from quchong.kernels.offsets import first_of_runs
from quchong.tables import REFERENCE_PREFIX

PIECE = 1 << 20
"""Ids compared at once."""

Ordering = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of documents and their groups (int64 both) that returns the permutation sorting them by group, then by content."""
RENAMED = pa.schema([pa.field("document", pa.int64()), pa.field("given", pa.large_string())])
"""Documents whose id was changed, with the id in the input."""
_NUMBERED = r"(?s)\A(?P<base>.*)~(?P<number>[1-9][0-9]*)\z"


def given_ids(
    given: pa.ChunkedArray, sources: Sequence[Source], source: np.ndarray, row: np.ndarray, references: int
) -> pa.Array:
    """Return the ids of all documents: the id in the input, or file#row without one; ids of references get their prefix.

    Args:
        given: the ids in the input, null for documents without one; references first.
        sources, source, row: the sources, and the source and row number of each document.
        references: number of reference documents.
    """
    ids = as_strings(given)
    if ids.null_count:
        names = pa.array([s.name for s in sources], pa.large_string()).take(pa.array(source))
        made = pc.binary_join_element_wise(names, pc.cast(pa.array(row), pa.large_string()), _large("#"))
        ids = pc.coalesce(ids, made)
    if references:
        prefixed = pc.binary_join_element_wise(_large(REFERENCE_PREFIX), ids.slice(0, references), _large(""))
        ids = pa.concat_arrays([as_strings(prefixed), ids.slice(references)])
    return ids


def _large(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())


def unique(ids: pa.Array, ordering: Ordering) -> tuple[pa.Array, pa.Table, np.ndarray]:
    """Make ids unique: repeated ids become id~2, id~3, ...; return the ids, a table of the renamed ones, and the ranks of the ids.

    Args:
        ids: large_string, without nulls.
        ordering: function that sorts documents of one id.

    Returns:
        The ids; RENAMED, by document; rank of each document by its new id, int64.

    Memory: some 100 bytes for each document that repeats an id, and the ids; no text is held.
    """
    # Equal ids are neighbours in sorted order: `same` marks each one that repeats the id before it.
    order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    same = np.zeros(len(ids), bool)
    for start in range(1, len(ids), PIECE):
        ordered = ids.take(pa.array(order[start - 1 : start + PIECE]))
        equal = pc.equal(ordered.slice(1), ordered.slice(0, len(ordered) - 1))
        same[start : start + len(equal)] = equal.to_numpy(zero_copy_only=False)
    renamed = RENAMED.empty_table()
    if same.any():
        documents, given, number = _numbers(ids, order, same, ordering)
        names = pc.binary_join_element_wise(given, pc.cast(pa.array(number), pa.large_string()), _large("~"))
        place = np.argsort(documents)
        renamed = pa.table([pa.array(documents[place]), given.take(pa.array(place))], schema=RENAMED)
        other = np.zeros(len(ids), bool)
        other[documents] = True
        ids = pc.replace_with_mask(ids, pa.array(other), names.take(pa.array(place)))
        del names, other, given
        order = pc.sort_indices(ids).to_numpy().astype(np.int64)
    rank_of = np.empty(len(ids), np.int64)
    rank_of[order] = np.arange(len(ids))
    return ids, renamed, rank_of


def _numbers(
    ids: pa.Array, order: np.ndarray, same: np.ndarray, ordering: Ordering
) -> tuple[np.ndarray, pa.Array, np.ndarray]:
    """Return the rows of documents that need another id, their bases and the numbers to append.

    Args:
        order: int64, documents sorted by id.
        same: bool, True if a document in that order has the id of the one before it.

    Returns:
        The documents, int64; the id of each in the input; the number to append to it, int64.
    """
    again = same.copy()
    again[:-1] |= same[1:]  # the first of each id too
    documents = order[again]
    # Number the groups of equal ids from 1 without gaps, sort within them, and count each document's position in its group.
    group = np.cumsum(~same)[again]
    group = np.cumsum(np.diff(group, prepend=group[:1]) != 0)
    sorted_places = ordering(documents, group)
    documents, group = documents[sorted_places], group[sorted_places]
    first = np.flatnonzero(first_of_runs(group))
    number = np.arange(len(documents)) - first[group] + 1
    # An id such as a~2 may have been given: numbers that would make it again are passed over.
    bases = ids.take(pa.array(documents[first]))
    given = _numbers_given(ids, bases)
    for one in np.flatnonzero(pc.is_in(bases, pa.array(given, pa.large_string()))).tolist():
        used = given[bases[one].as_py()]
        mine = slice(int(first[one]) + 1, int(first[one + 1]) if one + 1 < len(first) else len(documents))
        free = np.setdiff1d(np.arange(2, mine.stop - mine.start + len(used) + 2), used)
        number[mine] = free[: mine.stop - mine.start]
    others = number > 1
    documents = documents[others]
    return documents, ids.take(pa.array(documents)), number[others]


def _numbers_given(ids: pa.Array, bases: pa.Array) -> dict[str, list[int]]:
    """Return for each base id the numbers n for which base~n is an id of the input; other bases are left out."""
    tilde = ids.filter(pc.match_substring(ids, "~"))
    parts = pc.extract_regex(tilde, _NUMBERED)
    parts = parts.filter(parts.is_valid())
    mine = pc.is_in(parts.field("base"), bases)
    found: dict[str, list[int]] = {}
    for base, number in zip(
        parts.field("base").filter(mine).to_pylist(), parts.field("number").filter(mine).to_pylist(), strict=True
    ):
        if len(number) < 19:  # a longer one is never made
            found.setdefault(base, []).append(int(number))
    return found
