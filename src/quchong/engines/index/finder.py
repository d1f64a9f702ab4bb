"""Search for the documents of an index that are equal to others, or have a relation to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from quchong.candidates.arrivals import candidates_of
from quchong.candidates.postings import Postings, Represented
from quchong.decision.documents import SCORED_TOKENS
from quchong.decision.equality import equal_letters
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.catalogue import Catalogue, Row, StoredPair
from quchong.engines.index.comparing import Comparer, MeasureCodec, stored_pairs
from quchong.engines.index.known import bring_together, columns_of
from quchong.engines.index.neighbourhood import id_key
from quchong.kernels.offsets import prefix_sums
from quchong.plan.plan import Plan
from quchong.seam import KeyJoin

ASKED = -1
"""Number of the first document that is asked about and not added; the following ones have -2, -3, ..."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Documents that arrived, put among those of the index.

    Attributes:
        numbers: number of each; negative ones for documents that are only asked about.
        same: number of the first document with an equal text, the own one if there is none.
        part: number of the first of these that agrees in the columns that the method reads; the keys of that one alone are in postings.
    """

    numbers: list[int]
    same: list[int]
    part: list[int]

    def alone(self) -> np.ndarray:
        """Return a mask of the documents that are compared themselves, and not by an equal one before them."""
        return np.array([part == number for part, number in zip(self.part, self.numbers, strict=True)], bool)


@dataclass
class Finder:
    """Finder of the documents of an index that have a relation to others.

    Attributes:
        plan: method, scope and policy.
        catalogue: documents of the index.
        postings: their keys.
        comparer: compares candidates.
    """

    plan: Plan
    catalogue: Catalogue
    postings: Postings
    comparer: Comparer
    workers: int | None = None

    def placed(self, arrived: Arrived, numbers: list[int]) -> Placed:
        """Return where documents belong among the exact copies in the index and before them in the batch, compared letter by letter."""
        count = len(arrived)
        if self.plan.scope.within is not None:  # equality may reach further than the window: every document stands for itself
            return Placed(numbers, list(numbers), list(numbers))
        high, low = (values.view(np.int64).tolist() for values in (arrived.features.high, arrived.features.low))
        scope = arrived.scope.tolist()
        same, part = list(numbers), list(numbers)
        # (1) The first document with the same digest: in the index, or before in the batch.
        before: dict[tuple[int, int, int], int] = {}
        firsts: dict[int, list[int]] = {}  # of documents of the index, those of the batch with their digest
        inner: list[tuple[int, int]] = []
        for i, key in enumerate(zip(high, low, scope, strict=True)):
            if key in before:
                inner.append((i, before[key]))
                continue
            found = self.catalogue.select(
                "SELECT number FROM documents WHERE high = ? AND low = ? AND same = number AND scope = ? ORDER BY number", *key
            )
            before[key] = i
            for (number,) in found:
                firsts.setdefault(number, []).append(i)
        # (2) A digest is no proof: letters decide.
        rows = self.catalogue.rows(sorted(firsts))
        outer = [(i, number) for number, those in firsts.items() for i in those if number in rows]
        if outer or inner:
            known = sorted({number for _, number in outer})
            some = [i for i, _ in outer] + [i for i, _ in inner]
            equal = self._equal(arrived, [rows[number] for number in known], [(i, count + known.index(n)) for i, n in outer] + inner)
            for i, agrees, number in zip(some, equal, [n for _, n in outer] + [None] * len(inner), strict=True):
                if agrees and number is not None and same[i] == numbers[i]:
                    same[i] = number
            for (i, first), agrees in zip(inner, equal[len(outer) :], strict=True):
                if agrees:
                    same[i] = same[first]
        # (3) Of methods that read columns besides the text, only copies that agree in these are compared as one.
        needs = self._needs()
        for i in range(count):
            if same[i] == numbers[i]:
                continue
            part[i] = same[i] if not needs else self._part(arrived, i, same, numbers, part, needs)
        return Placed(numbers, same, part)

    def _needs(self) -> tuple[str, ...]:
        return () if isinstance(self.plan.method.candidates, KeyJoin) else self.plan.method.traits.needs

    def _part(self, arrived: Arrived, i: int, same: list[int], numbers: list[int], part: list[int], needs: tuple[str, ...]) -> int:
        """Return the number of the document by which a copy is compared."""
        own = {name: arrived.columns[name][i].as_py() for name in needs if name in arrived.columns}
        for j in range(i):
            if same[j] == same[i] and part[j] == numbers[j]:
                other = {name: arrived.columns[name][j].as_py() for name in needs if name in arrived.columns}
                if other == own:
                    return numbers[j]
        firsts = self.catalogue.select(
            "SELECT number FROM documents WHERE (number = ? OR (same = ? AND same != number)) AND part = number ORDER BY number",
            same[i], same[i],
        )  # fmt: skip
        for row in sorted(self.catalogue.rows([number for (number,) in firsts]).values()):
            told = columns_of(row)
            if all(told.get(name) == value for name, value in own.items()):
                return row.number
        return numbers[i]

    def _equal(self, arrived: Arrived, rows: Sequence[Row], pairs: list[tuple[int, int]]) -> list[bool]:
        """Return whether the texts of pairs are equal letter by letter; documents of the index follow those of the batch."""
        form = self.plan.method.form
        together = bring_together(self.plan, arrived, rows, self.workers)
        left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
        tokens = arrived.features.tokens[left]
        equal = np.ones(len(pairs), bool)
        spoken = np.flatnonzero(tokens > 0)  # the others were found by their strict form
        if form is not None and len(spoken):
            equal[spoken] = equal_letters(
                self.plan.exact, form, together.documents.texts, left[spoken], right[spoken], self.workers
            )
        found: list[bool] = equal.tolist()
        return found

    def to_postings(self, arrived: Arrived, placed: Placed) -> Represented:
        """Return documents as they are added to postings: without keys if they are compared by an earlier one, or not at all."""
        keep = placed.alone()
        if not isinstance(self.plan.method.candidates, KeyJoin):
            keep &= arrived.features.tokens >= SCORED_TOKENS
        return with_keys_of(arrived.known, keep)

    def found_pairs(self, arrived: Arrived, placed: Placed, known: Represented, *, added: bool) -> tuple[list[StoredPair], MeasureCodec]:
        """Return the pairs of documents with those of the index that reach the floor, and what reads their measures.

        Args:
            known: documents as they are in postings.
            added: True if the documents are in postings already, and meet those before them in the batch.
        """
        codec = MeasureCodec(self.catalogue.note("measures"))
        met: list[tuple[int, int]] = []
        if len(known.keys):
            numbers = np.array(placed.numbers, np.int64)
            found = candidates_of(
                self.plan.method.candidates, known, self.postings, before=numbers if added else None,
                within=self.plan.scope.within, workers=self.workers,
            )  # fmt: skip
            met = list(zip(found.asking.tolist(), found.document.tolist(), strict=True))
        twins = self._twins(arrived, placed) if self.plan.scope.within is not None else set[tuple[int, int]]()
        met = sorted({*met, *twins})
        if not met:
            return [], codec
        return self._compared(arrived, placed, met, twins, codec), codec

    def _compared(
        self, arrived: Arrived, placed: Placed, met: list[tuple[int, int]], twins: set[tuple[int, int]], codec: MeasureCodec
    ) -> list[StoredPair]:
        """Return the candidates (index in the batch, number) that reach the floor as pairs."""
        inside = {number: i for i, number in enumerate(placed.numbers)}
        rows = self.catalogue.rows(sorted({number for _, number in met if number not in inside}))
        together = bring_together(self.plan, arrived, [rows[number] for number in sorted(rows)], self.workers)
        place = together.place | inside
        met = [(i, number) for i, number in met if number in place and placed.same[i] != self._same(rows, placed, inside, number)]
        if not met:
            return []
        ids: dict[int, bytes] = {number: id_key(row.id) for number, row in rows.items()}
        ids |= {number: id_key(arrived.ids[i]) for i, number in enumerate(placed.numbers)}
        sides = [
            (i, place[number]) if ids[placed.numbers[i]] <= ids[number] else (place[number], i) for i, number in met
        ]
        left, right = (np.array([pair[side] for pair in sides], np.int64) for side in (0, 1))
        equal = np.array([pair in twins for pair in met], bool)
        compared = self.comparer.compared(together, left, right, equal)
        numbers = np.zeros(len(together.documents), np.int64)
        for number, at in place.items():
            numbers[at] = number
        return stored_pairs(compared, numbers, codec)

    @staticmethod
    def _same(rows: dict[int, Row], placed: Placed, inside: dict[int, int], number: int) -> int:
        """Return the first copy of a document of the index or of the batch."""
        return placed.same[inside[number]] if number in inside else rows[number].same

    def _twins(self, arrived: Arrived, placed: Placed) -> set[tuple[int, int]]:
        """Return equal documents within the time window, as pairs of an index in the batch and a number: of each the `cap` nearest in time."""
        within, cap = self.plan.scope.within or 0.0, self.plan.method.candidates.cap
        high, low = (values.view(np.int64).tolist() for values in (arrived.features.high, arrived.features.low))
        out: list[tuple[int, int]] = []
        for i, moment in enumerate(arrived.seconds.tolist()):
            if np.isnan(moment):
                continue
            key = (high[i], low[i], int(arrived.scope[i]))
            near = [
                (abs(moment - arrived.seconds[j]), placed.numbers[j])
                for j in range(i)
                if (high[j], low[j], int(arrived.scope[j])) == key and abs(moment - arrived.seconds[j]) <= within and placed.numbers[j] >= 0
            ]
            near += self.catalogue.select(
                "SELECT abs(time - ?), number FROM documents WHERE high = ? AND low = ? AND same = number AND scope = ? "
                "AND time BETWEEN ? AND ? AND number < ? ORDER BY 1 LIMIT ?",
                moment, *key, moment - within, moment + within, placed.numbers[i] if placed.numbers[i] >= 0 else 1 << 62, cap,
            )  # fmt: skip
            out += [(i, number) for _, number in sorted(set(near))[:cap]]
        return set(out)


def with_keys_of(known: Represented, keep: np.ndarray) -> Represented:
    """Return documents without the keys of those outside of the mask `keep`."""
    if keep.all():
        return known
    lengths = np.diff(known.offsets)
    some = np.repeat(keep, lengths)
    offsets = prefix_sums(np.where(keep, lengths, 0))
    return replace(known, keys=known.keys[some], weights=known.weights[some], offsets=offsets)
