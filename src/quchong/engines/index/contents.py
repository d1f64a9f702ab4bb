"""Contents of an open index: documents asked about and added."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.comparison import shared_passages
from quchong.decision.passages import find_passages
from quchong.engines.index.answers import Answer, BadDocument, Id, Match
from quchong.engines.index.arriving import Arrived, Reader, given_ids, with_made_ids
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.document_store import (
    EDITED,
    FORWARD,
    KEPT,
    REMOVED,
    DocumentStore,
    Row,
    StoredPair,
    keys_sum,
    summed_row,
)
from quchong.engines.index.fates import LATEST, Changes, FateKeeper
from quchong.engines.index.finder import ASKED, Finder, Placed
from quchong.engines.index.first_stage import FirstStage, is_mistake, set_apart
from quchong.engines.index.joined_documents import (
    bring_together,
    column_table,
    columns_of,
    joined_chunks,
)
from quchong.engines.index.kept_keys import pack_keys
from quchong.engines.index.kept_tokens import pack_tokens
from quchong.engines.index.relations import Related, best_first, exact_match, near_match, shown_members
from quchong.engines.index.settings import Settings
from quchong.engines.index.stored_texts import original_text, original_texts, packed_texts
from quchong.errors import UsageError
from quchong.io.missing_columns import empty_column
from quchong.languages import Message
from quchong.relation_codes import NAMES
from quchong.relations import EXACT
from quchong.runs.unknown_ids import LOOKED_AT, id_advice
from quchong.seam import Documents


class Contents:
    """Documents of an open index. Reading may be done by several threads while one writes.

    Args:
        settings: of the index; the method of the plan has all statistics.
        catalogue, finder: the stored documents, and what finds them.
        workers: threads.
    """

    has_tail = True
    """True if the keys of the newest documents of an index without texts are kept in the catalogue until a segment has them."""

    def __init__(
        self, settings: Settings, catalogue: DocumentStore, finder: Finder, workers: int | None = None
    ) -> None:
        self.settings, self.catalogue, self.finder = settings, catalogue, finder
        self.plan = settings.plan
        self.reader = Reader(self.plan, workers)
        self.lock: AbstractContextManager[Any] = threading.RLock()
        self.fates = FateKeeper(self.plan, catalogue)
        self.stage: FirstStage | None = None
        numbered = "SELECT max(number) AS last FROM documents UNION ALL SELECT max(number) FROM gone"
        # Numbers of deleted documents are not given again.
        self.next = catalogue.count(f"SELECT max(last) + 1 FROM ({numbered}) AS numbered")

    def query(self, batch: pa.RecordBatch, *, passages: bool = False, first: int = 0) -> list[Answer]:
        """Return the answers about documents that are not added; they are not compared with each other.

        Documents without an id are numbered from `first` on.
        """
        arrived = self.reader.arrived(batch)
        wrong = None if self.stage is None else self.stage.would_mistake(arrived.texts)
        arrived = set_apart(arrived, wrong)
        with self.catalogue.snapshot():
            return self._answer_arrived(arrived, passages, wrong, first)

    def _answer_arrived(
        self, arrived: Arrived, passages: bool, wrong: np.ndarray | None, first: int = 0
    ) -> list[Answer]:
        """Return the answers about documents that have been read, all from one state of the catalogue.

        Args:
            wrong: mask of the documents that the first stage takes for repeats by mistake; None without one.
        """
        answers: list[Answer] = []
        numbers = [ASKED - i for i in range(len(arrived))]
        placed = self._alone(arrived, numbers)
        finder = self.finder.for_few(len(arrived))
        pairs, codec = finder.found_pairs(arrived, placed, finder.to_ask(arrived, placed), added=False)
        pairs += self._pairs_of_copies(placed)
        related = Related.read(pairs, codec)
        ids = [f"#{i}" if one is None else one for i, one in enumerate(arrived.ids, first)]
        found = self._answers(arrived, placed, ids, related, passages)
        known = [i for i, answer in enumerate(found) if answer.matches]
        fates = self.fates.of_asked(arrived, placed, ids, related, known) if known else {}
        for i, answer in enumerate(found):
            if (fate := fates.get(i)) is not None:
                answer = replace(
                    answer, removed=True, survivor_id=fate.survivor_id, relation=fate.relation, rule=fate.rule
                )
            elif wrong is not None and wrong[i]:
                answer = replace(answer, removed=True, relation=EXACT, rule=self.plan.method.extras.unconfirmed)
            answers.append(answer)
        return answers

    def _alone(self, arrived: Arrived, numbers: list[int]) -> Placed:
        """Return the places of queried documents, each as if it alone were added to the index."""
        placed = self.finder.placed(arrived, numbers)
        for i, number in enumerate(placed.numbers):
            if placed.same[i] < 0 and placed.same[i] != number:
                placed.same[i] = placed.part[i] = number
        return placed

    def _pairs_of_copies(self, placed: Placed) -> list[StoredPair]:
        """Return the stored pairs of the earlier documents with which copies in a batch are identified."""
        known = sorted(
            {part for part, number in zip(placed.part, placed.numbers, strict=True) if part != number and part >= 0}
        )
        return self.catalogue.pairs_of(known) if known else []

    def prepared(self, batch: pa.RecordBatch) -> Arrived:
        """Return a batch of documents with everything computed that does not depend on the index; a thread may do this ahead."""
        arrived = self.reader.arrived(batch)
        if self.settings.store == "text":
            return replace(arrived, packed=packed_texts(arrived.originals))
        return arrived

    def add(
        self, batch: pa.RecordBatch, *, passages: bool = False, ids: Sequence[Id] | None = None, arrived: Arrived | None = None
    ) -> list[Answer]:  # fmt: skip
        """Add documents with ids that are not in the index, in one transaction; return what was known of each, and its fate.

        Args:
            ids: the ids, instead of those of the batch.
            arrived: the documents as `prepared` returned them; None to prepare them now.

        Raises:
            OutputError: the disk is full; nothing was added.
        """
        arrived = self.reader.arrived(batch) if arrived is None else arrived
        with self.lock:
            if not self.next:
                self._check_columns(arrived)
            return self.add_arrived(arrived, passages=passages, ids=ids)

    def add_new(
        self, batch: pa.RecordBatch, *, passages: bool = False, arrived: Arrived | None = None
    ) -> tuple[pa.RecordBatch, list[Answer], list[BadDocument]]:
        """Add the documents whose ids are new to the index; return these, their answers, and the refused records.

        Returns:
            These documents, their answers, and the others.
        """
        fresh, known = self.without_known_ids(batch)
        if not len(fresh):
            return fresh, [], known
        return fresh, self.add(fresh, passages=passages, arrived=arrived if fresh is batch else None), known

    def add_arrived(
        self, arrived: Arrived, *, passages: bool = False, added: Sequence[float] | None = None, ids: Sequence[Id] | None = None
    ) -> list[Answer]:  # fmt: skip
        """Add documents that were read, see `add`.

        Args:
            arrived: the documents. passages: find shared passages.
            added: time of arrival of each, in seconds; None for now.
            ids: the ids, instead of those of the documents.
        """
        with self.lock, self.catalogue.remembering():
            numbers = list(range(self.next, self.next + len(arrived)))
            earlier = int(self.catalogue.note("earlier arrivals") or 0)
            given = arrived.ids if ids is None else ids
            ids = with_made_ids(given, earlier + numbers[0] if numbers else 0, self.finder.numbers_of)
            arrived = replace(arrived, ids=list(ids))
            wrong = None if self.stage is None else self.stage.mistakes(arrived.texts)
            arrived = set_apart(arrived, wrong)
            placed = self.finder.placed(arrived, numbers)
            asked = self.finder.to_ask(arrived, placed)
            known = self.finder.to_add(arrived, placed, asked)
            self.finder.postings.append(known)
            try:
                finder = self.finder.for_few(len(arrived))
                pairs, codec = finder.found_pairs(arrived, placed, asked, added=True)
                with self.catalogue.transaction() as writer:
                    self.catalogue.add_rows(writer, self._new_rows(arrived, placed, added, wrong))
                    if self.has_tail and self.settings.store != "text":
                        writer.executemany("INSERT INTO keys VALUES (?, ?, ?)", keys_rows(numbers, pack_keys(known)))
                    writer.executemany(_insert("pairs", len(StoredPair._fields) + 2), [pair.row() for pair in pairs])
                    if pairs and self.catalogue.measures_note() is None:
                        writer.execute("INSERT INTO notes VALUES ('measures', ?)", (codec.describe(),))
                    related = Related.read([*pairs, *self._pairs_of_copies(placed)], codec)
                    found = self._answers(arrived, placed, ids, related, passages)
                    touched = [number for number, answer in zip(numbers, found, strict=True) if answer.matches]
                    changes = self.fates.decide(writer, touched)
                    if wrong is not None:
                        changes.numbers.update(np.array(numbers)[wrong].tolist())
            except BaseException:
                self.reload()
                raise
            self.next += len(arrived)
            return self._with_fates(found, numbers, changes)

    def _check_columns(self, arrived: Arrived) -> None:
        """Raise UsageError if a column named by an option is empty in all documents of the first call, as a misspelt one is."""
        for name, option in self.plan.named_columns.items():
            column = arrived.columns.get(name)
            if column is not None and len(column) and column.null_count == len(column):
                raise empty_column(option, name)

    def add_again(self, rows: Sequence[Row]) -> list[Answer]:
        """Add documents from another catalogue with their ids, scopes and arrival times; return their answers."""
        arrived = self.reader.arrived(self.batch_of(rows))
        arrived = replace(arrived, scope=np.array([row.scope for row in rows], np.int64))
        return self.add_arrived(
            arrived, ids=[row.id for row in rows if row.id is not None], added=[row.added for row in rows]
        )

    def without_known_ids(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, list[BadDocument]]:
        """Return a batch without documents whose id is in the index or repeated in the batch, and the records left out."""
        ids = given_ids(batch)
        there = self.finder.numbers_of([one for one in ids if one is not None])
        stored = self.catalogue.rows(sorted(there.values()))
        texts: dict[str, str | None] = {
            str(id): original_text(stored[number]) if self.settings.store == "text" else None
            for id, number in there.items()
        }
        bad: list[BadDocument] = []
        keep = np.ones(len(batch), bool)
        rows, given = batch.column("row"), batch.column("text")
        before: dict[str, int] = {}
        for i, one in enumerate(ids):
            name = str(one)
            if one == "":
                keep[i] = False
                bad.append(BadDocument(rows[i].as_py(), Message("the id is empty: give one, or leave out the key")))
                continue
            if one is None or (name not in texts and before.setdefault(name, i) == i):
                continue
            keep[i] = False
            known = texts[name] if name in texts else given[before[name]].as_py()
            again = known is None or known == given[i].as_py()
            reason = (
                Message("the id {!r} is already in the index: delete that document first", one)
                if again
                else Message("the id {!r} is already in the index with another text: delete that document first", one)
            )
            bad.append(BadDocument(rows[i].as_py(), reason, known_id=True, again=again))
        return (batch if keep.all() else batch.filter(pa.array(keep))), bad

    def arrived(self) -> int:
        """Return how many documents have ever arrived, deleted ones included; this is also the next arrival number."""
        return self.next

    def count(self) -> int:
        """Return the number of documents that have an id: those deleted are not counted."""
        return self.catalogue.count("SELECT count(*) FROM documents WHERE id IS NOT NULL")

    def ids(self, most: int | None = None) -> list[Id]:
        """Return the ids of all documents in the order of their arrival, or of the first `most`."""
        limit = "" if most is None else f" LIMIT {most}"
        select = f"SELECT id FROM documents WHERE id IS NOT NULL ORDER BY number{limit}"
        return [id for (id,) in self.catalogue.select(select)]

    def advice_on_id(self, id: Id) -> Message:
        """Return what to do about an id that no document has, see `id_advice`.

        Cost: at most LOOKED_AT ids are read, however many documents there are.
        """
        return id_advice(id, self.ids(LOOKED_AT))

    def row(self, id: Id) -> Row:
        """Return the catalogue row of the document with an id.

        Raises:
            UsageError: no document has the id.
        """
        number = self.finder.numbers_of([id]).get(id)
        if number is None:
            raise UsageError("no document of the index has the id {!r}: {}", id, self.advice_on_id(id))
        return self.catalogue.rows([number])[number]

    def text(self, id: Id) -> str | None:
        """Return the original text of a document; None if the index does not keep texts."""
        row = self.row(id)
        return original_text(row) if self.settings.store == "text" else None

    def matches(self, id: Id, *, passages: bool = False) -> Answer:
        """Return the relations of a document of the index to all others, as they are now, and its fate."""
        with self.catalogue.snapshot():
            return self._matches(self.row(id), passages)

    def _matches(self, row: Row, passages: bool) -> Answer:
        related = Related.read(self.catalogue.pairs_of([row.part]), MeasureCodec(self.catalogue.measures_note()))
        seen = related.seen_from(row.part)
        shown = shown_members(self.catalogue, sorted({other for _, other, _ in seen}), LATEST) if seen else {}
        found = [near_match(related, k, shown[other], turned=turned) for k, other, turned in seen if other in shown]
        copies = self.catalogue.select(
            "SELECT number FROM documents WHERE same = ? AND number != ? AND id IS NOT NULL ORDER BY state, number LIMIT 1",
            row.same, row.number,
        ) if self._has_copies(row) else []  # fmt: skip
        found += [exact_match(copy) for copy in self.catalogue.rows([number for (number,) in copies]).values()]
        if self.settings.store != "text":
            found = [replace(match, by_features=True) for match in found]
        elif passages and found:
            arrived = self.reader.arrived(self.batch_of([row]))
            found = self._with_passages(arrived, 0, found)
        assert row.id is not None
        answer = Answer(row.id, best_first(found), added=True)
        return self._with_fates([answer], [row.number], Changes({row.number}))[0]

    def _has_copies(self, row: Row) -> bool:
        """Return True if a document has exact copies in the index."""
        return row.same != row.number or bool(
            self.catalogue.select("SELECT 1 FROM documents WHERE same = ? AND same != number LIMIT 1", row.number)
        )

    def batch_of(self, rows: Sequence[Row]) -> pa.RecordBatch:
        """Return stored documents as they were read, without their ids."""
        wanted, large = self.reader.wanted_columns, pa.large_string()
        names = [name for name in wanted.extra if name != wanted.instead]
        columns = column_table([columns_of(row) for row in rows], names)
        arrays = [
            pa.array(range(len(rows)), pa.int64()), pa.nulls(len(rows), large), original_texts(rows),
            *(joined_chunks(columns[name]) for name in names),
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(arrays, names=["row", "id", "text", *names])

    def reload(self) -> None:
        """Rebuild the postings from the catalogue, because documents were appended to them whose transaction failed."""
        raise NotImplementedError

    def _new_rows(
        self, arrived: Arrived, placed: Placed, added: Sequence[float] | None, wrong: np.ndarray | None
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        """Return the catalogue rows of documents to add, marked as kept; those of the mask `wrong` as removed without a survivor."""
        count, features = len(arrived), arrived.features
        if not count:
            return []
        texts, sizes, packed = zip(*self._texts_to_store(arrived), strict=True)
        moments = [clock.time()] * count if added is None else added
        high, low = (values.view(np.int64).tolist() for values in (features.high, features.low))
        marks = np.array(packed, np.int64) | np.where(arrived.forwards, FORWARD, 0)
        marks[list(arrived.edits)] |= EDITED
        seconds = [
            moment if finite else None
            for moment, finite in zip(arrived.seconds.tolist(), np.isfinite(arrived.seconds).tolist(), strict=True)
        ]
        states, rules = [KEPT] * count, list[str | None]([None] * count)
        for i in () if wrong is None else np.flatnonzero(wrong).tolist():
            states[i], rules[i] = REMOVED, self.plan.method.extras.unconfirmed
        nothing = [None] * count
        columns = (
            placed.numbers, arrived.ids, high, low, arrived.scope.tolist(), placed.same, placed.part, features.tokens.tolist(),
            features.singles.tolist(), marks.tolist(), seconds, moments, states, nothing, nothing, rules, arrived.column_values(),
            sizes, texts,
        )  # fmt: skip
        return [summed_row(values) for values in zip(*columns, strict=True)]

    def _texts_to_store(self, arrived: Arrived) -> Sequence[tuple[bytes | None, int, int]]:
        """Return the stored form of each text: bytes, their size before compression (without any, the number of keys), and a mark."""
        match self.settings.store:
            case "text":
                texts = arrived.originals
                return packed_texts(texts) if arrived.packed is None else list(arrived.packed)
            case "features":
                form = self.plan.method.form
                assert form is not None
                return [
                    (blob, size, 0)
                    for blob, size in pack_tokens(Documents(arrived.texts, {}).hashed(form, self.reader.workers))
                ]
            case _:
                return [(None, keys, 0) for keys in np.diff(arrived.known.offsets).tolist()]

    def _answers(
        self, arrived: Arrived, placed: Placed, ids: Sequence[Id], related: Related, passages: bool
    ) -> list[Answer]:
        """Return the answers to documents, without their fates."""
        wanted: list[set[int]] = []
        seen = []
        for i, number in enumerate(placed.numbers):
            below = number if number >= 0 else LATEST
            near = [(k, other, turned) for k, other, turned in related.seen_from(placed.part[i]) if other < below]
            seen.append(near)
            wanted.append({other for _, other, _ in near} | ({placed.same[i]} if placed.same[i] != number else set()))
        out: list[Answer] = []
        everything = sorted(set().union(*wanted)) if wanted else []
        shown = shown_members(self.catalogue, everything, LATEST) if everything else {}
        for i, number in enumerate(placed.numbers):
            if not wanted[i]:
                out.append(Answer(ids[i], added=number >= 0))
                continue
            below = number if number >= 0 else LATEST
            mine = {other: shown[other] for other in wanted[i] if other in shown}
            if any(row.number >= below for row in mine.values()):
                mine = shown_members(self.catalogue, sorted(wanted[i]), below)
            matches: list[Match] = []
            if placed.same[i] != number and (first := self._exact_member(placed.same[i], mine, below)) is not None:
                matches.append(exact_match(first))
            matches += [
                near_match(related, k, mine[other], turned=turned) for k, other, turned in seen[i] if other in mine
            ]
            if self.settings.store != "text":
                matches = [replace(match, by_features=True) for match in matches]
            elif passages and matches:
                matches = self._with_passages(arrived, i, matches)
            out.append(Answer(ids[i], best_first(matches), added=number >= 0))
        return out

    def _exact_member(self, same: int, shown: dict[int, Row], below: int) -> Row | None:
        """Return the member that represents an exact class in an answer: a kept one if there is one; None without any below `below`."""
        row = shown.get(same)
        if row is not None and row.state == KEPT:
            return row
        found = self.catalogue.select(
            f"SELECT number FROM documents WHERE same = ? AND same != number AND state = {KEPT} AND number < ? ORDER BY number LIMIT 1",
            same, below,
        )  # fmt: skip
        found = found or (
            []
            if row is not None
            else self.catalogue.select(
                "SELECT number FROM documents WHERE same = ? AND same != number AND number < ? ORDER BY number LIMIT 1",
                same,
                below,
            )
        )
        return self.catalogue.rows([found[0][0]], texts=False)[found[0][0]] if found else row

    def _with_passages(self, arrived: Arrived, i: int, matches: list[Match]) -> list[Match]:
        """Return the matches of a document with the passages that it shares with each."""
        there = self.finder.numbers_of([one.id for one in matches])
        numbers = [there.get(one.id, ASKED) for one in matches]
        rows = self.catalogue.rows(sorted(there.values()))
        some = [rows[number] for number in numbers if number in rows and rows[number].text is not None]
        if len(some) != len(matches):
            return matches
        together = bring_together(self.plan, arrived, some, self.reader.workers)
        left = np.full(len(some), i, np.uint32)
        right = np.arange(len(arrived), len(arrived) + len(some), dtype=np.uint32)
        tokens = np.minimum(arrived.features.tokens[i], np.array([row.tokens for row in some], np.uint32))
        same = np.array([one.relation == EXACT for one in matches], bool)
        out: list[Match] = []
        for k, match in enumerate(matches):
            spans = find_passages(
                self.plan.method, together.documents, left[k : k + 1], right[k : k + 1], tokens[k : k + 1], same[k : k + 1],
                self.reader.workers,
            )  # fmt: skip
            edits = {
                side: together.edits[place] for side, place in enumerate((i, int(right[k]))) if place in together.edits
            }
            out.append(replace(match, passages=shared_passages(spans, edits)))
        return out

    def _with_fates(self, answers: Sequence[Answer], numbers: Sequence[int], changes: Changes) -> list[Answer]:
        """Return the answers to added documents, with the fate of each document."""
        if not changes.numbers:
            return list(answers)
        rows = self.catalogue.rows([number for number in numbers if number in changes.numbers], texts=False)
        survivors = self.catalogue.rows(
            sorted({row.survivor for row in rows.values() if row.survivor is not None}), texts=False
        )
        out: list[Answer] = []
        for number, answer in zip(numbers, answers, strict=True):
            row = rows.get(number)
            if row is not None and is_mistake(self.plan, row):
                answer = replace(answer, removed=True, relation=EXACT, rule=row.rule)
            elif row is not None and row.state == REMOVED and row.survivor is not None:
                survivor = survivors.get(row.survivor)
                answer = replace(
                    answer, removed=True, survivor_id=None if survivor is None else survivor.id,
                    relation=None if row.relation is None else str(NAMES[row.relation]), rule=row.rule,
                )  # fmt: skip
            replaced = changes.replaced.get(number)
            out.append(answer if replaced is None else replace(answer, replaces=tuple(sorted(replaced, key=str))))
        return out


def keys_rows(numbers: Sequence[int], packed: Sequence[bytes]) -> list[tuple[int, bytes, int]]:
    """Return the catalogue rows of documents' stored keys: number, bytes and checksum."""
    return [(number, one, keys_sum(number, one)) for number, one in zip(numbers, packed, strict=True)]


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({','.join('?' * columns)})"
