"""Search for the items of test sets in a training corpus, one batch of documents after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from quchong.differences.passage_cutting import without
from quchong.engines.contamination.candidates import find_candidates
from quchong.engines.contamination.item_parts import ItemParts
from quchong.engines.contamination.prepared_texts import compared_texts
from quchong.engines.contamination.rules import Rule
from quchong.engines.contamination.schemas import ANSWER, BOTH, QUESTION, SHORT, VARIANT
from quchong.engines.contamination.short_answers import has_answer
from quchong.engines.contamination.test_sets import TestSets
from quchong.engines.contamination.verification import DocumentLetters, FoundPassage, verify
from quchong.io import Bad, Source, WantedColumns
from quchong.io.arrays import as_strings
from quchong.io.prefetch import read_ahead
from quchong.progress import Stages
from quchong.text import sentences
from quchong.text.cut_text import CutText

BATCH_BYTES = 4 << 20
"""Bytes of text that are looked through at once; memory is about 12 times as much."""
FEW = 10_000
Span = tuple[int, int]
Back = Callable[[int, int], Span]


class ItemPassage(NamedTuple):
    """Passage of an item in a document; the fields are those of `schemas.MATCHES`."""

    part: str
    start: int
    end: int
    item_start: int
    item_end: int
    share: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ItemMatch:
    """Test item found in a document: its number, the part found (QUESTION, ANSWER, BOTH or VARIANT), and the passages."""

    item: int
    found: str
    passages: tuple[ItemPassage, ...]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """Document in which test items were found: its source, row, index and id, the items, whether it loses text, and the text left.

    `nested` is True for one that would be cut and cannot, because its text is a list or within another column.
    """

    source: int
    row: int
    place: int
    id: str
    matches: tuple[ItemMatch, ...]
    leaks: bool
    rest: str | None
    cut: int
    nested: bool = False

    @property
    def share(self) -> float:
        """Greatest share of an item's question that the document has; 0.0 if no question was found."""
        return max((p.share for m in self.matches for p in m.passages if p.part == QUESTION), default=0.0)

    @property
    def finding(self) -> str:
        """Best finding among the items of the document: BOTH, QUESTION, ANSWER or VARIANT."""
        said = {m.found for m in self.matches}
        return next(one for one in (BOTH, QUESTION, ANSWER, VARIANT) if one in said)


@dataclass(slots=True)
class Findings:
    """Result of a search for test items.

    Attributes:
        documents: those with a match, in input order.
        read: documents of each source. bad: records that could not be read.
        seen: bool for each n-gram of the table, True if a document has it.
    """

    documents: list[FoundDocument]
    read: list[int]
    bad: list[Bad]
    seen: np.ndarray


