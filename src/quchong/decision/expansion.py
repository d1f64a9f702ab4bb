"""Expansion of pairs of exact classes to pairs of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.candidates.nearest import places_among
from quchong.decision.classes import CLASS_LIMIT, Classes
from quchong.decision.difference_lists import ChosenLists, Part
from quchong.decision.documents import DocumentColumns
from quchong.decision.frozen import FrozenTemplates
from quchong.decision.hypotheses import NOT_EXAMINED, decided, may_have
from quchong.decision.pairs import EQUAL, DocumentPairs
from quchong.kernels.offsets import positions_in_items
from quchong.kernels.sorting import distinct, ordered
from quchong.plan.plan import Plan
from quchong.relation_codes import COPIES, code_of, mirrored
from quchong.relations import EXACT, UNEXAMINED

NEAR_LIMIT = 64
"""Number of near classes whose best document every copy of a large class is paired with, the best by policy first. It suffices for copies
to be removed too when the best copy is removed as a duplicate of another document. Without a limit a family of near-equal posts, many
of them exact copies, would have an unbounded number of pairs.
"""

_SIDED = {
    "containment_left": "containment_right",
    "containment_right": "containment_left",
    "tokens_left": "tokens_right",
    "tokens_right": "tokens_left",
    "features_left": "features_right",
    "features_right": "features_left",
    "covered_left": "covered_right",
    "covered_right": "covered_left",
    "aligned_left": "aligned_right",
    "aligned_right": "aligned_left",
    "rest_left": "rest_right",
    "rest_right": "rest_left",
}


@dataclass(frozen=True, slots=True)
class ClassPairs:
    """Pairs of classes at or above the floor, with their measures, and the number of candidates examined.

    Attributes:
        left, right: int64, class numbers.
        measures: values of each pair, by name.
        candidates, capped_keys, largest_key, bounded: counts of the join.
        differences: lists of DIFFERENCE, or null (`quchong.decision.differing`), in several parts, numbered over all parts; None if
            the method determines no differences.
        list_of: int64, the number of the list of each pair, -1 for none; None if list i is that of pair i.
        headers: uint64, shingles of the headers that many documents share (`quchong.decision.headers`); None if none were looked for.
        open: bool, pairs whose differences the rule may depend on and that were not examined (`quchong.decision.examination`); None
            for no such pairs.
        templates: table TEMPLATES of the frames found among the pairs; None if none were looked for.
        frozen, component: the frames frozen, and int64 for each class the component by whose frames it is told apart; None for no frames.
    """

    left: np.ndarray
    right: np.ndarray
    measures: dict[str, np.ndarray]
    candidates: int = 0
    capped_keys: int = 0
    largest_key: int = 0
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()
    differences: Sequence[Part] | None = None
    list_of: np.ndarray | None = None
    open: np.ndarray | None = None
    templates: pa.Table | None = None
    frozen: FrozenTemplates | None = None
    component: np.ndarray | None = None
    headers: np.ndarray | None = None


def numbers_of_lists(found: ClassPairs) -> np.ndarray:
    """Return the number of the list of differences of each pair, int64; -1 for none."""
    if found.list_of is not None:
        return found.list_of
    n = len(found.left)
    return np.full(n, -1) if found.differences is None else np.arange(n)


def expand(
    documents: DocumentColumns, plan: Plan, classes: Classes, parts: Classes, found: ClassPairs
) -> DocumentPairs:
    """Expand pairs of classes to all pairs of documents: near pairs for every member of both parts, exact pairs within classes.

    `found` has pairs of `parts`, which equal the classes unless a method reads more than the text.

    Returns:
        The pairs, sorted by left id, then right id. Pairs of two reference documents are left out.

    Cost: O(pairs log pairs); every column is made once, in its final order, so that memory stays at one copy.
    """
    # (1) Decide the pairs of classes once, then list the document pairs: near ones, exact ones, and links within the time window.
    codes, rule = decided(plan.method.rule, found.measures)
    if found.open is not None:  # what nobody examined claims nothing
        unseen = np.flatnonzero(found.open)
        unseen = unseen[may_have(plan, found.measures, unseen, COPIES)]
        codes[unseen], rule[unseen] = code_of(UNEXAMINED), NOT_EXAMINED
    rank = documents.id_rank
    near_left, near_right, index, left, right = document_pairs(documents, classes, parts, found)
    near, equal = len(index), left[len(index) :]
    # (2) Orient each pair by id, drop pairs that are not to be compared, and sort by left id, then right id.
    flip = rank[left] > rank[right]
    left, right = np.where(flip, right, left), np.where(flip, left, right)
    order = np.flatnonzero(documents.compared(left, right, plan.only_against))
    order = order[ordered(rank[left[order]], rank[right[order]])]
    left, right = left[order], right[order]
    # In this order: which pairs are near ones, of which pair of classes, and whether they are flipped; one document of each other pair.
    is_near = order < near
    near_order, rest = order[is_near], equal[order[~is_near] - near]
    at, flipped = index[near_order], flip[near_order]
    compared = (near_left[near_order] == parts.first[found.left[at]]) & (
        near_right[near_order] == parts.first[found.right[at]]
    )
    del near_left, near_right, index, flip, order, near_order

    sets = "features_left" in found.measures or "covered_left" in found.measures

    # (3) Fill each column in its final order: values of the pair of classes, exchanged if the pair is flipped, and values of exact pairs.
    def filled(values: np.ndarray, exact: np.ndarray | int | str) -> np.ndarray:
        if not len(rest):
            return values
        out = np.empty(len(is_near), values.dtype)
        out[is_near], out[~is_near] = values, exact
        return out

    def column(name: str, values: np.ndarray) -> np.ndarray:
        other = found.measures[_SIDED.get(name, name)]
        mine = values[at] if other is values else np.where(flipped, other[at], values[at])
        return filled(mine, _exact_measure(documents, rest, name, values, sets)).astype(values.dtype, copy=False)

    return DocumentPairs(
        left,
        right,
        filled(mirrored(codes[at], flipped), code_of(EXACT)),
        filled(rule[at], EQUAL),
        {name: column(name, values) for name, values in found.measures.items()},
        _lists(found, compared, at, flipped, is_near),
    )


def document_pairs(
    documents: DocumentColumns, classes: Classes, parts: Classes, found: ClassPairs
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """List the pairs of documents for pairs of classes: near pairs, then exact pairs, then pairs linked within a time window.

    Returns:
        Left and right of the near pairs, and the index of the pair of classes of each; then left and right of all pairs, which
        begin with the near ones. All int64.
    """
    priority = documents.priority
    near_left, near_right, index = _near(parts, found, _by_policy(parts, priority), priority)
    same_left, same_right = _member_pairs(classes, _by_policy(classes, priority))
    left = np.concatenate([near_left, same_left, classes.linked_left])
    right = np.concatenate([near_right, same_right, classes.linked_right])
    return near_left, near_right, index, left, right


def _lists(
    found: ClassPairs, compared: np.ndarray, index: np.ndarray, flipped: np.ndarray, near: np.ndarray
) -> ChosenLists | None:
    """Return the differences of the pairs in final order; null for pairs of further copies, which were not compared themselves.

    Args:
        compared, index, flipped: of each near pair: whether it was compared itself, its pair of classes, whether it is flipped.
        near: mask of the near pairs among all.
    """
    if found.differences is None:
        return None
    place, turned = np.full(len(near), -1), np.zeros(len(near), bool)
    some = np.flatnonzero(near)[compared]
    place[some], turned[some] = numbers_of_lists(found)[index[compared]], flipped[compared]
    return ChosenLists(found.differences, place, turned)


def best_members(classes: Classes, priority: np.ndarray) -> np.ndarray:
    """Return the member of each class that the policy prefers, int64."""
    best: np.ndarray = _by_policy(classes, priority)[classes.offsets[:-1]]
    return best


def _by_policy(classes: Classes, priority: np.ndarray) -> np.ndarray:
    """Return all members ordered by class, and within a class by policy, the best first; int64."""
    return classes.members[ordered(classes.node[classes.members], priority[classes.members])]


def _near(
    classes: Classes, found: ClassPairs, members: np.ndarray, priority: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the document pairs of each pair of classes: left, right, and the index of the pair of classes.

    Small classes are paired member by member. If a class is large, every member of each is paired with the best of the other, but only for
    the NEAR_LIMIT near classes that come first by policy; for the rest only its best member is paired.
    """
    sizes = classes.sizes
    # A large class would give m * n pairs; m + n - 1 pairs with the best members suffice for copies to follow (docs/decisions/0116).
    m, n = sizes[found.left], sizes[found.right]
    large = (m > CLASS_LIMIT) | (n > CLASS_LIMIT) | (m * n > 10 * CLASS_LIMIT)
    if not large.any():
        return _product(classes, found, members, m, n, np.arange(len(large)))
    one = np.ones(len(large), np.int64)
    best = priority[members[classes.offsets[:-1]]]
    # Beyond the NEAR_LIMIT best neighbours of a class even these are too many: only best with best.
    far_left = large & (_place(found.left, best[found.right]) >= NEAR_LIMIT)
    far_right = large & (_place(found.right, best[found.left]) >= NEAR_LIMIT)
    some_m, some_n = np.where(far_left, one, m), np.where(far_right, one, n)
    # First the best of the left class with members of the right one, then members of the left with the best of the right.
    parts = [_product(classes, found, members, np.where(large, one, m), some_n, np.arange(len(large)))]
    again = np.flatnonzero(large)
    parts.append(_product(classes, found, members, some_m, np.where(large, one, n), again, skip_first=True))
    left, right, index = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return left, right, index


