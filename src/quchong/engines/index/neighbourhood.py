"""Fates of documents among those that they have a relation to, decided as a run decides them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.pairs import EQUAL, DocumentPairs
from quchong.decision.survivors import Fate, fates
from quchong.engines.index.joined_documents import column_table
from quchong.plan.plan import Plan
from quchong.relation_codes import MIRRORED, code_of
from quchong.relations import EXACT
from quchong.seam import Features
from quchong.tables import ROUNDUP


class Member(NamedTuple):
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


class MemberPair(NamedTuple):
    """Pair of members, given by their indices in the neighbourhood; the left one has the smaller id.

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


def exact_pair(members: Sequence[Member], one: int, other: int, start: int = 0) -> MemberPair:
    """Return the pair of two members with equal texts, as indices from `start` on."""
    a, b = (one, other) if id_key(members[one].id) <= id_key(members[other].id) else (other, one)
    return MemberPair(a - start, b - start, code_of(EXACT), EQUAL, 1.0, 1.0)


def id_key(id: str | int | None) -> bytes:
    """Return the bytes by which an id is sorted."""
    return str("" if id is None else id).encode(errors="surrogatepass")


def id_order(id: str | int | None) -> tuple[int, bytes]:
    """Return the sort key of an id: given ids first, then made ones in order of arrival.

    None, of a document that was only asked about, comes last.
    """
    if id is None:
        return sys.maxsize, b""
    arrived = isinstance(id, str) and id.startswith("#") and id[1:].isdecimal()
    return int(str(id)[1:]) if arrived else -1, id_key(id)


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Documents whose decisions depend on each other, with their relations.

    Attributes:
        members: the documents.
        near: pairs of members that were compared, of every member of a class with each one of the other class.
        same: number of the exact class of each member.
    """

    members: Sequence[Member]
    near: Sequence[MemberPair]
    same: Sequence[int]


def decided(
    plan: Plan, members: Sequence[Member], near: Sequence[MemberPair], same: Sequence[int]
) -> tuple[Fate, list[MemberPair]]:
    """Decide the members of a neighbourhood, where all equal members count as pairs; return the fates and their pairs.

    Args:
        members, near, same: see `Neighbourhood`.

    Cost: see `decided_apart`.
    """
    return decided_apart(plan, [Neighbourhood(members, near, same)])


def decided_apart(plan: Plan, some: Sequence[Neighbourhood]) -> tuple[Fate, list[MemberPair]]:
    """Decide several neighbourhoods independently in one step; return the fates and their pairs.

    Equal members would be a pair each, the square of their number. Pairs with the best one of them decide the same: if it is kept it
    removes the others; if it is removed for a document outside of the class, that one removes the others too, because it is better than
    them as well, or contains them and is no later.

    Args:
        some: the neighbourhoods; a document may be in several of them, as a member of each.

    Returns:
        The fates of all members, by their places in one list of them, in the order of the neighbourhoods; pairs name the places within
        their neighbourhood.

    Cost: independent of the size of the index; for n equal members n pairs, and n log n to order them.
    """
    members = [member for one in some for member in one.members]
    starts = list(accumulate((len(one.members) for one in some), initial=0))
    texts = dict[tuple[int, int, int], int]()
    text = [
        texts.setdefault((k, member.high, member.low), len(texts))
        for k, one in enumerate(some)
        for member in one.members
    ]
    documents, order = _documents(plan, members, text)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    pairs: list[MemberPair] = []
    shift: list[int] = []
    by_priority = sorted(range(len(members)), key=documents.priority[place].tolist().__getitem__)
    classes = [(k, number) for k, one in enumerate(some) for number in one.same]
    best: dict[tuple[int, int], int] = {}
    for start, one in zip(starts, some, strict=False):
        pairs += one.near
        shift += [start] * len(one.near)
    for i in by_priority:
        if (first := best.setdefault(classes[i], i)) != i:
            start = starts[classes[i][0]]
            pairs.append(exact_pair(members, i, first, start))
            shift.append(start)
    return _fates(plan, documents, order, place, pairs, np.array(shift, np.int64)), pairs


def _documents(
    plan: Plan, members: Sequence[Member], text: Sequence[int]
) -> tuple[DocumentColumns, list[int]]:  # fmt: skip
    """Return the members as document columns ranked by the policy, and the member index of each row.

    Args:
        text: number of the text of each member.
    """
    order = sorted(range(len(members)), key=lambda i: members[i].number)
    some = [members[i] for i in order]
    ids = pa.array([str(one.id) for one in some], pa.large_string())
    rank = np.empty(len(some), np.int64)
    rank[sorted(range(len(some)), key=lambda k: id_order(some[k].id))] = np.arange(len(some))
    features = Features(
        np.array([one.tokens for one in some], np.uint32), np.array([one.singles for one in some], np.uint32),
        np.zeros(len(some), np.uint64), np.array(text, np.uint64)[order], np.zeros(1, np.int64), np.zeros(0, np.uint64),
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
    plan: Plan, documents: DocumentColumns, order: list[int], place: np.ndarray, pairs: Sequence[MemberPair], shift: np.ndarray
) -> Fate:  # fmt: skip
    """Return the fates of members, in member order, from their pairs, whose indices are shifted by `shift`."""
    left = place[np.array([pair.left for pair in pairs], np.int64) + shift]
    right = place[np.array([pair.right for pair in pairs], np.int64) + shift]
    measures: dict[str, np.ndarray] = {
        "containment_left": np.array([pair.containment_left for pair in pairs], np.float64),
        "containment_right": np.array([pair.containment_right for pair in pairs], np.float64),
        "facts": np.array([pair.facts for pair in pairs], np.uint16),
    }
    relation = np.array([pair.relation for pair in pairs], np.uint8)
    rules = np.full(len(pairs), EQUAL, object)
    found = fates(documents, DocumentPairs(left, right, relation, rules, measures), plan, np.zeros(len(order), bool))
    survivor = np.array(order, np.int64)[found.survivor[place]]
    roundup = None if found.roundup is None else found.roundup[place]
    return Fate(
        found.removed[place], survivor, found.pair[place], found.overruled[place], found.first[place], roundup=roundup
    )


def removal_of(fate: Fate, pairs: Sequence[MemberPair], i: int, start: int = 0) -> tuple[int, int, str] | None:
    """Return survivor index, relation code and rule of a removed member `i`; None if it is kept.

    Args:
        fate, pairs: as `decided_apart` gives them.
        i: place of the member among all. start: place of the first member of its neighbourhood.
    """
    if not fate.removed[i] or fate.pair[i] < 0:
        return None
    pair = pairs[int(fate.pair[i])]
    relation = pair.relation if pair.left == i - start else int(MIRRORED[pair.relation])
    taken_apart = fate.roundup is not None and fate.roundup[i]
    return int(fate.survivor[i]), relation, ROUNDUP if taken_apart else pair.rule
