"""Candidates of documents that arrive one at a time, or in batches of any size: the pairs that a join of all of them finds.

    known = represent(method, documents)         what the join knows of new documents
    found = candidates_of(join, known, postings) their candidates among the documents added so far
    postings.append(known)                       from now on later documents find them

**Order.** A join of a whole corpus orders its documents: by id in a `KeyJoin` (by time with a time window), by the policy in all
others. Here documents stand in the order of their arrival. "The first `cap` documents of a list" and "the first half of `most`" are
therefore those that arrived first. Pairs are the same as in a run if documents arrive in the order of the run; and in any order as
long as no limit is reached.

**Limits.** Each document is paired within `JoinLimits` by the kernel that joins whole corpora (`quchong.kernels.postings`), from the
documents before it. What depends on later documents differs (docs/decisions/0128-one-document-at-a-time.md):

- `KeyJoin`: a run pairs a document in a crowd with `few`; a list is a crowd if it is longer than `CROWD` at the end. Here the
  documents that arrive before a list is that long are paired with `most`, which are at least the pairs of the run.
- `SetJoin` with a `most` of 0 and longer lists than the cap: a run counts exactly if any set of the corpus has weights. Here the
  pairs of a document are counted exactly if a list it looked up has, and else a few that share too little come along, which scoring
  drops.
- `SetJoin` with `prefixes`: all documents that share a value of both prefixes are returned, whatever the order of values; scoring
  drops the others. The order must be frozen: it is that of the method's statistics, or of the values themselves.
- `SetJoin` with a `meet`: the pairs are those of its sets. A `meet` finds no others; some drop pairs at once that scoring drops anyway.
- `Search` with sets for documents that arrive: the pairs are those whose sets are alike enough; scoring drops what the search drops
  besides.
- `HammingJoin`: a document is paired with the first `cap` of those before it within the distance. So does a run up to 128 bits as
  long as its notes are empty: no document has more than `cap` others before it within the distance, no signature is that of more
  than `cap` documents, and no bucket of near-equal signatures was too large to split. Beyond, a run pairs a document with fewer or
  with chosen ones, here it is paired with the first ones. Above 128 bits both are the same.
"""

from __future__ import annotations

import numpy as np

from quchong.candidates.bitblocks import LISTED, block_keys
from quchong.candidates.keyed import rows_as_keys, scoped
from quchong.candidates.postings import Lookup, Postings, Represented
from quchong.candidates.set_join import ANY
from quchong.candidates.signature_join import WIDEST
from quchong.candidates.united import united_candidates, united_sets
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.postings import DocumentSizes, SelectedCandidates, select_candidates
from quchong.kernels.sets import feature_sets
from quchong.kernels.sketch import Signatures
from quchong.seam import (
    CROWD,
    Documents,
    Features,
    HammingJoin,
    Join,
    JoinLimits,
    KeyJoin,
    Keys,
    Method,
    Search,
    SetJoin,
)


def can_arrive(join: Join) -> bool:
    """Return True if documents can be joined one at a time: all joins but a `Search` without sets for it."""
    return isinstance(join, KeyJoin | SetJoin | HammingJoin) or join.arriving is not None


