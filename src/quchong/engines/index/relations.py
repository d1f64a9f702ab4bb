"""Relations of documents to those of an index: matches as data, and whether a document goes for one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.decision.pairs import EQUAL
from quchong.engines.index.answers import Id, Match
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.comparing import MeasureCodec, differences_of, facts_of
from quchong.engines.index.document_store import FORWARD, KEPT, DocumentStore, Row, StoredPair
from quchong.engines.index.finder import Placed
from quchong.engines.index.known import columns_of
from quchong.engines.index.neighbourhood import Member, MemberPair
from quchong.relation_codes import MIRRORED, NAMES, RANK
from quchong.relations import EXACT


@dataclass(frozen=True, slots=True)
class Related:
    """Pairs of documents with measures, by the numbers of the documents that are compared.

    Attributes:
        pairs: the pairs. measures: of each, by name.
        of: indices of the pairs of each number.
        codec: what read the measures, and reads those of further pairs.
    """

    pairs: list[StoredPair]
    measures: Mapping[str, np.ndarray]
    of: Mapping[int, list[int]]
    codec: MeasureCodec

    @staticmethod
    def read(pairs: Iterable[StoredPair], codec: MeasureCodec) -> Related:
        """Read the measures of stored pairs; a pair that comes twice is taken once."""
        some = list({(pair.left, pair.right): pair for pair in pairs}.values())
        if not some:
            return Related([], {}, {}, codec)
        of: dict[int, list[int]] = {}
        for k, pair in enumerate(some):
            of.setdefault(pair.left, []).append(k)
            of.setdefault(pair.right, []).append(k)
        return Related(some, codec.unpack([pair.measures for pair in some]), of, codec)

    def seen_from(self, number: int) -> list[tuple[int, int, bool]]:
        """Return the pairs of a document: index, number of the other document, and True if the document is the right one."""
        return [
            (k, self.pairs[k].left, True) if self.pairs[k].right == number else (k, self.pairs[k].right, False)
            for k in self.of.get(number, ())
        ]


def shown_members(catalogue: DocumentStore, parts: Sequence[int], below: int) -> dict[int, Row]:
    """Return the document that is shown for each compared document `parts`: a kept copy if there is one, else the first one that is left.

    Only documents with numbers less than `below` are taken.
    """
    rows = catalogue.rows(sorted(set(parts)), texts=False)
    kept = catalogue.select_in(
        f"SELECT part, min(number) FROM documents WHERE part IN ({{}}) AND part != number AND state = {KEPT} "
        f"AND number < {int(below)} GROUP BY part", parts,
    ) if parts else []  # fmt: skip
    better = {part: number for part, number in kept if part in rows and rows[part].state != KEPT}
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
    """Return a pair as the relation of its left document to the other one; of the right one if `turned`."""
    pair, m = related.pairs[k], related.measures
    shares = [float(m[f"containment_{side}"][k]) for side in ("left", "right")]
    mine, theirs = shares[::-1] if turned else shares
    relation = int(MIRRORED[pair.relation]) if turned else pair.relation
    assert other.id is not None
    return Match(
        other.id, str(NAMES[relation]), pair.rule, float(m["jaccard"][k]), mine, theirs, other.state == KEPT, facts_of(dict(m), k),
        differences_of(pair.differences, turned=turned),
    )  # fmt: skip


def exact_match(other: Row) -> Match:
    """Return the relation of a document to an exact copy."""
    assert other.id is not None
    return Match(other.id, EXACT, EQUAL, 1.0, 1.0, 1.0, other.state == KEPT)


def best_first(matches: Sequence[Match]) -> tuple[Match, ...]:
    """Return matches by rank of their relation, kept ones first, then by Jaccard and containment."""
    ranks = {str(name): int(RANK[code]) for code, name in enumerate(NAMES)}
    return tuple(
        sorted(
            matches,
            key=lambda one: (
                ranks[one.relation],
                not one.kept,
                -one.jaccard,
                -max(one.containment, one.match_containment),
                str(one.id),
            ),
        )
    )


def member_of(row: Row) -> Member:
    """Return a document of the catalogue as a member of a neighbourhood."""
    assert row.id is not None
    return Member(
        row.number, row.id, row.high, row.low, row.tokens, row.singles, bool(row.marks & FORWARD), columns_of(row)
    )


def arrived_member(arrived: Arrived, placed: Placed, i: int, id: Id, number: int) -> Member:
    """Return a document that arrived as a member of a neighbourhood; `number` is its place in the order of arrival."""
    features = arrived.features
    columns: dict[str, Any] = {name: column[i].as_py() for name, column in arrived.columns.items()}
    high, low = (int(values[i : i + 1].view(np.int64)[0]) for values in (features.high, features.low))
    return Member(
        number, id, high, low, int(features.tokens[i]), int(features.singles[i]), bool(arrived.forwards[i]), columns
    )


def pairs_among(part: Sequence[int], related: Related) -> list[MemberPair]:
    """Return the pairs of members that were compared, by the document `part` that was compared for each."""
    of_part: dict[int, list[int]] = {}
    for k, number in enumerate(part):
        of_part.setdefault(number, []).append(k)
    out: list[MemberPair] = []
    facts = related.measures.get("facts")
    for k, pair in enumerate(related.pairs):
        left, right = (float(related.measures[f"containment_{side}"][k]) for side in ("left", "right"))
        for a in of_part.get(pair.left, ()):
            for b in of_part.get(pair.right, ()):
                out.append(
                    MemberPair(a, b, pair.relation, pair.rule, left, right, 0 if facts is None else int(facts[k]))
                )
    return out
