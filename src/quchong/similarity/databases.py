"""Summaries of databases of documents, and the databases that can contain a document similar to a given one.

Source: Garcia-Molina 1996 (dSCAM). The bound is a reconstruction that is never too low.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import batches_by_cost, first_of_runs, positions_in_items, prefix_sums
from quchong.similarity.coverage import share
from quchong.similarity.frequencies import widest_ratio

BLOCK = 1 << 22
"""Most words looked up, or documents compared, at once."""
TYPICAL = 16
"""Documents assumed in a word's list before the lists are known."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Word statistics of databases (sites), which bound the similarity to any of their documents; 32 bytes per word.

    Row k describes one word in one database: the number of `documents` that have it (int64), and its `least` and `most` frequency in one of
    them (float64). Rows of word w are offsets[w]:offsets[w + 1]; `words` (uint64) are ascending. `norm` (float64 a database) is the least
    sum of importance * frequency^2 of its documents; infinite for a database without words.
    """

    words: np.ndarray
    offsets: np.ndarray
    database: np.ndarray
    documents: np.ndarray
    least: np.ndarray
    most: np.ndarray
    norm: np.ndarray

    @staticmethod
    def from_sets(sets: FeatureSets, database: np.ndarray, importance: np.ndarray) -> Summaries:
        """Build the summaries of documents; `database` is the database number of each document, `importance` the weight of each value."""
        count = int(database.max(initial=-1)) + 1
        words, number = np.unique(sets.values, return_inverse=True)
        of = database[sets.document]
        order = np.lexsort((of, number))
        # One row for each (word, database): its documents are a range of the occurrences in this order.
        key = (number * max(count, 1) + of)[order]
        starts = np.flatnonzero(first_of_runs(key))
        frequency = sets.weights.astype(np.float64)[order]
        some = len(starts) > 0
        norm = np.full(count, np.inf)
        own = norms(sets, importance)
        full = sets.lengths > 0
        np.minimum.at(norm, database[full], own[full])
        return Summaries(
            words,
            np.searchsorted(number[order][starts], np.arange(len(words) + 1)).astype(np.int64),
            of[order][starts],
            np.diff(np.append(starts, len(key))).astype(np.int64),
            np.minimum.reduceat(frequency, starts) if some else np.zeros(0),
            np.maximum.reduceat(frequency, starts) if some else np.zeros(0),
            norm,
        )

    def __len__(self) -> int:
        return len(self.norm)

    def bounds(
        self, sets: FeatureSets, importance: np.ndarray, epsilon: float
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield batches of documents with their upper bounds for each database, (documents, databases) float64, at most 1.

        A bound is never below the greater share of the document and any document of the database. A word counts only if the database's
        frequencies meet those within the widest ratio of the document's, and adds at most importance * F * the largest of them. Cost: the
        summary rows of the document's words.
        """
        ratio, own, count = widest_ratio(epsilon), norms(sets, importance), len(self)
        # Number of summary rows of each word; a word that no database has adds nothing.
        at = np.searchsorted(self.words, sets.values)
        rows = np.zeros(len(sets.values), np.int64)
        known = at < len(self.words)
        known[known] = self.words[at[known]] == sets.values[known]
        rows[known] = self.offsets[at[known] + 1] - self.offsets[at[known]]
        total = prefix_sums(rows)[sets.offsets]
        # Batches bounded by summary rows and by the size of the answer.
        for piece in batches_by_cost(np.diff(total) + count, BLOCK):
            first, last = int(sets.offsets[piece[0]]), int(sets.offsets[piece[-1] + 1])
            value = np.repeat(np.arange(first, last), rows[first:last])
            base = np.cumsum(rows[first:last]) - rows[first:last]
            row = self.offsets[at[value]] + np.arange(len(value)) - base[value - first]
            f = sets.weights[value].astype(np.float64)
            # A word counts only if some frequency between least and most is within the ratio of f, and adds at most the product with the
            # largest such frequency.
            near = (self.most[row] * ratio > f) & (self.least[row] < ratio * f)
            adds = np.where(near, importance[value] * f * np.minimum(self.most[row], ratio * f), 0.0)
            document = np.repeat(np.arange(len(piece)), np.diff(sets.offsets[piece[0] : piece[-1] + 2]))
            cell = document[value - first] * count + self.database[row]
            dots = np.bincount(cell, adds, minlength=len(piece) * count).astype(np.float64).reshape(-1, count)
            # The greater share divides by the smaller norm: that of the document, or the least norm of the database.
            whole = own[piece]
            mine = np.divide(dots, whole[:, None], out=np.zeros_like(dots), where=whole[:, None] > 0)
            yield piece, np.minimum(1.0, np.maximum(mine, dots / self.norm))


