"""Construction of chains from the pairs, texts and times of a run."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from quchong.chains.costs import TAKEN_OUT, Costs, costs, late
from quchong.chains.digests import Digest, digests
from quchong.chains.links import Links, Versions, links_of, versions_of
from quchong.chains.publication_times import Moments
from quchong.chains.series import in_series
from quchong.chains.sources import SCALE, sources
from quchong.chains.trees import NONE
from quchong.kernels.arrays import Ragged
from quchong.kernels.graph import components
from quchong.relations import EXACT, MIRROR, RELATIONS
from quchong.seam import Documents
from quchong.text import form

FIRST, COPY, USES, ROUNDUP, DIGEST, SERIES = "first", "copy", "uses", "roundup", "digest", "series"
TIME, CHANGES, EQUAL, TEXT = "time", "changes", "equal", "text"
SUPPORT = 0.5
"""Minimum share of either text found in the other one that supports naming one as the source of the other; and minimum share of a document
in its source from which it is a copy, and not a text of its own that uses the source."""


@dataclass(frozen=True, slots=True)
class Row:
    """A document in a chain. Documents are row indices in the table of members; NONE means no document.

    `shared` is the share of the document found in its source, `source_shared` the share of the source found in it;
    NaN without a source.
    """

    document: int
    role: str
    source: int = NONE
    relation: str = ""
    basis: str = ""
    choices: int = 0
    confidence: float = 1.0
    second: int = NONE
    second_confidence: float = 0.0
    shared: float = float("nan")
    source_shared: float = float("nan")
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _ChainState:
    """State of the construction: all versions, and the links between them that may lead to sources."""

    versions: Versions
    moments: Moments
    tokens: np.ndarray
    links: Links
    costs: Costs
    digests: dict[int, Digest]
    at: dict[tuple[int, int], int]
    starts: dict[int, np.ndarray] = field(default_factory=dict)

    def earlier_documents(self, version: int, document: int) -> tuple[list[int], int]:
        """Return the documents of a version that may be earlier than a document: the first two of them, and their number."""
        members = self.versions.members[version]
        if version not in self.starts:
            self.starts[version] = self.moments.start[members]  # ascending, unknown ones last
        starts, until = self.starts[version], self.moments.end[document]
        undated = int(np.searchsorted(starts, np.nan))
        dated = undated if np.isnan(until) else int(np.searchsorted(starts[:undated], until, "right"))
        some = [*members[: min(2, dated)].tolist(), *members[undated : undated + 2].tolist()][:2]
        return some, dated + len(members) - undated

    def between(self, copy: int, source: int, at: int) -> tuple[str, float, float, float]:
        """Return the relation, both shares and the price of making the version `copy` from `source`, by the link `at`."""
        turned = int(self.links.left[at]) != copy
        relation = RELATIONS[int(self.links.relation[at])]
        if turned:
            relation = MIRROR[relation]
        inside = float(self.links.inside_left[at]), float(self.links.inside_right[at])
        mine, other = inside[::-1] if turned else inside
        matched = float(self.costs.matched[at])
        mine = min(1.0, max(mine, matched / max(1.0, float(self.tokens[copy]))))
        other = min(1.0, max(other, matched / max(1.0, float(self.tokens[source]))))
        return relation, mine, other, float(self.costs.left[at] if not turned else self.costs.right[at])


def chains(
    ids: pa.Array, texts: pa.Array, seconds: np.ndarray, publishers: pa.Array, pairs: pa.Table, workers: int | None = None
) -> list[list[Row]]:  # fmt: skip
    """Return the chains among these documents, each as rows in order, and the series as chains without sources.

    They are ordered by the time of their first document; of one document, its chain comes before its series.

    Args:
        ids: large_string, unique, sorted bytewise: with equal or unknown times the lesser id comes first.
        texts: large_string, the texts that were compared; empty if unreadable.
        seconds: float64, time of publication; NaN if unknown.
        publishers: large_string; null if unknown.
        pairs: PAIRS.
        workers: threads.

    Deterministic. Cost: one alignment for every pair of a chain; see `quchong.chains.sources.sources`.
    """
    moments = Moments.from_seconds(seconds)
    # documents of one normal form are one version; links connect versions
    # issues of a series are no copies of each other: their pairs lead to no source
    issue = in_series(pairs, ids, texts, seconds, publishers, workers)
    versions = versions_of(links_of(pairs.filter(pa.array(~issue)), ids), moments, np.arange(len(ids)))
    first = versions.first
    own_texts = texts.take(pa.array(first))
    docs, _ = Documents.from_texts(own_texts).tokenised(form(), workers)
    made = {one.version: one for one in digests(versions, own_texts, moments, workers)}
    # links of a digest to its articles must not join the chains of the articles
    apart = np.zeros(len(versions.links), bool)
    apart[[k for one in made.values() for k in one.apart]] = True
    binding = versions.links.binding & ~apart
    # a chain is a connected component of binding links
    chain = components(len(first), versions.links.left[binding], versions.links.right[binding])
    inside = ~apart & (chain[versions.links.left] == chain[versions.links.right])
    taken_out = ~inside & _from_digests(versions.links, made, chain, moments, first)
    inside |= taken_out
    # prices are needed within chains, and between digests and their articles
    known = _build_state(versions, moments, docs, versions.links.select(inside | apart), made, workers)
    within = inside[inside | apart]
    rows = _sourced(known, within, TAKEN_OUT * taken_out[inside | apart])
    issues = links_of(pairs.filter(pa.array(issue)), ids)
    found = _group_rows(known, chain, rows) + _series(known, chain, versions.of[issues.left], versions.of[issues.right])
    order = {int(d): i for i, d in enumerate(moments.order(np.arange(len(ids))))}
    return sorted(found, key=lambda one: order[one[0].document])


def _from_digests(
    links: Links, made: dict[int, Digest], chain: np.ndarray, moments: Moments, first: np.ndarray
) -> np.ndarray:
    """Return a mask of the links from a digest to a later version in the chain of one of its articles, which may have copied the digest."""
    mask = np.zeros(len(links), bool)
    if not made:
        return mask
    there = np.array([(version, place) for version, digest in made.items() for place in {
        int(chain[part]) for article in digest.parts for part in article}], np.int64)  # fmt: skip
    held = np.unique(there[:, 0] * len(chain) + there[:, 1])
    for digest, other in ((links.left, links.right), (links.right, links.left)):
        stands = np.isin(digest * len(chain) + chain[other], held)
        mask |= stands & moments.precedes(first[digest], first[other])
    return mask


def _build_state(
    versions: Versions, moments: Moments, docs: Ragged, links: Links, made: dict[int, Digest], workers: int | None
) -> _ChainState:  # fmt: skip
    inside = links.inside_left, links.inside_right
    priced = costs(docs, links.left, links.right, *inside, workers)
    at = {ends: k for k, ends in enumerate(zip(links.left.tolist(), links.right.tolist(), strict=True))}
    return _ChainState(versions, moments, docs.lengths.astype(np.int64), links, priced, made, at)


def _sourced(known: _ChainState, within: np.ndarray, fee: np.ndarray) -> dict[int, Row]:
    """Return a row for every document, with the likeliest source of its version among the links `within`; `fee` is added to each price."""
    links, first, moments = known.links, known.versions.first, known.moments
    at = np.flatnonzero(within)
    # every link is two arcs: either text may have been made from the other
    copy, source = np.concatenate([links.left[at], links.right[at]]), np.concatenate([links.right[at], links.left[at]])
    price = np.concatenate([known.costs.left[at], known.costs.right[at]])
    link = np.concatenate([at, at])
    price = price + late(moments.start, first[source], first[copy]) + fee[link]
    # drop arcs whose source is certainly later than the copy
    may = moments.may_precede(first[source], first[copy])
    copy, source, price, link = copy[may], source[may], price[may], link[may]
    found = sources(len(first), source, copy, price, known.tokens)
    where = {(c, s): k for c, s, k in zip(copy.tolist(), source.tolist(), link.tolist(), strict=True)}
    out: dict[int, Row] = {}
    for version, members in enumerate(known.versions.members):
        chosen = int(found.source[version])
        sure, second = float(found.confidence[version]), int(found.second[version])
        told = (int(found.choices[version]), sure, second, float(found.second_confidence[version]))
        out[int(members[0])] = _from(known, version, chosen, where.get((version, chosen), NONE), *told)
        # further documents of a version are exact copies of an earlier one
        for k, document in enumerate(members[1:].tolist(), 1):
            out[document] = _equal(known, members, k)
    return out


def _from(
    known: _ChainState, version: int, source: int, link: int, choices: int, sure: float, second: int, second_sure: float
) -> Row:
    """Return the row of the first document of a version."""
    members, moments = known.versions.members, known.moments
    document = int(members[version][0])
    role = FIRST
    if (digest := known.digests.get(version)) is not None:
        role = ROUNDUP if digest.roundup else DIGEST
    parts = () if digest is None else tuple(int(members[_best(known, version, a)[0]][0]) for a in digest.parts)
    other = int(members[second][0]) if second != NONE else NONE
    if source == NONE:
        basis = (
            TIME
            if np.isfinite(moments.start[document]) and (second == NONE or _before(moments, document, other))
            else TEXT
        )
        return Row(document, role, NONE, "", basis, choices, sure, other, second_sure, parts=parts)
    relation, mine, back, _ = known.between(version, source, link)
    if max(mine, back) < SUPPORT:  # they share passages; neither text shows that it was made from the other one
        return Row(document, role, basis=TIME, choices=choices, second=int(members[source][0]), parts=parts)
    there, many = known.earlier_documents(source, document)
    # of the documents with the source's text the earliest one is named; each may be the source equally
    named = there[0]
    basis = TEXT if not _before(moments, named, document) else EQUAL if many > 1 else CHANGES if choices > 1 else TIME
    if many > 1 and sure / many >= second_sure:
        other, second_sure = there[1], sure / many
    if role == FIRST:
        role = COPY if mine >= SUPPORT else USES
    return Row(
        document, role, named, relation, basis, choices - 1 + many, sure / many, other, second_sure, mine, back, parts
    )  # fmt: skip


def _equal(known: _ChainState, members: np.ndarray, k: int) -> Row:
    """Return the row of member k of a version, whose text existed before; any of the k earlier members may be its source."""
    named, document = int(members[0]), int(members[k])
    basis = TEXT if not _before(known.moments, named, document) else EQUAL if k > 1 else TIME
    chance = 1 / (k + (basis == TEXT))  # without times it may have been there first itself
    second = int(members[1]) if k > 1 else NONE
    return Row(document, COPY, named, EXACT, basis, k, chance, second, chance if k > 1 else 0.0, 1.0, 1.0)


def _before(moments: Moments, first: int, second: int) -> bool:
    return bool(moments.precedes(np.array([first]), np.array([second]))[0])


def _best(known: _ChainState, version: int, article: tuple[int, ...]) -> tuple[int, int, float]:
    """Return the version of an article from which a digest was most likely made, the index of the link to it, and the probability."""
    at = [known.at[min(version, other), max(version, other)] for other in article]
    price = np.array([known.between(version, other, k)[3] for other, k in zip(article, at, strict=True)])
    best = int(np.argmin(price))
    chance = np.exp(-(price - price[best]) / SCALE)
    return article[best], at[best], float(1 / chance.sum())


def _group_rows(known: _ChainState, chain: np.ndarray, rows: dict[int, Row]) -> list[list[Row]]:
    """Group rows into chains of at least two documents; every digest is added to the chains of its articles."""
    by_chain: dict[int, list[Row]] = {}
    for version, members in enumerate(known.versions.members):
        by_chain.setdefault(int(chain[version]), []).extend(rows[d] for d in members.tolist())
    for version, digest in known.digests.items():
        own = rows[int(known.versions.members[version][0])]
        taken: set[int] = set()
        for article in digest.parts:
            part, link, sure = _best(known, version, article)
            # add the digest to the chain of this article once, unless it has a source there already
            place = int(chain[part])
            if place in taken or (place == int(chain[version]) and own.source != NONE):
                continue
            taken.add(place)
            relation, mine, back, _ = known.between(version, part, link)
            named = int(known.versions.members[part][0])
            basis = TEXT if not _before(known.moments, named, own.document) else CHANGES if len(article) > 1 else TIME
            row = Row(
                own.document, own.role, named, relation, basis, len(article), sure, NONE, 0.0, mine, back, own.parts
            )
            if place == int(chain[version]):
                by_chain[place].remove(own)
            by_chain[place].append(row)
    return [_in_order(known, one) for one in by_chain.values() if len(one) > 1]


def _series(known: _ChainState, chain: np.ndarray, left: np.ndarray, right: np.ndarray) -> list[list[Row]]:
    """Return the rows of each series of bulletins: one row for each issue, its first document, in order of time.

    `chain` is the chain of each version: copies of one issue are one chain. `left` and `right` are the versions of pairs of issues.
    """
    apart = chain[left] != chain[right]
    left, right = left[apart], right[apart]
    group = components(len(chain), chain[left], chain[right])
    first: dict[int, int] = {}  # earliest version of each issue that a pair names
    for version in np.unique(np.concatenate([left, right])).tolist():
        first.setdefault(int(chain[version]), version)
    issues: dict[int, list[Row]] = {}
    for label, version in first.items():
        document = int(known.versions.members[version][0])
        basis = TIME if np.isfinite(known.moments.start[document]) else TEXT
        issues.setdefault(int(group[label]), []).append(Row(document, SERIES, basis=basis))
    return [_in_order(known, rows) for rows in issues.values()]


def _in_order(known: _ChainState, rows: list[Row]) -> list[Row]:
    """Sort the rows of a chain by time; a document of unknown time follows its source."""
    mine = {row.document: row for row in rows}
    start = known.moments.start
    key: dict[int, tuple[float, int, int]] = {}
    for row in rows:
        path = []
        at = row.document
        # climb to an ancestor whose key is known, then assign keys on the way down
        while at in mine and at not in key and at not in path:
            path.append(at)
            at = mine[at].source
        for one in reversed(path):
            # key: time (that of the source if later or unknown), depth, document
            above = key.get(mine[one].source, (-np.inf, -1, 0))
            time = float(start[one])
            key[one] = (above[0] if np.isnan(time) else max(time, above[0]), above[1] + 1, one)
    return sorted(rows, key=lambda row: key[row.document])
