"""Documents that were compared with none, and the frames that they look like.

A copy with slips in every fifth word may share too little with each single record of a large family to be compared with any. The records
have the frame in common, and so has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong.frames.finding import COVERED, Read
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import batches_by_cost, first_of_runs, positions_in_items
from quchong.kernels.sorting import among, distinct, ordered
from quchong.kernels.text import take_tokens
from quchong.similarity.headers import hashed_shingles

WIDTH = 3
"""Tokens of a shingle."""
LIKE, LEAST = 0.08, 3
"""Least share of the shingles of a document, and of the model of a frame, that the other one has, and least number of them: what is alike
is aligned then.
"""
BYTES_AT_ONCE = 1 << 23
"""Bytes of the documents that are read at once."""


def look_alike(
    models: Ragged, model_size: np.ndarray, docs: np.ndarray, size: np.ndarray, read: Read
) -> tuple[np.ndarray, np.ndarray]:
    """Return the documents that look like a model, and the model that each shares most shingles with, the first of equals.

    Args:
        models: tokens of the models of frames, hashes of their letters.
        model_size: int64, bytes of each model.
        docs: int64, ascending, the documents looked at. size: int64, bytes of all documents.
        read: function that returns the tokens of documents.

    Returns:
        Documents, ascending, and indices of their models, int64.

    Deterministic; the answer for a document does not depend on the others. Cost: documents of a size like that of a model are read once.
    """
    docs = docs[_of_like_size(size[docs], model_size)]
    nothing = np.zeros(0, np.int64)
    if not len(docs) or not len(model_size):
        return nothing, nothing
    keys, owner = _distinct_shingles(models)
    order = ordered(keys, owner)
    known = _ModelShingles(keys[order], owner[order], np.bincount(owner, minlength=len(model_size)))
    parts = [docs[batch] for batch in batches_by_cost(size[docs], BYTES_AT_ONCE)]
    found = [_of_part(part, read(part), known) for part in parts]
    return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])


@dataclass(frozen=True, slots=True)
class _ModelShingles:
    """Shingles of all models: keys, uint64, ascending; the model of each, int64; and the number of distinct ones of each model, int64."""

    keys: np.ndarray
    owner: np.ndarray
    total: np.ndarray


def _of_part(part: np.ndarray, texts: Ragged, known: _ModelShingles) -> tuple[np.ndarray, np.ndarray]:
    """Return the documents of one batch that look like a model, and that model."""
    # Most documents share next to nothing with any model: only the others are counted.
    some = _with_known_shingles(texts, known.keys)
    mine, document = _distinct_shingles(take_tokens(texts, some))
    own = np.bincount(document, minlength=len(some))
    # Each shingle of a document meets the models that have it.
    first, last = np.searchsorted(known.keys, mine, "left"), np.searchsorted(known.keys, mine, "right")
    times = last - first
    model = known.owner[np.repeat(first, times) + positions_in_items(times)]
    total = known.total
    both, shared = np.unique(np.repeat(document, times) * len(total) + model, return_counts=True)
    document, model = np.divmod(both, len(total))
    like = shared >= np.maximum(LEAST, LIKE * np.maximum(own[document], total[model]))
    document, model, shared = document[like], model[like], shared[like]
    best = ordered(document, -shared, model)
    best = best[first_of_runs(document[best])]
    return part[some[document[best]]], model[best]


def _with_known_shingles(docs: Ragged, keys: np.ndarray) -> np.ndarray:
    """Return the documents with at least LEAST places at which a shingle of `keys` (ascending) begins, int64."""
    hashes, whole = hashed_shingles(docs, WIDTH)
    # A table of the first bits rules out nearly all shingles without a search.
    bits = np.uint64(64 - max(_LEAST_BITS, len(keys).bit_length() + _SPARSE))
    marked = np.zeros(1 << int(64 - bits), bool)
    marked[keys >> bits] = True
    places = np.flatnonzero(marked[hashes >> bits] & whole)
    places = places[among(hashes[places], keys)]
    owners = np.searchsorted(docs.offsets, places, "right") - 1
    return np.flatnonzero(np.bincount(owners, minlength=len(docs.offsets) - 1) >= LEAST)


_LEAST_BITS, _SPARSE = 16, 3
"""Least number of bits that index the table of shingles, and bits beyond those that number the shingles: one in eight places is marked."""


def _distinct_shingles(docs: Ragged) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct shingles of each document, uint64, and the document of each shingle, int64."""
    hashes, whole = hashed_shingles(docs, WIDTH)
    owner = np.repeat(np.arange(len(docs.lengths)), docs.lengths)[whole]
    hashes = hashes[whole]
    order = ordered(owner, hashes)
    order = order[first_of_runs(owner[order], hashes[order])]
    return hashes[order], owner[order]


def _of_like_size(size: np.ndarray, model_size: np.ndarray) -> np.ndarray:
    """Return a mask of the documents whose size is within COVERED of the size of any model; others can be in no frame."""
    known = distinct(model_size)
    next_one = np.searchsorted(known, np.ceil(COVERED * size))
    mask: np.ndarray = np.append(known, np.iinfo(np.int64).max)[next_one] <= size / COVERED
    return mask
