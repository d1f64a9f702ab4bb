"""Labels in two halves: one to tune by, the other to report."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from quchong.evaluation.judged import Placed
from quchong.evaluation.labels import CONTAINED, LABELS, SAME
from quchong.kernels.graph import components

TUNED, REPORTED = 0, 1
LARGE = 0.5
"""A group with more than this share of all labelled pairs is split."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The half and the group of every document; both depend on ids and labels alone, on no order.

    Attributes:
        half: uint8 a document, TUNED or REPORTED.
        group: int64 a document: equal for those that hang together, in the order of their least ids.
        rank: int64 a document: its place when ids are sorted.
        split: whether a large group was split.
    """

    half: np.ndarray
    group: np.ndarray
    rank: np.ndarray
    split: bool

    def owned(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The half and the group of pairs: those of the document with the lesser id, where the two are not of one."""
        owner = np.where(self.rank[left] < self.rank[right], left, right)
        return self.half[owner], self.group[owner]


def halves(truth: Placed, ids: list[str]) -> Halves:
    """Parts documents in two halves.

    Documents whose pairs have labels hang together and go to one half, by the digest of the least id of their group. Where every
    pair is judged, only copies hang together. A group with most of the pairs is split: its documents go each by their own id.
    """
    n = len(ids)
    order = np.array(sorted(range(n), key=ids.__getitem__), np.int64)
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    hung = np.ones(len(truth.left), bool)
    if truth.known.any():
        hung = np.isin(truth.label, [LABELS.index(SAME), LABELS.index(CONTAINED)])
    left, right = rank[truth.left[hung]], rank[truth.right[hung]]
    group = components(n, left, right)  # of ranks: the least one
    pairs = np.bincount(group[left], minlength=n)
    large = pairs > max(1.0, LARGE * pairs.sum())
    group = np.where(large[group], np.arange(n), group)
    coin = np.array([_coin(ids[i]) for i in order.tolist()], np.uint8)
    return Halves(coin[group][rank], group[rank], rank, bool(large.any()))


def _coin(one: str) -> int:
    return hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] & 1
