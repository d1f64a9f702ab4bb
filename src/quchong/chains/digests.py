"""Documents made from several others: roundups, which contain whole articles, and digests, which take pieces of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.chains.links import Links, Versions
from quchong.chains.publication_times import Moments
from quchong.differences.passage_alignment import align
from quchong.kernels.graph import components
from quchong.kernels.offsets import prefix_sums
from quchong.text import form

OWN = 0.5
"""Minimum share of an article's contribution to a document that no article with a larger contribution gives too."""
PIECE = 0.08
"""Minimum share of a document that an article must give, unless the document contains the article in full."""
MOST = 0.6
"""Minimum share of a digest that its articles must give together."""
ONE = 0.7
"""Maximum share of a digest that one article may give; a document mostly taken from one article is a copy of it."""

ENOUGH = 0.9
"""Share of what all articles give from which a single earlier document makes the digest a copy of that document."""
BEYOND = 0.9
"""Share of a version found in a document below which the version says more than the document, so that it is no excerpt of it."""
SEVERAL = 3
"""Number of articles from which a document that contains them is a roundup even if times do not prove that it is later."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A version made from several articles.

    Attributes:
        version: number of the version.
        roundup: True if it contains at least two of the articles in full.
        parts: for each article, in order of appearance, the versions that it may have been taken from.
        apart: indices of the links to its articles, which do not connect their chains.
    """

    version: int
    roundup: bool
    parts: tuple[tuple[int, ...], ...]
    apart: tuple[int, ...]


def digests(versions: Versions, texts: pa.Array, moments: Moments, workers: int | None) -> list[Digest]:
    """Return the digests among versions: those made from at least two articles that may have been published before them.

    An article is a connected group of versions that the version contains or shares passages with. It counts if it
    contributes enough text that no other article contributes. A version whose text one earlier version has almost in
    full is a copy, and no digest. Versions are examined in order; a version found to be a digest is no article of
    later ones.

    Args:
        versions, moments: versions and times of the documents. texts: texts of the versions, in their order.
        workers: threads.

    Cost: an alignment of every candidate version with each of its neighbours.
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
    # largest share of each version found in an earlier version that it is a copy of
    copied = np.zeros(len(versions.members))
    some = np.flatnonzero(earlier & np.tile(links.binding, 2))
    np.maximum.at(copied, this[some], share[some])
    # candidate articles of a version: contained in it, or partly shared and possibly earlier
    useful = (whole | (np.tile(links.partial, 2) & may)) & (copied[this] < ONE)
    order = np.flatnonzero(useful)
    # group candidates by version; a digest needs at least two
    order = order[np.argsort(this[order], kind="stable")]
    names, starts = np.unique(this[order], return_index=True)
    groups = [g for g in np.split(order, starts[1:]) if len(g) > 1] if len(names) else []
    if not groups:
        return []
    asked = np.concatenate(groups)
    # align each version with its candidates: which of its characters does each cover?
    spans = align(form(), texts, this[asked], other[asked], workers=workers)
    at, base = prefix_sums([len(g) for g in groups]), spans.offsets
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
    """Table of the links of each version: their indices by the number of the version."""

    def __init__(self, links: Links, n: int) -> None:
        self.links, self.binding = links, links.binding.tolist()
        self.apart: set[int] = set()
        self.of: list[list[int]] = [[] for _ in range(n)]
        for k, (a, b) in enumerate(zip(links.left.tolist(), links.right.tolist(), strict=True)):
            self.of[a].append(k)
            self.of[b].append(k)

    def beyond(self, version: int, article: Sequence[int]) -> bool:
        """Return True if a copy of the article, other than `version`, has text that the article lacks: then the article is no excerpt."""
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
        """Return a label for each of these versions, equal for versions connected by binding links."""
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
    # connected candidates are versions of the same article
    label = table.articles(others.tolist())
    length = len(covers[0])
    articles, told = [], 0
    for name in np.unique(label).tolist():
        some = np.flatnonzero(label == name)
        before = some[may[some]]
        if not len(before):
            continue
        cover = np.logical_or.reduce([covers[i] for i in some])
        # count articles that are provably no excerpts: certainly earlier, or with text of their own
        told += bool(sure[before].any()) or table.beyond(version, others[some].tolist())
        articles.append((some, before, cover, bool(whole[before].any())))
    # largest contribution first: keep an article if most of it is not covered yet
    articles.sort(key=lambda article: -int(article[2].sum()))
    real, taken = [], np.zeros(length, bool)
    for some, before, cover, entire in articles:
        own = int((cover & ~taken).sum())
        if own >= OWN * max(1, int(cover.sum())) and own > 0 and (entire or own >= PIECE * length):
            real.append((some, before, cover, entire))
            taken |= cover
    # too few articles, or too few of them proved to be earlier
    if len(real) < 2 or (told < 2 and len(real) < SEVERAL):
        return None
    roundup = sum(entire for *_, entire in real) > 1
    share = max(int(cover.sum()) for *_, cover, _ in real) / length
    given = float(taken.mean())
    # a digest takes most of its text from its articles, and not mostly from one
    if not roundup and (share > ONE or given < MOST or told < 2):
        return None
    real.sort(key=lambda article: int(np.argmax(article[2])))
    parts = tuple(tuple(int(others[i]) for i in before) for _, before, *_ in real)
    apart = [int(place[i]) for some, *_ in real for i in some]
    return Digest(version, roundup, parts, tuple(sorted(apart))), given
