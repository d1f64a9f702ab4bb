"""Sets of shingles: every run of w tokens (Broder 1997a)."""

from __future__ import annotations

from quchong import kernels
from quchong.features.feature_sets import concatenate_sets, places
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.text import Form
from quchong.seam import Documents


def shingle_sets(form: Form, documents: Documents, ngram: int, workers: int | None = None) -> FeatureSets:
    """Return the distinct shingles of `ngram` tokens of each document; a shorter text is one shingle, an empty one has none.

    With `ngram` 1 these are the unique terms of a text, by the same hashes as document frequencies of `sketches.statistics`.
    Cost: O(tokens); memory 12 bytes a distinct shingle.
    """
    parts = []
    for index in places(documents.texts):
        docs = kernels.text.names(form, documents.texts.take(index), workers=workers).docs
        hashes = kernels.features.ragged_shingles(docs, ngram, workers)
        parts.append(kernels.sets.feature_sets(*hashes, workers=workers))
    return concatenate_sets(parts)
