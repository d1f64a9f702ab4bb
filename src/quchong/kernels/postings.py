"""Posting lists: the candidates of one document, chosen within the limits of a join.

The twin is in tests/twins/postings.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import F64, I64, U32, U64

RULES = ("keys", "smaller", "jaccard")
"""Rules by which a document shares enough, see `select_candidates`."""


class PostingLists(NamedTuple):
    """Posting lists one after the other: list l holds documents[offsets[l]:offsets[l + 1]], uint32, ascending and distinct.

    `weights` (uint32) are those of the key in each document: 1, or the frequency in a multiset.
    """

    documents: U32
    weights: U32
    offsets: I64

    def __len__(self) -> int:
        return len(self.offsets) - 1


class DocumentSizes(NamedTuple):
    """Size, window, time and scope of each document, which a join compares besides keys.

    Attributes:
        size: float64: number or weight of the features, scaled as the join compares them.
        window: uint32: winnowing window, 1 without.
        time: float64: seconds, 0 without times.
        scope: uint64: only documents with equal numbers are candidates; a join of keys mixes them into the keys instead.
    """

    size: F64
    window: U32
    time: F64
    scope: U64

    def __len__(self) -> int:
        return len(self.size)

    @staticmethod
    def from_columns(
        size: np.ndarray, window: np.ndarray | None = None, scope: np.ndarray | None = None
    ) -> DocumentSizes:
        """Build sizes of documents, with window 1, time 0 and scope 0 unless given."""
        n = len(size)
        return DocumentSizes(
            np.asarray(size, np.float64),
            np.ones(n, np.uint32) if window is None else window,
            np.zeros(n),
            np.zeros(n, np.uint64) if scope is None else scope,
        )


class SelectedCandidates(NamedTuple):
    """Candidates of documents that ask: pairs sorted by `asking`, then `document`.

    Attributes:
        document: uint32: number of the candidate.
        asking: uint32: index of the document that asks.
        shared: uint64: number of shared keys, or weight of shared values.
        bounded: bool for each document that asks: some candidates were left out by `most` or `few`.
        crowded: bool: `bounded`, in a crowd.
    """

    document: U32
    asking: U32
    shared: U64
    bounded: np.ndarray
    crowded: np.ndarray


def select_candidates(
    lists: PostingLists,
    own: I64,
    weight: U32,
    before: I64,
    asking: DocumentSizes,
    documents: DocumentSizes,
    *,
    rule: Literal["keys", "smaller", "jaccard"] = "keys",
    cap: int | None = 64,
    min_shared: int = 1,
    share: float = 0.0,
    most: int = 0,
    few: int = 0,
    crowd: int = 0,
    references: int = 0,
    within: float | None = None,
    exact: bool = False,
    lengths: I64 | None = None,
    workers: int | None = None,
) -> SelectedCandidates:
    """Select the candidates of documents from the posting lists of their keys, within the limits of a join.

    The joins of whole corpora, `quchong.kernels.join.join_keys` and `quchong.kernels.sets.meet_sets`, select by the same code: for
    documents that ask in the order of their numbers, each with the lists of the documents before it, the pairs are theirs. One thing a
    list before its end cannot tell: whether it will be longer than `crowd` once all documents have come.

    Args:
        lists: the lists of all keys asked for; they may be empty, and may go on beyond `before`.
        own: int64 offsets: document i that asks has the lists own[i]:own[i + 1].
        weight: uint32 for each list: weight of its key in the document that asks.
        before: int64 for each document that asks: only documents with lesser numbers are met; its own number, or their count.
        asking: sizes of the documents that ask.
        documents: sizes of all documents by number.
        rule: "keys": at least `min_shared` common keys, and `share` of those expected of the shorter one, which are min(size) * 2 /
            (max(window) + 1); references have a cap of their own in each list. "smaller": at least `min_shared` common values, and in
            weights `share` of the smaller size; "jaccard": `share` of both sizes less what is shared.
        cap: the first so many documents of a list are met, no list is left out; None for all.
        most: candidates that a document keeps, of the references and of the others: half of them the first, half those that share most
            (the first of equals); 0 for all.
        few, crowd: a document of which a list, itself included, is longer than `crowd`, and with more candidates than three times `few`,
            keeps `few`.
        references: documents below this number are not paired with each other.
        within: documents further apart in time are no candidates; lists ascend in time beyond the references.
        exact: for sets: values in lists beyond the cap are counted; if False, they are granted to every document met.
        lengths: int64 for each list, where `lists` are the fronts of longer ones: number of documents below `before` in the whole list,
            by which `crowd` is decided; None: `lists` are whole.

    Cost: the lists up to the cap, sorted, and with `exact` a search in each longer list for each document met; memory 8 bytes a
    document met. Independent of the number of documents.

    Raises:
        ValueError: lists that do not ascend, numbers of documents that have no sizes, or lengths that do not fit.
    """
    # Sizes are of all documents there are, and nothing here reads them all: a size that is no number is near to nothing.
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    n, known = len(asking.size), _sizes(documents, len(documents.size))
    flat, ends = checked.ragged(checked.indices(lists.documents, len(documents.size), "documents"), lists.offsets)
    checked.rising(flat, ends, "documents")
    own = checked.offsets_of(own, len(ends) - 1, "own")
    if len(own) != n + 1:
        raise ValueError(f"own must have {n + 1} entries, got {len(own)}")
    before = checked.indices64(before, len(documents.size) + 1, "before")
    if len(before) != n:
        raise ValueError(f"before must have {n} entries, got {len(before)}")
    long = np.zeros(0, np.int64)
    if lengths is not None:
        long = checked.indices64(lengths, MOST_U32 + 1, "lengths")
        if len(long) != len(ends) - 1:
            raise ValueError(f"lengths must have {len(ends) - 1} entries, got {len(long)}")
    document, asks, shared, bounded, crowded = _quchong.select_candidates(
        flat, checked.u32(lists.weights, "weights", len(flat)), ends, own,
        checked.u32(weight, "weight", len(ends) - 1), before, *_sizes(asking, n), *known, RULES.index(rule),
        checked.number(min_shared, 0, MOST_U32, "min_shared"), checked.real(share, "share"),
        MOST_U32 if cap is None else checked.number(cap, 0, MOST_U32, "cap"), checked.number(most, 0, MOST_U32, "most"),
        checked.number(few, 0, MOST_U32 // 3, "few"), checked.number(crowd, 0, MOST_U32, "crowd"),
        checked.number(references, 0, len(documents.size), "references"),
        -1.0 if within is None else checked.real(within, "within", 0), exact, long, threads_of(workers),
    )  # fmt: skip
    return SelectedCandidates(document, asks, shared, bounded.astype(bool), crowded.astype(bool))


def _sizes(sizes: DocumentSizes, n: int) -> tuple[F64, U32, F64, U64]:
    return (
        checked.column(sizes.size, np.float64, "size", n), checked.u32(sizes.window, "window", n),
        checked.column(sizes.time, np.float64, "time", n),
        checked.u64(sizes.scope, "scope", n),
    )  # fmt: skip
