"""Families of the documents of an index: documents that pairs connect, which decide together who of them is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quchong.decision.roundups import least_share
from quchong.engines.index.comparing import SHARES, MeasureCodec
from quchong.engines.index.document_store import GHOST, DocumentStore, Row, StoredPair
from quchong.engines.index.relations import Related
from quchong.plan.plan import Plan
from quchong.relation_codes import removing

MOST_MEMBERS = 64
"""Most documents of a family that is decided as a whole."""
PARTS_AT_ONCE = 256
"""Documents whose pairs are read by one statement."""
MOST_PAIRS, FEW_PAIRS = 64, 8
"""Pairs that are read of some documents at first, and further ones for each of them."""


@dataclass(frozen=True, slots=True)
class Families:
    """Families of documents that are decided together, all pairs in them, and the documents whose family is too large for that.

    Attributes:
        members: documents of the families that are decided as a whole, without deleted ones.
        related: all pairs of these documents.
        others: numbers of the asked documents whose family is too large, or has nothing but exact copies; they are decided among their
            neighbours, which comes to the same where no document is contained in another one.
    """

    members: list[Row]
    related: Related
    others: set[int]


@dataclass
class FamilyFinder:
    """Search for the families of documents, level by level along the pairs that may decide anything.

    Attributes:
        plan: relations that remove, and the shares by which roundups are told. catalogue: the documents and their pairs.
        codec: reads the measures of pairs.
        rows: documents that were read, by number. pairs: pairs that were read; of the documents `parts` all.
    """

    plan: Plan
    catalogue: DocumentStore
    codec: MeasureCodec
    rows: dict[int, Row] = field(default_factory=dict)
    pairs: dict[tuple[int, int], StoredPair] = field(default_factory=dict)
    parts: set[int] = field(default_factory=set)
    _above: dict[int, int] = field(default_factory=dict)
    _sizes: dict[int, int] = field(default_factory=dict)
    _mixed: set[int] = field(default_factory=set)
    # What is new since it was looked at last. Families only grow, so that nothing in too large a family is looked at again.
    _met: list[int] = field(default_factory=list)
    _taken: list[Row] = field(default_factory=list)
    _alike: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._removes: list[bool] = removing(self.plan.removing).tolist()
        self._least = least_share(self.plan.method.rule)

    def families(self, rows: Mapping[int, Row]) -> Families:
        """Return the families of documents; a family stops being read as soon as it is too large.

        Args:
            rows: the documents, by number.

        Cost: a few statements for each step from a document to its farthest relative; at most `MOST_MEMBERS` documents a family, and
        their pairs; of a larger family some hundred pairs.
        """
        self._take(rows.values())
        self._take_unread()
        classes = set[int]()
        while new_parts := self._new_parts():
            self.parts |= new_parts
            self._read_pairs(sorted(new_parts))
            self._take_unread()
            new_classes = self._mixed_classes() - classes
            classes |= new_classes
            self._read_copies(sorted(new_classes))
            self._take_unread()
        members = [row for row in self._small_families() if row.state != GHOST and self._is_mixed(row.number)]
        inside = {row.part for row in members}
        pairs = [pair for pair in self.pairs.values() if pair.left in inside and pair.right in inside]
        others = {number for number in rows if not self._is_whole(number)}
        return Families(members, Related.read(pairs, self.codec), others)

    def family_of_asked(self, number: int, part: int, same: int, related: Related) -> Families:
        """Return the family that a queried document would have; if that is too large, `others` has its number.

        Args:
            number: below 0. part, same: numbers of the documents by which it is compared, and whose exact copy it is, or its own.
            related: its pairs.
        """
        self._join(number, part)
        self._join(number, same)
        self._connect(related.pairs, *related.shares[:2])
        found = self.families({})
        return found if self._is_whole(number) else replace(found, others={number})

    def _take(self, rows: Iterable[Row]) -> None:
        """Add documents to the families of their exact copies and of the documents that stand for them in comparisons."""
        for row in rows:
            self.rows[row.number] = row
            self._taken.append(row)
            self._alike.append(row)
            self._join(row.number, row.part)
            self._join(row.number, row.same)

    def _read_pairs(self, parts: list[int]) -> None:
        """Read the pairs of documents: all pairs of small families, and of other families until they prove too large.

        In a family of near-equal documents each has pairs with a thousand others, of which some are enough.
        """
        waiting = [parts[start : start + PARTS_AT_ONCE] for start in range(0, len(parts), PARTS_AT_ONCE)]
        while waiting:
            some = [part for part in waiting.pop() if self._is_small(part)]
            if not some:
                continue
            pairs, are_all = self.catalogue.first_pairs_of(some, MOST_PAIRS + FEW_PAIRS * len(some))
            self._take_pairs(pairs)
            if are_all:
                continue
            if len(some) > 1:
                waiting += [some[len(some) // 2 :], some[: len(some) // 2]]
                continue
            for pairs in self.catalogue.pairs_in_order(some[0]):
                self._take_pairs(pairs)
                if not self._is_small(some[0]):
                    break

    def _take_pairs(self, pairs: Sequence[StoredPair]) -> None:
        """Take pairs that were read, and join the families that they connect."""
        fresh = [pair for pair in pairs if pair[:2] not in self.pairs]
        if fresh:
            self.pairs |= {pair[:2]: pair for pair in fresh}
            self._connect(fresh, *self.codec.columns([pair.measures for pair in fresh], SHARES))

    def _is_small(self, number: int) -> bool:
        """Return True if the family of a document, as far as it was read, has at most MOST_MEMBERS members."""
        return self._sizes[self._root(number)] <= MOST_MEMBERS

    def _connect(self, pairs: Sequence[StoredPair], lefts: Sequence[float], rights: Sequence[float]) -> None:
        """Join the families of pairs that may remove a document, or that link a part and its roundup, by their two shares."""
        removes, least, root = self._removes, self._least, self._root
        for pair, left, right in zip(pairs, lefts, rights, strict=True):
            if removes[pair.relation] or left >= least or right >= least:
                one, other = pair[:2]
                # Nearly all documents of a family were joined by the pairs of the first of them.
                if (own := root(one)) != root(other):
                    self._join(one, other)
                    own = root(one)
                self._mixed.add(own)

    def _small_families(self) -> list[Row]:
        """Return the documents that were read, without those of families that are too large."""
        sizes, root = self._sizes, self._root
        return [row for number, row in self.rows.items() if sizes[root(number)] <= MOST_MEMBERS]

    def _new_parts(self) -> set[int]:
        """Return the documents by which members of small families are compared and whose pairs were not read yet."""
        taken, self._taken = self._taken, []
        return {row.part for row in taken if self._is_small(row.number)} - self.parts

    def _mixed_classes(self) -> set[int]:
        """Return the exact classes in small families that now turned out to have different texts, once each."""
        alike, found = list[Row](), set[int]()
        for row in self._alike:
            root = self._root(row.number)
            if self._sizes[root] > MOST_MEMBERS:
                continue
            if root in self._mixed:
                found.add(row.same)
            else:
                alike.append(row)
        self._alike = alike
        return found

    def _take_unread(self) -> None:
        """Read the documents of small families that were met."""
        met, self._met = self._met, []
        unread = [number for number in met if number >= 0 and number not in self.rows and self._is_small(number)]
        self._take(self.catalogue.rows(sorted(unread), texts=False).values())

    def _is_mixed(self, number: int) -> bool:
        """Return True if a family was found to have documents with different texts."""
        return self._root(number) in self._mixed

    def _is_whole(self, number: int) -> bool:
        """Return True if the family of a document is decided as a whole."""
        return self._is_mixed(number) and self._is_small(number)

    def _read_copies(self, classes: list[int]) -> None:
        """Add the exact copies of each class to its family, at most MOST_MEMBERS for a class."""
        copied = self.catalogue.select_in(
            "SELECT number FROM documents AS one WHERE number IN ({}) "
            "AND EXISTS (SELECT 1 FROM documents WHERE same = one.number AND same != number)", classes,
        )  # fmt: skip
        for (same,) in copied:
            for (number,) in self.catalogue.select(
                "SELECT number FROM documents WHERE same = ? AND same != number LIMIT ?", same, MOST_MEMBERS
            ):
                self._join(number, same)

    def _root(self, number: int) -> int:
        """Return the representative of a document's family in the union-find structure; unknown documents are added."""
        above = self._above
        if (over := above.get(number)) == number:
            return number
        if over is None:
            above[number] = number
            self._sizes[number] = 1
            self._met.append(number)
            return number
        while over != number:
            above[number] = number = above[over]
            over = above[number]
        return number

    def _join(self, one: int, other: int) -> None:
        """Join the families of two documents."""
        a, b = self._root(one), self._root(other)
        if a != b:
            if b in self._mixed:
                self._mixed.add(a)
            self._above[b] = a
            self._sizes[a] += self._sizes[b]
