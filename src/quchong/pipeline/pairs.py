"""From pairs of classes to the PAIRS table, and from that to who goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.cluster.survivors import RANK, arcs, decide
from quchong.pipeline.candidates import Classes, Found
from quchong.pipeline.corpus import Corpus
from quchong.pipeline.plan import Plan
from quchong.tables import CONTAINED_IN, CONTAINS, EXACT, PAIRS, RELATIONS

CLASS_LIMIT = 100
"""Exact classes are expanded to all their pairs up to so many members; beyond, each copy is paired with the best by
policy only, in its class and in every class near to it."""

_SIDED = {
    "containment_left": "containment_right",
    "containment_right": "containment_left",
    "tokens_left": "tokens_right",
    "tokens_right": "tokens_left",
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


def _oriented(
    left: np.ndarray,
    right: np.ndarray,
    relation: np.ndarray,
    rule: np.ndarray,
    measures: dict[str, np.ndarray],
    rank: np.ndarray,
) -> DocumentPairs:
    flip = rank[left] > rank[right]
    turned = {k: np.where(flip, measures[_SIDED[k]], v) if k in _SIDED else v for k, v in measures.items()}
    turned = {k: v.astype(measures[k].dtype) for k, v in turned.items()}
    return DocumentPairs(
        np.where(flip, right, left), np.where(flip, left, right), mirrored(relation, flip), rule, turned
    )


def expand(
    corpus: Corpus, plan: Plan, classes: Classes, found: Found, priority: np.ndarray
) -> tuple[DocumentPairs, int]:
    """All pairs of documents: near pairs for every member of both classes, exact pairs within classes.

    Returns:
        The pairs, sorted by left id, then right id, and the number of classes too large to expand wholly.
        Pairs of two reference documents are left out.
    """
    relation, rule = plan.method.decide(found.measures)
    members = classes.members[np.lexsort((priority[classes.members], classes.node[classes.members]))]
    left, right, index = _near(classes, found, members)
    near = _oriented(
        left,
        right,
        codes_of(relation)[index],
        rule[index],
        {k: v[index] for k, v in found.measures.items()},
        corpus.id_rank,
    )
    a, b = _within(classes, members)
    a, b = np.concatenate([a, classes.linked_left]), np.concatenate([b, classes.linked_right])
    exact = _oriented(
        a, b, np.full(len(a), RELATIONS.index(EXACT), np.uint8), np.full(len(a), "equal normal form", object),
        _exact_measures(corpus, a, found.measures), corpus.id_rank,
    )  # fmt: skip
    both = DocumentPairs(
        np.concatenate([near.left, exact.left]),
        np.concatenate([near.right, exact.right]),
        np.concatenate([near.relation, exact.relation]),
        np.concatenate([near.rule, exact.rule]),
        {k: np.concatenate([near.measures[k], exact.measures[k]]) for k in near.measures},
    )
    keep = ~((both.left < corpus.references) & (both.right < corpus.references))
    if plan.only_against:
        keep &= (both.left < corpus.references) | (both.right < corpus.references)
    order = np.flatnonzero(keep)
    order = order[np.lexsort((corpus.id_rank[both.right[order]], corpus.id_rank[both.left[order]]))]
    sorted_pairs = DocumentPairs(
        both.left[order], both.right[order], both.relation[order], both.rule[order],
        {k: v[order] for k, v in both.measures.items()},
    )  # fmt: skip
    return sorted_pairs, int((classes.sizes > CLASS_LIMIT).sum())


def _near(classes: Classes, found: Found, members: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Member pairs of each pair of classes: left, right, index of the pair of classes.

    Every member with every member, or, where a class is large, every member of each with the best of the other.
    """
    sizes = classes.sizes
    large = (sizes[found.left] > CLASS_LIMIT) | (sizes[found.right] > CLASS_LIMIT)
    one = np.ones(len(large), np.int64)
    m, n = sizes[found.left], sizes[found.right]
    parts = [_product(classes, found, members, np.where(large, one, m), n, np.arange(len(large)))]
    again = np.flatnonzero(large)
    parts.append(_product(classes, found, members, m, np.where(large, one, n), again, skip_first=True))
    left, right, index = (np.concatenate([p[k] for p in parts]) for k in range(3))
    return left, right, index


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


def _exact_measures(corpus: Corpus, docs: np.ndarray, like: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    tokens = corpus.features.tokens[docs]
    ones = np.ones(len(docs))
    values: dict[str, np.ndarray] = {
        "jaccard": ones,
        "containment_left": ones,
        "containment_right": ones,
        "tokens_left": tokens,
        "tokens_right": tokens,
        "han": 2 * corpus.features.singles[docs].astype(np.int64) >= tokens,
        "number_overlap": ones,
    }
    return {k: values.get(k, np.zeros(len(docs))).astype(v.dtype) for k, v in like.items()}


def to_table(corpus: Corpus, pairs: DocumentPairs) -> pa.Table:
    """PAIRS, in the order given."""
    names = pa.array(RELATIONS, pa.string())
    columns = {
        "left_id": corpus.ids.take(pa.array(pairs.left)),
        "right_id": corpus.ids.take(pa.array(pairs.right)),
        "relation": names.take(pa.array(pairs.relation)),
        "rule": pa.array(pairs.rule, pa.string()),
        **{k: pa.array(v) for k, v in pairs.measures.items()},
    }
    return pa.table([columns[f.name].cast(f.type) for f in PAIRS], schema=PAIRS)


@dataclass(frozen=True, slots=True)
class Fate:
    """Who goes and for whose sake. Arrays of one entry a document.

    Attributes:
        removed: bool. survivor: int64, the document itself where it stays.
        pair: int64, index into the pairs of the removal; -1 where it stays or left as an exact copy of a large class.
    """

    removed: np.ndarray
    survivor: np.ndarray
    pair: np.ndarray


def fates(
    pairs: DocumentPairs, priority: np.ndarray, reference: np.ndarray, protected: np.ndarray, relations: tuple[str, ...]
) -> Fate:
    """Decides every document from the pairs alone (so a saved pairs table can be decided again)."""
    n = len(priority)
    loser, winner, pair = arcs(pairs.left, pairs.right, pairs.relation, priority, frozenset(relations), reference)
    free = ~protected[loser]  # what must stay waits for nobody
    loser, winner, pair = loser[free], winner[free], pair[free]
    inside = pairs.measures
    containment = np.where(
        loser == pairs.left[pair], inside["containment_left"][pair], inside["containment_right"][pair]
    )
    rank = RANK[pairs.relation[pair]]
    decision = decide(n, loser, winner, priority, protected | reference, rank, containment)
    return Fate(
        ~decision.stays, decision.survivor, np.where(decision.arc >= 0, pair[decision.arc] if len(pair) else -1, -1)
    )
