"""Winnowed fingerprints: texts that share a passage of window + ngram - 1 tokens share a fingerprint.

Source: Schleimer 2003 (winnowing, 指纹筛选).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from quchong import kernels
from quchong.features.feature_sets import in_batches
from quchong.kernels.arrays import AnyTexts, FeatureSets, Texts
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form

Parts: TypeAlias = "tuple[np.ndarray, tuple[np.ndarray, ...]]"
"""Ragged values: offsets, and the arrays they index."""


def lossless_widths(shortest: int) -> tuple[int, int]:
    """Return shingle width and window with which every shared passage of `shortest` tokens has a common fingerprint.

    They are about half each, so that fingerprints are both rare and few.
    """
    ngram = min((shortest + 1) // 2, kernels.checked.MAX_NGRAM)
    return ngram, shortest - ngram + 1


def winnowed_sets(form: Form, texts: AnyTexts, ngram: int, window: int, workers: int | None = None) -> FeatureSets:
    """Return the distinct fingerprints of each text; a text of fewer than `ngram` tokens has none.

    Cost: O(tokens); memory 12 bytes a fingerprint, of which there are about 2 / (window + 1) a token.
    """

    def made(piece: Texts) -> FeatureSets:
        docs = kernels.text.names(form, piece, workers=workers).docs
        values, _, offsets = kernels.features.window_minima(docs, ngram, window, workers)
        return kernels.sets.feature_sets(values, offsets, workers=workers)

    return in_batches(texts, made)


def by_mask(mask: np.ndarray, yes: Parts, no: Parts) -> Parts:
    """Return for each document the values of `yes` where the mask is True, else those of `no`."""
    lengths = np.where(mask, np.diff(yes[0]), np.diff(no[0]))
    offsets = prefix_sums(lengths)
    here = np.repeat(mask, lengths)
    out = []
    for one, other in zip(yes[1], no[1], strict=True):
        values = np.empty(offsets[-1], one.dtype)
        values[here] = one[np.repeat(mask, np.diff(yes[0]))]
        values[~here] = other[np.repeat(~mask, np.diff(no[0]))]
        out.append(values)
    return offsets, tuple(out)
