"""Fates of the documents of a small neighbourhood, decided over plain values as `quchong.engines.index.neighbourhood` decides over columns.

A neighbourhood of three documents has three pairs. To decide it over arrays takes some 300 small steps of NumPy and Arrow; over plain
values it takes a tenth of the time. What is rare (roundups, forwards, an order by the values of a column) is left to the columns.
`tests/properties/test_small_fates.py` holds both to the same fates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf, isnan
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.roundups import OTHER_SHARE, least_share
from quchong.engines.index.neighbourhood import (
    Member,
    MemberPair,
    Neighbourhood,
    decided_apart,
    exact_pair,
    id_order,
    removal_of,
)
from quchong.kernels.graph import survivors
from quchong.plan.plan import Plan
from quchong.policy.criteria import Criterion
from quchong.policy.times import times
from quchong.relation_codes import INSIDE, MIRRORED, RANK, removing
from quchong.similarity.thresholds import CONTAINED_TOKENS
from quchong.tables import FIELD

MOST_PLAIN = 48
"""Most members of a neighbourhood that is decided over plain values; beyond, columns are faster."""
_PLAIN_CRITERIA = {"longest", "shortest", "first", "last", "earliest", "latest", "source", "prefer"}
_INSIDE, _MIRRORED, _RANK = INSIDE.tolist(), MIRRORED.tolist(), RANK.tolist()

_Text = tuple[int, int]

Loss = tuple[int, int, str]
"""Place of a removed member's survivor, code of its relation to it, and the rule that gave it."""


def losses(plan: Plan, some: Sequence[Neighbourhood]) -> list[list[Loss | None]]:
    """Return for each member of each neighbourhood its removal, or None if it is kept; indices are within the neighbourhood."""
    found = [few_losses(plan, hood) for hood in some]
    rest = [k for k, one in enumerate(found) if one is None]
    for group in [[k] for k in rest] if _reads_values_together(plan) else [rest] if rest else []:
        fate, pairs = decided_apart(plan, [some[k] for k in group])
        start = 0
        for k in group:
            told: list[Loss | None] = []
            for i in range(len(some[k].members)):
                gone = removal_of(fate, pairs, start + i, start)
                told.append(None if gone is None else (gone[0] - start, *gone[1:]))
            found[k] = told
            start += len(told)
    return [one for one in found if one is not None]


def few_losses(plan: Plan, hood: Neighbourhood) -> list[Loss | None] | None:
    """Return for each member of a small neighbourhood its removal or None; None for the whole if columns are needed."""
    members, near = hood.members, hood.near
    if len(members) > MOST_PLAIN or len(near) > MOST_PLAIN * MOST_PLAIN // 2 or not _is_plain(plan, members):
        return None
    if _may_have_roundups(plan, members, near):  # two equal members are no part of one another
        return None
    # (1) Documents in the order of their arrival, and their rank by the policy: criteria first, then the id.
    place = [0] * len(members)
    for k, i in enumerate(sorted(range(len(members)), key=[member.number for member in members].__getitem__)):
        place[i] = k
    keys = [[_key(criterion, members[i], place[i]) for i in range(len(members))] for criterion in plan.policy.criteria]
    by_priority = _rank_members(members, keys, place)
    priority = [0] * len(members)
    for rank, i in enumerate(by_priority):
        priority[i] = rank
    # (2) Equal members are a pair with the best one of them.
    pairs = list(near)
    best: dict[int, int] = {}
    for i in by_priority:
        if (first := best.setdefault(hood.same[i], i)) != i:
            pairs.append(exact_pair(members, i, first))
    # (3) Who is kept, and the kept winner that explains each removal best.
    arcs = _arcs(plan, pairs, priority, _published(plan, keys))
    stays = _decide_kept(arcs, priority, place)
    found: list[tuple[tuple[int, float, int], int, MemberPair] | None] = [None] * len(members)
    for loser, winner, pair in arcs:
        if stays[loser] or not stays[winner]:
            continue
        share = pair.containment_left if loser == pair.left else pair.containment_right
        key = (_RANK[pair.relation], -share, priority[winner])
        known = found[loser]
        if known is None or key < known[0]:
            found[loser] = (key, winner, pair)
    return [None if one is None else _loss(i, *one[1:]) for i, one in enumerate(found)]


def _published(plan: Plan, keys: Sequence[Sequence[float]]) -> Sequence[float] | None:
    """Return for each member the order by which earlier publication is protected; None if the policy does not protect it."""
    if plan.policy.criteria[0].name != "earliest":
        return None
    if not plan.policy.arrival:
        return keys[0]
    place = [0.0] * len(keys[0])
    for rank, i in enumerate(sorted(range(len(place)), key=lambda i: (keys[0][i], keys[1][i]))):
        place[i] = rank
    return place


def _is_plain(plan: Plan, members: Sequence[Member]) -> bool:
    """Return True if all criteria can be read from one member alone, and no member is a forward."""
    for criterion in plan.policy.criteria:
        if criterion.name not in _PLAIN_CRITERIA:
            return False
    return all([not member.forward for member in members])


def _arcs(
    plan: Plan, pairs: Sequence[MemberPair], priority: Sequence[int], published: Sequence[float] | None
) -> list[tuple[int, int, MemberPair]]:
    """Return loser, winner and pair for the pairs that may remove a document, as `quchong.policy.survivors.arcs`."""
    removes = _removing(plan.removing)
    arcs: list[tuple[int, int, MemberPair]] = []
    for pair in pairs:
        left, right, relation = pair[:3]
        if left == right or pair.facts & FIELD or not removes[relation]:
            continue
        inside = _INSIDE[relation]
        left_loses = inside > 0 or (inside == 0 and priority[left] > priority[right])
        loser, winner = (left, right) if left_loses else (right, left)
        if not (inside and published is not None and published[loser] < published[winner]):
            arcs.append((loser, winner, pair))
    return arcs


