"""Digests of documents, and keys without weights."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.seam import Features, Keys


def digests(form: Form, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
    """Digest and lengths of a batch of texts, without values: what exact classes are made of, and all a method needs that
    finds its candidates itself. With `keep` the tokens too.
    """
    f = kernels.text.fingerprints(form, texts, anchors=False, keep=keep, workers=workers)
    return Features(f.tokens, f.singles, f.high, f.low, f.offsets, f.anchors, f.docs, f.words)


def equal_keys(features: Features) -> Keys:
    """The values as keys, none where there are none; every document weighs the same, so that no count filter applies."""
    ones = np.ones(len(features.tokens), np.uint32)
    return Keys(features.values, features.offsets, ones, ones)
