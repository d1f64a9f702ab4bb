"""The kernels on sets of features; the twins stand in `kernels/reference/sets.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MOST_U32, threads_of
from quchong.kernels.dispatch import AnyTexts, text_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32, U64, Ints


class FeatureSets(NamedTuple):
    """Sets of features, one a document: document i owns values[offsets[i]:offsets[i + 1]], ascending and distinct.

    `weights` (uint32) says how much each counts: 1 in a set, how often it occurs in a multiset.
    """

    values: U64
    weights: U32
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> I64:
        """Distinct features of each document, int64."""
        return np.diff(self.offsets)

    @property
    def sizes(self) -> U64:
        """Sum of the weights of each document, uint64."""
        total = np.concatenate([[0], np.cumsum(self.weights, dtype=np.uint64)]).astype(np.uint64)
        out: U64 = total[self.offsets[1:]] - total[self.offsets[:-1]]
        return out

    @property
    def document(self) -> I64:
        """The document of each value, int64."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def where(self, keep: np.ndarray) -> FeatureSets:
        """The sets without the values that the mask leaves out."""
        kept = np.concatenate([[0], np.cumsum(keep)]).astype(np.int64)
        return FeatureSets(self.values[keep], self.weights[keep], kept[self.offsets])

    def weighing(self, weights: np.ndarray) -> FeatureSets:
        """The same values with other weights."""
        return FeatureSets(self.values, checked.u32(weights, "weights"), self.offsets)


class Met(NamedTuple):
    """Pairs of documents whose sets reach a threshold: left < right, sorted by right, then left.

    `capped` lists were longer than the cap, the longest list has `largest` documents.
    """

    left: I64
    right: I64
    capped: int
    largest: int


def feature_sets(values: U64, offsets: I64, *, weighted: bool = False, workers: int | None = None) -> FeatureSets:
    """Sets of the values of each document; with `weighted` multisets, else every weight is 1.

    Raises:
        ValueError: offsets that do not rise from 0 to the number of values.
    """
    v, o = checked.ragged(values, offsets, np.uint64, "values")
    made = FeatureSets(*_quchong.make_sets(v, o, threads_of(workers)))
    return made if weighted else made.weighing(np.ones(len(made.values), np.uint32))


def shared_sets(sets: FeatureSets, left: Ints, right: Ints, workers: int | None = None) -> tuple[U64, U32]:
    """What pairs of documents share: the sum of the lesser weights (uint64), and how many distinct values (uint32)."""
    a, b = checked.pairs(left, right, len(sets))
    weight, common = _quchong.shared_sets(*set_columns(sets), a, b, threads_of(workers))
    return weight, common


def meet_sets(
    sets: FeatureSets,
    threshold: float,
    *,
    jaccard: bool = False,
    min_shared: int = 1,
    cap: int | None = None,
    scope: U64 | None = None,
    references: int = 0,
    workers: int | None = None,
) -> Met:
    """All pairs of documents that share at least `min_shared` values, and enough by `threshold`.

    Enough means shared / the smaller size, or with `jaccard` shared / (both sizes - shared), in weights. Exact where no
    list is longer than `cap`; else a document behind the cap of a list meets its first ones only, and pairs a little
    below the threshold may come along: hold what comes back to the exact count (`shared_sets`).

    Args:
        sets: documents in the order in which lists are met.
        cap: documents of one value's list that are met; None for all, whose cost is the square of the longest list.
        scope: uint64 a document; only equal ones meet.
        references: the first so many documents are not paired with each other.

    Cost: O(values log values) and the sum of squares of list lengths up to the cap; memory 16 bytes a value.
    """
    columns, n = set_columns(sets), len(sets)
    left, right, capped, largest = _quchong.meet_sets(
        *columns, checked.scope_of(scope, n), jaccard, checked.share(threshold),
        checked.number(min_shared, 1, MOST_U32, "min_shared"), checked.cap_of(cap),
        checked.number(references, 0, n, "references"), threads_of(workers),
    )  # fmt: skip
    return Met(left.astype(np.int64), right.astype(np.int64), capped, largest)


def period_features(texts: AnyTexts, before: int = 10, after: int = 0, workers: int | None = None) -> tuple[U64, I64]:
    """Hashes of what stands around each Chinese full stop 。 of texts: uint64 values, int64 offsets.

    A feature is the `before` characters before the mark, as far back as the mark before it; with `after` also so many
    behind it, up to the next. White space is taken out first, closing quotes and brackets right behind a mark too; all
    other characters count. Nothing between two marks: no feature. Repeated features are repeated.

    Source: Wei 2013 (CCDet), 句号特征; with `after` the feature code of the traditional class, 特征码.
    """
    reach = checked.number(before, 1, 1000, "before"), checked.number(after, 0, 1000, "after")
    values, offsets = _quchong.period_features(*text_columns(texts), *reach, threads_of(workers))
    return values, offsets


def set_columns(sets: FeatureSets) -> tuple[U64, U32, I64]:
    """Values, weights and offsets of sets, as kernels take them."""
    values, offsets = checked.ragged(sets.values, sets.offsets, np.uint64, "values")
    return values, checked.u32(sets.weights, "weights", len(values)), offsets
