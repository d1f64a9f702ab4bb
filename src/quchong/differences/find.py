"""Aligns pairs and says what each difference is."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.differences.edits import edits_of, noisy
from quchong.differences.kinds import BOILERPLATE, NOISE, kinds_of
from quchong.kernels.text import Form
from quchong.seam import Differences, Documents


def find_differences(
    form: Form,
    documents: Documents,
    left: np.ndarray,
    right: np.ndarray,
    looked: np.ndarray,
    workers: int | None = None,
) -> Differences:
    """What pairs differ in, aligned token by token and told by kind.

    Args:
        form: how texts become tokens.
        documents: each once.
        left, right: pairs as indices into documents.
        looked: mask of the pairs that are aligned; the others have no differences, and nothing of them counts as aligned.
        workers: threads.

    Deterministic. Cost: `quchong.kernels.align.edits`; what can state a fact is read, about 20 us each. Source: docs/relations.md.
    """
    docs, _ = documents.tokenised(form, workers)
    at = np.flatnonzero(looked)
    x, y = np.asarray(left, np.int64)[at], np.asarray(right, np.int64)[at]
    found = kernels.align.edits(docs, x.astype(np.uint32), y.astype(np.uint32), workers=workers)
    edits = edits_of(docs, x, y, found)
    kind, conflict, stretches = kinds_of(form, documents, docs, x, y, edits, noisy(docs, x, y, edits), workers)
    pairs = len(left)
    counts = np.zeros(pairs, np.int64)
    counts[at] = np.diff(found.offsets)
    shares = np.zeros((2, pairs))
    for k, side in enumerate((x, y)):
        shares[k, at] = found.matched / np.maximum(docs.lengths[side], 1)
    unexplained = np.zeros(pairs, np.uint32)
    plain = (kind != NOISE) & (kind != BOILERPLATE) & (edits.a > 0) & (edits.b > 0)
    content = np.where(plain, np.maximum(edits.a, edits.b), 0)
    unexplained[at] = np.bincount(edits.pair, content, len(at)).astype(np.uint32)
    return Differences(
        np.concatenate([[0], np.cumsum(counts)]), kind, conflict, stretches.places, stretches.left, stretches.right,
        shares[0], shares[1], unexplained,
    )  # fmt: skip
