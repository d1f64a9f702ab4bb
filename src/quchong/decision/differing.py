"""Differences of pairs as columns of tables: lists with offsets in the original texts, and kinds of facts in conflict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.passages import original
from quchong.kernels.arrays import places_of
from quchong.kernels.offsets import prefix_sums
from quchong.seam import Differences, DifferenceSteps, Documents, Measures, Method, active_differences
from quchong.tables import BY_TEMPLATES, DIFFERENCE, DIFFERENCES, FACTS, FIELD, LEDGER_DIFFERENCE, SAME_PAYLOAD
from quchong.text import Edit

FIGURES = ("facts", "aligned_left", "aligned_right", "unexplained")
"""Columns of PAIRS that `DifferenceSteps.find` measures."""
_LISTS, _FIELDS = pa.list_(DIFFERENCE), list(DIFFERENCE)
_WORDS, _MOST = pa.large_string(), 2**31 - 1
LONGEST = 800
"""Most characters of each side of a difference that a run stores; its offsets give its full length."""
_SWAPPED = (0, 1, 3, 2, 6, 7, 4, 5)


@cache
def _kinds() -> pa.Array:
    """Return the kinds of differences as an array; made at its first use, because the first array of a process loads pandas."""
    return pa.array(DIFFERENCES, pa.string())


def fills_otherwise(measures: Measures, pairs: int) -> np.ndarray:
    """Return a mask of the pairs of records on one template with different fillers in a slot; neither of such a pair is removed."""
    facts = measures.get("facts")
    mask: np.ndarray = np.zeros(pairs, bool) if facts is None else (facts & FIELD) != 0
    return mask


def says_the_same(measures: Measures, pairs: int) -> np.ndarray:
    """Return a mask of the pairs of records on two templates whose fillers are equal; they count as copies."""
    facts = measures.get("facts")
    mask: np.ndarray = np.zeros(pairs, bool) if facts is None else (facts & SAME_PAYLOAD) != 0
    return mask


def looked_at(
    method: Method, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None,
    edits: Mapping[int, Edit], names: np.ndarray,
) -> tuple[dict[str, np.ndarray], pa.Array | None]:  # fmt: skip
    """Find the differences of listed pairs; return the measures with those of differences added, and one list of differences per pair.

    Args:
        method, documents, left, right, measures, workers: see `DifferenceSteps.find`.
        edits: for each document that preparation changed, by its name, the map of offsets to the original.
        names: the name of each of `documents` in `edits`.

    Returns:
        The list is null for a pair whose differences are not reported; None instead of lists if the method determines no differences.
    """
    steps = active_differences(method)
    if steps is None:
        return dict(measures), None
    return looked_at_by(steps, documents, left, right, measures, workers, edits, names)


def looked_at_by(
    steps: DifferenceSteps, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures,
    workers: int | None, edits: Mapping[int, Edit], names: np.ndarray,
) -> tuple[dict[str, np.ndarray], pa.Array]:  # fmt: skip
    """Find the differences of listed pairs by the given steps; return extended measures and lists, as `looked_at`."""
    measures, found = _examined_by(steps, documents, left, right, measures, workers)
    return measures, difference_lists(found, found.told, edits, names[left], names[right])


def examine_differences(
    method: Method, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures, workers: int | None
) -> tuple[dict[str, np.ndarray], Differences | None]:  # fmt: skip
    """Find the differences of listed pairs, see `looked_at`; return the extended measures and the differences as they were found."""
    steps = active_differences(method)
    if steps is None:
        return dict(measures), None
    return _examined_by(steps, documents, left, right, measures, workers)


def _examined_by(
    steps: DifferenceSteps, documents: Documents, left: np.ndarray, right: np.ndarray, measures: Measures,
    workers: int | None,
) -> tuple[dict[str, np.ndarray], Differences]:  # fmt: skip
    """Find the differences of listed pairs by the given steps; return the extended measures, and the differences found."""
    found = steps.find(documents, left, right, measures, workers)
    known = measures.get("facts")
    measures = {**measures, **found.measures}
    if known is not None:  # the corpus tells what fills slots, not the two texts
        measures["facts"] = measures["facts"] | (known & BY_TEMPLATES)
    return measures, found


def difference_lists(
    found: Differences, kept: np.ndarray, edits: Mapping[int, Edit], left: np.ndarray, right: np.ndarray
) -> pa.Array:
    """Return one list of DIFFERENCE for each pair, null where the mask `kept` is False; offsets are in the original texts."""
    offsets, kind, conflict, places, words = _of_kept(found, kept, edits, left, right)
    columns = [
        _kinds().take(pa.array(kind)),
        pa.array(conflict),
        *(_cut_words(side) for side in words),
        *(pa.array(places[:, k]) for k in range(4)),
    ]
    return lists_of(offsets, pa.StructArray.from_arrays(columns, fields=_FIELDS), ~kept)


PlainDifference = tuple[str, bool, str, str, int, int, int, int]
"""One difference as plain values, in the order of the fields of DIFFERENCE."""


def plain_differences(
    found: Differences, kept: np.ndarray, edits: Mapping[int, Edit], left: np.ndarray, right: np.ndarray
) -> list[list[PlainDifference] | None]:
    """Return the lists of differences of `difference_lists` as plain Python values, faster for a few pairs."""
    offsets, kind, conflict, places, words = _of_kept(found, kept, edits, left, right)
    names = map(DIFFERENCES.__getitem__, kind.tolist())
    sides = [side.to_pylist() for side in words]
    sides = [side if max(map(len, side), default=0) <= LONGEST else [word[:LONGEST] for word in side] for side in sides]
    rows = list(zip(names, conflict.tolist(), *sides, *places.T.tolist(), strict=True))
    ends = offsets.tolist()
    return [rows[a:b] if some else None for a, b, some in zip(ends, ends[1:], kept.tolist(), strict=False)]


def _of_kept(
    found: Differences, kept: np.ndarray, edits: Mapping[int, Edit], left: np.ndarray, right: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[pa.Array]]:
    """Return the differences of the pairs in the mask `kept`: offsets of each pair's list, kind, conflict, original offsets, both words."""
    counts = found.offsets[1:] - found.offsets[:-1]
    some = kept.repeat(counts).nonzero()[0]
    kind, conflict, places, words = found.kind, found.conflict, found.places, [found.left, found.right]
    if len(some) < len(kind):
        kind, conflict, places, which = kind[some], conflict[some], places[some], pa.array(some)
        words = [side.take(which) for side in words]
    offsets = prefix_sums(np.where(kept, counts, 0))
    if edits:
        full = np.flatnonzero(np.diff(offsets))
        places = original(edits, left[full], right[full], np.append(offsets[full], len(some)), places)
    return offsets, kind, conflict, places, words


