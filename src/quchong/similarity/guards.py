"""Guards: tests on figures and names that separate template siblings from copies.

Source: docs/decisions/0011-thresholds-and-guards-measured-here.md, measured by this project.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged
from quchong.similarity.places import place_names
from quchong.similarity.thresholds import (
    BRIEF_TOKENS,
    FEW,
    LIKE_SIZE,
    LONG_TOKENS,
    PRESETS,
    TINY_TOKENS,
    Thresholds,
    levels_of,
)
from quchong.tables import SAME_FIELDS

WORD_TOKEN, NUMBER_TOKEN = np.uint32(0x80000000), np.uint32(0xC0000000)  # marks of tokens, as in cpp/text/text.hpp
SWAP_TOKENS = 300  # the name-swap guard looks at pairs whose shorter text is shorter than this ...
SWAP_RATIO = 2  # ... and the longer one at most this many times as long: others are no template siblings
SWAP_JACCARD = 0.9
REPLACED = 2  # least characters replaced on both sides: a word for a word
UNSEEN = -1  # in `name_swap`: not computed, because the pair was no copy at any threshold; null in PAIRS
PLACE_JACCARD = 0.85  # above, a copy may name its own place in a line of its own


def guard_columns(
    docs: Ragged,
    left: np.ndarray,
    right: np.ndarray,
    measures: Mapping[str, np.ndarray],
    thresholds: Thresholds,
    workers: int | None = None,
    *,
    words: bool = False,
) -> dict[str, np.ndarray]:
    """Return the columns of PAIRS by which guards decide: common and conflicting numbers, swapped names, mere additions.

    Numbers are compared for all pairs. Names and places cost an alignment and are compared only if a preset, or the thresholds given, could
    accept the pair as a copy; elsewhere `name_swap` (int8) is UNSEEN. With `words`, in Chinese pairs every token that is not a single
    character counts as a number, and below 60 tokens a word that is replaced or moved counts as a name swap.
    """
    few = _few_guards(docs, left, right, measures, thresholds, workers) if len(left) <= FEW and not words else None
    if few is not None:
        return few
    # (1) Numbers in common, in conflict, distinct on either side. With `words` the marks of word tokens are set so that they count as
    # numbers.
    numbers = kernels.pairs.compare_numbers(docs, left, right, workers).astype(np.int64)
    if words:
        figures = np.where(docs.tokens >= WORD_TOKEN, docs.tokens | NUMBER_TOKEN, docs.tokens)
        han = measures["han"].nonzero()[0]
        numbers[han] = kernels.pairs.compare_numbers(Ragged(figures, docs.offsets), left[han], right[han], workers)
    fewer = np.minimum(numbers[:, 3], numbers[:, 4])
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer, jaccard = np.minimum(n_left, n_right), np.maximum(n_left, n_right), measures["jaccard"]
    enough = np.where(words & (shorter < BRIEF_TOKENS), 1, 2)  # of numbers on either side to say how many they share
    # (2) Names and places: only Chinese pairs of like length are meant, and only possible copies among them are aligned; the rest of
    # those meant are UNSEEN.
    meant = measures["han"] & (longer <= SWAP_RATIO * shorter)
    alike = meant & _may_be_copies(measures, shorter, longer, thresholds) if np.count_nonzero(meant) else meant.copy()
    meant &= ((shorter < SWAP_TOKENS) & (jaccard < SWAP_JACCARD)) | (words & (shorter < BRIEF_TOKENS))
    name_swap = np.where(meant & ~alike, UNSEEN, 0).astype(np.int8)
    # A name swap is one word replaced by another repeatedly; places are compared in short texts that are not nearly equal.
    # Kernels check their arguments at each call, so that none is called for no pair.
    swap = (alike & (shorter < SWAP_TOKENS) & (jaccard < SWAP_JACCARD)).nonzero()[0]
    if len(swap):
        name_swap[swap] = (
            kernels.pairs.repeated_swaps(docs, left[swap], right[swap], SWAP_RATIO * SWAP_TOKENS**2, workers) != 0
        )
    place = (alike & (shorter < LONG_TOKENS) & (jaccard < PLACE_JACCARD)).nonzero()[0]
    if len(place):
        name_swap[place] |= kernels.pairs.disjoint_places(docs, left[place], right[place], place_names(), workers) != 0
    if words:
        brief = (alike & (shorter < BRIEF_TOKENS)).nonzero()[0]
        replaced = kernels.pairs.replaced_words(docs, left[brief], right[brief], SWAP_RATIO * BRIEF_TOKENS**2, workers)
        name_swap[brief] |= replaced >= REPLACED
    # (3) Tiny texts: tokens only inserted or deleted, with the same numbers on both sides.
    added = np.zeros(len(left), bool)
    tiny = (shorter < TINY_TOKENS).nonzero()[0]
    if len(tiny):
        same_numbers = (numbers[tiny, 2] == numbers[tiny, 3]) & (numbers[tiny, 2] == numbers[tiny, 4])
        added[tiny] = same_numbers & (kernels.pairs.added_only(docs, left[tiny], right[tiny], workers) != 0)
    return {
        "shared_numbers": numbers[:, 0],
        "conflicting_numbers": numbers[:, 1],
        "number_overlap": np.where(fewer >= enough, numbers[:, 2] / np.maximum(fewer, 1), 1.0),
        "name_swap": name_swap,
        "edits_only_added": added,
    }


def _few_guards(
    docs: Ragged, left: np.ndarray, right: np.ndarray, measures: Mapping[str, np.ndarray], thresholds: Thresholds, workers: int | None
) -> dict[str, np.ndarray] | None:  # fmt: skip
    """Return what `guard_columns` returns for a few pairs, computed on Python values; None if texts must be looked at.

    `tests/properties/test_few_relations.py` holds it to the columns.
    """
    names = ("tokens_left", "tokens_right", "han", "jaccard", "containment_left", "containment_right")
    lenient, swaps = PRESETS["lenient"], list[int]()
    for n_left, n_right, han, jaccard, one, other in zip(*(measures[name].tolist() for name in names), strict=True):
        shorter, longer = (n_left, n_right) if n_left < n_right else (n_right, n_left)
        if shorter < TINY_TOKENS:
            return None
        swap, alike, inside = 0, False, max(one, other)
        if han and longer <= SWAP_RATIO * shorter:
            levels = (levels_of(each)[min(shorter, LONG_TOKENS)] for each in (lenient, thresholds))
            reached = inside >= min(lenient.containment, thresholds.containment)
            alike = jaccard >= min(levels) or (reached and longer < LIKE_SIZE * shorter)
            if shorter < SWAP_TOKENS and jaccard < SWAP_JACCARD:
                swap = 0 if alike else UNSEEN
        if alike and (
            (shorter < SWAP_TOKENS and jaccard < SWAP_JACCARD) or (shorter < LONG_TOKENS and jaccard < PLACE_JACCARD)
        ):
            return None
        swaps.append(swap)
    numbers = kernels.pairs.compare_numbers(docs, left, right, workers).astype(np.int64)
    fewer = [min(row[3:]) for row in numbers.tolist()]
    overlap = [row[2] / least if least >= 2 else 1.0 for row, least in zip(numbers.tolist(), fewer, strict=True)]
    return {
        "shared_numbers": numbers[:, 0],
        "conflicting_numbers": numbers[:, 1],
        "number_overlap": np.array(overlap, np.float64),
        "name_swap": np.array(swaps, np.int8),
        "edits_only_added": np.zeros(len(swaps), bool),
    }


def _may_be_copies(
    measures: Mapping[str, np.ndarray], shorter: np.ndarray, longer: np.ndarray, thresholds: Thresholds
) -> np.ndarray:
    """Return a mask of the pairs that could be duplicate or contained by the preset "lenient" or by `thresholds`.

    Containment counts only between texts of like size.
    """
    han, lenient = measures["han"], PRESETS["lenient"]
    least = np.minimum(lenient.jaccard_for(shorter, han), thresholds.jaccard_for(shorter, han))
    inside = np.maximum(measures["containment_left"], measures["containment_right"])
    reached = inside >= np.minimum(lenient.containment_for(han), thresholds.containment_for(han))
    out: np.ndarray = (measures["jaccard"] >= least) | (reached & (longer < LIKE_SIZE * shorter))
    return out


ALIGNED_JACCARD, ALIGNED_SIZE = 0.3, 0.75
"""Least Jaccard, and least ratio of lengths, of two texts that may still be one text with noise or light rewording."""


def near_by_shares(measures: Mapping[str, np.ndarray], thresholds: Thresholds) -> np.ndarray:
    """Return a mask of the pairs that a rule of `decide` may accept by Jaccard and containment alone, whatever their differences are.

    It is the only place that defines these pairs: `worth_aligning` has each of them aligned, and `decide` accepts others only by alignment.
    """
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"]).astype(np.int64)
    han, jaccard = measures["han"], measures["jaccard"]
    inside = np.maximum(measures["containment_left"], measures["containment_right"])
    out: np.ndarray = (inside >= thresholds.containment_for(han)) | (jaccard >= thresholds.jaccard_for(shorter, han))
    tiny = shorter < TINY_TOKENS
    if np.count_nonzero(tiny):
        out |= measures["edits_only_added"] & tiny & (jaccard >= thresholds.tiny_jaccard)
    return out


def worth_aligning(measures: Mapping[str, np.ndarray], thresholds: Thresholds) -> tuple[np.ndarray, np.ndarray]:
    """Return two masks of pairs: those to align for finding differences, and those whose differences are always reported.

    Differences are reported for pairs that these thresholds, or the most lenient preset, could accept as a copy (`near_by_shares`). Pairs
    of about one size from ALIGNED_JACCARD on are aligned too, because they may be one text with noise in it.
    """
    if len(measures["jaccard"]) <= FEW and (few := _few_worth(measures, thresholds)) is not None:
        return few
    n_left, n_right = measures["tokens_left"].astype(np.int64), measures["tokens_right"].astype(np.int64)
    shorter, longer = np.minimum(n_left, n_right), np.maximum(n_left, n_right)
    told = near_by_shares(measures, thresholds) | near_by_shares(measures, PRESETS["lenient"])
    if (known := measures.get("facts")) is not None:  # templates tell that they are one record unless facts conflict
        told |= (known & np.uint16(SAME_FIELDS)) != 0
    looked: np.ndarray = told | ((measures["jaccard"] >= ALIGNED_JACCARD) & (shorter >= ALIGNED_SIZE * longer))
    return looked, told


def _few_worth(measures: Mapping[str, np.ndarray], thresholds: Thresholds) -> tuple[np.ndarray, np.ndarray] | None:
    """Return what `worth_aligning` returns for a few pairs, computed on Python values; None for unusual values.

    `tests/properties/test_few_relations.py` holds it to the columns.
    """
    shares = measures["jaccard"], measures["containment_left"], measures["containment_right"]
    if any(values.dtype != np.float64 for values in shares):
        return None
    known = measures.get("facts")
    kinds = [0] * len(shares[0]) if known is None else known.tolist()
    looked, told = np.zeros(len(kinds), bool), np.zeros(len(kinds), bool)
    columns = (measures[name].tolist() for name in ("tokens_left", "tokens_right", "han"))
    rows = zip(*columns, *(values.tolist() for values in shares), strict=True)
    for i, (n_left, n_right, han, jaccard, left, right) in enumerate(rows):
        shorter, longer = (n_left, n_right) if n_left < n_right else (n_right, n_left)
        if shorter < TINY_TOKENS or left != left or right != right:
            return None
        inside = max(left, right)
        told[i] = kinds[i] & SAME_FIELDS or any(
            inside >= one.containment or jaccard >= levels_of(one)[min(shorter, LONG_TOKENS)]
            if han
            else inside >= one.latin_containment or jaccard >= one.latin_jaccard
            for one in (thresholds, PRESETS["lenient"])
        )
        looked[i] = told[i] or (jaccard >= ALIGNED_JACCARD and shorter >= ALIGNED_SIZE * longer)
    return looked, told


def numbers_conflict(measures: Mapping[str, np.ndarray], *, strict: bool = False) -> np.ndarray:
    """Return a mask of the pairs whose numbers in equal contexts differ enough to state different facts.

    With `strict`, below 60 tokens one difference is enough, in any context: a number that the other text lacks.
    """
    shorter = np.minimum(measures["tokens_left"], measures["tokens_right"])
    conflicts, shared = measures["conflicting_numbers"].astype(np.int64), np.maximum(measures["shared_numbers"], 1)
    overlap, jaccard = measures["number_overlap"], measures["jaccard"]
    out: np.ndarray = counts_conflict(conflicts, shared, overlap, shorter, jaccard, strict=strict)
    return out


def counts_conflict(conflicts: Any, shared: Any, overlap: Any, shorter: Any, jaccard: Any, *, strict: bool) -> Any:
    """Return True (a mask for arrays) if counts of numbers say that different facts are stated, see `numbers_conflict`.

    Args:
        conflicts, shared: numbers in equal contexts that differ, and those contexts, at least 1.
        overlap: share of the numbers that both texts have.
        shorter: tokens of the shorter text.
        jaccard: Jaccard of the pair.
    """
    ratio = conflicts / shared
    # Two conflicts that are 8% of the shared numbers, or one that is an eighth in a short and less similar pair, or too few numbers in
    # common.
    told = (
        ((conflicts >= 2) & (ratio >= 0.08))
        | ((conflicts >= 1) & (ratio >= 0.125) & (shorter < LONG_TOKENS) & (jaccard < 0.85))
        | (overlap < 0.6)
    )
    if strict:
        told |= (shorter < BRIEF_TOKENS) & ((conflicts >= 1) | (overlap < 1))
    return told


def names_conflict(measures: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a mask of the pairs in which a name or place is replaced by another, as in documents made from one template."""
    out: np.ndarray = (measures["name_swap"] == 1) & (measures["jaccard"] < SWAP_JACCARD)
    return out
