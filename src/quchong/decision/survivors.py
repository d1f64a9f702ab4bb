"""Who stays and who goes, decided from pairs of documents alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.cluster.survivors import RANK, arcs, decide
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.pairs import DocumentPairs
from quchong.tables import CONTAINED_IN, CONTAINS, FIRST, OVERRULED, OVERTURNED, RELATIONS


@dataclass(frozen=True, slots=True)
class Fate:
    """Who goes and for whose sake. Arrays of one entry a document.

    Attributes:
        removed: bool. survivor: int64, the document itself where it stays or went without one (`unconfirmed`).
        pair: int64, index into the pairs of the removal; -1 where there is none.
        overruled: bool: removed though the policy prefers it to its survivor, in which it is contained.
        first: bool: stays though contained in a later document, as `earliest` protects who published first.
        overturned: bool: stays because a person overturned its removal; None where nobody did.
    """

    removed: np.ndarray
    survivor: np.ndarray
    pair: np.ndarray
    overruled: np.ndarray
    first: np.ndarray
    overturned: np.ndarray | None = None

    def policy_of(self, docs: np.ndarray) -> pa.Array:
        """What the policy has to do with these documents, as FATES says it."""
        said = np.zeros(len(docs), bool) if self.overturned is None else self.overturned[docs]
        found = np.select([said, self.overruled[docs], self.first[docs]], [OVERTURNED, OVERRULED, FIRST], "")
        return pa.array(found, pa.string())

    @property
    def unconfirmed(self) -> np.ndarray:
        """Mask of what a filter removed though nothing equal came before: it has no survivor."""
        mask: np.ndarray = self.removed & (self.survivor == np.arange(len(self.removed)))
        return mask


def fates(
    documents: DocumentColumns, pairs: DocumentPairs, relations: tuple[str, ...], unconfirmed: np.ndarray
) -> Fate:
    """Decides every document from the pairs alone (so a saved pairs table can be decided again).

    `documents.priority` decides, `documents.preference` says whether the policy was kept to and whom time protects: see `arcs`.

    What a filter removed `unconfirmed` (mask) stands in no pair, and goes. Pairs that a person set apart (`documents.apart`) remove
    nobody.
    """
    priority, preference = documents.priority, documents.preference
    reference, protected = documents.reference, documents.protected
    loser, winner, pair = arcs(
        pairs.left, pairs.right, pairs.relation, priority, frozenset(relations), reference, preference.published
    )
    free = ~protected[loser]  # what must stay waits for nobody
    if documents.apart is not None:
        free &= ~np.isin(pair_codes(loser, winner, len(documents)), documents.apart)
    loser, winner, pair = loser[free], winner[free], pair[free]
    inside = pairs.measures
    containment = np.where(
        loser == pairs.left[pair], inside["containment_left"][pair], inside["containment_right"][pair]
    )
    rank = RANK[pairs.relation[pair]]
    decision = decide(len(documents), loser, winner, priority, protected | reference, rank, containment)
    removed = ~decision.stays | unconfirmed
    overruled = removed & (preference.rank < preference.rank[decision.survivor]) & ~reference[decision.survivor]
    return Fate(
        removed,
        decision.survivor,
        np.where(decision.arc >= 0, pair[decision.arc] if len(pair) else -1, -1),
        overruled,
        _first(documents, pairs, relations) & ~removed & ~protected & ~reference,
        documents.overturned,
    )


def _first(documents: DocumentColumns, pairs: DocumentPairs, relations: tuple[str, ...]) -> np.ndarray:
    """Mask of the documents contained in one published later, where time protects them."""
    mask, published, reference = np.zeros(len(documents), bool), documents.preference.published, documents.reference
    if published is None or CONTAINED_IN not in relations:
        return mask
    for relation, inside, outside in ((CONTAINED_IN, pairs.left, pairs.right), (CONTAINS, pairs.right, pairs.left)):
        some = pairs.relation == RELATIONS.index(relation)
        inside, outside = inside[some], outside[some]
        mask[inside[(published[inside] < published[outside]) & ~reference[outside]]] = True
    return mask