def _cut_words(words: pa.Array) -> pa.Array:
    """Cut strings to LONGEST characters, if any is longer; a single token may be as long as a text."""
    if words.type != _WORDS:
        words = words.cast(_WORDS)
    ends = np.frombuffer(words.buffers()[1], np.int64)[words.offset : words.offset + len(words) + 1]
    if (ends[1:] - ends[:-1]).max(initial=0) <= LONGEST:
        return words
    return pc.utf8_slice_codeunits(words, 0, LONGEST)


def lists_of(offsets: np.ndarray, values: pa.StructArray, null: np.ndarray) -> pa.Array:
    """Build an Arrow array of lists from offsets and values, null where the mask is set."""
    kind = pa.list_(values.type)
    ends = pa.array(offsets.astype(np.int32) if offsets[-1] <= _MOST else offsets, pa.int32())
    return pa.ListArray.from_arrays(ends, values, type=kind, mask=pa.array(null))


def split_lists(lists: pa.Array) -> tuple[np.ndarray, pa.StructArray, np.ndarray]:
    """Split Arrow lists into offsets, values and the mask of null lists."""
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    return prefix_sums(lengths), lists.flatten(), lists.is_null().to_numpy(zero_copy_only=False)


def turned(lists: pa.Array, flip: np.ndarray) -> pa.Array:
    """Return lists of DIFFERENCE with left and right exchanged in those that the mask `flip` selects."""
    return gather_lists([lists], np.arange(len(lists)), flip) if flip.any() else lists


