"""Documents made of several: roundups, which contain whole articles, and digests, which take pieces of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.alignment import align
from quchong.chains.links import Links, Versions
from quchong.chains.moments import Moments
from quchong.kernels.graph import components
from quchong.text import form

OWN = 0.5
"""Share of what an article gives to a document that no article gives which gives more: else it is no article of its own there."""
PIECE = 0.08
"""Share of a document that an article gives at least, where it does not stand there whole."""
MOST = 0.6
"""Share of a digest that is taken of its articles at least ..."""
ONE = 0.7
"""... and that one of them gives at most: what is mostly of one article is a copy of it, with something added."""

ENOUGH = 0.9
"""Share of what all articles give, from which on one earlier document that has it makes it a copy of that."""
BEYOND = 0.9
"""Share of a version found in a document, below which it says more than that document, and is no excerpt of it."""
SEVERAL = 3
"""Articles from which on what contains them is a roundup though times do not tell that it came after them."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A version made of several articles.

    Attributes:
        version: which.
        roundup: it contains at least two of them whole.
        parts: of each article the versions it may have been taken from, articles in the order in which they stand in it.
        apart: links, as places, that tie it to its articles, and that make no chain of their chains.
    """

    version: int
    roundup: bool
    parts: tuple[tuple[int, ...], ...]
    apart: tuple[int, ...]


def digests(versions: Versions, texts: pa.Array, moments: Moments, workers: int | None) -> list[Digest]:
    """Every version that is made of two articles or more which may have been there before it.

    An article is what hangs together by links among what a version contains or shares passages with. It counts where it gives enough
    that no other gives. What one earlier version has about as much of is a copy of that, and no digest. Versions are looked at in
    their order; those found made of several are no articles of later ones.

    Args:
        versions, moments: of the documents. texts: of the versions, in their order.
        workers: threads.

    Cost: an alignment of every version that is a candidate with each of its neighbours.
    """
    links, first = versions.links, versions.first
    out: list[Digest] = []
    inside_left, inside_right = links.contained
    whole = np.concatenate([inside_right, inside_left])  # does the other stand in this one?
    this, other = np.concatenate([links.left, links.right]), np.concatenate([links.right, links.left])
    place = np.tile(np.arange(len(links)), 2)
    may = moments.may_precede(first[other], first[this])
    share = np.concatenate([links.inside_left, links.inside_right])  # of this one, found in the other
    earlier = may & ((other < this) | moments.precedes(first[other], first[this]))
    copied = np.zeros(len(versions.members))
    some = np.flatnonzero(earlier & np.tile(links.binding, 2))
    np.maximum.at(copied, this[some], share[some])
    useful = (whole | (np.tile(links.partial, 2) & may)) & (copied[this] < ONE)
    order = np.flatnonzero(useful)
    order = order[np.argsort(this[order], kind="stable")]
    names, starts = np.unique(this[order], return_index=True)
    groups = [g for g in np.split(order, starts[1:]) if len(g) > 1] if len(names) else []
    if not groups:
        return []
    asked = np.concatenate(groups)
    spans = align(form(), texts, this[asked], other[asked], workers=workers)
    at, base = np.concatenate([[0], np.cumsum([len(g) for g in groups])]), spans.offsets
    table = _Neighbours(links, len(versions.members))
    known: set[int] = set()
    for k, group in enumerate(groups):
        version = int(this[group[0]])
        length = max(1, len(texts[version].as_py()))
        covers = [_covered(spans.places[base[i] : base[i + 1], :2], length) for i in range(int(at[k]), int(at[k + 1]))]
        # an earlier digest is no article, but may be copied
        fresh = np.array([int(o) not in known for o in other[group]], bool)
        own = group[fresh]
        if len(own) < 2:
            continue
        covers = [cover for cover, good in zip(covers, fresh.tolist(), strict=True) if good]
        sure = moments.precedes(first[other[own]], first[this[own]])
        found = _digest(version, other[own], whole[own], may[own], sure, covers, place[own], table)
        if found is not None and copied[version] < ENOUGH * found[1]:
            out.append(found[0])
            known.add(version)
            table.apart.update(found[0].apart)
    return out


class _Neighbours:
    """Which versions are linked."""

    def __init__(self, links: Links, n: int) -> None:
        self.links, self.binding = links, links.binding.tolist()
        self.apart: set[int] = set()
        self.of: list[list[int]] = [[] for _ in range(n)]
        for k, (a, b) in enumerate(zip(links.left.tolist(), links.right.tolist(), strict=True)):
            self.of[a].append(k)
            self.of[b].append(k)

    def beyond(self, version: int, article: Sequence[int]) -> bool:
        """Does a version that is bound to this article say more than stands in that version, so that it is no excerpt of it?"""
        inside = {version, *article}
        for node in article:
            for k in self.of[node]:
                a, b = int(self.links.left[k]), int(self.links.right[k])
                if self.binding[k] and k not in self.apart and not {a, b} <= inside:
                    mine = float(self.links.inside_right[k] if a == node else self.links.inside_left[k])
                    if mine < BEYOND:
                        return True
        return False

    def articles(self, nodes: Sequence[int]) -> np.ndarray:
        """Which of these hang together, by links that bind: the label of each."""
        where = {node: i for i, node in enumerate(nodes)}
        ends = {
            k: (where[a], where[b])
            for node in nodes
            for k in self.of[node]
            if self.binding[k]
            and k not in self.apart
            and (a := int(self.links.left[k])) in where
            and (b := int(self.links.right[k])) in where
        }
        pairs = np.array(list(ends.values()), np.int64).reshape(-1, 2)
        return components(len(nodes), pairs[:, 0], pairs[:, 1])


def _covered(spans: np.ndarray, length: int) -> np.ndarray:
    mask = np.zeros(length, bool)
    for start, end in spans.tolist():
        mask[start:end] = True
    return mask


def _digest(
    version: int, others: np.ndarray, whole: np.ndarray, may: np.ndarray, sure: np.ndarray, covers: list[np.ndarray],
    place: np.ndarray, table: _Neighbours,
) -> tuple[Digest, float] | None:  # fmt: skip
    label = table.articles(others.tolist())
    length = len(covers[0])
    articles, told = [], 0
    for name in np.unique(label).tolist():
        some = np.flatnonzero(label == name)
        before = some[may[some]]
        if not len(before):
            continue
        cover = np.logical_or.reduce([covers[i] for i in some])
        told += bool(sure[before].any()) or table.beyond(version, others[some].tolist())
        articles.append((some, before, cover, bool(whole[before].any())))
    articles.sort(key=lambda article: -int(article[2].sum()))
    real, taken = [], np.zeros(length, bool)
    for some, before, cover, entire in articles:
        own = int((cover & ~taken).sum())
        if own >= OWN * max(1, int(cover.sum())) and own > 0 and (entire or own >= PIECE * length):
            real.append((some, before, cover, entire))
            taken |= cover
    if len(real) < 2 or (told < 2 and len(real) < SEVERAL):
        return None
    roundup = sum(entire for *_, entire in real) > 1
    share = max(int(cover.sum()) for *_, cover, _ in real) / length
    given = float(taken.mean())
    if not roundup and (share > ONE or given < MOST or told < 2):
        return None
    real.sort(key=lambda article: int(np.argmax(article[2])))
    parts = tuple(tuple(int(others[i]) for i in before) for _, before, *_ in real)
    apart = [int(place[i]) for some, *_ in real for i in some]
    return Digest(version, roundup, parts, tuple(sorted(apart))), given
