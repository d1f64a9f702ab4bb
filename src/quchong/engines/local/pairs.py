"""Expands pairs of exact classes to pairs of documents, and decides which documents go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.cluster.policy import Preference
from quchong.cluster.survivors import RANK, arcs, decide
from quchong.engines.local.candidates import Classes, Found
from quchong.engines.local.corpus import Corpus
from quchong.plan.plan import Plan
from quchong.similarity import UNSEEN
from quchong.tables import CONTAINED_IN, CONTAINS, EXACT, FIRST, OVERRULED, PAIRS, RELATIONS, table_of

CLASS_LIMIT = 100
"""Exact classes are expanded to all their pairs up to so many members; beyond, each copy is paired with the best by
policy only, in its class and in the classes near to it. So are two near classes of more than ten times as many pairs."""
NEAR_LIMIT = 64
"""Near classes whose best document every copy of a large class is paired with, the best by policy first: enough for the
copies to follow when the best of them goes for another's sake. Without it a family of near-equal posts, many of them
exact copies, would have pairs without number."""

PAPERS = ("evidence", "features_left", "features_right", "covered_left", "covered_right")
"""Columns of PAIRS that only the methods of papers fill."""

_SIDED = {
    "containment_left": "containment_right",
    "containment_right": "containment_left",
    "tokens_left": "tokens_right",
    "tokens_right": "tokens_left",
    "features_left": "features_right",
    "features_right": "features_left",
    "covered_left": "covered_right",
    "covered_right": "covered_left",
}


@dataclass(frozen=True, slots=True)
class DocumentPairs:
    """Pairs of documents, oriented so that left has the smaller id; measures and relation say so too."""

    left: np.ndarray
    right: np.ndarray
    relation: np.ndarray  # codes: places in RELATIONS
    rule: np.ndarray  # object: str
    measures: dict[str, np.ndarray]

    def __len__(self) -> int:
        return len(self.left)


def codes_of(relation: np.ndarray) -> np.ndarray:
    """Relation names as places in RELATIONS, uint8."""
    out = np.zeros(len(relation), np.uint8)
    for code, name in enumerate(RELATIONS):
        out[relation == name] = code
    return out


def mirrored(relation: np.ndarray, flip: np.ndarray) -> np.ndarray:
    """Relation codes seen from the other side where `flip` is set."""
    a, b = RELATIONS.index(CONTAINS), RELATIONS.index(CONTAINED_IN)
    swapped = np.where(relation == a, b, np.where(relation == b, a, relation))
    return np.where(flip, swapped, relation).astype(np.uint8)


def expand(
    corpus: Corpus, plan: Plan, classes: Classes, parts: Classes, found: Found, priority: np.ndarray
) -> tuple[DocumentPairs, int]:
    """All pairs of documents: near pairs for every member of both parts, exact pairs within classes.

    `found` has pairs of `parts`, which are the classes themselves but where a method looks at more than the text.

    Returns:
        The pairs, sorted by left id, then right id, and the number of classes too large to expand wholly.
        Pairs of two reference documents are left out.

    Cost: O(pairs log pairs); every column is made once, in its final order, so that memory stays at one copy.
    """
    relation, rule = plan.method.decide(found.measures)
    near_left, near_right, index = _near(parts, found, _by_policy(parts, priority), priority)
    same_left, same_right = _within(classes, _by_policy(classes, priority))
    left = np.concatenate([near_left, same_left, classes.linked_left])
    right = np.concatenate([near_right, same_right, classes.linked_right])
    near, equal = len(index), left[len(index) :]
    rank = corpus.id_rank
    flip = rank[left] > rank[right]
    left, right = np.where(flip, right, left), np.where(flip, left, right)
    keep = ~((left < corpus.references) & (right < corpus.references))
    if plan.only_against:
        keep &= (left < corpus.references) | (right < corpus.references)
    order = np.flatnonzero(keep)
    order = order[np.lexsort((rank[right[order]], rank[left[order]]))]
    turned = flip[:near]

    sets = "features_left" in found.measures or "covered_left" in found.measures

    def column(name: str, values: np.ndarray) -> np.ndarray:
        other = found.measures[_SIDED.get(name, name)]
        return np.concatenate(
            [np.where(turned, other[index], values[index]), _exact_measure(corpus, equal, name, values, sets)]
        )[order]

    codes = mirrored(codes_of(relation)[index], turned)
    return DocumentPairs(
        left[order],
        right[order],
        np.concatenate([codes, np.full(len(equal), RELATIONS.index(EXACT), np.uint8)])[order],
        np.concatenate([rule[index], np.full(len(equal), "equal normal form", object)])[order],
        {name: column(name, values).astype(values.dtype) for name, values in found.measures.items()},
    ), int((classes.sizes > CLASS_LIMIT).sum())


def _by_policy(classes: Classes, priority: np.ndarray) -> np.ndarray:
    """Members class by class, the best by policy first."""
    return classes.members[np.lexsort((priority[classes.members], classes.node[classes.members]))]


def _near(
    classes: Classes, found: Found, members: np.ndarray, priority: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Member pairs of each pair of classes: left, right, index of the pair of classes.

    Every member with every member, or, where a class is large, every member of each with the best of the other, for the
    NEAR_LIMIT classes near to it that come first by policy; beyond, its best member alone.
    """
    sizes = classes.sizes
    m, n = sizes[found.left], sizes[found.right]
    large = (m > CLASS_LIMIT) | (n > CLASS_LIMIT) | (m * n > 10 * CLASS_LIMIT)
    if not large.any():
        return _product(classes, found, members, m, n, np.arange(len(large)))
    one = np.ones(len(large), np.int64)
    best = priority[members[classes.offsets[:-1]]]
    far_left = large & (_place(found.left, best[found.right]) >= NEAR_LIMIT)
    far_right = large & (_place(found.right, best[found.left]) >= NEAR_LIMIT)
    some_m, some_n = np.where(far_left, one, m), np.where(far_right, one, n)
    parts = [_product(classes, found, members, np.where(large, one, m), some_n, np.arange(len(large)))]
    again = np.flatnonzero(large)
    parts.append(_product(classes, found, members, some_m, np.where(large, one, n), again, skip_first=True))
    left, right, index = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return left, right, index