def represent(
    method: Method, documents: Documents, *, scope: np.ndarray | None = None, time: np.ndarray | None = None,
    workers: int | None = None, features: Features | None = None,
) -> Represented:  # fmt: skip
    """Return documents as the join of a method knows them. Each document is represented by itself, whatever the batch.

    Args:
        method: the method, with its statistics.
        documents: prepared documents with the columns that the method needs.
        scope: scope number of each document (uint64); only documents with equal numbers are candidates.
        time: seconds of each document, for a time window in a `KeyJoin`; documents must arrive in its order.
        features: what the method represents the texts by, if it is known already; only a `KeyJoin` reads it.

    Raises:
        TypeError: the method searches by itself (`Search`), and has no sets for documents that arrive.
        ValueError: the method would count statistics or noise on a corpus: freeze them first (`quchong.decision.frozen`).
    """
    join = method.candidates
    if not can_arrive(join):
        raise TypeError(f"{method.name} searches by itself, in all documents at once")
    if join.statistics is not None and join.statistics.count is not None:
        raise ValueError(
            f"{method.name} counts on a corpus: its statistics must be frozen before documents arrive one at a time"
        )
    signatures = np.zeros((len(documents), 0), np.uint64)
    match join:
        case KeyJoin(keys=keys_of):
            sets, sizes = _of_keys(keys_of(features or method.represent(documents.texts, workers)), scope, workers)
        case SetJoin():
            sets, sizes = _of_sets(join, documents, scope, workers)
        case Search(arriving=united) if united is not None:
            sets, sizes = united_sets(united, documents, scope, workers)
        case HammingJoin(sign=sign):
            signed: Signatures = sign(documents, workers)
            signatures = signed.words
            sets = feature_sets(*rows_as_keys(_blocks(join, signatures), signed.defined), workers=workers)
            sizes = DocumentSizes.from_columns(sets.lengths, scope=scope)
    if time is not None:
        sizes = DocumentSizes(sizes.size, sizes.window, np.asarray(time, np.float64), sizes.scope)
    return Represented(sets.values, sets.weights, sets.offsets, sizes, signatures)


def _of_keys(keys: Keys, scope: np.ndarray | None, workers: int | None) -> tuple[FeatureSets, DocumentSizes]:
    """Return the distinct keys of documents, and their sizes scaled by the share of keys that are distinct."""
    values = keys.values if scope is None else scoped(keys.values, keys.offsets, scope)
    sets = feature_sets(values, keys.offsets, workers=workers)
    size = keys.size
    if len(sets.values) < len(values):
        whole = keys.offsets[1:] - keys.offsets[:-1]
        size = size * np.divide(sets.lengths, whole, out=np.ones(len(whole)), where=whole > 0)
    return sets, DocumentSizes.from_columns(size, keys.window)


def _of_sets(
    join: SetJoin, documents: Documents, scope: np.ndarray | None, workers: int | None
) -> tuple[FeatureSets, DocumentSizes]:
    """Return the feature sets of documents without noise features, or their prefixes if the join uses prefixes; and the set sizes."""
    sets = join.sets(documents, workers)
    if join.noise is not None and join.noise.noise is not None:
        sets = join.noise.noise.without(sets, documents.column("site"))
    sizes = DocumentSizes.from_columns(sets.sizes, scope=scope)
    if join.prefixes is None:
        return sets, sizes
    known = join.prefixes.known_frequency(sets.values)
    frequency = np.zeros(len(sets.values), np.int64) if known is None else known
    return feature_sets(*join.prefixes.prefixes(sets, frequency), workers=workers), sizes


def _blocks(join: HammingJoin, words: np.ndarray) -> np.ndarray:
    """Return keys of which two signatures within the distance have one in common: uint64 (signatures, keys)."""
    if join.distance >= 64 * words.shape[1]:
        return np.zeros((len(words), 1), np.uint64)  # all are within it
    return block_keys(words, join.distance + 1)


