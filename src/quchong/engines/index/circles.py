"""Circles of documents of an index: those that decide on others, read by the same few statements for any number of them."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.decision.roundup_shares import MOST_PARTS
from quchong.decision.roundups import INSIDE_SHARE
from quchong.engines.index.comparing import SHARES, MeasureCodec
from quchong.engines.index.document_store import KEPT, DocumentStore, Row
from quchong.engines.index.relations import Related
from quchong.plan.plan import Plan
from quchong.relation_codes import INSIDE

MOST_NEIGHBOURS = 32
"""Most relations of a document whose removed neighbours are looked at too; in larger families there is no roundup to be told."""
MOST_PAIRS = 256
"""Most pairs of the documents around others that are read all; of more the first parts of each document are looked for in order."""
_INSIDE: list[int] = INSIDE.tolist()


def circles_around(
    plan: Plan,
    catalogue: DocumentStore,
    some: Sequence[tuple[set[int], set[int]]],
    related: Related,
    *,
    survivors: bool,
) -> list[list[Row]]:
    """Return for each circle of documents the kept documents that decide about it: related ones, and kept copies of these.

    Whether a document is a roundup depends on what it contains, whoever of that is kept, and matters only where a document is contained
    in another one. There, and by a policy that does not prefer the longest, documents with few relations have removed ones among their
    neighbours too, each with its survivor, and the other parts of the documents that contain them.

    Args:
        plan: whether there are roundups to look for. catalogue: the documents.
        some: for each circle the numbers of the documents that are decided, as they were compared, and of their exact classes.
        related: all pairs of these; the pairs among the documents that are returned are included in it.
        survivors: True if removed neighbours may get another survivor: then those of documents with few relations are there in any case.

    Cost: the same few statements for any number of circles.
    """
    read = {part for parts, _ in some for part in parts}
    seen = [[_stored_pairs(related, part) for part in parts] for parts, _ in some]
    near = [
        {part for part in parts if part >= 0} | {other for each in pairs for _, other, _ in each}
        for (parts, _), pairs in zip(some, seen, strict=True)
    ]
    kept = _kept_copies(catalogue, near, [same for _, same in some])
    if plan.roundups == "whole":
        _include_pairs(catalogue, kept, related, read)
        return kept
    circles, wide = kept, list(range(len(kept)))
    some_parts = [parts for parts, _ in some]
    # A document that contains another one is preferred to it: relations and policy agree, so that fates are those that are stored.
    if plan.policy.criteria[0].name == "longest":
        if survivors:
            circles = _with_removed(catalogue, kept, [_near_few(pairs) for pairs in seen])
        _include_pairs(catalogue, circles, related, read)
        wide = [k for k in wide if _has_parts({*some_parts[k], *(row.part for row in circles[k])}, related)]
    if wide:
        around = _parts_around(catalogue, [some_parts[k] for k in wide], related, read)
        wider = _with_removed(catalogue, [kept[k] for k in wide], around)
        _include_pairs(catalogue, wider, related, read)
        found = dict(zip(wide, wider, strict=True))
        circles = [found.get(k, rows) for k, rows in enumerate(circles)]
    return circles


def _near_few(seen: Sequence[Sequence[tuple[int, int, bool]]]) -> set[int]:
    """Return the numbers of all neighbours of documents with few relations, from the stored pairs of each document."""
    return {other for each in seen if len(each) <= MOST_NEIGHBOURS for _, other, _ in each}


def _include_pairs(catalogue: DocumentStore, circles: Sequence[list[Row]], related: Related, read: set[int]) -> None:
    """Add to `related` the pairs among the documents of the circles, except those of documents in `read`, which are there."""
    related.include(catalogue.pairs_among(sorted({row.part for rows in circles for row in rows} - read)))


def _has_parts(numbers: set[int], related: Related) -> bool:
    """Return True if one of the documents `numbers` contains another one of them."""
    pairs, of = related.pairs, related.of
    return any(
        _INSIDE[pairs[k].relation] and pairs[k].left in numbers and pairs[k].right in numbers
        for number in numbers
        for k in of.get(number, ())
    )


def _with_removed(
    catalogue: DocumentStore, circles: Sequence[list[Row]], around: Sequence[set[int]]
) -> list[list[Row]]:
    """Return the circles with the documents `around` added, and the survivors of those that are removed."""
    known = [{row.number for row in rows} for rows in circles]
    further = [one - there for one, there in zip(around, known, strict=True)]
    rows = catalogue.rows(sorted(set().union(*further)), texts=False)
    rows = {number: row for number, row in rows.items() if row.id is not None}
    removed = [[rows[number] for number in sorted(one) if number in rows] for one in further]
    survivors = [
        {row.survivor for row in one if row.survivor is not None} - there - {row.number for row in one}
        for one, there in zip(removed, known, strict=True)
    ]
    beyond = catalogue.rows(sorted(set().union(*survivors)), texts=False)
    return [
        [*kept, *gone, *(beyond[k] for k in sorted(one) if k in beyond and beyond[k].id is not None)]
        for kept, gone, one in zip(circles, removed, survivors, strict=True)
    ]


def _parts_around(
    catalogue: DocumentStore, some: Sequence[set[int]], related: Related, read: set[int]
) -> list[set[int]]:
    """Return for each set of documents the further documents that decide whether a roundup is around them.

    Args:
        some: the others, as they were compared. related: their pairs; those of the documents that contain them are included.
        read: numbers of the documents that have all their pairs there.
    """
    seen = [[_stored_pairs(related, part) for part in parts] for parts in some]
    few = [[one for one in each if 0 < len(one) <= MOST_NEIGHBOURS] for each in seen]
    around = [{other for one in each for _, other, _ in one} for each in few]
    shares = related.shares
    wholes = [{other for one in each for k, other, turned in one if shares[turned][k] >= INSIDE_SHARE} for each in few]
    every = set[int]().union(*wholes)
    unread = sorted(every - read)
    inside: dict[int, list[int]] = {}
    if (pairs := catalogue.few_pairs_of(unread, MOST_PAIRS)) is not None:
        related.include(pairs)
        read |= every
    else:  # documents that are much alike have pairs with thousands of others
        inside = {whole: _first_parts(catalogue, whole, related.codec) for whole in unread}
    inside |= {
        whole: sorted(
            other for k, other, turned in _stored_pairs(related, whole) if shares[not turned][k] >= INSIDE_SHARE
        )[:MOST_PARTS]
        for whole in every - inside.keys()
    }
    for one, there in zip(around, wholes, strict=True):
        one.update(*(inside[whole] for whole in there))
    return around


def _first_parts(catalogue: DocumentStore, whole: int, codec: MeasureCodec) -> list[int]:
    """Return the at most MOST_PARTS documents with the least numbers that the document `whole` contains."""
    found: list[int] = []
    for pairs in catalogue.pairs_in_order(whole):
        shares = codec.columns([pair.measures for pair in pairs], SHARES)
        for pair, left, right in zip(pairs, *shares, strict=True):
            other, share = (pair.left, left) if pair.right == whole else (pair.right, right)
            if share >= INSIDE_SHARE:
                found.append(other)
        if len(found) >= MOST_PARTS:
            break
    return found[:MOST_PARTS]


def _kept_copies(catalogue: DocumentStore, parts: Sequence[set[int]], same: Sequence[set[int]]) -> list[list[Row]]:
    """Return for each circle the kept documents among `parts`, and for each other one a kept exact copy."""
    firsts: list[dict[int, int]] = []
    for column, some in (("part", parts), ("same", same)):
        numbers = sorted(set().union(*some))
        found = catalogue.select_in(
            f"SELECT {column}, min(number) FROM documents WHERE {column} IN ({{}}) AND {column} != number AND state = {KEPT} "
            f"GROUP BY {column}", numbers,
        ) if numbers else []  # fmt: skip
        firsts.append(dict(found))
    wanted = [
        {*one, *other}
        | {firsts[0][part] for part in one if part in firsts[0]}
        | {firsts[1][number] for number in other if number in firsts[1]}
        for one, other in zip(parts, same, strict=True)
    ]
    rows = catalogue.rows(sorted(set().union(*wanted)), texts=False)
    kept = {number: row for number, row in rows.items() if row.state == KEPT and row.id is not None}
    return [[kept[number] for number in sorted(one) if number in kept] for one in wanted]


def _stored_pairs(related: Related, number: int) -> list[tuple[int, int, bool]]:
    """Return the pairs of a document with those of the index, see `Related.seen_from`."""
    return [pair for pair in related.seen_from(number) if pair[1] >= 0]
