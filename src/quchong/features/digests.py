"""Digests of documents, and keys without weights."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.seam import Features, Keys


def digests(form: Form, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
    """Return digest and lengths of a batch of texts, without feature values; with `keep` the tokens too.

    Exact classes are made of digests; a method that finds its candidates itself needs no more.
    """
    f = kernels.text.fingerprints(form, texts, anchors=False, keep=keep, workers=workers)
    return Features(f.tokens, f.singles, f.high, f.low, f.offsets, f.anchors, f.docs, f.words)


def equal_keys(features: Features) -> Keys:
    """Return the digests as keys; all documents have one size, so that the count filter rejects none."""
    ones = np.ones(len(features.tokens), np.uint32)
    return Keys(features.values, features.offsets, ones, ones)