@dataclass(frozen=True, slots=True)
class Search:
    """Search for the parts of items: the sets, their parts, the rule, and what counts as a leak.

    Attributes:
        both: True if a document leaks an item only with question and answer.
        cuts: True if the text that is left of a leaking document is wanted.
    """

    sets: TestSets
    parts: ItemParts
    rule: Rule
    both: bool = False
    cuts: bool = False
    users: dict[int, list[tuple[int, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for part_of, name in ((self.parts.question, QUESTION), (self.parts.answer, ANSWER)):
            for item, part in enumerate(part_of.tolist()):
                self.users.setdefault(part, []).append((item, name))

    def run(self, sources: Sequence[Source], wanted: WantedColumns, stages: Stages, workers: int | None) -> Findings:
        """Search all documents of the sources for the test items, and return the findings.

        Cost: reading and O(characters); alignment of the few candidates. Memory: the parts, one batch, and what is found.
        """
        counts = [source.expected() for source in sources]
        out = Findings([], [0] * len(sources), [], np.zeros(len(self.parts.grams.keys), bool))
        with stages.stage("look for test items", None if None in counts else sum(c or 0 for c in counts)) as progress:
            for number, source in enumerate(sources):
                read = source.documents(wanted, out.bad)
                for batch in read if (counts[number] or FEW) < FEW else read_ahead(read):
                    for part in _slices(batch):
                        self._batch(part, number, source.name, out, workers)
                        out.read[number] += len(part)
                        progress.advance(len(part))
        return out

    def _batch(self, batch: pa.RecordBatch, number: int, name: str, out: Findings, workers: int | None) -> None:
        texts = batch.column("text")
        prepared = compared_texts(texts, workers)
        found = find_candidates(prepared.texts, self.parts, self.rule, out.seen, workers)
        if not found:
            return
        ids, rows = as_strings(batch.column("id")), batch.column("row")
        for i, candidates in sorted(found.items()):
            letters = DocumentLetters(prepared.texts[i].as_py(), self.parts, candidates)
            passages = verify(letters, self.parts, candidates, self.rule)
            if not passages:
                continue
            sides = {one.part: side for side, one in enumerate(candidates, 1)}
            text, back = texts[i].as_py(), partial(prepared.back, i)
            matches = self._matches(letters, sides, passages, text, back)
            row = rows[i].as_py()
            leaks = [m for m in matches if m.found == BOTH or (m.found == QUESTION and not self.both)]
            spans = [(p.start, p.end) for m in leaks for p in m.passages if p.kind != VARIANT]
            rest = cut_out(text, spans) if self.cuts and leaks else None
            cut = len(text) - len(rest) if rest is not None else 0
            known = ids[i].as_py()
            doc_id, place = f"{name}#{row}" if known is None else known, out.read[number] + i
            out.documents.append(FoundDocument(number, row, place, doc_id, tuple(matches), bool(leaks), rest, cut))

    def _matches(
        self,
        letters: DocumentLetters,
        sides: dict[int, int],
        passages: Sequence[FoundPassage],
        text: str,
        back: Back,
    ) -> list[ItemMatch]:
        """Return the test items whose parts are in a document, ordered by their number."""
        by_item: dict[int, dict[str, list[FoundPassage]]] = {}
        for passage in passages:
            for item, name in self.users[passage.part]:
                by_item.setdefault(item, {}).setdefault(name, []).append(passage)
        out = []
        for item, of in sorted(by_item.items()):
            placed = tuple(
                self._placed(letters, sides[p.part], p, name, text, back)
                for name in (QUESTION, ANSWER)
                for p in of.get(name, ())
            )
            questions = [p for p in placed if p.part == QUESTION and p.kind != VARIANT]
            answers = [p for p in placed if p.part == ANSWER and p.kind != VARIANT]
            answered = bool(answers) or self._short_answer(item, questions, text)
            found = (BOTH if answered else QUESTION) if questions else ANSWER if answers else VARIANT
            out.append(ItemMatch(item, found, placed))
        return out

    def _placed(
        self, letters: DocumentLetters, side: int, found: FoundPassage, part: str, text: str, back: Back
    ) -> ItemPassage:
        """Return a passage with its offsets in the original text of the document and of the part."""
        start, end = back(*letters.characters(0, found.start, found.end))
        of, to = self.parts.texts.back(found.part, *letters.characters(side, found.part_start, found.part_end))
        return ItemPassage(part, start, end, of, to, found.share, found.kind, text[start:end])

    def _short_answer(self, item: int, questions: Sequence[ItemPassage], text: str) -> bool:
        """Return True if the item's answer, too short to be searched for by itself, is near one of its found questions."""
        part = int(self.parts.answer[item])
        if part < 0 or self.parts.unjudged[part] != SHORT:
            return False
        answer, letter = self.sets.answer[item], self.sets.letter[item]
        return any(has_answer(text, p.start, p.end, answer, letter) for p in questions)


def _slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a batch in parts of at most BATCH_BYTES of text, or one row."""
    ends = np.frombuffer(batch.column("text").buffers()[1], np.int64)[batch.column("text").offset :][: len(batch) + 1]
    at = 0
    while at < len(batch):
        to = max(int(np.searchsorted(ends, ends[at] + BATCH_BYTES, side="right")) - 1, at + 1)
        yield batch.slice(at, to - at)
        at = to


def cut_out(text: str, spans: Sequence[Span]) -> CutText:
    """Return a text without every sentence that has a letter of the spans, so that nothing of them is left."""
    touched = [(max(a, 0), b) for a, b in sentences(text) if any(start < b and a < end for start, end in spans)]
    return without(text, [*touched, *spans])