def norms(sets: FeatureSets, importance: np.ndarray) -> np.ndarray:
    """Return the sum of importance * frequency^2 of each document, float64."""
    f = sets.weights.astype(np.float64)
    total = np.concatenate([[0], np.cumsum(importance * f * f)])
    out: np.ndarray = total[sets.offsets[1:]] - total[sets.offsets[:-1]]
    return out


def greater_shares(
    sets: FeatureSets,
    database: np.ndarray,
    importance: np.ndarray,
    epsilon: float,
    queries: np.ndarray,
    asked: np.ndarray,
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the greater share of documents with the earlier documents of the databases they are sent to.

    Args:
        database, importance: database of each document, and weight of each value, as in `Summaries.of`.
        queries, asked: documents, and for each a database it is sent to.

    In pieces: the earlier document, the later one (int64) and the greater share (float64) of each pair with a word that counts.
    Cost: the lists of the words in those databases.
    """
    _, number = np.unique(sets.values, return_inverse=True)
    words = int(number.max(initial=0)) + 1
    owner, frequency, heavy = sets.document, sets.weights.astype(np.float64), importance.astype(np.float64)
    # Index: all occurrences of words, sorted by database, word and document, so that a (database, word) list is one range.
    order = np.lexsort((owner, number, database[owner]))
    key, own = (database[owner] * words + number)[order], norms(sets, importance)
    size = sets.lengths[queries]
    # Look up the words of a batch of queries, bounded by the size their lists typically have.
    for piece in batches_by_cost(size * TYPICAL, BLOCK):
        n = size[piece]
        value = positions_in_items(n) + np.repeat(sets.offsets[queries[piece]], n)
        wanted = np.repeat(asked[piece], n) * words + number[value]
        low, high = np.searchsorted(key, wanted), np.searchsorted(key, wanted, side="right")
        pairs: list[np.ndarray] = [np.zeros(0, np.int64)]
        dots: list[np.ndarray] = [np.zeros(0)]
        # Walk the lists in batches of about BLOCK occurrences and add up the products of each pair.
        for some in batches_by_cost(high - low, BLOCK):
            m = (high - low)[some]
            other = order[np.repeat(low[some], m) + positions_in_items(m)]
            mine = np.repeat(value[some], m)
            a, b = frequency[mine], frequency[other]
            # Only earlier documents, and only words with similar frequencies in both (relative frequency model).
            counts = (owner[other] < owner[mine]) & (a / b + b / a < epsilon)
            mine, other = mine[counts], other[counts]
            found, index = np.unique(owner[other] * len(sets) + owner[mine], return_inverse=True)
            pairs.append(found)
            dots.append(np.bincount(index, frequency[mine] * frequency[other] * heavy[mine], minlength=len(found)))
        # One pair may occur in several batches: add its parts, then divide by the smaller norm for the greater share.
        found, index = np.unique(np.concatenate(pairs), return_inverse=True)
        left, right = np.divmod(found, max(1, len(sets)))
        dot = np.bincount(index, np.concatenate(dots), minlength=len(found)).astype(np.float64)
        yield left, right, share(dot, np.minimum(own[left], own[right]))
