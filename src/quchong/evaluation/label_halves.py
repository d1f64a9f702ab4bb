"""Split of labels into two halves: one to tune by, the other to report."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from quchong.evaluation.labelled_pairs import Placed
from quchong.evaluation.labels import CONTAINED, LABELS, SAME
from quchong.kernels.graph import components

TUNED, REPORTED = 0, 1
LARGE = 0.5
"""Share of all labelled pairs above which a group is split."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Half of the labels and group of every document, determined by ids and labels alone.

    Attributes:
        half: uint8 per document, TUNED or REPORTED.
        group: int64 per document: equal for connected documents, numbered by their least ids.
        rank: int64 per document: its position when ids are sorted.
        split: True if a large group was split.
    """

    half: np.ndarray
    group: np.ndarray
    rank: np.ndarray
    split: bool

    def owned(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the half and the group of each pair; if its documents differ in them, those of the document with the lesser id."""
        owner = np.where(self.rank[left] < self.rank[right], left, right)
        return self.half[owner], self.group[owner]


def halves(truth: Placed, ids: list[str]) -> Halves:
    """Split documents into two halves.

    Documents connected by labelled pairs are in the same half, chosen by the digest of the least id of their group.
    If every pair is judged, only copies connect documents. A group with most of the pairs is split: each of its
    documents is placed by its own id.
    """
    n = len(ids)
    order = np.array(sorted(range(n), key=ids.__getitem__), np.int64)
    # ranks by id instead of rows, so that the order of the documents does not matter
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    hung = np.ones(len(truth.left), bool)
    if truth.known.any():
        hung = np.isin(truth.label, [LABELS.index(SAME), LABELS.index(CONTAINED)])
    left, right = rank[truth.left[hung]], rank[truth.right[hung]]
    group = components(n, left, right)  # of ranks: the least one
    # a group with most of the pairs would leave the other half without any
    pairs = np.bincount(group[left], minlength=n)
    large = pairs > max(1.0, LARGE * pairs.sum())
    group = np.where(large[group], np.arange(n), group)
    # the half is a bit of the digest of the group's least id
    coin = np.array([_coin(ids[i]) for i in order.tolist()], np.uint8)
    return Halves(coin[group][rank], group[rank], rank, bool(large.any()))


def _coin(one: str) -> int:
    return hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] & 1