def candidates_of(
    join: Join, documents: Represented, postings: Postings, *, before: np.ndarray | None = None, references: int = 0,
    within: float | None = None, workers: int | None = None,
) -> SelectedCandidates:  # fmt: skip
    """Return, for each document given, its candidates among the documents in `postings`, within the limits of the join.

    The documents given do not meet each other, unless they were added first and `before` are their numbers: the answer is then that of
    asking for each, then adding it.

    Args:
        join: of the method that represented the documents; not a `Search` without sets for it.
        before: for each document, only documents with lesser numbers are met; None for all.
        references: documents below this number are not paired with each other.
        within: longest time between both documents of a pair, in a `KeyJoin`; None for no limit.

    Returns:
        Pairs (`SelectedCandidates.document`, the candidate's number; `asking`, the index of the document given), sorted by `asking`, then
        `document`.

    Raises:
        TypeError: the join is a `Search` without sets for it.

    Cost: that of `lookup` and of `select_candidates`; independent of the number of documents added, but for the lengths of the lists. A
    `KeyJoin` without references and times reads `cap` documents of each list, whatever its length; so do sets that are not counted exactly.
    """
    cap = _front(join, documents, references, within)
    crowd = CROWD if isinstance(join, KeyJoin) else 0
    limits_of_lists = None if before is None else np.repeat(before, np.diff(documents.offsets))
    looked = (
        postings.lookup(documents.keys)
        if cap is None
        else postings.lookup(documents.keys, most=cap + 1, counted=crowd, before=limits_of_lists)
    )
    if cap is not None and looked.weighted and isinstance(join, SetJoin):  # what lies beyond the cap may have weights
        cap, looked = None, postings.lookup(documents.keys)
    met = np.full(len(documents), len(looked.sizes)) if before is None else before
    asked = (looked.lists, documents.offsets, documents.weights, met, documents.sizes, looked.sizes)
    match join:
        case KeyJoin(limits=limits):
            return select_candidates(
                *asked, rule="keys", cap=limits.cap, min_shared=limits.min_shared, share=limits.share, most=limits.most,
                few=limits.few, crowd=CROWD, references=references, within=within,
                lengths=None if cap is None else looked.lengths, workers=workers,
            )  # fmt: skip
        case SetJoin(limits=limits):
            limits = limits if join.prefixes is None else JoinLimits(cap=0)
            weighed = bool((documents.weights != 1).any() or (looked.lists.weights != 1).any())
            return select_candidates(
                *asked, rule="smaller", cap=limits.cap or None, min_shared=limits.min_shared, share=max(limits.share, ANY),
                most=limits.most, references=references, exact=limits.most > 0 or weighed, workers=workers,
            )  # fmt: skip
        case HammingJoin():
            found = select_candidates(
                *asked, rule="smaller", cap=LISTED if join.bits > WIDEST else None, share=ANY, references=references,
                workers=workers,
            )  # fmt: skip
            return _near(join, documents, looked, found)
        case Search(arriving=united) if united is not None:
            return united_candidates(united, documents, looked, before, references)
        case _:
            raise TypeError("a search by the method's own code knows no postings")


def _front(join: Join, documents: Represented, references: int, within: float | None) -> int | None:
    """Return how many documents at the front of a posting list can decide the join; None if the whole list is needed.

    A list is read one document further, to know that it is longer.
    """
    match join:
        case KeyJoin(limits=limits):  # references, and times, have a front of their own in each list
            return limits.cap if references == 0 and within is None else None
        case SetJoin(limits=limits):  # an exact count needs what lies beyond the cap
            counts = limits.most > 0 or join.prefixes is not None or bool((documents.weights != 1).any())
            return None if counts else limits.cap or None
        case HammingJoin():
            return LISTED if join.bits > WIDEST else None
        case _:
            return None


def _near(join: HammingJoin, documents: Represented, looked: Lookup, found: SelectedCandidates) -> SelectedCandidates:
    """Return the pairs within the distance, for each document at most `cap`, the first ones."""
    both = np.concatenate([documents.signatures[found.asking], looked.signatures[found.document]])
    n = len(found.asking)
    near = Signatures(both, np.ones(2 * n, bool)).distances(np.arange(n), np.arange(n, 2 * n)) <= join.distance
    document, asking, shared = found.document[near], found.asking[near], found.shared[near]
    bounded = np.zeros(len(documents), bool)
    if not join.all_pairs or join.bits > WIDEST:
        kept = np.arange(len(asking)) - np.searchsorted(asking, asking) < join.cap
        bounded[asking[~kept]] = True
        document, asking, shared = document[kept], asking[kept], shared[kept]
    return SelectedCandidates(document, asking, shared, bounded, np.zeros(len(documents), bool))
