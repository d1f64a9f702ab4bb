"""Removed documents of a large family for which a document that stays is a better survivor than the one they have."""

from __future__ import annotations

from collections.abc import Collection

from quchong.engines.index.document_store import KEPT, REMOVED, DocumentStore, Row
from quchong.engines.index.neighbourhood import Neighbourhood
from quchong.engines.index.relations import Related, member_of, pairs_among
from quchong.engines.index.small_fates import losses
from quchong.plan.plan import Plan

MOST_FOLLOWERS = 2_000
"""Most removed neighbours of a document that are read."""


def better_off(plan: Plan, catalogue: DocumentStore, row: Row, related: Related, decided: Collection[int]) -> list[int]:
    """Return the numbers of removed neighbours of a kept document whose present survivor is worse for them than this document.

    Args:
        row: the document. related: pairs, all of the document among them; those of its neighbours with their survivors are included.
        decided: documents that are not asked about.

    Cost: a statement for the neighbours, one for their survivors, and one for the pairs of these. Nothing is done for a document with more
    than MOST_FOLLOWERS of them.
    """
    near = {other for _, other, _ in related.seen_from(row.part) if other >= 0}
    if not 0 < len(near) <= MOST_FOLLOWERS:
        return []
    # (1) The removed neighbours and their copies, and the documents that they were removed for.
    found = catalogue.select_in(
        f"SELECT number, survivor FROM documents WHERE part IN ({{}}) AND state = {REMOVED} AND id IS NOT NULL",
        sorted(near),
    )
    follows = {number: survivor for number, survivor in found if survivor != row.number and number not in decided}
    if not follows or len(follows) > MOST_FOLLOWERS:
        return []
    rows = catalogue.rows(sorted({*follows, *follows.values()}), texts=False)
    related.include(catalogue.pairs_with_survivors(sorted(follows)))
    # (2) Each with both: who of them is better is what a decision among three says.
    three = [
        (rows[number], rows[survivor])
        for number, survivor in follows.items()
        if number in rows and survivor in rows and rows[survivor].state == KEPT and rows[survivor].id is not None
    ]
    hoods = [
        Neighbourhood(
            [member_of(one), member_of(other), member_of(row)],
            [pair for pair in pairs_among([one.part, other.part, row.part], related) if 0 in (pair.left, pair.right)],
            [one.same, other.same, row.same],
        )
        for one, other in three
    ]
    return [
        one.number
        for (one, _), told in zip(three, losses(plan, hoods), strict=True)
        if told[0] is not None and told[0][0] == 2
    ]
