"""Exact classes: groups of documents with equal normal forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.documents import DocumentColumns
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.kernels.sorting import ordered

CLASS_LIMIT = 100
"""Most members of an exact class that is expanded to all its pairs. In a larger class each copy is paired only with the best by policy, in
its own class and in near classes. The same holds for two near classes with more than ten times as many pairs.
"""

Equal = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Function of documents and others with the same digests; it returns a mask of those whose normal forms are equal, letter by letter."""


def _none() -> np.ndarray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Classes:
    """Exact classes of a run: for each document its class, and for each class its members.

    Attributes:
        node: int64 per document, its class; -1 if it is in none.
        first: int64 per class, the member that is compared for the class (least by reference, then id).
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

    def contains(self, some: np.ndarray) -> np.ndarray:
        """Return a mask of the documents that are in one of these classes (int64)."""
        mask = np.zeros(len(self.first) + 1, bool)  # the last is that of documents in no class, whose number is -1
        mask[some] = True
        found: np.ndarray = mask[self.node]
        return found

    @property
    def sizes(self) -> np.ndarray:
        """Number of members of each class, int64."""
        return np.diff(self.offsets)

    @property
    def large(self) -> int:
        """Number of classes that are too large to be expanded to all their pairs."""
        return int((self.sizes > CLASS_LIMIT).sum())


def grouped(members: np.ndarray, group: np.ndarray, rank: np.ndarray) -> Classes:
    """Build classes from documents that are already grouped.

    Args:
        members: documents, group after group, the one that represents its group first.
        group: int64, the group of each member.
        rank: int64, rank of every document of the run, in a class or not. Classes are numbered by the rank of their first member, which
            is the order of postings.

    Cost: a sort of the classes.
    """
    # Number the groups by the rank of their first member.
    start = np.flatnonzero(first_of_runs(group)) if len(group) else group
    first = members[start]
    by_rank = ordered(rank[first])
    number = np.empty(len(first), np.int64)
    number[by_rank] = np.arange(len(first))
    of = np.repeat(number, np.diff(np.append(start, len(members))))
    # Store both directions: the class of each document, and the members of each class.
    node = np.full(len(rank), -1, np.int64)
    node[members] = of
    offsets = prefix_sums(np.bincount(of, minlength=len(first)))
    return Classes(node, first[by_rank], members[ordered(of)], offsets)


def find_classes(documents: DocumentColumns, equal: Equal, cap: int) -> Classes:
    """Group documents by digest within their scope; the text of every member is compared with that of the first.

    With a time window every document is a class of its own, because equality can reach further than the window. Equal documents within the
    window are then linked, each with the `cap` nearest before it.
    """
    n, rank, scope = len(documents), documents.rank, documents.scope
    if scope.seconds is not None:
        alone = ordered(rank)
        left, right = _links(documents, equal, scope.seconds, cap)
        return replace(grouped(alone, np.arange(n), rank), linked_left=left, linked_right=right)
    code = scope.code(n)
    # Sort by digest and scope: equal documents become neighbours, the best by rank first.
    order = ordered(documents.high, documents.low, code, rank)
    same = np.zeros(n, bool)
    if n > 1:
        a, b = order[:-1], order[1:]
        same[1:] = documents.same(a, b) & (code[a] == code[b])
    head = np.maximum.accumulate(np.where(same, 0, np.arange(n)))  # place of each one's first
    # A digest is no proof: compare the letters of each member with those of the first.
    agreed = equal(order[same], order[head[same]])
    refuted = np.flatnonzero(same)[~agreed]
    if len(refuted):  # such a document becomes a class of its own, sorted after the class it was grouped with
        head[refuted] = refuted
        by_head = np.argsort(head, kind="stable")
        order, head = order[by_head], head[by_head]
    return replace(grouped(order, head, rank), refuted=len(refuted))


def _links(documents: DocumentColumns, equal: Equal, seconds: np.ndarray, cap: int) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of equal documents within the time window: each document with the `cap` nearest before it in time."""
    within, code = documents.scope.within or 0.0, documents.scope.code(len(documents))
    order = ordered(documents.high, documents.low, code, seconds, documents.id_rank)
    lefts, rights = [_none()], [_none()]
    # Compare each document with the one `step` positions before it; stop when no pair at this distance is near.
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
    """Split exact classes into parts whose members agree in the columns `needs` that a method reads besides the text, such as the site.

    What holds for a page need not hold for its copy on another site, so each part is compared separately. Members and parts keep the order
    of the classes. Cost: reads these columns once for documents that have copies; nothing if no column is needed.
    """
    names = [name for name in needs if name in columns.column_names]
    many = np.repeat(classes.sizes > 1, classes.sizes)
    if not names or not many.any():
        return classes
    # Only documents with copies matter: give each combination of their column values a number.
    copies = classes.members[many]
    code = np.zeros(len(copies), np.int64)
    for name in names:
        values = pc.dictionary_encode(columns[name].take(pa.array(copies)), null_encoding="encode")
        values = pa.concat_arrays([c.indices for c in values.unify_dictionaries().chunks]).to_numpy().astype(np.int64)
        code = np.unique(code * (values.max(initial=0) + 1) + values, return_inverse=True)[1].astype(np.int64)
    value = np.zeros(len(classes.members), np.int64)
    value[many] = code
    # Sort by class and value, and cut wherever either changes.
    owner = classes.node[classes.members]
    order = ordered(owner, value)
    cut = first_of_runs(owner[order], value[order])
    parts = grouped(classes.members[order], np.cumsum(cut), documents.rank)
    return replace(classes, node=parts.node, first=parts.first, members=parts.members, offsets=parts.offsets)


def without(documents: DocumentColumns, classes: Classes, gone: np.ndarray) -> Classes:
    """Return the classes without the documents of the mask `gone`, numbered again by the rank of their first member."""
    if not gone.any():
        return classes
    owner = np.repeat(np.arange(len(classes.first)), classes.sizes)
    stays = ~gone[classes.members]
    left = grouped(classes.members[stays], owner[stays], documents.rank)
    return replace(classes, node=left.node, first=left.first, members=left.members, offsets=left.offsets)


def repeats(classes: Classes) -> np.ndarray:
    """Return a mask of the documents that are not the earliest of their exact class in input order."""
    n = len(classes.node)
    earliest = np.minimum.reduceat(classes.members, classes.offsets[:-1]) if n else classes.members
    mask: np.ndarray = np.arange(n) > earliest[classes.node]
    return mask
