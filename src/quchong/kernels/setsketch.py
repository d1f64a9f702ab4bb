"""Shingle sets and MinHash values of sets; twins: `quchong.kernels.reference.setsketch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import threads_of
from quchong.kernels.dispatch import Ragged, ragged_columns, seed_of, values_of
from quchong.kernels.sets import FeatureSets

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32, U64


def ragged_shingles(docs: Ragged, ngram: int, workers: int | None = None) -> tuple[U64, I64]:
    """Hashes of all shingles of every document in order (uint64), and int64 offsets; for `feature_sets`.

    A document shorter than `ngram` is one shingle, an empty one has none. Cost: O(tokens * ngram), 8 bytes a shingle.
    """
    values, offsets = _quchong.ragged_shingles(*ragged_columns(docs), checked.ngram_of(ngram), threads_of(workers))
    return values, offsets


def set_mins(sets: FeatureSets, num_perm: int, seed: int, workers: int | None = None) -> U32:
    """(documents, num_perm) signatures: the least of each of `num_perm` functions over each set (Broder 1997a).

    Values are taken as hashes: they must be well mixed. Weights do not count. An empty set is all 2**32 - 1: leave such out
    of any comparison. The functions are those of `k_mins`. Cost: O(values * num_perm).
    """
    values, offsets = checked.ragged(sets.values, sets.offsets, np.uint64, "values")
    flat = _quchong.set_mins(values, offsets, values_of(num_perm), seed_of(seed), threads_of(workers))
    return flat.reshape(-1, num_perm)  # type: ignore[no-any-return]
