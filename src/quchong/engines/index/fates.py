"""Fates of the documents of an index: who is kept, kept up to date as documents come and go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quchong.engines.index.answers import Id
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.better_survivors import better_off
from quchong.engines.index.circles import MOST_NEIGHBOURS, circles_around
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.document_store import GHOST, KEPT, REMOVED, DocumentStore, Writer
from quchong.engines.index.families import MOST_MEMBERS
from quchong.engines.index.family_fates import decide_families, family_around, meets_parts
from quchong.engines.index.finder import Placed
from quchong.engines.index.neighbourhood import Neighbourhood
from quchong.engines.index.relations import Related, arrived_member, member_of, pairs_among
from quchong.engines.index.small_fates import losses
from quchong.plan.plan import Plan
from quchong.relation_codes import NAMES

ROUNDS = 20
"""Most times that one document is decided again in a call because its survivor went."""
FOLLOWERS = 2_000
"""Most documents that are decided in a round."""
LATEST = 1 << 62
"""Number above those of all documents."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Removal of a queried document: its survivor, the relation to it, and the rule."""

    survivor_id: Id
    relation: str
    rule: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of fates (kept or removed) that a decision has made.

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

    def of_asked(
        self, arrived: Arrived, placed: Placed, ids: Sequence[Id], related: Related, asked: Sequence[int]
    ) -> dict[int, Removal]:
        """Return for each queried document that would be removed, if it alone were added, how it would be removed.

        Args:
            ids: ids of the documents that arrived. related: their pairs. asked: indices of the documents.

        Cost: statements for all of them together, and one decision, unless the policy orders by a column, whose values are read as numbers
        if all are.
        """
        hoods: dict[int, Neighbourhood] = {}
        rest: list[int] = []
        for i in asked:
            own = [related.pairs[k] for k, _, _ in related.seen_from(placed.part[i])]
            family = None
            if meets_parts(own):
                me = arrived_member(arrived, placed, i, ids[i], LATEST)
                place = (placed.numbers[i], placed.part[i], placed.same[i])
                family = family_around(self.plan, self.catalogue, me, place, Related.read(own, related.codec))
            if family is None:
                rest.append(i)
            else:
                hoods[i] = family
        return self._removals(hoods | self._circles(arrived, placed, ids, related, rest))

    def _circles(
        self, arrived: Arrived, placed: Placed, ids: Sequence[Id], related: Related, asked: Sequence[int]
    ) -> dict[int, Neighbourhood]:
        """Return for each queried document its neighbourhood, the document first; see `of_asked`."""
        if not asked:
            return {}
        among = related.copy()
        circles = circles_around(
            self.plan,
            self.catalogue,
            [({placed.part[i]}, set(_others(placed.same[i], placed.numbers[i]))) for i in asked],
            among,
            survivors=False,
        )
        return {
            i: Neighbourhood(
                [arrived_member(arrived, placed, i, ids[i], LATEST), *map(member_of, rows)],
                pairs_among([placed.part[i], *(row.part for row in rows)], among),
                [placed.same[i], *(row.same for row in rows)],
            )
            for i, rows in zip(asked, circles, strict=True)
        }

    def _removals(self, hoods: Mapping[int, Neighbourhood]) -> dict[int, Removal]:
        """Return how the first member of each neighbourhood is removed; kept ones are left out."""
        out: dict[int, Removal] = {}
        for (i, hood), told in zip(hoods.items(), losses(self.plan, list(hoods.values())), strict=True):
            if (gone := told[0]) is not None:
                out[i] = Removal(hood.members[gone[0]].id, str(NAMES[gone[1]]), gone[2])
        return out

    def decide(
        self, writer: Writer, numbers: Sequence[int], deleted: Sequence[int] = ()
    ) -> Changes:  # fmt: skip
        """Decide documents, and those that lose their survivor by it, in a transaction; return all changed fates.

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
            if pending and (others := self._decide_families(writer, pending, done)):
                lost.update(self._decide_once(writer, others, done))
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

    def _decide_families(self, writer: Writer, numbers: Sequence[int], done: Changes) -> list[int]:
        """Decide the families that are small enough; return the documents whose family is not."""
        found = decide_families(self.plan, self.catalogue, writer, numbers)
        done.asked.update(found.members)
        done.numbers.update(found.numbers)
        for survivor, ids in found.replaced.items():
            done.replaced.setdefault(survivor, []).extend(ids)
        return found.others

    def _decide_once(self, writer: Writer, numbers: Sequence[int], done: Changes) -> list[int]:
        """Decide documents among their neighbours; return the numbers of those that were kept and are now removed."""
        rows = {number: row for number, row in self.catalogue.rows(numbers, texts=False).items() if row.state != GHOST}
        parts_of = {row.part for row in rows.values()}
        related = Related.read(
            self.catalogue.pairs_of(sorted(parts_of), differences=False), MeasureCodec(self.catalogue.measures_note())
        )
        wanted = [(parts_of, {row.same for row in rows.values()})]
        (circle,) = circles_around(self.plan, self.catalogue, wanted, related, survivors=True)
        everybody = [*rows.values(), *(row for row in circle if row.number not in rows)]
        members = [member_of(row) for row in everybody]
        near = pairs_among([row.part for row in everybody], related)
        (told,) = losses(self.plan, [Neighbourhood(members, near, [row.same for row in everybody])])
        gone: list[int] = []
        changes: list[tuple[int, int | None, int | None, str | None, int]] = []
        for k, row in enumerate(everybody):
            removal, doubtful = told[k], row.number not in rows and row.number not in done.asked
            if removal is None:
                if row.state != KEPT and row.number in rows:
                    changes.append((KEPT, None, None, None, row.number))
                elif row.state == REMOVED and doubtful:  # its own neighbours decide on it
                    done.doubtful.append(row.number)
                continue
            place, relation, rule = removal
            survivor = everybody[place]
            now = (REMOVED, survivor.number, relation, rule)
            if row.number not in rows and survivor.number not in rows:
                # Not all that decides on it is here: its family may have been decided as a whole, or will be.
                if row.state == KEPT and doubtful:
                    done.doubtful.append(row.number)
                continue
            if now != (row.state, row.survivor, row.relation, row.rule):
                changes.append((*now, row.number))
            if row.state == KEPT:
                gone.append(row.number)
                if row.number not in rows and row.id is not None:
                    done.replaced.setdefault(survivor.number, []).append(row.id)
        done.numbers.update(change[-1] for change in changes)
        self.catalogue.write_fates(writer, changes)
        # In a large family removed neighbours were not looked at: of those that gain by a document that stays their own neighbours decide.
        for k, row in enumerate(everybody):
            if row.number in rows and told[k] is None:
                done.doubtful.extend(better_off(self.plan, self.catalogue, row, related, done.asked))
        return gone

    def neighbours(self, number: int) -> set[int]:
        """Return the numbers of documents whose fate may depend on this one: its neighbours, only some if there are very many."""
        row = self.catalogue.rows([number], texts=False)[number]
        pairs = self.catalogue.pairs_of([row.part], differences=False)
        some = pairs if len(pairs) < MOST_MEMBERS else pairs[:MOST_NEIGHBOURS]
        return {end for pair in some for end in (pair.left, pair.right)} - {number}


def _others(number: int, own: int) -> list[int]:
    """Return [number], or [] if `number` is `own`."""
    return [] if number == own else [number]
