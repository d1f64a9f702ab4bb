"""What tells the texts of a source from others, where there is no digest of its files in their order."""

from __future__ import annotations

import numpy as np

TEXTS = "texts"
"""Where run.json has it, for each input."""


def sum_of_texts(high: np.ndarray, low: np.ndarray, tokens: np.ndarray, row: np.ndarray) -> str:
    """The digests of the normal forms of the texts, each times an odd number made of its row, summed up: 32 hex digits.

    A sum can be made in any order, so also by many machines. Texts without a word are left out: theirs are no digests of the text.

    Args:
        high, low: uint64, both halves of the digest of each document.
        tokens: of each document.
        row: in its source.
    """
    worded = tokens > 0
    odd = 2 * row[worded].astype(np.uint64) + np.uint64(1)
    halves = (int((half[worded].astype(np.uint64) * odd).sum(dtype=np.uint64)) for half in (high, low))
    return joined(*halves)


def joined(high: int, low: int) -> str:
    """Both halves of a sum, each modulo 2 to the power of 64, as `sum_of_texts` gives them."""
    return "".join(f"{half % (1 << 64):016x}" for half in (high, low))
