"""Fates of the documents of an index: who is kept, kept up to date as documents come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quchong.decision.roundups import INSIDE_SHARE, MOST_PARTS
from quchong.engines.index.answers import Id
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.document_store import GHOST, KEPT, REMOVED, DocumentStore, Row, Writer, fate_sum
from quchong.engines.index.finder import Placed
from quchong.engines.index.neighbourhood import MemberPair, decided
from quchong.engines.index.relations import Related, arrived_member, member_of, pairs_among
from quchong.plan.plan import Plan
from quchong.relation_codes import MIRRORED, NAMES

ROUNDS = 20
"""Most times that one document is decided again in a call because its survivor went."""
FOLLOWERS = 2_000
"""Most documents that are decided in a round."""
MOST_NEIGHBOURS = 32
"""Most relations of a document whose removed neighbours are looked at too; in larger families there is no roundup to be told."""
LATEST = 1 << 62
"""Number above those of all documents."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Removal of a document that was asked about: its survivor, its relation to it, and the rule that gave it."""

    survivor_id: Id
    relation: str
    rule: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of fates.

    Attributes:
        numbers: documents whose fate is another now.
        replaced: ids of the documents that were kept and went for each document, by its number.
        asked: documents that were decided. doubtful: removed ones that may have lost their survivor, to be decided next.
    """

    numbers: set[int] = field(default_factory=set)
    replaced: dict[int, list[Id]] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    doubtful: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class FateKeeper:
    """Keeper of the fates in a catalogue. A document goes if and only if a document that is kept is a better copy of it.

    Attributes:
        plan: relations and policy. catalogue: the documents and their pairs.
    """

    plan: Plan
    catalogue: DocumentStore

    def of_asked(self, arrived: Arrived, placed: Placed, i: int, id: Id, related: Related) -> Removal | None:
        """Return how a document that is only asked about would be removed; None if it would be kept."""
        rows = self._circle({placed.part[i]}, set(_others(placed.same[i], placed.numbers[i])), related)
        members = [arrived_member(arrived, placed, i, id, LATEST), *map(member_of, rows)]
        own = [related.pairs[k] for k, _, _ in related.seen_from(placed.part[i])]
        among = Related.read(
            [*own, *self.catalogue.pairs_of([row.part for row in rows], differences=False)],
            related.codec,
        )
        parts, same = [placed.part[i], *(row.part for row in rows)], [placed.same[i], *(row.same for row in rows)]
        fate, pairs = decided(self.plan, members, pairs_among(parts, among), same)
        if not fate.removed[0] or fate.pair[0] < 0:
            return None
        relation, rule = _reason(pairs[int(fate.pair[0])], 0)
        return Removal(members[int(fate.survivor[0])].id, str(NAMES[relation]), rule)

    def decide(
        self, writer: Writer, numbers: Sequence[int], deleted: Sequence[int] = ()
    ) -> Changes:  # fmt: skip
        """Decide documents, and those that lost their survivor by it, in a transaction; return what has changed.

        Args:
            numbers: the documents. deleted: documents that are deleted, whose followers need another survivor or none.
        """
        done = Changes()
        times: dict[int, int] = {}
        lost, pending = set(deleted), list(numbers)
        while pending or lost:
            for number in pending:
                times[number] = times.get(number, 0) + 1
            done.asked.update(pending)
            if pending:
                lost.update(self._decide_once(writer, pending, done))
            followers = [
                number
                for (number,) in self.catalogue.select_in(
                    f"SELECT number FROM documents WHERE survivor IN ({{}}) LIMIT {FOLLOWERS}", sorted(lost)
                )
                if times.get(number, 0) < ROUNDS
            ] if lost else []  # fmt: skip
            if len(followers) < FOLLOWERS:
                lost.clear()
            pending = sorted({*followers, *done.doubtful})
            done.doubtful.clear()
        return done

    def _decide_once(self, writer: Writer, numbers: Sequence[int], done: Changes) -> list[int]:
        """Decide documents among their neighbours; return the numbers of those that were kept and are now removed."""
        rows = {number: row for number, row in self.catalogue.rows(numbers, texts=False).items() if row.state != GHOST}
        codec, parts_of = MeasureCodec(self.catalogue.measures_note()), {row.part for row in rows.values()}
        related = Related.read(self.catalogue.pairs_of(sorted(parts_of), differences=False), codec)
        circle = self._circle(parts_of, {row.same for row in rows.values()}, related)
        everybody = [*rows.values(), *(row for row in circle if row.number not in rows)]
        parts = [row.part for row in everybody]
        among = Related.read(self.catalogue.pairs_of(sorted(set(parts)), differences=False), codec)
        members = [member_of(row) for row in everybody]
        fate, some = decided(self.plan, members, pairs_among(parts, among), [row.same for row in everybody])
        gone: list[int] = []
        changes: list[tuple[int, int | None, int | None, str | None, int]] = []
        for k, row in enumerate(everybody):
            if not fate.removed[k] or fate.pair[k] < 0:
                if row.state != KEPT and row.number in rows:
                    changes.append((KEPT, None, None, None, row.number))
                elif row.state == REMOVED and row.number not in done.asked:  # its own neighbours decide on it
                    done.doubtful.append(row.number)
                continue
            survivor = everybody[int(fate.survivor[k])]
            relation, rule = _reason(some[int(fate.pair[k])], k)
            if (row.state, row.survivor) != (REMOVED, survivor.number):
                changes.append((REMOVED, survivor.number, relation, rule, row.number))
            if row.state == KEPT:
                gone.append(row.number)
                if row.number not in rows and row.id is not None:
                    done.replaced.setdefault(survivor.number, []).append(row.id)
        done.numbers.update(change[-1] for change in changes)
        writer.executemany(
            "UPDATE documents SET state = ?, survivor = ?, relation = ?, rule = ?, fate_sum = ? WHERE number = ?",
            [(*change[:4], fate_sum(change[4], *change[:4]), change[4]) for change in changes],
        )
        return gone

    def neighbours(self, number: int) -> set[int]:
        """Return the documents whose fate may depend on a document: those with a relation to it, unless they are very many."""
        row = self.catalogue.rows([number], texts=False)[number]
        pairs = self.catalogue.pairs_of([row.part], differences=False)
        return {end for pair in pairs[:MOST_NEIGHBOURS] for end in (pair.left, pair.right)} - {number}

    def _circle(self, parts: set[int], same: set[int], related: Related) -> list[Row]:
        """Return the documents that decide on others: those kept that they have a relation to, and their kept copies.

        Whether a document is a roundup depends on what it contains, whoever of that is kept. Documents with few relations therefore have
        removed ones among their neighbours too, each with its survivor, and the other parts of the documents that contain them.

        Args:
            parts: numbers of the documents that are decided, as they were compared. same: numbers of their exact classes.
            related: their pairs.
        """
        near = {end for pair in related.pairs for end in (pair.left, pair.right) if end >= 0}
        kept = self._kept_copies(sorted(near | {part for part in parts if part >= 0}), sorted(same))
        if self.plan.roundups != "keep":
            return kept
        few = [part for part in parts if 0 < len(related.of.get(part, ())) <= MOST_NEIGHBOURS]
        around = {other for part in few for _, other, _ in related.seen_from(part)}
        wholes = {
            other
            for part in few
            for k, other, turned in related.seen_from(part)
            if _share(related, k, turned) >= INSIDE_SHARE
        }
        further = (
            Related.read(self.catalogue.pairs_of(sorted(wholes), differences=False), related.codec)
            if wholes
            else related
        )
        for whole in wholes:
            inside = [
                other for k, other, turned in further.seen_from(whole) if _share(further, k, not turned) >= INSIDE_SHARE
            ]
            around.update(inside[:MOST_PARTS])
        known = {row.number for row in kept}
        rows = self.catalogue.rows(
            sorted(number for number in around if number >= 0 and number not in known), texts=False
        )
        removed = [row for row in rows.values() if row.id is not None]
        survivors = {row.survivor for row in removed if row.survivor is not None} - known - rows.keys()
        beyond = self.catalogue.rows(sorted(survivors), texts=False).values()
        return [*kept, *removed, *(row for row in beyond if row.id is not None)]

    def _kept_copies(self, parts: Sequence[int], same: Sequence[int]) -> list[Row]:
        """Return the kept documents among those of these numbers, and one kept copy of each of the others."""
        numbers = {*parts, *same}
        for column, some in (("part", parts), ("same", same)):
            if some:
                found = self.catalogue.select_in(
                    f"SELECT min(number) FROM documents WHERE {column} IN ({{}}) AND {column} != number AND state = {KEPT} "
                    f"GROUP BY {column}", some,
                )  # fmt: skip
                numbers |= {number for (number,) in found}
        rows = self.catalogue.rows(sorted(numbers), texts=False)
        return [row for row in rows.values() if row.state == KEPT and row.id is not None]


def _share(related: Related, k: int, turned: bool) -> float:
    """Return the share of a document of a pair, the right one if `turned`, that is found in the other."""
    return float(related.measures["containment_right" if turned else "containment_left"][k])


def _others(number: int, own: int) -> list[int]:
    """Return the number as a list, empty if it is the document's own."""
    return [] if number == own else [number]


def _reason(pair: MemberPair, loser: int) -> tuple[int, str]:
    """Return the code of the relation of the removed member to its survivor, and the rule."""
    return (pair.relation if pair.left == loser else int(MIRRORED[pair.relation])), pair.rule