def _place(mine: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Place of each pair among those of its class, least rank first."""
    order = np.lexsort((rank, mine))
    ordered = mine[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    out = np.empty(len(mine), np.int64)
    out[order] = np.arange(len(mine)) - np.repeat(starts, np.diff(np.append(starts, len(mine))))
    return out


def _product(
    classes: Classes,
    found: Found,
    members: np.ndarray,
    m: np.ndarray,
    n: np.ndarray,
    which: np.ndarray,
    skip_first: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first m members of the left class with the first n of the right one, for the chosen pairs of classes."""
    counts = m[which] * n[which]
    index = np.repeat(which, counts)
    within = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
    if skip_first:  # best with best is there already
        index, within = index[within > 0], within[within > 0]
    i, j = within // n[index], within % n[index]
    left = members[classes.offsets[found.left[index]] + i]
    right = members[classes.offsets[found.right[index]] + j]
    return left, right, index


def _within(classes: Classes, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of members of each class."""
    sizes = classes.sizes
    lefts: list[np.ndarray] = [np.zeros(0, np.int64)]
    rights: list[np.ndarray] = [np.zeros(0, np.int64)]
    for size in np.unique(sizes[(sizes > 1) & (sizes <= CLASS_LIMIT)]).tolist():
        i, j = np.triu_indices(size, 1)
        starts = classes.offsets[:-1][sizes == size]
        lefts.append(members[(starts[:, None] + i).reshape(-1)])
        rights.append(members[(starts[:, None] + j).reshape(-1)])
    for c in np.flatnonzero(sizes > CLASS_LIMIT).tolist():
        group = members[classes.offsets[c] : classes.offsets[c + 1]]
        lefts.append(np.full(len(group) - 1, group[0]))
        rights.append(group[1:])
    return np.concatenate(lefts), np.concatenate(rights)


def _exact_measure(corpus: Corpus, docs: np.ndarray, name: str, like: np.ndarray, sets: bool) -> np.ndarray:
    """One measure of exact pairs, given by one document of each; no evidence where it would be a share of features or passages."""
    if name == "evidence" and sets:
        return np.full(len(docs), np.nan)
    if name in ("covered_left", "covered_right", "jaccard", "containment_left", "containment_right", "number_overlap"):
        return np.ones(len(docs), like.dtype)
    out = np.zeros(len(docs), like.dtype)
    tokens = corpus.features.tokens[docs]
    if name in ("tokens_left", "tokens_right"):
        out[:] = tokens
    elif name == "han":
        out[:] = 2 * corpus.features.singles[docs].astype(np.int64) >= tokens
    return out


def to_table(corpus: Corpus, pairs: DocumentPairs) -> pa.Table:
    """PAIRS, in the order given."""
    names = pa.array(RELATIONS, pa.string())
    columns = {
        "left_id": corpus.named(pairs.left),
        "right_id": corpus.named(pairs.right),
        "relation": names.take(pa.array(pairs.relation)),
        "rule": pa.array(pairs.rule, pa.string()),
        **{k: pa.array(v, from_pandas=True) for k, v in pairs.measures.items()},  # NaN: no such evidence
    }
    swap = pairs.measures["name_swap"]
    columns["name_swap"] = pa.array(swap == 1, mask=swap == UNSEEN)
    for name in PAPERS:
        columns.setdefault(name, pa.nulls(len(pairs), PAIRS.field(name).type))
    return table_of(columns, PAIRS)


@dataclass(frozen=True, slots=True)
class Fate:
    """Who goes and for whose sake. Arrays of one entry a document.

    Attributes:
        removed: bool. survivor: int64, the document itself where it stays or went without one (`unconfirmed`).
        pair: int64, index into the pairs of the removal; -1 where there is none.
        overruled: bool: removed though the policy prefers it to its survivor, in which it is contained.
        first: bool: stays though contained in a later document, as `earliest` protects who published first.
    """

    removed: np.ndarray
    survivor: np.ndarray
    pair: np.ndarray
    overruled: np.ndarray
    first: np.ndarray

    @property
    def policy_counts(self) -> dict[str, int]:
        """How many went against the policy, and how many stay because they were published first, for run.json."""
        return {"policy_overruled": int(self.overruled.sum()), "kept_as_first": int(self.first.sum())}

    @property
    def policy(self) -> pa.Array:
        """What the policy has to do with each document, as FATES says it."""
        return pa.array(np.select([self.overruled, self.first], [OVERRULED, FIRST], ""), pa.string())

    @property
    def unconfirmed(self) -> np.ndarray:
        """Mask of what a filter removed though nothing equal came before: it has no survivor."""
        mask: np.ndarray = self.removed & (self.survivor == np.arange(len(self.removed)))
        return mask


def fates(
    pairs: DocumentPairs,
    priority: np.ndarray,
    reference: np.ndarray,
    protected: np.ndarray,
    relations: tuple[str, ...],
    unconfirmed: np.ndarray,
    preference: Preference,
) -> Fate:
    """Decides every document from the pairs alone (so a saved pairs table can be decided again).

    `priority` decides, `preference` says whether the policy was kept to and whom time protects: see `arcs`.

    What a filter removed `unconfirmed` (mask) stands in no pair, and goes.
    """
    n = len(priority)
    loser, winner, pair = arcs(
        pairs.left, pairs.right, pairs.relation, priority, frozenset(relations), reference, preference.published
    )
    free = ~protected[loser]  # what must stay waits for nobody
    loser, winner, pair = loser[free], winner[free], pair[free]
    inside = pairs.measures
    containment = np.where(
        loser == pairs.left[pair], inside["containment_left"][pair], inside["containment_right"][pair]
    )
    rank = RANK[pairs.relation[pair]]
    decision = decide(n, loser, winner, priority, protected | reference, rank, containment)
    removed = ~decision.stays | unconfirmed
    overruled = removed & (preference.rank < preference.rank[decision.survivor]) & ~reference[decision.survivor]
    return Fate(
        removed,
        decision.survivor,
        np.where(decision.arc >= 0, pair[decision.arc] if len(pair) else -1, -1),
        overruled,
        _first(pairs, reference, relations, preference) & ~removed & ~protected & ~reference,
    )


def _first(
    pairs: DocumentPairs, reference: np.ndarray, relations: tuple[str, ...], preference: Preference
) -> np.ndarray:
    """Mask of the documents contained in one published later, where time protects them."""
    mask = np.zeros(len(reference), bool)
    if preference.published is None or CONTAINED_IN not in relations:
        return mask
    for relation, inside, outside in ((CONTAINED_IN, pairs.left, pairs.right), (CONTAINS, pairs.right, pairs.left)):
        some = pairs.relation == RELATIONS.index(relation)
        inside, outside = inside[some], outside[some]
        mask[inside[(preference.published[inside] < preference.published[outside]) & ~reference[outside]]] = True
    return mask
