"""Aligns pairs and says what each difference is."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.differences.edits import Edits, edits_of, noisy, token_sums
from quchong.differences.exchange import CLAUSES, exchanged
from quchong.differences.kinds import BOILERPLATE, NOISE, WORDING, kinds_of
from quchong.differences.slots import parted
from quchong.differences.stretches import Stretches
from quchong.differences.windows import plain
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form
from quchong.seam import Differences, Documents
from quchong.tables import DIFFERENCES

COVERED = 0.85
"""Share of both texts in an alignment, from which on a pair is told of: the least that a preset asks, which a test holds it to."""
OPPOSITE = DIFFERENCES.index("opposite")
MOVED = 0.8
"""Share of a text in the alignment, below which parts of it stand elsewhere in the other."""


def find_differences(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, looked: np.ndarray, read: np.ndarray,
    workers: int | None = None,
) -> Differences:  # fmt: skip
    """What pairs differ in, aligned token by token and told by kind.

    Args:
        form: how texts become tokens.
        documents: each once.
        left, right: pairs as indices into documents.
        looked: mask of the pairs that are aligned; the others have no differences, and nothing of them counts as aligned.
        read: mask of the pairs whose differences are told; of the others looked at only those an alignment nearly covers.
        workers: threads.

    Deterministic. Cost: `quchong.kernels.align.edits`; what can state a fact is read, about 20 us each. Source: docs/relations.md.
    """
    at = np.flatnonzero(looked)
    if not len(at):
        return Differences.none(len(left))
    docs, _ = documents.tokenised(form, workers)
    x, y = np.asarray(left, np.int64)[at], np.asarray(right, np.int64)[at]
    found = kernels.align.edits(docs, x.astype(np.uint32), y.astype(np.uint32), workers=workers)
    edits = edits_of(docs, x, y, found)
    noise = noisy(docs, x, y, edits)
    again = rearranged(documents, docs, x, y, found.matched)
    slips = np.bincount(edits.pair, np.where(noise, edits.a, 0), len(at))
    aligned = [np.minimum((found.matched + slips) / np.maximum(docs.lengths[side], 1), 1.0) for side in (x, y)]
    worth = read[at] | again | (np.minimum(*aligned) >= COVERED)
    edits, noise = edits.where(worth[edits.pair]), noise[worth[edits.pair]]
    edits, part_of, rest = parted(docs, documents.hashed(form, workers), x, y, edits, form.tables)
    noise = noise[part_of]
    kind, conflict, stretches = kinds_of(form, documents, docs, x, y, edits, noise, workers)
    conflict &= ~moved(documents, docs, x, y, edits, found.matched, conflict, stretches) & ~again[edits.pair]
    crossed = exchanged(documents, docs, x, y, edits, stretches) & ~again[edits.pair]
    kind, conflict = np.where(crossed & (kind == WORDING), OPPOSITE, kind), conflict | crossed
    content = (kind != NOISE) & (kind != BOILERPLATE) & ((edits.a > 0) & (edits.b > 0) | rest) & ~again[edits.pair]
    pairs = len(left)
    counts, unexplained, shares = np.zeros(pairs, np.int64), np.zeros(pairs, np.uint32), np.zeros((2, pairs))
    counts[at] = np.bincount(edits.pair, minlength=len(at))
    told = np.zeros(pairs, bool)
    told[at] = worth
    unexplained[at] = np.bincount(edits.pair, np.where(content, np.maximum(edits.a, edits.b), 0), len(at)).astype(
        np.uint32
    )
    for k, share in enumerate(aligned):
        shares[k, at] = np.where(again, 1.0, np.where(worth, share, 0.0))
    return Differences(
        np.concatenate([[0], np.cumsum(counts)]), kind, conflict, stretches.places, stretches.left, stretches.right,
        shares[0], shares[1], unexplained, told,
    )  # fmt: skip


def moved(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, matched: np.ndarray,
    conflict: np.ndarray, stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Mask of the conflicts in pairs whose parts changed places: what either side says there, the other says elsewhere.

    Only where less than MOVED of either text is aligned: a figure that changed places with another in its sentence is a conflict.
    """
    out = np.zeros(len(conflict), bool)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(edits.pair, minlength=len(left)))])
    share = matched / np.maximum(np.maximum(docs.lengths[left], docs.lengths[right]), 1)
    few = np.flatnonzero(conflict & (share < MOVED)[edits.pair])
    for pair in distinct(edits.pair[few]).tolist():
        here = slice(int(bounds[pair]), int(bounds[pair + 1]))
        one, other = documents.texts.text(int(left[pair])), documents.texts.text(int(right[pair]))
        places = stretches.places[here].tolist()
        mine, theirs = [one[a:b] for a, b, _, _ in places], [other[c:d] for _, _, c, d in places]
        all_mine, all_theirs = "\n".join(mine), "\n".join(theirs)
        for k in range(len(mine)):
            out[here.start + k] = mine[k] in all_theirs and theirs[k] in all_mine
    return out


REARRANGED = 60
"""Tokens of texts whose clauses are compared whatever their order; in longer ones shingles tell of it."""


def rearranged(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, matched: np.ndarray
) -> np.ndarray:
    """Mask of the pairs of short texts that have the same clauses in another order, two or more."""
    n, m = docs.lengths[left], docs.lengths[right]
    out = np.zeros(len(left), bool)
    at = np.flatnonzero((n == m) & (n < REARRANGED) & (matched < n))
    mine, theirs = (token_sums(docs, docs.offsets[side[at]], docs.offsets[side[at] + 1]) for side in (left, right))
    at = at[mine == theirs]
    some = distinct(np.concatenate([left[at], right[at]])).tolist()
    texts = plain([documents.texts.text(k) for k in some])
    clauses = {k: sorted(filter(None, CLAUSES.split(text))) for k, text in zip(some, texts, strict=True)}
    for k, a, b in zip(at.tolist(), left[at].tolist(), right[at].tolist(), strict=True):
        out[k] = len(clauses[a]) > 1 and clauses[a] == clauses[b]
    return out
