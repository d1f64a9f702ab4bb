"""Choice of the next pair to ask about: a random one from the most informative stratum."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from quchong.evaluation.strata import Strata
from quchong.kernels.hashing import mix64

POWER = 0.25
"""Exponent of a stratum's size in its worth.

1 would serve only the estimates, 0 only the pairs near the threshold.
"""


def next_pair(
    strata: Strata, labels: Iterable[tuple[int, str, bool]], seed: int = 0, skipped: Iterable[int] = ()
) -> int | None:
    """Return the row of PAIRS to ask about next; None if every pair has a label or was skipped.

    The stratum with the most uncertain answer is asked about. A stratum of N pairs, of which n were labelled and a
    share p is expected to be copies, is worth N^POWER sqrt(p (1 - p)) / (n + 1). The power keeps large strata far
    from the threshold from taking all questions (power allocation, Bankier 1988). The labels given do not matter:
    otherwise a stratum with good first labels would be asked no more, and the estimates would be too good. Within a
    stratum, pairs are drawn in a random order by the seed, so that the labelled ones are a fair sample.

    Args:
        strata: strata of the run.
        labels: row of PAIRS, label, and whether the desk drew it.
        seed: another seed draws other pairs.
        skipped: rows not to ask about now.

    Deterministic for given strata, labels, seed and skipped rows. Cost: one pass over the pairs.
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
    # strata that have pairs left, by their worth; then the first of its free pairs in random order
    left = np.bincount(strata.of[free], minlength=len(strata.kinds))
    share = np.array([kind.prior for kind in strata.kinds])
    sizes = np.array([kind.size for kind in strata.kinds])
    worth = np.where(left > 0, sizes**POWER * np.sqrt(share * (1 - share)) / (tried + 1), -1.0)
    mine = free[strata.of[free] == int(np.argmax(worth))]
    return int(mine[np.argmin(ranks(mine, seed))])


def ranks(rows: np.ndarray, seed: int) -> np.ndarray:
    """Return a random number for each row, uint64, fixed by the seed and equal on all machines."""
    start = mix64(np.array([seed & 0xFFFFFFFFFFFFFFFF], np.uint64))
    return mix64(mix64(rows.astype(np.uint64)) ^ start)
