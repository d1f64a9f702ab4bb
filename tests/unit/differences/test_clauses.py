"""Covers: which edits are read as clauses in other words. Compared against: a loop over their tokens."""

import numpy as np

from quchong.differences.clauses import CLAUSE, rewritten
from quchong.differences.edits import ANCHORED, NUMBER_TOKEN, READ, Edits
from quchong.kernels.arrays import Ragged


def test_clauses_with_digits_on_both_sides_are_read():
    rng = np.random.default_rng(3)
    tokens = rng.integers(0x4E00, 0x9FFF, 800).astype(np.uint32)
    tokens[rng.random(800) < 0.04] = NUMBER_TOKEN + 7
    docs = Ragged(tokens, np.array([0, 400, 800]))
    n = 2000
    sizes, first = rng.integers(0, 60, (n, 2)), rng.integers(0, 300, (n, 2))
    places = np.column_stack([first[:, 0], first[:, 0] + sizes[:, 0], first[:, 1], first[:, 1] + sizes[:, 1]])
    edits = Edits(np.zeros(n, np.int64), places, sizes[:, 0], sizes[:, 1], rng.integers(0, 4, n), rng.integers(0, 4, n))
    found = rewritten(docs, np.array([0]), np.array([1]), edits)

    def is_read(k):
        a0, a1, b0, b1 = places[k]
        longer = max(a1 - a0, b1 - b0)
        digits = all((side >= NUMBER_TOKEN).any() for side in (tokens[a0:a1], tokens[400 + b0 : 400 + b1]))
        return digits and longer <= CLAUSE and (longer > READ or edits.before[k] + edits.after[k] < ANCHORED)

    assert found.tolist() == [bool(is_read(k)) for k in range(n)]
    assert found.any() and not found.all()


def test_no_edits_no_clauses():
    none = np.zeros(0, np.int64)
    docs = Ragged(np.zeros(3, np.uint32), np.array([0, 3]))
    assert rewritten(docs, none, none, Edits(none, np.zeros((0, 4), np.int64), none, none, none, none)).tolist() == []