def _loss(member: int, survivor: int, pair: MemberPair) -> Loss:
    return survivor, pair.relation if pair.left == member else _MIRRORED[pair.relation], pair.rule


def _rank_members(members: Sequence[Member], keys: Sequence[Sequence[float]], place: Sequence[int]) -> list[int]:
    """Return the members by the keys of a policy, and those of equal keys by id."""
    told = list(zip(*keys, strict=True))
    order = range(len(members))
    if len(set(told)) == len(told):
        return sorted(order, key=told.__getitem__)
    return sorted(order, key=lambda i: (*told[i], id_order(members[i].id), place[i]))


def _decide_kept(
    arcs: Sequence[tuple[int, int, MemberPair]], priority: Sequence[int], place: Sequence[int]
) -> list[bool]:
    """Return for each member True if it is kept, from arcs of losers and winners."""
    winners: list[list[int]] = [[] for _ in place]
    for loser, winner, _ in arcs:
        winners[loser].append(winner)
    stays: list[bool | None] = [None if some else True for some in winners]
    waiting = [i for i, some in enumerate(winners) if some]
    while waiting:
        rest: list[int] = []
        for i in waiting:
            above = [stays[k] for k in winners[i]]
            if None in above:
                rest.append(i)
            else:
                stays[i] = True not in above
        if len(rest) == len(waiting):
            return _decide_circles(arcs, priority, place)
        waiting = rest
    return [one is True for one in stays]


def _decide_circles(
    arcs: Sequence[tuple[int, int, MemberPair]], priority: Sequence[int], place: Sequence[int]
) -> list[bool]:
    """Return for each member True if it is kept, by the kernel, because the arcs have a cycle."""
    ranks = np.empty(len(place), np.int64)
    ranks[list(place)] = priority
    loser = np.array([place[arc[0]] for arc in arcs], np.uint32)
    winner = np.array([place[arc[1]] for arc in arcs], np.uint32)
    found = survivors(loser, winner, ranks, np.zeros(len(place), np.uint8)).tolist()
    return [bool(found[k]) for k in place]


def _may_have_roundups(plan: Plan, members: Sequence[Member], pairs: Sequence[MemberPair]) -> bool:
    """Return True if a text may contain two others that have little in common, see `quchong.decision.roundups`.

    Such a text need not be a roundup: times are not looked at.
    """
    least = least_share(plan.method.rule)
    numbers: dict[_Text, int] = {}
    texts = [numbers.setdefault((member.high, member.low), len(numbers)) for member in members]
    tokens = [member.tokens for member in members]
    parts_of: dict[int, set[int]] = {}
    inside: set[int] = set()
    for left, right, _, _, share_left, share_right, _ in pairs:
        mine, theirs = tokens[left], tokens[right]
        if mine < CONTAINED_TOKENS or theirs < CONTAINED_TOKENS or mine == theirs:
            continue
        part, whole, share = (left, right, share_left) if mine < theirs else (right, left, share_right)
        if share >= least:
            inside.add(part)
            inside.add(whole)
            parts_of.setdefault(texts[whole], set()).add(texts[part])
    several = [parts for parts in parts_of.values() if len(parts) > 1]
    if not several:
        return False
    alike: dict[int, set[int]] = {text: {text} for parts in several for text in parts}
    for left, right, _, _, share_left, share_right, _ in pairs:
        if (share_left >= OTHER_SHARE or share_right >= OTHER_SHARE) and left in inside and right in inside:
            one, other = texts[left], texts[right]
            if one in alike and other in alike:
                alike[one].add(other)
                alike[other].add(one)
    return any(not alike[part].issuperset(parts) for parts in several for part in parts)


@lru_cache(64)
def _removing(relations: tuple[str, ...]) -> tuple[bool, ...]:
    return tuple(removing(relations).tolist())


def _reads_values_together(plan: Plan) -> bool:
    """Return True if the policy orders by a column, whose values are compared as numbers only if all of them are."""
    return any(criterion.name == "column" for criterion in plan.policy.criteria)


def _key(criterion: Criterion, member: Member, place: int) -> float:
    """Return the sort key of a member for a criterion; infinity if its value is unknown."""
    match criterion.name:
        case "longest" | "shortest":
            key = member.tokens
        case "first" | "last":
            key = place
        case _:
            return _key_of_value(criterion, member)
    return -key if criterion.name in ("longest", "last") else key


def _key_of_value(criterion: Criterion, member: Member) -> float:
    """Return the sort key of a member's column value for a criterion."""
    value: Any = str(member.id) if criterion.column == "id" else member.columns.get(criterion.column)
    told = value if value is None or isinstance(value, str) else str(value)
    match criterion.name:
        case "source":
            return criterion.values.index(told) if told in criterion.values else len(criterion.values)
        case "prefer":
            return 0 if told == criterion.values[0] else 1
        case _:
            seconds = _seconds(told)
            return inf if isnan(seconds) else -seconds if criterion.name == "latest" else seconds


@lru_cache(1 << 12)
def _seconds(told: str | None) -> float:
    """Return a time in seconds, NaN for none and one that cannot be read."""
    return float(times(pa.array([told], pa.large_string()))[0])
