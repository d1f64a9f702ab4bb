"""Fates of the documents of families that are decided as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quchong.engines.index.answers import Id
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.document_store import GHOST, KEPT, REMOVED, DocumentStore, StoredPair, Writer
from quchong.engines.index.families import FamilyFinder
from quchong.engines.index.neighbourhood import Member, Neighbourhood
from quchong.engines.index.relations import Related, member_of, pairs_among
from quchong.engines.index.small_fates import losses
from quchong.plan.plan import Plan
from quchong.relation_codes import INSIDE


@dataclass(frozen=True, slots=True)
class FamilyChanges:
    """Changes of the fates of whole families.

    Attributes:
        members: numbers of the documents of the families. numbers: those whose fate is another now.
        replaced: for each survivor, by number, the ids of the documents that were kept and are removed for it.
        others: documents that were asked for and are not decided as a whole.
    """

    members: set[int]
    numbers: set[int] = field(default_factory=set)
    replaced: dict[int, list[Id]] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)


def decide_families(plan: Plan, catalogue: DocumentStore, writer: Writer, numbers: Sequence[int]) -> FamilyChanges:
    """Decide the families of documents as a run over their members decides them, and store what has changed.

    Args:
        numbers: the documents. Deleted ones are left out.
    """
    rows = {number: row for number, row in catalogue.rows(numbers, texts=False).items() if row.state != GHOST}
    found = FamilyFinder(plan, catalogue, MeasureCodec(catalogue.measures_note())).families(rows)
    everybody = found.members
    done = FamilyChanges({row.number for row in everybody}, others=sorted(found.others))
    if not everybody:
        return done
    pairs = pairs_among([row.part for row in everybody], found.related)
    hood = Neighbourhood([member_of(row) for row in everybody], pairs, [row.same for row in everybody])
    (told,) = losses(plan, [hood])
    changes: list[tuple[int, int | None, int | None, str | None, int]] = []
    for k, row in enumerate(everybody):
        now: tuple[int, int | None, int | None, str | None] = (KEPT, None, None, None)
        if (gone := told[k]) is not None:
            survivor = everybody[gone[0]].number
            now = (REMOVED, survivor, *gone[1:])
            if row.state == KEPT and row.number not in rows and row.id is not None:
                done.replaced.setdefault(survivor, []).append(row.id)
        if now != (row.state, row.survivor, row.relation, row.rule):
            changes.append((*now, row.number))
    done.numbers.update(change[-1] for change in changes)
    catalogue.write_fates(writer, changes)
    return done


def family_around(
    plan: Plan, catalogue: DocumentStore, asked: Member, place: tuple[int, int, int], related: Related
) -> Neighbourhood | None:
    """Return a queried document with the family that it would have, the document first; None if it must be decided among neighbours.

    Args:
        asked: the document.
        place: its number, below 0, and the numbers of the documents by which it is compared, and whose exact copy it is.
        related: its pairs.

    Returns:
        None if its neighbours alone tell its fate, because its family is not decided as a whole.
    """
    family = FamilyFinder(plan, catalogue, related.codec).family_of_asked(*place, related)
    if family.others:
        return None
    among = family.related
    among.include(related.pairs)
    _, part, same = place
    parts = [part, *(row.part for row in family.members)]
    return Neighbourhood(
        [asked, *map(member_of, family.members)],
        pairs_among(parts, among),
        [same, *(row.same for row in family.members)],
    )


def meets_parts(pairs: Sequence[StoredPair]) -> bool:
    """Return True if in one of the pairs a document contains the other; otherwise neighbours alone decide a document's fate."""
    return any(INSIDE[pair.relation] != 0 for pair in pairs)
