"""Which pair to ask about next: from the stratum that teaches most, one at random."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from quchong.kernels.hashing import mix64
from quchong.review.strata import Strata

POWER = 0.25
"""Of the size of a stratum in what it is worth: 1 would serve the estimates alone, 0 the line alone."""


def next_pair(
    strata: Strata, labels: Iterable[tuple[int, str, bool]], seed: int = 0, skipped: Iterable[int] = ()
) -> int | None:
    """The row of PAIRS to ask about next; None where every pair has a label or was skipped.

    Strata are asked where the answer is least certain: a stratum of N pairs, of which n were labelled and a share p is expected to be
    copies, is worth N^POWER sqrt(p (1 - p)) / (n + 1). The power keeps large strata far from the line from taking all (power
    allocation, Bankier 1988). What the labels say plays no part: else a stratum that began well would be asked no more, and the
    estimates would be too good. Within a stratum pairs are drawn in an order at random by the seed, so that those labelled are a fair
    sample of it.

    Args:
        strata: of the run.
        labels: row of PAIRS, label, and whether the desk drew it.
        seed: another one draws other pairs.
        skipped: rows not to ask about now.

    Deterministic given strata, labels, seed and what was skipped. Cost: one pass over the pairs.
    """
    tried, out = np.zeros(len(strata.kinds)), np.zeros(len(strata.of), bool)
    for row, label, _ in labels:
        out[row] = True
        if (stratum := strata.of[row]) >= 0 and label != "unsure":
            tried[stratum] += 1
    out[[row for row in skipped if 0 <= row < len(out)]] = True
    free = np.flatnonzero(~out & (strata.of >= 0))
    if not len(free):
        return None
    left = np.bincount(strata.of[free], minlength=len(strata.kinds))
    share = np.array([kind.prior for kind in strata.kinds])
    sizes = np.array([kind.size for kind in strata.kinds])
    worth = np.where(left > 0, sizes**POWER * np.sqrt(share * (1 - share)) / (tried + 1), -1.0)
    mine = free[strata.of[free] == int(np.argmax(worth))]
    return int(mine[np.argmin(ranks(mine, seed))])


def ranks(rows: np.ndarray, seed: int) -> np.ndarray:
    """A number for each row, uint64, in whose order they are drawn: at random by the seed, and the same everywhere."""
    start = mix64(np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64))
    return mix64(mix64(rows.astype(np.uint64)) ^ start)
