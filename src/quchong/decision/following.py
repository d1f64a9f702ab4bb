"""Whom documents in a crowd are compared with beside those that share their keys: survivors of those they are near to."""

from __future__ import annotations

import numpy as np

from quchong.cluster.survivors import REMOVABLE
from quchong.decision.classes import Classes
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.expansion import Found, best_members
from quchong.decision.pairs import DocumentPairs, codes_of
from quchong.decision.survivors import fates
from quchong.kernels.sorting import distinct, ordered
from quchong.plan.plan import Plan
from quchong.tables import CONTAINED_IN, CONTAINS, RELATIONS

ROUNDS = 4
"""How often survivors are followed."""
FOLLOWED = 4
"""Survivors that one document is compared with in a round, at most."""


def to_follow(
    documents: DocumentColumns, plan: Plan, parts: Classes, found: Found, crowded: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of classes that should be compared yet: of those in a crowd that would stay, with whom the ones they are copies of went for.

    A document is near to h, and h goes for the sake of x: then it is likely near to x. Without this a crowd that is compared with few
    leans on documents that go themselves.

    Args:
        documents, plan: what decides.
        parts: classes that were compared.
        found: pairs of them that were listed so far.
        crowded: bool a class, those that met too many others to be compared with all.

    Returns:
        left < right, sorted, at most FOLLOWED for each document: those the policy prefers first. None of them is among the listed.

    Cost: O(pairs log pairs). Deterministic, and the same for a part of the documents that nothing links to the rest.
    """
    none = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if not crowded.any() or not len(found.left):
        return none
    best, n = best_members(parts, documents.priority), len(parts.first)
    relation, rule = plan.method.decide(found.measures)
    code = codes_of(relation)
    inside = {name: found.measures[name] for name in ("containment_left", "containment_right")}
    pairs = DocumentPairs(best[found.left], best[found.right], code, rule, inside)
    fate = fates(documents, pairs, plan.removing, np.zeros(len(documents), bool))
    near = np.flatnonzero(np.isin(code, _removable(plan.removing)))
    here = np.concatenate([found.left[near], found.right[near]])
    there = np.concatenate([found.right[near], found.left[near]])
    stays = ~(fate.removed | documents.protected | documents.reference)[best] & crowded
    some = stays[here] & fate.removed[best[there]]
    here, there = here[some], there[some]
    to = parts.node[fate.survivor[best[there]]]
    listed = pair_codes(found.left, found.right, n)
    code = distinct(here * n + to)
    here, to = code // n, code % n
    a, b = best[here], best[to]
    may = (here != to) & ~np.isin(pair_codes(here, to, n), listed) & ~documents.same(a, b)
    may &= documents.compared(a, b, plan.only_against) & documents.scope.allows(a, b)
    here, to = here[may], to[may]
    order = ordered(here, documents.priority[best[to]])
    here, to = here[order], to[order]
    start = np.flatnonzero(np.diff(here, prepend=-1))
    place = np.arange(len(here)) - np.repeat(start, np.diff(np.append(start, len(here))))
    here, to = here[place < FOLLOWED], to[place < FOLLOWED]
    code = distinct(pair_codes(here, to, n))
    return code // n, code % n


def _removable(removing: tuple[str, ...]) -> list[int]:
    """Codes of the relations for which one of two documents goes."""
    named = {*removing, *([CONTAINS] if CONTAINED_IN in removing else [])}
    return [RELATIONS.index(name) for name in RELATIONS if name in named and name in {*REMOVABLE, CONTAINS}]
