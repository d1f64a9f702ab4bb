"""Relations of documents to those of an index: matches as data, and whether a document goes for one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from quchong.decision.pairs import EQUAL
from quchong.engines.index.answers import Id, Match
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.comparing import MeasureCodec, differences_of, names_of_facts
from quchong.engines.index.document_store import FORWARD, KEPT, DocumentStore, Row, StoredPair
from quchong.engines.index.finder import Placed
from quchong.engines.index.joined_documents import columns_of
from quchong.engines.index.neighbourhood import Member, MemberPair
from quchong.relation_codes import MIRRORED, NAMES, RANK
from quchong.relations import EXACT

_READ = ("containment_left", "containment_right", "facts", "jaccard")
_RANKS = {str(name): int(RANK[code]) for code, name in enumerate(NAMES)}
"""Measures of stored pairs that are read."""


class Related:
    """Pairs of compared documents with their measures, each once, by document number.

    Attributes:
        pairs: the pairs.
        of: indices of the pairs of each number.
        shares: of each pair the share of left and of right that is found in the other, and kinds of facts in conflict as bits.
        jaccard: of each pair.
        codec: reads the measures.
    """

    def __init__(self, codec: MeasureCodec) -> None:
        self.pairs: list[StoredPair] = []
        self.of: dict[int, list[int]] = {}
        self.shares: tuple[list[float], list[float], list[int]] = ([], [], [])
        self.jaccard: list[float] = []
        self.codec = codec
        self._there: set[tuple[int, int]] = set()

    @staticmethod
    def read(pairs: Iterable[StoredPair], codec: MeasureCodec) -> Related:
        """Read the measures of stored pairs."""
        found = Related(codec)
        found.include(pairs)
        return found

    def copy(self) -> Related:
        """Return a copy, so that more pairs can be included without changing this one."""
        made = Related(self.codec)
        made.pairs, made.jaccard, made._there = list(self.pairs), list(self.jaccard), set(self._there)
        left, right, facts = self.shares
        made.shares = list(left), list(right), list(facts)
        made.of = {number: list(some) for number, some in self.of.items()}
        return made

    def include(self, pairs: Iterable[StoredPair]) -> None:
        """Read the measures of further pairs; those that are there already stay as they are."""
        first, there, of = len(self.pairs), self._there, self.of
        for pair in pairs:
            ends = left, right = pair[:2]
            if ends not in there:
                there.add(ends)
                of.setdefault(left, []).append(len(self.pairs))
                of.setdefault(right, []).append(len(self.pairs))
                self.pairs.append(pair)
        if fresh := [pair.measures for pair in self.pairs[first:]]:
            lists: tuple[list[Any], ...] = (*self.shares, self.jaccard)
            for column, values in zip(lists, self.codec.columns(fresh, _READ), strict=True):
                column += values

    def seen_from(self, number: int) -> list[tuple[int, int, bool]]:
        """Return the pairs of a document: index of the pair, number of the other document, and True if the document is the right one."""
        return [
            (k, self.pairs[k].left, True) if self.pairs[k].right == number else (k, self.pairs[k].right, False)
            for k in self.of.get(number, ())
        ]


def shown_members(catalogue: DocumentStore, parts: Sequence[int], below: int) -> dict[int, Row]:
    """Return for each compared document in `parts` the document shown in answers: a kept copy, else the first one not deleted.

    Only documents with numbers less than `below` are taken.
    """
    rows = catalogue.rows(sorted(set(parts)), texts=False)
    kept = catalogue.select_in(
        f"SELECT part, min(number) FROM documents WHERE part IN ({{}}) AND part != number AND state = {KEPT} GROUP BY part", parts,
    ) if parts else []  # fmt: skip
    better = {part: number for part, number in kept if number < below and part in rows and rows[part].state != KEPT}
    gone = [part for part, row in rows.items() if row.id is None and part not in better]
    for part in gone:
        left = catalogue.select(
            "SELECT number FROM documents WHERE part = ? AND part != number AND number < ? ORDER BY number LIMIT 1",
            part,
            below,
        )
        if left:
            better[part] = left[0][0]
    copies = catalogue.rows(sorted(set(better.values())), texts=False)
    shown = {part: copies[better[part]] if part in better else row for part, row in rows.items()}
    return {part: row for part, row in shown.items() if row.id is not None and row.number < below}


def near_match(related: Related, k: int, other: Row, *, turned: bool) -> Match:
    """Return pair `k` as a match that shows `other`; with `turned` seen from the right document."""
    pair, (left, right, facts) = related.pairs[k], related.shares
    mine, theirs = (right[k], left[k]) if turned else (left[k], right[k])
    relation = int(MIRRORED[pair.relation]) if turned else pair.relation
    assert other.id is not None
    return Match(
        other.id, str(NAMES[relation]), pair.rule, related.jaccard[k], mine, theirs, other.state == KEPT, names_of_facts(facts[k]),
        cast(Any, differences_of(pair.differences, turned=turned)),
    )  # fmt: skip


def exact_match(other: Row) -> Match:
    """Return the relation of a document to an exact copy."""
    assert other.id is not None
    return Match(other.id, EXACT, EQUAL, 1.0, 1.0, 1.0, other.state == KEPT)


def best_first(matches: Sequence[Match]) -> tuple[Match, ...]:
    """Return matches by rank of their relation, kept ones first, then by Jaccard and containment."""
    return tuple(
        sorted(
            matches,
            key=lambda one: (
                _RANKS[one.relation],
                not one.kept,
                -one.jaccard,
                -max(one.containment, one.match_containment),
                str(one.id),
            ),
        )
    )


def member_of(row: Row) -> Member:
    """Return a document of the catalogue as a member of a neighbourhood, without comparing it."""
    assert row.id is not None
    return Member(
        row.number, row.id, row.high, row.low, row.tokens, row.singles, bool(row.marks & FORWARD), columns_of(row)
    )


def arrived_member(arrived: Arrived, placed: Placed, i: int, id: Id, number: int) -> Member:
    """Return a document that arrived as a member of a neighbourhood; `number` is its place in the order of arrival."""
    features = arrived.features
    columns: dict[str, Any] = {
        name: None if column.null_count == len(column) else column[i].as_py()
        for name, column in arrived.columns.items()
    }
    high, low = (int(values[i].view(np.int64)) for values in (features.high, features.low))
    return Member(
        number, id, high, low, int(features.tokens[i]), int(features.singles[i]), bool(arrived.forwards[i]), columns
    )


def pairs_among(part: Sequence[int], related: Related) -> list[MemberPair]:
    """Return the compared pairs of members as indices; `part` has the document that stood for each member in comparisons."""
    of_part: dict[int, list[int]] = {}
    for k, number in enumerate(part):
        of_part.setdefault(number, []).append(k)
    left, right, facts = related.shares
    pairs, of, out = related.pairs, related.of, list[MemberPair]()
    for number, ones in of_part.items():
        for k in of.get(number, ()):
            pair = pairs[k]
            if pair.left != number or (others := of_part.get(pair.right)) is None:
                continue
            for a in ones:
                for b in others:
                    out.append(MemberPair(a, b, pair.relation, pair.rule, left[k], right[k], facts[k]))
    return out
