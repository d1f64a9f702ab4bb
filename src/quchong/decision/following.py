"""Additional candidates for crowded documents: survivors of the documents they are near to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.candidates.nearest import places_among
from quchong.decision.classes import Classes
from quchong.decision.differing import fills_otherwise
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.examination import Examine, examine_deciding, in_components, left_open
from quchong.decision.expansion import ClassPairs, best_members
from quchong.decision.hypotheses import may_have, relation_codes
from quchong.decision.pairs import DocumentPairs
from quchong.decision.survivors import fates
from quchong.kernels.sorting import among, distinct, ordered
from quchong.plan.plan import Plan
from quchong.relation_codes import code_of, removing
from quchong.relations import UNEXAMINED
from quchong.seam import Measures

ROUNDS = 4
"""Number of rounds in which survivors are followed."""
FOLLOWED = 4
"""Most survivors that one document is compared with in a round."""


def to_follow(
    documents: DocumentColumns, plan: Plan, parts: Classes, found: ClassPairs, crowded: np.ndarray, examine: Examine | None = None
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the left and right classes of further pairs to compare: crowded documents with the survivors of their near copies.

    If a document is near to h, and h is removed for survivor x, then the document is likely near to x. Without this step a crowded
    document, which is compared with few others, might be compared only with documents that are removed themselves.

    Args:
        documents, plan: columns, method and policy by which pairs are decided.
        parts: the classes compared.
        found: pairs of these classes listed so far.
        crowded: bool for each class, True if it may have more candidates than it was compared with.
        examine: examines the differences of open pairs (`examine_deciding`); None if none are open. Which ones are changes nothing.

    Returns:
        New pairs left < right, sorted; at most FOLLOWED for each class, those the policy prefers.

    Cost: O(pairs), and O(p log p) for the p pairs connected with a crowded class. Deterministic; a connected component alone gives the same
    pairs as within the whole.
    """
    none = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if not crowded.any() or not len(found.left):
        return none
    best, n = best_members(parts, documents.priority), len(parts.first)
    # Only the components of crowded classes: the pairs of others follow nothing, and are most pairs.
    mine = np.flatnonzero(in_components(n, found, crowded)[found.left])
    # The search for pairs does not depend on how many documents of a cluster are kept.
    plan, some = replace(plan, keep_per_cluster=1), _some_pairs(found, mine)
    # (1) Decide provisionally, with the best member standing for its class: who would be removed, for which survivor.
    if examine is not None:
        alone = replace(parts, members=best, offsets=np.arange(n + 1), linked_left=best[:0], linked_right=best[:0])
        some = examine_deciding(
            documents, plan, alone, alone, some, lambda pairs: examine(mine[pairs]), fates_only=True
        )
    left, right, measures = some.left, some.right, some.measures
    code = relation_codes(plan.method.rule, measures)
    if some.open is not None:
        code[some.open] = code_of(UNEXAMINED)
    rule = np.broadcast_to(np.array("", object), len(code))  # which decides nothing
    inside: dict[str, np.ndarray] = {
        name: measures[name] for name in ("containment_left", "containment_right", "facts") if name in measures
    }
    pairs = DocumentPairs(best[left], best[right], code, rule, inside)
    fate = fates(documents, pairs, plan, np.zeros(len(documents), bool))
    # (2) Both directions of all pairs that are near by their texts, whatever their differences are; keep those from a crowded class that is
    # kept to one that is removed.
    near = np.flatnonzero(_near(plan, measures, code))
    here, there = np.concatenate([left[near], right[near]]), np.concatenate([right[near], left[near]])
    stays = ~(fate.removed | documents.protected | documents.reference)[best] & crowded
    some_of = stays[here] & fate.removed[best[there]]
    if not some_of.any():
        return none
    here, there = here[some_of], there[some_of]
    # (3) The candidate is the class of that survivor, unless the pair is listed, equal, out of scope, or not to be compared.
    to = parts.node[fate.survivor[best[there]]]
    listed = np.sort(pair_codes(left, right, n))
    code = distinct(here * n + to)
    here, to = code // n, code % n
    a, b = best[here], best[to]
    may = (here != to) & ~among(pair_codes(here, to, n), listed) & ~documents.same(a, b)
    may &= documents.compared(a, b, plan.only_against) & documents.scope.allows(a, b)
    here, to = here[may], to[may]
    # (4) Take the FOLLOWED best candidates of each class by policy; this bounds the cost of a round.
    place, _ = places_among(ordered(here, documents.priority[best[to]]), here)
    here, to = here[place < FOLLOWED], to[place < FOLLOWED]
    code = distinct(pair_codes(here, to, n))
    return code // n, code % n


def _some_pairs(found: ClassPairs, some: np.ndarray) -> ClassPairs:
    """Return the pairs of classes `some` (ascending indices) without their lists of differences, which decide nothing."""
    if len(some) == len(found.left):  # all, in one large family: nothing is copied
        return ClassPairs(found.left, found.right, found.measures, open=found.open)
    return ClassPairs(
        found.left[some], found.right[some], {name: values[some] for name, values in found.measures.items()},
        open=None if found.open is None else found.open[some],
    )  # fmt: skip


def _near(plan: Plan, measures: Measures, code: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs that may remove a document, taking the most removing outcome for pairs still to be examined.

    Args:
        code: relations of the pairs as known now.
    """
    removes = removing(plan.removing)
    near: np.ndarray = removes[code] & ~fills_otherwise(measures, len(code))
    waiting = np.flatnonzero(left_open(plan, measures, len(code)))
    near[waiting] = may_have(plan, measures, waiting, removes)
    return near
