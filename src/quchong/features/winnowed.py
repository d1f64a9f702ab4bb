"""Winnowed fingerprints with their guarantee: any run of window + ngram - 1 tokens two texts share gives them one in common.

Source: Schleimer, Wilkerson, Aiken 2003 (winnowing, 指纹筛选); specification E11.
"""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.features.sets import in_batches
from quchong.kernels import AnyTexts, FeatureSets, Form, Texts


def lossless_widths(shortest: int) -> tuple[int, int]:
    """Shingle and window that catch every shared run of `shortest` tokens: about half each, so that fingerprints are both
    rare and few.
    """
    ngram = min((shortest + 1) // 2, kernels.MAX_NGRAM)
    return ngram, shortest - ngram + 1


def winnowed_sets(form: Form, texts: AnyTexts, ngram: int, window: int, workers: int | None = None) -> FeatureSets:
    """The distinct fingerprints of each text; a text of fewer than `ngram` tokens has none.

    Cost: O(tokens); memory 12 bytes a fingerprint, of which there are about 2 / (window + 1) a token.
    """

    def made(piece: Texts) -> FeatureSets:
        docs = kernels.tokenise(form, piece, workers=workers).docs
        values, _, offsets = kernels.window_minima(docs, ngram, window, workers)
        return kernels.feature_sets(values, offsets, workers=workers)

    return in_batches(texts, made)


def by_script(words: FeatureSets, characters: FeatureSets, han: np.ndarray) -> FeatureSets:
    """The sets of either kind where they belong: `characters` where the mask says so, else `words`."""
    kept = (words.where(np.repeat(~han, words.lengths)), characters.where(np.repeat(han, characters.lengths)))
    offsets = np.concatenate([[0], np.cumsum(kept[0].lengths + kept[1].lengths)]).astype(np.int64)
    values, weights = np.empty(offsets[-1], np.uint64), np.empty(offsets[-1], np.uint32)
    for sets, mask in ((kept[0], ~han), (kept[1], han)):
        here = np.repeat(mask, np.diff(offsets))
        values[here], weights[here] = sets.values, sets.weights
    return FeatureSets(values, weights, offsets)
