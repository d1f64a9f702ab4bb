"""Neighbouring tokens of the fillers of a slot: what many fillers have is a value, what one has may be a slip.

Where one filler has `lamp` and the other `candle`, and other fillers of the slot end with either, both are values that stand there. A slip
makes a word, or an order of characters, that no other filler has.
"""

from __future__ import annotations

import numpy as np

from quchong.frames.columns import well_mixed
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import among, ordered

USUAL = 3
"""Different fillers of a slot that have two neighbouring tokens, at or above which these are usual there."""
_EDGE = 1 << 32
"""Neighbour of the first and of the last token of a filler; no token is as large."""


def usual_neighbours(tokens: Ragged, fillers: np.ndarray, slot: np.ndarray) -> np.ndarray:
    """Return hashes of the neighbouring tokens that at least USUAL fillers of one slot have: uint64, ascending, distinct.

    The beginning and the end of a filler are neighbours of its first and of its last token.

    Args:
        tokens: tokens of all fillers.
        fillers: int64, fillers that all differ within a slot.
        slot: int64, slot of each.

    Deterministic; empty for no fillers. Cost: a sort of their tokens.
    """
    sizes = tokens.lengths[fillers] + 1
    owner = np.repeat(np.arange(len(fillers)), sizes)
    keys = _neighbours(tokens, fillers[owner], slot[owner], positions_in_items(sizes))
    order = ordered(keys, owner)
    order = order[first_of_runs(keys[order], owner[order])]
    keys = keys[order]
    start = np.flatnonzero(first_of_runs(keys))
    usual: np.ndarray = keys[start][np.diff(np.append(start, len(keys))) >= USUAL]
    return usual


def usual_exchanges(tokens: Ragged, a: np.ndarray, b: np.ndarray, slot: np.ndarray, usual: np.ndarray) -> np.ndarray:
    """Return a mask of the filler pairs (a, b) whose differing tokens are usual in their slot on both sides.

    What differs is what is left between equal tokens at both ends; it is usual if it has a neighbour, or stands beside one, as other
    fillers have them.

    Args:
        tokens: tokens of all fillers.
        a, b: int64, fillers of each pair. slot: int64, their slot.
        usual: result of `usual_neighbours`.

    Cost: O(tokens of these fillers, times the logarithm of `usual`).
    """
    if not len(usual) or not len(a):
        return np.zeros(len(a), bool)
    sizes = tuple(tokens.offsets[side + 1] - tokens.offsets[side] for side in (a, b))
    least = np.minimum(*sizes)
    before = _equal_steps(tokens, tokens.offsets[a], tokens.offsets[b], least, 1)
    behind = _equal_steps(tokens, tokens.offsets[a + 1] - 1, tokens.offsets[b + 1] - 1, least - before, -1)
    out = np.ones(len(a), bool)
    for side, size in zip((a, b), sizes, strict=True):
        # Neighbours from the last equal token before to the first one behind.
        counts = size - before - behind + 1
        owner = np.repeat(np.arange(len(a)), counts)
        places = before[owner] + positions_in_items(counts)
        keys = _neighbours(tokens, side[owner], slot[owner], places)
        met = among(keys, usual)
        out &= np.bincount(owner[met], minlength=len(a)) > 0
    return out


def _neighbours(tokens: Ragged, filler: np.ndarray, slot: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return a hash of slot, previous token and token at each position of a filler, uint64; the position after the last counts too."""
    at, size = tokens.offsets[filler] + place, tokens.offsets[filler + 1] - tokens.offsets[filler]
    left, right = np.full(len(at), _EDGE, np.uint64), np.full(len(at), _EDGE, np.uint64)
    has_left, has_right = place > 0, place < size
    left[has_left] = tokens.tokens[at[has_left] - 1]
    right[has_right] = tokens.tokens[at[has_right]]
    mixed: np.ndarray = well_mixed(well_mixed(left) + well_mixed(right ^ np.uint64(1 << 33))) ^ well_mixed(slot)
    return mixed


def _equal_steps(tokens: Ragged, a: np.ndarray, b: np.ndarray, most: np.ndarray, step: int) -> np.ndarray:
    """Return how many tokens are equal from positions a and b on in direction `step`, at most `most`; int64."""
    owner = np.repeat(np.arange(len(a)), most)
    move = step * positions_in_items(most)
    other = np.flatnonzero(tokens.tokens[a[owner] + move] != tokens.tokens[b[owner] + move])
    steps = most.astype(np.int64)
    first = other[first_of_runs(owner[other])]
    steps[owner[first]] = np.abs(move[first])
    return steps
