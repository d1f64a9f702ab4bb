"""Search for the documents of an index that are equal to others, or have a relation to them."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from quchong.candidates.arrivals import candidates_of
from quchong.candidates.postings import Postings, Represented
from quchong.decision.documents import SCORED_TOKENS
from quchong.decision.equality import equal_letters
from quchong.engines.index.answers import Id
from quchong.engines.index.arriving import Arrived
from quchong.engines.index.comparing import ComparedPairs, Comparer, MeasureCodec, stored_pairs
from quchong.engines.index.document_store import DocumentStore, Row, StoredPair
from quchong.engines.index.joined_documents import Together, bring_together, columns_of
from quchong.engines.index.kept_tokens import measures_by_keys, together_by_tokens
from quchong.engines.index.neighbourhood import id_key, id_order
from quchong.kernels.offsets import prefix_sums
from quchong.plan.plan import Plan
from quchong.seam import KeyJoin

ASKED = -1
"""Number of the first document that is asked about and not added; the following ones have -2, -3, ..."""
FEW = 4
"""Documents up to which a call is answered by one thread."""
_ODD, _OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True)
class Placed:
    """Documents that arrived, with the exact copies of each in the index and in their batch.

    Attributes:
        numbers: number of each; negative ones for documents that are only asked about.
        same: number of the first document with an equal text, the own one if there is none.
        part: number of the first of these that agrees in the columns that the method reads; the keys of that one alone are in postings.
    """

    numbers: list[int]
    same: list[int]
    part: list[int]

    def alone(self) -> np.ndarray:
        """Return a mask of the documents that are compared themselves, because no equal document came before."""
        return np.array([part == number for part, number in zip(self.part, self.numbers, strict=True)], bool)


class LastingPostings(Postings, Protocol):
    """Postings that are stored, and may be damaged there."""

    def check_keys(self, keys: np.ndarray) -> None:
        """Raise Damaged if what is stored for the keys (uint64) does not match its checksums.

        Raises:
            Damaged: it is not as it was stored.
        """
        ...


@dataclass
class Finder:
    """Finder of pairs between arriving documents and documents of the index.

    Attributes:
        plan: method, scope and policy.
        catalogue: documents of the index.
        postings: their keys.
        comparer: compares candidates.
        workers: threads.
        store: what the index keeps of its documents: "text", "features" or "none".
    """

    plan: Plan
    catalogue: DocumentStore
    postings: LastingPostings
    comparer: Comparer
    workers: int | None = None
    store: str = "text"
    _alone: Finder | None = field(default=None, init=False, repr=False, compare=False)

    def for_few(self, documents: int) -> Finder:
        """Return this finder, or for a few documents one without further threads, which cost more to start than they save."""
        if documents > FEW or self.workers == 1:
            return self
        if self._alone is None or self._alone.postings is not self.postings:
            self._alone = replace(self, comparer=replace(self.comparer, workers=1), workers=1)
        return self._alone

    def placed(self, arrived: Arrived, numbers: list[int]) -> Placed:
        """Return where documents belong among the exact copies in the index and before them in the batch, compared letter by letter."""
        count = len(arrived)
        if (
            self.plan.scope.within is not None
        ):  # equality may reach further than the window: every document stands for itself
            return Placed(numbers, list(numbers), list(numbers))
        high, low = (values.view(np.int64).tolist() for values in (arrived.features.high, arrived.features.low))
        scope = arrived.scope.tolist()
        same, part = list(numbers), list(numbers)
        # (1) The first document with the same digest: in the index, or before in the batch.
        known = self._firsts(arrived)
        before: dict[tuple[int, int, int], int] = {}
        outer: list[tuple[int, Row]] = []
        inner: list[tuple[int, int]] = []
        for i, key in enumerate(zip(high, low, scope, strict=True)):
            if key in before:
                inner.append((i, before[key]))
                continue
            before[key] = i
            outer += [(i, row) for row in known.get(key, ())]
        # (2) A digest is no proof: letters decide.
        if outer or inner:
            rows = [row for _, row in outer]
            equal = self._equal(arrived, rows, [(i, count + k) for k, (i, _) in enumerate(outer)] + inner)
            for (i, row), agrees in zip(outer, equal, strict=False):
                if agrees and same[i] == numbers[i]:
                    same[i] = row.number
            for (i, first), agrees in zip(inner, equal[len(outer) :], strict=True):
                if agrees:
                    same[i] = same[first]
        # (3) Of methods that read columns besides the text, only copies that agree in these are compared as one.
        needs = self._needs()
        for i in range(count):
            if same[i] == numbers[i]:
                continue
            part[i] = same[i] if not needs else self._first_alike(arrived, i, same, numbers, part, needs)
        return Placed(numbers, same, part)

    def _firsts(self, arrived: Arrived) -> dict[tuple[int, int, int], list[Row]]:
        """Return the first documents in the index for each digest and scope of a batch, by digest and scope."""
        lists = self.postings.lookup(digest_keys(arrived)).lists
        if not len(lists.documents):
            return {}
        rows = self.catalogue.rows(np.unique(lists.documents).tolist())
        found: dict[tuple[int, int, int], list[Row]] = {}
        for row in sorted(rows.values()):
            if row.same == row.number:
                found.setdefault((row.high, row.low, row.scope), []).append(row)
        return found

    def numbers_of(self, ids: Sequence[Id]) -> dict[Id, int]:
        """Return the numbers of the documents with these ids; ids that no document has are left out. 5 and "5" are one id.

        Raises:
            Damaged: it cannot be told whether a document has an id, because the postings are damaged there.
        """
        keys = id_keys(ids)
        lists = self.postings.lookup(keys).lists
        rows = self.catalogue.rows(np.unique(lists.documents).tolist(), texts=False)
        known = {str(row.id): row.number for row in rows.values() if row.id is not None}
        # An id that is overlooked would be given a second time, and a document with it could not be deleted.
        if missing := [k for k, id in enumerate(ids) if str(id) not in known]:
            self.postings.check_keys(keys[missing])
        return {id: known[str(id)] for id in ids if str(id) in known}

    def _needs(self) -> tuple[str, ...]:
        return () if isinstance(self.plan.method.candidates, KeyJoin) else self.plan.method.traits.needs

    def _first_alike(
        self, arrived: Arrived, i: int, same: list[int], numbers: list[int], part: list[int], needs: tuple[str, ...]
    ) -> int:
        """Return the number of the document that stands for an exact copy in comparisons: the first with equal needed columns."""
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
        """Return for each pair True if the texts are equal letter by letter; indices count the batch first, then `rows`."""
        if self.store != "text":
            return [True] * len(pairs)  # no letters are kept: the digests decide
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

    def to_ask(self, arrived: Arrived, placed: Placed) -> Represented:
        """Return documents with the keys to look up; none for documents that are exact copies or not compared."""
        keep = placed.alone()
        if not isinstance(self.plan.method.candidates, KeyJoin):
            keep &= arrived.features.tokens >= SCORED_TOKENS
        return with_keys_of(arrived.known, keep)

    def to_add(self, arrived: Arrived, placed: Placed, asked: Represented) -> Represented:
        """Return documents as added to postings: with a key for the id, and one for the digest if it is the first with that text."""
        ids = [one for one in arrived.ids if one is not None]
        first = np.array([same == number for same, number in zip(placed.same, placed.numbers, strict=True)], bool)
        return with_further_keys(
            with_further_keys(asked, id_keys(ids), np.ones(len(asked), bool)), digest_keys(arrived), first
        )

    def found_pairs(
        self, arrived: Arrived, placed: Placed, known: Represented, *, added: bool
    ) -> tuple[list[StoredPair], MeasureCodec]:
        """Return the pairs between arrived documents and the index that reach the floor, and the codec of their measures.

        Args:
            known: documents as they are in postings.
            added: True if the documents are in postings already, and meet those before them in the batch.
        """
        codec = MeasureCodec(self.catalogue.measures_note())
        met: dict[tuple[int, int], int] = {}
        if len(known.keys):
            numbers = np.array(placed.numbers, np.int64)
            found = candidates_of(
                self.plan.method.candidates, known, self.postings, before=numbers if added else None,
                within=self.plan.scope.within, workers=self.workers,
            )  # fmt: skip
            ends = zip(found.asking.tolist(), found.document.tolist(), strict=True)
            met = dict(zip(ends, found.shared.tolist(), strict=True))
        twins = self._twins(arrived, placed) if self.plan.scope.within is not None else set[tuple[int, int]]()
        met = met | {pair: 0 for pair in twins if pair not in met}
        if not met:
            return [], codec
        return self._compared(arrived, placed, met, twins, codec), codec

    def _compared(
        self,
        arrived: Arrived,
        placed: Placed,
        shared: dict[tuple[int, int], int],
        twins: set[tuple[int, int]],
        codec: MeasureCodec,
    ) -> list[StoredPair]:
        """Return the candidate pairs (index in batch, number) that reach the floor; `shared` has the number of keys that each shares."""
        met = sorted(shared)
        inside = {number: i for i, number in enumerate(placed.numbers)}
        rows = self.catalogue.rows(sorted({number for _, number in met if number not in inside}))
        others = [rows[number] for number in sorted(rows)]
        met = [
            (i, number)
            for i, number in met
            if (number in rows or number in inside) and placed.same[i] != self._same(rows, placed, inside, number)
        ]
        if (
            self.plan.scope.within is not None
        ):  # equal documents have a relation if they are near in time, whatever keys they share
            met = [pair for pair in met if pair in twins or not self._equal_digests(arrived, inside, rows, *pair)]
        if not met:
            return []
        ids: dict[int, bytes] = {number: id_key(row.id) for number, row in rows.items()}
        ids |= {number: id_key(arrived.ids[i]) for i, number in enumerate(placed.numbers)}
        # Texts of the batch that are compared with none are not looked at.
        asked = sorted({i for i, _ in met} | {inside[number] for _, number in met if number in inside})
        if self.store != "text":
            asked = list(range(len(arrived)))
        place = {row.number: len(asked) + k for k, row in enumerate(others)}
        place |= {placed.numbers[i]: k for k, i in enumerate(asked)}
        sides = [
            (place[own], place[number]) if ids[own] <= ids[number] else (place[number], place[own])
            for own, number in ((placed.numbers[i], number) for i, number in met)
        ]
        left, right = (np.array([pair[side] for pair in sides], np.int64) for side in (0, 1))
        equal = np.array([pair in twins for pair in met], bool)
        if self.store == "none":
            compared = self._compared_by_keys(
                arrived, others, left, right, np.array([shared[pair] for pair in met]), equal
            )
        elif self.store == "features":
            documents = together_by_tokens(self.plan, arrived, others, self.workers)
            compared = self.comparer.compared(Together(documents, {}, place), left, right, equal)
        else:
            compared = self.comparer.compared(
                bring_together(self.plan, arrived, others, self.workers, asked), left, right, equal
            )
        numbers = np.zeros(len(asked) + len(others), np.int64)
        for number, at in place.items():
            numbers[at] = number
        return stored_pairs(compared, numbers, codec)

    def _compared_by_keys(
        self,
        arrived: Arrived,
        others: Sequence[Row],
        left: np.ndarray,
        right: np.ndarray,
        shared: np.ndarray,
        equal: np.ndarray,
    ) -> ComparedPairs:
        """Return the pairs that reach the floor, measured by the shares of keys, because no texts are stored."""
        features = arrived.features
        size = np.concatenate([np.diff(arrived.known.offsets), np.array([row.size for row in others], np.int64)])
        tokens = np.concatenate([features.tokens.astype(np.int64), np.array([row.tokens for row in others], np.int64)])
        singles = np.concatenate(
            [features.singles.astype(np.int64), np.array([row.singles for row in others], np.int64)]
        )
        han = 2 * singles >= tokens
        measures = measures_by_keys(
            self.plan.method, shared, (size[left], size[right]), (tokens[left], tokens[right]), han[left] & han[right]
        )
        return self.comparer.decided(None, left, right, dict(measures), equal)

    @staticmethod
    def _equal_digests(arrived: Arrived, inside: dict[int, int], rows: dict[int, Row], i: int, number: int) -> bool:
        """Return True if document `i` of the batch and document `number` (of batch or index) have one digest."""
        high, low = arrived.features.high.view(np.int64), arrived.features.low.view(np.int64)
        k = inside.get(number)
        other = (rows[number].high, rows[number].low) if k is None else (int(high[k]), int(low[k]))
        return (int(high[i]), int(low[i])) == other

    @staticmethod
    def _same(rows: dict[int, Row], placed: Placed, inside: dict[int, int], number: int) -> int:
        """Return the number of the first exact copy of a document of the index or of the batch."""
        return placed.same[inside[number]] if number in inside else rows[number].same

    def _twins(self, arrived: Arrived, placed: Placed) -> set[tuple[int, int]]:
        """Return pairs (index in batch, number) of equal documents within the time window.

        Of each document these are the `cap` nearest before it and the `cap` nearest after it, by time and then by id, as in a run.
        """
        within, cap = self.plan.scope.within or 0.0, self.plan.method.candidates.cap
        high, low = (values.view(np.int64).tolist() for values in (arrived.features.high, arrived.features.low))
        seconds, scope = arrived.seconds.tolist(), arrived.scope.tolist()
        known = self._firsts(arrived)
        equal: dict[tuple[int, int, int], list[tuple[float, tuple[int, bytes], int]]] = {
            key: [(row.time, id_order(row.id), row.number) for row in rows if row.time is not None]
            for key, rows in known.items()
        }
        out: set[tuple[int, int]] = set()
        for i, moment in enumerate(seconds):
            if np.isnan(moment):
                continue
            others = equal.setdefault((high[i], low[i], scope[i]), [])
            own = (moment, id_order(arrived.ids[i]), placed.numbers[i])
            near = sorted(one for one in others if abs(moment - one[0]) <= within and 0 <= one[2] != own[2])
            at = bisect_left(near, own)
            out |= {(i, number) for _, _, number in near[max(0, at - cap) : at + cap]}
            if own[2] >= 0:  # those that are only asked about do not meet each other
                others.append(own)
        return out


def id_keys(ids: Sequence[Id]) -> np.ndarray:
    """Return a key for each id, uint64; a number has that of its digits as text."""
    begun = hashlib.blake2b(digest_size=8, person=b"quchong id")
    digests = list[bytes]()
    for one in ids:
        made = begun.copy()
        made.update(str(one).encode(errors="surrogatepass"))
        digests.append(made.digest())
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def digest_keys(arrived: Arrived) -> np.ndarray:
    """Return a key for the digest and scope of each document, uint64."""
    return key_of_digest(arrived.features.high, arrived.features.low, arrived.scope.view(np.uint64))


def key_of_digest(high: np.ndarray, low: np.ndarray, scope: np.ndarray) -> np.ndarray:
    """Return a key for each digest and scope, all uint64."""
    mixed = (high ^ (low * _ODD) ^ (scope * _OTHER_ODD)) * _ODD
    return mixed ^ (mixed >> np.uint64(29))


def with_further_keys(known: Represented, keys: np.ndarray, some: np.ndarray) -> Represented:
    """Return documents with one more key each, of weight 1, for the documents of the mask `some`."""
    lengths = np.diff(known.offsets)
    offsets = prefix_sums(lengths + some)
    at = offsets[1:][some] - 1
    values, weights = np.empty(offsets[-1], np.uint64), np.ones(offsets[-1], np.uint32)
    old = np.ones(offsets[-1], bool)
    old[at] = False
    values[old], weights[old], values[at] = known.keys, known.weights, keys[some]
    return replace(known, keys=values, weights=weights, offsets=offsets)


def with_keys_of(known: Represented, keep: np.ndarray) -> Represented:
    """Return documents of which those outside the mask `keep` have no keys."""
    if keep.all():
        return known
    if not keep.any():
        return replace(known, keys=known.keys[:0], weights=known.weights[:0], offsets=np.zeros(len(keep) + 1, np.int64))
    lengths = np.diff(known.offsets)
    some = np.repeat(keep, lengths)
    offsets = prefix_sums(np.where(keep, lengths, 0))
    return replace(known, keys=known.keys[some], weights=known.weights[some], offsets=offsets)
