"""Offsets in many texts as single integers, so that one search serves all texts."""

from __future__ import annotations

import numpy as np


def place_keys(places: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return text << 32.

    offset, int64: ascending if the offsets of each text are.

    Args:
        places: characters of a text (below 2**32), those of one text after those of another.
        counts: how many of them each text has. Of no places there are no keys.
    """
    text = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    out: np.ndarray = text << 32 | places.astype(np.int64)
    return out


def pieces_of(begins: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the last piece that begins at or before each offset, int64; -1 if no piece does.

    Args:
        begins: where the pieces (sentences, tokens) of all texts begin, keys in ascending order.
        keys: of the places.

    Where none of its own text begins so early, it is the last piece of a text before. Cost: a binary search a place.
    """
    return np.searchsorted(begins, keys, side="right") - 1
