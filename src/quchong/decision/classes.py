"""Exact classes: documents with equal normal forms, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.documents import DocumentColumns
from quchong.kernels.sorting import ordered

CLASS_LIMIT = 100
"""Exact classes are expanded to all their pairs up to so many members; beyond, each copy is paired with the best by
policy only, in its class and in the classes near to it. So are two near classes of more than ten times as many pairs."""

Equal = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Documents, and others with the same digests: mask of those whose normal forms are equal, letter by letter."""


def _none() -> np.ndarray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Classes:
    """Documents put together.

    Attributes:
        node: int64 per document, its class; -1 of one that is in none.
        first: int64 per class, the member that is compared in the class's place (least by reference, then id).
        members, offsets: documents of class c are members[offsets[c]:offsets[c + 1]], best id first.
        linked_left, linked_right: with a time window, where every document is a class of its own: equal documents (not
            classes) within the window of each other.
        refuted: documents whose digest equalled another's but whose text did not (never yet seen).
    """

    node: np.ndarray
    first: np.ndarray
    members: np.ndarray
    offsets: np.ndarray
    linked_left: np.ndarray = field(default_factory=_none)
    linked_right: np.ndarray = field(default_factory=_none)
    refuted: int = 0

    @property
    def sizes(self) -> np.ndarray:
        """Members of each class."""
        return np.diff(self.offsets)

    @property
    def large(self) -> int:
        """How many are too large to be expanded to all their pairs."""
        return int((self.sizes > CLASS_LIMIT).sum())


def grouped(members: np.ndarray, group: np.ndarray, rank: np.ndarray) -> Classes:
    """Classes of documents.

    Args:
        members: documents, those of a group side by side, the one that stands for it first.
        group: int64, the group of each.
        rank: int64 of every document of the run, in a class or not. Classes are numbered by the rank of their first member:
            the order in which keys keep their postings.

    Cost: a sort of the classes.
    """
    start = np.flatnonzero(np.diff(group, prepend=-1)) if len(group) else group
    first = members[start]
    by_rank = ordered(rank[first])
    number = np.empty(len(first), np.int64)
    number[by_rank] = np.arange(len(first))
    of = np.repeat(number, np.diff(np.append(start, len(members))))
    node = np.full(len(rank), -1, np.int64)
    node[members] = of
    offsets = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(first)))]).astype(np.int64)
    return Classes(node, first[by_rank], members[ordered(of)], offsets)


def find_classes(documents: DocumentColumns, equal: Equal, cap: int) -> Classes:
    """Groups documents by digest within their scope, and has every member confirmed against the first.

    With a time window every document is a class of its own, and equal ones within the window are linked, each with the `cap`
    nearest before it: equality reaches further than the window does.
    """
    n, rank, scope = len(documents), documents.rank, documents.scope
    if scope.seconds is not None:
        alone = ordered(rank)
        left, right = _links(documents, equal, scope.seconds, cap)
        return replace(grouped(alone, np.arange(n), rank), linked_left=left, linked_right=right)
    code = scope.code(n)
    order = ordered(documents.high, documents.low, code, rank)
    same = np.zeros(n, bool)
    if n > 1:
        a, b = order[:-1], order[1:]
        same[1:] = documents.same(a, b) & (code[a] == code[b])
    head = np.maximum.accumulate(np.where(same, 0, np.arange(n)))  # place of each one's first
    agreed = equal(order[same], order[head[same]])
    refuted = np.flatnonzero(same)[~agreed]
    if len(refuted):  # such a document stands alone, behind those it was grouped with
        head[refuted] = refuted
        by_head = np.argsort(head, kind="stable")
        order, head = order[by_head], head[by_head]
    return replace(grouped(order, head, rank), refuted=len(refuted))


def _links(documents: DocumentColumns, equal: Equal, seconds: np.ndarray, cap: int) -> tuple[np.ndarray, np.ndarray]:
    """Equal documents at most the window apart: each with the `cap` nearest before it in time."""
    within, code = documents.scope.within or 0.0, documents.scope.code(len(documents))
    order = ordered(documents.high, documents.low, code, seconds, documents.id_rank)
    lefts, rights = [_none()], [_none()]
    for step in range(1, cap + 1):
        a, b = order[:-step], order[step:]
        near = documents.same(a, b) & (code[a] == code[b]) & np.isfinite(seconds[b])
        near &= np.where(near, seconds[b], 0.0) - np.where(near, seconds[a], 0.0) <= within
        if not near.any():
            break
        lefts.append(a[near])
        rights.append(b[near])
    left, right = np.concatenate(lefts), np.concatenate(rights)
    agreed = equal(right, left)
    return left[agreed], right[agreed]


def parted(documents: DocumentColumns, columns: pa.Table, classes: Classes, needs: Sequence[str]) -> Classes:
    """The classes cut into parts whose members agree in the columns a method looks at beside the text, such as the site.

    What holds for a page need not hold for its copy on another site, so each part is compared for itself. Members and parts stand in
    the order of the classes' own. Cost: one look at these columns of documents that have copies; none where no column is needed.
    """
    names = [name for name in needs if name in columns.column_names]
    many = np.repeat(classes.sizes > 1, classes.sizes)
    if not names or not many.any():
        return classes
    copies = classes.members[many]
    code = np.zeros(len(copies), np.int64)
    for name in names:
        values = pc.dictionary_encode(columns[name].take(pa.array(copies)), null_encoding="encode")
        values = pa.concat_arrays([c.indices for c in values.unify_dictionaries().chunks]).to_numpy().astype(np.int64)
        code = np.unique(code * (values.max(initial=0) + 1) + values, return_inverse=True)[1].astype(np.int64)
    value = np.zeros(len(classes.members), np.int64)
    value[many] = code
    owner = classes.node[classes.members]
    order = ordered(owner, value)
    cut = (np.diff(owner[order], prepend=-1) != 0) | (np.diff(value[order], prepend=-1) != 0)
    parts = grouped(classes.members[order], np.cumsum(cut), documents.rank)
    return replace(classes, node=parts.node, first=parts.first, members=parts.members, offsets=parts.offsets)


def without(documents: DocumentColumns, classes: Classes, gone: np.ndarray) -> Classes:
    """The classes without the documents of a mask, numbered by the rank of their first member as before."""
    if not gone.any():
        return classes
    owner = np.repeat(np.arange(len(classes.first)), classes.sizes)
    stays = ~gone[classes.members]
    left = grouped(classes.members[stays], owner[stays], documents.rank)
    return replace(classes, node=left.node, first=left.first, members=left.members, offsets=left.offsets)


def repeats(classes: Classes) -> np.ndarray:
    """Mask of the documents whose exact class has one earlier in the input: these have a survivor there."""
    n = len(classes.node)
    earliest = np.minimum.reduceat(classes.members, classes.offsets[:-1]) if n else classes.members
    mask: np.ndarray = np.arange(n) > earliest[classes.node]
    return mask