def _place(mine: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return the position, from 0, of each pair among the pairs of its class `mine`, ordered by rank."""
    return places_among(ordered(mine, rank), mine)[0]


def _product(
    classes: Classes,
    found: ClassPairs,
    members: np.ndarray,
    m: np.ndarray,
    n: np.ndarray,
    which: np.ndarray,
    skip_first: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs of the first m members of the left class with the first n of the right one: left, right, index of the pair of
    classes.
    """
    # `within` counts the pairs of each product from 0; its quotient and remainder by n are the two members.
    counts = m[which] * n[which]
    index = np.repeat(which, counts)
    within = positions_in_items(counts)
    if skip_first:  # the pair of both best members is in the first product already
        index, within = index[within > 0], within[within > 0]
    i, j = within // n[index], within % n[index]
    left = members[classes.offsets[found.left[index]] + i]
    right = members[classes.offsets[found.right[index]] + j]
    return left, right, index


def _member_pairs(classes: Classes, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of members within each class: all pairs, or in a large class each member with the best."""
    sizes = classes.sizes
    lefts: list[np.ndarray] = [np.zeros(0, np.int64)]
    rights: list[np.ndarray] = [np.zeros(0, np.int64)]
    # All classes of one size at once: their pairs have the same index pattern.
    for size in distinct(sizes[(sizes > 1) & (sizes <= CLASS_LIMIT)]).tolist():
        i, j = np.triu_indices(size, 1)
        starts = classes.offsets[:-1][sizes == size]
        lefts.append(members[(starts[:, None] + i).reshape(-1)])
        rights.append(members[(starts[:, None] + j).reshape(-1)])
    # A large class gives each member only with its best.
    for c in np.flatnonzero(sizes > CLASS_LIMIT).tolist():
        group = members[classes.offsets[c] : classes.offsets[c + 1]]
        lefts.append(np.full(len(group) - 1, group[0]))
        rights.append(group[1:])
    return np.concatenate(lefts), np.concatenate(rights)


def _exact_measure(documents: DocumentColumns, docs: np.ndarray, name: str, like: np.ndarray, sets: bool) -> np.ndarray:
    """Return the measure `name` for exact pairs, float64; `docs` has one document of each pair.

    Evidence is NaN if it is a share of features or passages (`sets`), and so is the ratio of sizes.
    """
    # Evidence of sets is unknown: exact copies were never compared by features. All shares are 1, all counts of conflicts 0.
    if (name == "evidence" and sets) or name in ("size_ratio", "rest_left", "rest_right"):
        return np.full(len(docs), np.nan)
    if name in (
        "covered_left",
        "covered_right",
        "aligned_left",
        "aligned_right",
        "told",
        "jaccard",
        "containment_left",
        "containment_right",
        "number_overlap",
    ):
        return np.ones(len(docs), like.dtype)
    out = np.zeros(len(docs), like.dtype)
    tokens = documents.tokens[docs]
    if name in ("tokens_left", "tokens_right"):
        out[:] = tokens
    elif name == "han":
        out[:] = 2 * documents.singles[docs].astype(np.int64) >= tokens
    return out
