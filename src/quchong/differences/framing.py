"""Edits in page furniture: which of a pair's differences lie around the text and not in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quchong.differences.edits import COVERED, Edits
from quchong.differences.furniture import in_furniture
from quchong.differences.stretches import Stretches, stretches_of
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.tables import DIFFERENCES

LEAST = 0.4
"""Share of both texts in the alignment from which on the rest may be furniture."""
MOST = 96
"""Most tokens of the furniture of a text that is looked for where the alignment does not cover the pair."""
SHORT, REPLACED = 150, 10
"""Tokens below which a replaced word may part two texts, and the share of replaced tokens of a text that may do so in longer ones."""
_NOISE, _BOILERPLATE = (DIFFERENCES.index(kind) for kind in ("noise", "boilerplate"))


def framed_tokens(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, matched: Sequence[np.ndarray],
    sizes: Sequence[np.ndarray], workers: int | None,
) -> list[np.ndarray]:  # fmt: skip
    """Return for each pair the tokens of furniture that differ, int64, of the left text and of the right one.

    Only pairs are read that the alignment nearly covers without them. Furniture is no part of a text that the other must have.

    Args:
        matched, sizes: aligned tokens and all tokens of each pair, left and right.

    Cost: few pairs are such; 10 us for each of their edits.
    """
    lacking = [size - have for size, have in zip(sizes, matched, strict=True)]
    share = np.minimum(*(have / size for size, have in zip(sizes, matched, strict=True)))
    near = (share >= LEAST) & (share < COVERED) & (np.maximum(*lacking) <= MOST)
    some = np.flatnonzero(near[edits.pair])
    out = [np.zeros(len(left), np.int64) for _ in range(2)]
    if not len(some):
        return out
    mine = edits.select(near[edits.pair])
    stretches, _ = stretches_of(form, documents, left, right, mine, some[:0], 0, workers)
    inside = _in_furniture(documents, left, right, mine.pair, np.ones(len(some), bool), stretches)
    return [
        np.bincount(mine.pair, np.where(inside, side, 0), len(left)).astype(np.int64) for side in (mine.a, mine.b)
    ]


def furniture(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    framed: np.ndarray, tokens: np.ndarray, stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that lie in page furniture on both sides.

    Only pairs are read whose relation may depend on it: they have a fact in conflict, many replaced tokens, or are short.

    Args:
        kind, conflict: as the edits were classified.
        framed: mask of the pairs that are known to have furniture.
        tokens: tokens of the shorter text of each pair.
    """
    content = (kind != _NOISE) & (kind != _BOILERPLATE) & (edits.a > 0) & (edits.b > 0)
    replaced = np.bincount(edits.pair, np.where(content, np.maximum(edits.a, edits.b), 0), len(left))
    asked = framed | (np.bincount(edits.pair, conflict, len(left)) > 0)
    asked |= (replaced > 0) & ((REPLACED * replaced > tokens) | (tokens < SHORT))
    return _in_furniture(documents, left, right, edits.pair, (content | conflict) & asked[edits.pair], stretches)


def _in_furniture(
    documents: Documents, left: np.ndarray, right: np.ndarray, pair: np.ndarray, asked: np.ndarray, stretches: Stretches
) -> np.ndarray:
    """Return a mask of the edits, among those of the mask `asked`, that lie in page furniture on both sides.

    Args:
        documents: each once. left, right: pairs as indices into them.
        pair: pair of each edit. stretches: texts of the edits and their offsets.

    Cost: the lines of each edit asked for, about 20 us.
    """
    out = np.zeros(len(pair), bool)
    texts: dict[int, str] = {}
    for k in np.flatnonzero(asked).tolist():
        both = [int(side[pair[k]]) for side in (left, right)]
        for document in both:
            if document not in texts:
                texts[document] = documents.texts.text(document)
        mine, theirs = (texts[document] for document in both)
        a, b, c, d = stretches.places[k].tolist()
        # Facts are told with equal text around them; only what differs must be furniture.
        while a < b and c < d and mine[a] == theirs[c]:
            a, c = a + 1, c + 1
        while a < b and c < d and mine[b - 1] == theirs[d - 1]:
            b, d = b - 1, d - 1
        out[k] = in_furniture(mine, a, b) and in_furniture(theirs, c, d)
    return out
