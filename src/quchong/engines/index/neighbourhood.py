"""Fate of one document among those that it has a relation to, decided as a run decides them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.pairs import EQUAL, DocumentPairs
from quchong.decision.survivors import Fate, fates
from quchong.engines.index.known import column_table
from quchong.plan.plan import Plan
from quchong.relation_codes import code_of
from quchong.relations import EXACT
from quchong.seam import Features


@dataclass(frozen=True, slots=True)
class Member:
    """Document of a neighbourhood.

    Attributes:
        number: in the index; that of the next arrival for a document that was only asked about.
        id: its id.
        high, low, tokens, singles, forward: as in the catalogue.
        columns: values of the columns that the policy reads, by name.
    """

    number: int
    id: str | int
    high: int
    low: int
    tokens: int
    singles: int
    forward: bool
    columns: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemberPair:
    """Pair of members, given by their places in the neighbourhood; the left one has the smaller id.

    Attributes:
        relation: code of the relation of left to right. rule: name of the rule that gave it. facts: kinds of facts in conflict, as bits.
        containment_left, containment_right: share of each found in the other.
    """

    left: int
    right: int
    relation: int
    rule: str
    containment_left: float
    containment_right: float
    facts: int = 0


def exact_pair(members: Sequence[Member], one: int, other: int) -> MemberPair:
    """Return the pair of two members with equal texts."""
    a, b = (one, other) if id_key(members[one].id) <= id_key(members[other].id) else (other, one)
    return MemberPair(a, b, code_of(EXACT), EQUAL, 1.0, 1.0)


def id_key(id: str | int | None) -> bytes:
    """Return the bytes by which ids are ordered."""
    return str("" if id is None else id).encode(errors="surrogatepass")


def id_order(id: str | int | None) -> tuple[int, bytes]:
    """Return the key by which documents are ordered by id: given ids first, then those of documents that came without one, by arrival.

    None, of a document that was only asked about, comes last.
    """
    if id is None:
        return sys.maxsize, b""
    arrived = isinstance(id, str) and id.startswith("#") and id[1:].isdecimal()
    return int(str(id)[1:]) if arrived else -1, id_key(id)


def decided(
    plan: Plan, members: Sequence[Member], near: Sequence[MemberPair], same: Sequence[int]
) -> tuple[Fate, list[MemberPair]]:
    """Decide the members of a neighbourhood as if every two equal ones were a pair; return the fates, and the pairs that they name.

    Equal members would be a pair each, the square of their number. Pairs with the best one of them decide the same: if it is kept it
    removes the others; if it is removed for a document outside of the class, that one removes the others too, because it is better than
    them as well, or contains them and is no later.

    Args:
        near: pairs of members that were compared, of every member of a class with each one of the other class.
        same: number of the exact class of each member.

    Cost: independent of the size of the index; for n equal members n pairs, and n log n to order them.
    """
    documents, order = _documents(plan, members)
    place = {i: k for k, i in enumerate(order)}
    best: dict[int, int] = {}
    pairs = [*near]
    for i in sorted(range(len(members)), key=lambda i: int(documents.priority[place[i]])):
        if (first := best.setdefault(same[i], i)) != i:
            pairs.append(exact_pair(members, i, first))
    return _fates(plan, documents, order, place, pairs), pairs


def _documents(plan: Plan, members: Sequence[Member]) -> tuple[DocumentColumns, list[int]]:
    """Return the members as documents ranked by the policy, and the member at each place: in the order of their arrival."""
    order = sorted(range(len(members)), key=lambda i: members[i].number)
    some = [members[i] for i in order]
    ids = pa.array([str(one.id) for one in some], pa.large_string())
    rank = np.empty(len(some), np.int64)
    rank[sorted(range(len(some)), key=lambda k: id_order(some[k].id))] = np.arange(len(some))
    features = Features(
        np.array([one.tokens for one in some], np.uint32), np.array([one.singles for one in some], np.uint32),
        np.array([one.high for one in some], np.int64).view(np.uint64), np.array([one.low for one in some], np.int64).view(np.uint64),
        np.zeros(1, np.int64), np.zeros(0, np.uint64),
    )  # fmt: skip
    documents = DocumentColumns.unranked(ids, rank, features)
    names = list(dict.fromkeys([*plan.policy.columns, plan.time_key]))
    known = column_table([one.columns for one in some], [name for name in names if name != "id"]).append_column(
        "id", ids
    )
    documents = documents.under(plan.policy, known, np.zeros(len(some), bool), plan.time_key)
    forwards = np.array([one.forward for one in some], bool)
    if forwards.any():
        documents = replace(documents, forwards=forwards)
    return documents, order


def _fates(
    plan: Plan, documents: DocumentColumns, order: list[int], place: dict[int, int], pairs: Sequence[MemberPair]
) -> Fate:
    """Return the fates of the members, by member, from pairs of them."""
    left = np.array([place[pair.left] for pair in pairs], np.int64)
    right = np.array([place[pair.right] for pair in pairs], np.int64)
    measures: dict[str, np.ndarray] = {
        "containment_left": np.array([pair.containment_left for pair in pairs], np.float64),
        "containment_right": np.array([pair.containment_right for pair in pairs], np.float64),
        "facts": np.array([pair.facts for pair in pairs], np.uint16),
    }
    relation = np.array([pair.relation for pair in pairs], np.uint8)
    rules = np.full(len(pairs), EQUAL, object)
    found = fates(documents, DocumentPairs(left, right, relation, rules, measures), plan, np.zeros(len(order), bool))
    back = np.array([place[i] for i in range(len(order))], np.int64)
    survivor = np.array(order, np.int64)[found.survivor[back]]
    return Fate(found.removed[back], survivor, found.pair[back], found.overruled[back], found.first[back])