def gather_lists(parts: Sequence[pa.Array], index: np.ndarray, flip: np.ndarray) -> pa.Array:
    """Gather lists of DIFFERENCE from several arrays, by index over all of them; those of the mask `flip` with left and right exchanged.

    Args:
        parts: lists of DIFFERENCE.
        index: int64, (n,): numbers of the lists; -1 for null.
        flip: bool, (n,): True if left and right are to be exchanged.

    Cost: O(differences chosen). One column is built at a time, so that memory holds only parts and result.
    """
    # Number all lists and all differences over the parts; index -1 finds the null list appended at the end.
    every = [split_lists(part) for part in parts]
    counts = np.concatenate([*(np.diff(offsets) for offsets, _, _ in every), [0]])  # the last is what -1 names: null
    none = np.concatenate([*(null for _, _, null in every), [True]])[index]
    first, lengths = (np.cumsum(counts) - counts)[index], counts[index]
    ends = np.cumsum(lengths)
    at = places_of(first, lengths)
    turn = np.repeat(flip, lengths)
    turns = bool(turn.any())
    # For an exchanged pair, a sided column is read from the column of the other side, appended after its own.
    across = pa.array(np.where(turn, at + counts.sum(), at))
    plain = pa.array(at)
    columns = [values.flatten() for _, values, _ in every]
    taken = []
    for k, other in enumerate(_SWAPPED):
        mirror = [c[other] for c in columns] if turns and other != k else []
        taken.append(pa.concat_arrays([c[k] for c in columns] + mirror).take(across if mirror else plain))
    return lists_of(np.concatenate([[0], ends]), pa.StructArray.from_arrays(taken, fields=list(DIFFERENCE)), none)


def of_ledger(lists: pa.Array) -> pa.Array:
    """Convert lists of DIFFERENCE, whose left document is the removed one, to the ledger's type; null becomes an empty list."""
    offsets, values, _ = split_lists(lists)
    struct = pa.StructArray.from_arrays(values.flatten(), fields=list(LEDGER_DIFFERENCE))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), struct, type=pa.list_(LEDGER_DIFFERENCE))


def no_lists(n: int) -> pa.Array:
    """Return `n` null lists."""
    return pa.nulls(n, _LISTS)


def fact_names(mask: np.ndarray) -> pa.Array:
    """Decode bit masks of kinds of facts to lists of their names, in the order of FACTS."""
    some = np.flatnonzero(mask)  # most pairs have none
    bits = (mask[some, None].astype(np.int64) >> np.arange(len(FACTS))) & 1
    counts = np.zeros(len(mask), np.int64)
    counts[some] = bits.sum(1)
    offsets = prefix_sums(counts)
    names = pa.array(FACTS, pa.string()).take(pa.array(np.nonzero(bits)[1]))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), names)


def fact_bits(lists: pa.Array) -> np.ndarray:
    """Encode lists of fact names as bit masks, uint16: bit k for FACTS[k]; reverses `fact_names`."""
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    kind = pc.index_in(lists.flatten().cast(pa.string()), pa.array(FACTS, pa.string()))
    bits = np.left_shift(1, kind.to_numpy(zero_copy_only=False).astype(np.int64)).astype(np.uint16)
    out = np.zeros(len(lists), np.uint16)
    np.bitwise_or.at(out, np.repeat(np.arange(len(lists)), lengths), bits)
    return out


def removed_differences(
    method: Method, documents: Documents, removed: np.ndarray, survivor: np.ndarray, turn: np.ndarray, workers: int | None,
    edits: Mapping[int, Edit], names: np.ndarray,
) -> pa.Array:  # fmt: skip
    """Return differences of the removed documents (left) from their survivors (right), one list each; null if the method finds none.

    Args:
        turn: mask of the pairs whose survivor has the smaller id; it is compared as the left one, as in a run.
        method, documents, workers, edits, names: see `looked_at`.
    """
    left, right = np.where(turn, survivor, removed), np.where(turn, removed, survivor)
    steps = active_differences(method)
    if steps is None:
        return no_lists(len(left))
    found = steps.find(documents, left, right, method.score(documents, left, right, workers), workers)
    return turned(difference_lists(found, np.ones(len(left), bool), edits, names[left], names[right]), turn)
