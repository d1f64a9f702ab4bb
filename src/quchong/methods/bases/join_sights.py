"""Sights of a method derived from its join; methods that know offsets in the text provide more."""

from __future__ import annotations

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.seam import Documents, HammingJoin, KeyJoin, Method, SetJoin, Sight, Signature, Values


def seen_by_join(method: Method, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
    """Return the keys of a `KeyJoin`, the sets of a `SetJoin` or the signatures of a `HammingJoin`; nothing for a `Search`.

    These are the values by which candidates are found in a run.
    """
    match method.candidates:
        case KeyJoin(keys=keys):
            made = keys(method.represent(documents.texts, workers))
            return (Values("keys", as_sets(made.values, made.offsets)),)
        case SetJoin(sets=sets):
            return (Values("keys", sets(documents, workers)),)
        case HammingJoin(sign=sign):
            signed = sign(documents, workers)
            return (Signature.of_words("bits", signed.words, signed.defined),)
    return ()


def as_sets(values: np.ndarray, offsets: np.ndarray) -> FeatureSets:
    """Convert ragged values to sets."""
    return kernels.sets.feature_sets(np.asarray(values, np.uint64), np.asarray(offsets, np.int64))
