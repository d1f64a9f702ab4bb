"""Characters put in before a word that they turn into another one: 上周 and 上上周, 前天 and 大前天."""

from __future__ import annotations

import numpy as np

from quchong.differences.edit_tokens import TURNS, EditTokens
from quchong.differences.edits import Edits
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among

TURNING = np.array(sorted(map(ord, "上下大")), np.uint32)
_TURNED = np.array(sorted(map(ord, "上下前后")), np.uint32)
LONGEST = 2
"""Most tokens that are put in: 上周 becomes 上个上周 in no text, but 上礼拜 上上个礼拜."""


def may_turn_days(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the edits that insert 上, 下 or 大 next to 上, 下, 前 or 后, by their tokens alone."""
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & TURNS:
        return out
    put_in = listed.on_either_side(TURNS) & ((edits.a == 0) != (edits.b == 0))
    put_in &= np.maximum(edits.a, edits.b) <= LONGEST
    for side, at, count in ((left, 0, edits.a), (right, 2, edits.b)):
        some = (put_in & (count > 0)).nonzero()[0]
        if not len(some):
            continue
        document = side[edits.pair[some]]
        start, end = docs.offsets[document], docs.offsets[document + 1]
        first = start + edits.places[some, at]
        behind = np.minimum(first + 1, end - 1)
        before = np.maximum(first - 1, start)
        beside = among(docs.tokens[behind], _TURNED) | among(docs.tokens[before], _TURNED)
        out[some] = among(docs.tokens[first], TURNING) & beside
    return out
