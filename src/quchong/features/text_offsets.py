"""Offsets in many texts as single integers, so that one search serves all texts."""

from __future__ import annotations

import numpy as np


def place_keys(places: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return a key for each offset, int64: the number of its text times 2**32, plus the offset.

    They ascend if the offsets of each text do.

    Args:
        places: character offsets (below 2**32), text after text.
        counts: number of offsets of each text. No offsets give no keys.
    """
    text = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    out: np.ndarray = text << 32 | places.astype(np.int64)
    return out


def pieces_of(begins: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return for each offset the last piece that begins at or before it, int64; -1 if none does.

    Args:
        begins: keys of the beginnings of the pieces (sentences, tokens) of all texts, ascending.
        keys: keys of the offsets.

    If no piece of its own text begins so early, the result is the last piece of an earlier text. Cost: a binary search for each offset.
    """
    return np.searchsorted(begins, keys, side="right") - 1
