"""LSH forest: prefix trees of MinHash bits; the nearest documents share the longest prefix in any tree (LSH 森林).

Source: Bawa 2005. The trees are stored as labels sorted as numbers: neighbours in that order share the longest prefixes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import first_of_runs

BLOCK = 1 << 22
"""MinHash values held at once."""


def equal_beginning(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the number of equal leading bits of pairs of uint64, int64: 64 if all are equal."""
    differ = left ^ right
    out = np.full(len(differ), 64, np.int64)
    rest, some = differ, differ > 0
    out[some] = 63
    for step in (32, 16, 8, 4, 2, 1):
        high = rest >> np.uint64(step) > 0
        out[high] -= step
        rest = np.where(high, rest >> np.uint64(step), rest)
    return out


@dataclass(frozen=True, slots=True)
class Forest:
    """Prefix trees over labels of bits.

    Args:
        trees: l, labels of a document.
        depth: bits of a label, 64 at most.
        seed: seed of the MinHash functions.
    """

    trees: int
    depth: int
    seed: int

    def least_chance(self, jaccard: float, unrelated: int, nearest: int) -> float:
        """Return the least probability that two sets of this Jaccard are compared among `unrelated` documents that share nothing with them.

        Two unrelated labels agree in their first x bits with probability 2^-x, so that a document has fewer than `nearest` others at the
        first level x at which unrelated * (1 - (1 - 2^-x)^trees) is below `nearest`. The two are compared if they agree down to there in
        one of the trees: 1 - (1 - ((1 + s) / 2)^x)^trees. Two sets alone are compared if the first bit of one tree agrees: x is 1.
        """
        level = next(
            (x for x in range(1, self.depth) if unrelated * (1 - (1 - 2.0**-x) ** self.trees) < nearest), self.depth
        )
        return float(1 - (1 - ((1 + jaccard) / 2) ** level) ** self.trees)

    def labels(self, sets: FeatureSets, workers: int | None = None) -> np.ndarray:
        """Return the labels, uint64 (documents, trees): one bit of each of `depth` MinHash values, the first one highest.

        Two sets of Jaccard s agree in a bit with probability (1 + s) / 2. Labels of empty sets are meaningless.
        """
        values = self.trees * self.depth
        out = np.zeros((len(sets), self.trees), np.uint64)
        place = np.uint64(63) - np.arange(self.depth, dtype=np.uint64)
        step = max(1, BLOCK // values)
        for at in range(0, len(sets), step):
            end = min(at + step, len(sets))
            cut = slice(int(sets.offsets[at]), int(sets.offsets[end]))
            some = FeatureSets(sets.values[cut], sets.weights[cut], sets.offsets[at : end + 1] - sets.offsets[at])
            mins = kernels.sketch.set_mins(some, values, self.seed, workers).astype(np.uint64)
            with np.errstate(over="ignore"):
                bits = mix64(mins).reshape(-1, self.trees, self.depth) & np.uint64(1)
            out[at:end] = (bits << place).sum(axis=2, dtype=np.uint64)
        return out

    def nearest(
        self, labels: np.ndarray, defined: np.ndarray, most: int, scope: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return each document with the documents that share the longest prefix with it: document and other, int64, sorted.

        All trees are climbed in step, from the deepest level on, until a document has `most` others. All others of the level at which that
        happens are included, `most` on either side in a tree. A prefix of no bit does not count.

        Args:
            labels: labels as `labels` returns them.
            defined: False for documents that take no part.
            scope: a number for each document; only documents with equal numbers are compared.

        Cost: trees * most steps over all documents; memory some 80 bytes times `most` a document.
        """
        which = np.flatnonzero(defined)
        group = np.zeros(len(labels), np.uint64) if scope is None else scope
        document, other, depth = (np.zeros(0, np.int64) for _ in range(3))
        for tree in range(self.trees):
            order = which[np.lexsort((labels[which, tree], group[which]))]
            sorted_ = labels[order, tree]
            beside = np.minimum(equal_beginning(sorted_[1:], sorted_[:-1]), self.depth)
            beside[group[order][1:] != group[order][:-1]] = 0
            new, run = [(document, other, depth)], beside
            for step in range(1, min(most, len(order) - 1) + 1):
                if step > 1:
                    run = np.minimum(run[:-1], beside[step - 1 :])
                some = np.flatnonzero(run)
                if not len(some):
                    break
                a, b, length = order[some], order[some + step], run[some]
                new += [(a, b, length), (b, a, length)]
            document, other, depth = (np.concatenate(parts) for parts in zip(*new, strict=True))
            document, other, depth = _best(document, other, depth, most)
        return document, other


def _best(
    document: np.ndarray, other: np.ndarray, depth: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each document the `most` others of greatest depth, and all as deep as the last of these; each other once."""
    order = np.lexsort((-depth, other, document))
    document, other, depth = document[order], other[order], depth[order]
    first = first_of_runs(document, other)
    document, other, depth = document[first], other[first], depth[first]
    order = np.lexsort((-depth, document))
    start = np.searchsorted(document[order], document[order])
    last = np.minimum(start + most - 1, np.searchsorted(document[order], document[order], side="right") - 1)
    kept = np.zeros(len(document), bool)
    kept[order] = depth[order] >= depth[order][last]
    return document[kept], other[kept], depth[kept]
