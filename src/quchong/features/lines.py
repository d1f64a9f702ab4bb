"""Lines of texts, and the line that contains each token."""

from __future__ import annotations

import numpy as np

from quchong.features.text_offsets import place_keys
from quchong.kernels.arrays import Texts
from quchong.kernels.text import Tokenised, TokenNames


def line_ends(texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of lines (keys of `place_keys`, after the line break), ascending, and the number of lines of each text (int64)."""
    ends = [np.cumsum([len(line) + 1 for line in texts.text(i).split("\n")]) for i in range(len(texts))]
    counts = np.array([len(x) for x in ends], np.int64)
    return place_keys(np.concatenate([np.zeros(0, np.int64), *ends]), counts), counts


def lines_of_tokens(ends: np.ndarray, found: TokenNames | Tokenised) -> np.ndarray:
    """Return the line each token begins in, int64, numbered over all texts; `found` with places."""
    return np.searchsorted(ends, place_keys(found.start, found.docs.lengths), side="right")
