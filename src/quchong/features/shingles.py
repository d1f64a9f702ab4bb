"""Sets of shingles: every run of w tokens (Broder 1997a)."""

from __future__ import annotations

from quchong import kernels
from quchong.features.sets import in_batches
from quchong.kernels.arrays import AnyTexts, FeatureSets, Texts
from quchong.kernels.text import Form


def shingle_sets(form: Form, texts: AnyTexts, ngram: int, workers: int | None = None) -> FeatureSets:
    """The distinct shingles of `ngram` tokens of each text; a shorter text is one shingle, an empty one has none.

    With `ngram` 1 these are the unique terms of a text, by the same hashes as document frequencies of `sketches.statistics`.
    Cost: O(tokens); memory 12 bytes a distinct shingle.
    """

    def made(piece: Texts) -> FeatureSets:
        docs = kernels.text.tokenise(form, piece, workers=workers).docs
        return kernels.sets.feature_sets(*kernels.features.ragged_shingles(docs, ngram, workers), workers=workers)

    return in_batches(texts, made)
