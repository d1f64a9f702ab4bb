"""Search for repeated lines or paragraphs of a corpus, in two passes: digests of all units, then the letters of equal ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa

from quchong.decision.alarms import Alarm, bad_input, columns_by_usual_names
from quchong.decision.equality import equal_letters, unit_digests
from quchong.decision.units import (
    REPEAT,
    Classes,
    ListedUnits,
    UnitRows,
    UnitRule,
    listed_units,
    removed_whole,
    unit_classes,
)
from quchong.engines.local.corpus import Corpus, load
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.memory import Room, budget
from quchong.engines.local.protected import protect
from quchong.engines.local.scores import cut
from quchong.engines.local.text_store import FoundKeeper, TextKeeper
from quchong.engines.local.unit_runs import MOST_PARTS, ROW_BYTES, UnitRuns
from quchong.io.bad_records import BadRecords
from quchong.io.source import Bad
from quchong.kernels.offsets import prefix_sums
from quchong.plan.plan import Plan
from quchong.progress import Stages
from quchong.text import form
from quchong.text.units import split_units

SORTING = 16
"""Share of the memory limit, as a divisor, that the rows of one part of the units may take; sorting needs some times as much."""


BATCH = 4 << 20
"""Bytes of texts that are split at once."""
TEXTS = 4
"""Share of the memory limit, as a divisor, that the texts of a corpus may take before they are stored in a file."""


@dataclass(frozen=True, slots=True)
class UnitsFound:
    """Repeated units of a corpus, before any file is written.

    Attributes:
        plan, rule, corpus: of the run.
        first: int64 (documents + 1,), number of the first unit of each document.
        words: int64 (documents,), words and Chinese characters of each document.
        lost: int64 (documents,), those of its units that are cut.
        gone: bool (documents,), documents that are removed entirely.
        changed: bool (documents,), documents that lose a unit, those removed entirely included.
        parts: the listed units in parts, each ascending by number.
        bad: records that could not be read.
        alarms: alarms of the run.
        counted: units, and repeated units, by their fate.
        references: number of the sources, at the beginning, that are a reference corpus, which keeps its units and is not written.
    """

    plan: Plan
    rule: UnitRule
    corpus: Corpus
    first: np.ndarray
    words: np.ndarray
    lost: np.ndarray
    gone: np.ndarray
    changed: np.ndarray
    parts: Sequence[ListedUnits]
    bad: Sequence[Bad]
    alarms: Sequence[Alarm]
    counted: dict[str, int]
    references: int = 0

    def of_documents(self, first: int, last: int) -> ListedUnits:
        """Return the listed units of the documents from `first` to `last` (excluded), ascending by number."""
        start, end = int(self.first[first]), int(self.first[last])
        found = [part.between(start, end) for part in self.parts]
        columns = [np.concatenate(values) for values in zip(*(one.columns() for one in found), strict=True)]
        order = np.argsort(columns[0], kind="stable")
        return ListedUnits(*(column[order] for column in columns))

    def batches(self) -> Iterator[tuple[int, pa.Array]]:
        """Yield the texts in batches, each with the index of its first document."""
        return text_batches(self.corpus)


def text_batches(corpus: Corpus) -> Iterator[tuple[int, pa.Array]]:
    """Yield the texts of a corpus in batches of about `BATCH` bytes, or of one text, each with the index of its first document."""
    for begin, texts in zip(corpus.texts.starts.tolist(), corpus.texts.batches, strict=False):
        places = _text_starts(texts)
        edges = [0, *(np.flatnonzero(np.diff(places // BATCH)) + 1).tolist(), len(texts)]
        for start, end in pairwise(edges):
            yield begin + start, texts.slice(start, end - start)


def find_units(inputs: RunInputs, plan: Plan, rule: UnitRule, stages: Stages, room: Room) -> UnitsFound:
    """Read a corpus, find its repeated units, and decide what each document loses.

    The same for any number of workers and any division into files; for documents with ids also for any order of the input, unless the
    policy reads it. Memory: 100 bytes for a document; texts, rows of units and what was found are stored in unnamed files beyond
    the limit of `room`.
    """
    with stages.watching(), room.spilling(stages), FoundKeeper(room.spill, room.result_limit) as keeper:
        bad = BadRecords(keep=keeper.table)
        corpus, _ = load(inputs, plan, bad, stages, TextKeeper(room.spill, texts_in_memory(room, TEXTS)))
        bad.finish()
        corpus = replace(corpus, tokens=None)
        protected, reference = protect(corpus, inputs.protected), corpus.documents.reference
        rank = corpus.documents.under(plan.policy, corpus.columns, protected, plan.time_key).priority
        pa.default_memory_pool().release_unused()
        with stages.stage("count units", len(corpus)) as progress:
            counts = []
            for _, texts in text_batches(corpus):
                counts.append(np.diff(split_units(texts, rule.unit).first))
                progress.advance(len(texts))
            first = prefix_sums(np.concatenate([np.zeros(0, np.int64), *counts]))
        with UnitRuns(part_count(int(first[-1]), room), room.spill) as runs:
            words, compared = _read_units(corpus, plan, rule, first, runs, stages)
            classes = _find_classes(corpus, plan, rank, runs, stages, keeper)
            pa.default_memory_pool().release_unused()
            if runs.written:
                stages.spilled["digests of units"] = runs.written
        with stages.stage("choose survivors", len(corpus)):
            gone, parts = _decide(classes, rule, words, protected | reference, keeper)
            parts = [one.take(~reference[one.document]) for one in parts] if inputs.references else parts
            lost, changed = _lost(parts, words)
            fixed = _fixed(corpus, plan, changed & ~gone)
            if fixed.any():
                parts = [one.take(~(fixed[one.document] & one.cut)) for one in parts]
                lost, changed = _lost(parts, words)
            changed |= gone
        references = corpus.documents.references
        alarms = bad_input(len(corpus.renamed), len(bad), len(corpus) - references, 0, first=bad[0] if bad else None)
        alarms += columns_by_usual_names(plan.columns_found)
        counted = {
            "units": int(first[-1] - first[references]),
            "compared": compared,
            **_counted(parts),
            "nested": int(fixed.sum()),
        }
        return UnitsFound(
            plan, rule, corpus, first, words, lost, gone, changed, parts, bad, alarms, counted, len(inputs.references)
        )


def texts_in_memory(room: Room, share: int) -> int | None:
    """Return the bytes of texts that may be in memory, one of `share` parts of the limit; None for no limit."""
    may = budget(room.memory)
    return None if may is None else may // share


def part_count(units: int, room: Room) -> int:
    """Return into how many parts the rows of `units` units must be divided so that one part fits in memory."""
    may = budget(room.memory)
    return 1 if may is None else min(MOST_PARTS, 1 + units * ROW_BYTES * SORTING // may)


def _read_units(
    corpus: Corpus, plan: Plan, rule: UnitRule, first: np.ndarray, runs: UnitRuns, stages: Stages
) -> tuple[np.ndarray, int]:
    """Store a row for each unit that is compared; return the words of each document, and the number of these units of the inputs."""
    words, compared = [np.zeros(0, np.int64)], 0
    with stages.stage("digests of units", len(corpus)) as progress:
        for begin, texts in text_batches(corpus):
            units = split_units(texts, rule.unit)
            document = units.text + begin
            start = units.start - _text_starts(texts)[units.text]
            length = units.end - units.start
            high, low, counted = unit_digests(
                plan.exact, corpus.texts.texts.part_views(document, start, length), plan.workers
            )
            totals = prefix_sums(counted)
            words.append(totals[units.first[1:]] - totals[units.first[:-1]])
            some = np.flatnonzero(counted >= rule.words)
            number = np.arange(len(units)) + first[begin]
            rows = UnitRows(high, low, number, document, start, length, counted)
            runs.add(rows.take(some))
            compared += int(np.count_nonzero(document[some] >= corpus.documents.references))
            progress.advance(len(texts))
    return np.concatenate(words), compared


def _text_starts(texts: pa.Array) -> np.ndarray:
    """Return the byte offset of each text in its batch, int64."""
    places = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
    starts: np.ndarray = places[:-1] - places[0]
    return starts


def _find_classes(
    corpus: Corpus, plan: Plan, rank: np.ndarray, runs: UnitRuns, stages: Stages, keeper: FoundKeeper
) -> list[Classes]:
    found = []
    with stages.stage("compare units", len(corpus)):
        for rows in runs.each():
            classes = unit_classes(rows, rank, partial(_equal, corpus, plan))
            columns = [getattr(classes, name) for name in Classes.__slots__]
            found.append(Classes(*(keeper.arrays(columns) if runs.parts > 1 else columns)))
    return found


def _equal(corpus: Corpus, plan: Plan, rows: UnitRows, members: np.ndarray, firsts: np.ndarray) -> np.ndarray:
    """Return a mask of the unit pairs (members, firsts) whose letters are equal under the plan's equality."""
    equal = np.ones(len(members), bool)
    for piece in cut(np.arange(len(members)), rows.length[members] + rows.length[firsts]):
        some, index = np.unique(np.concatenate([members[piece], firsts[piece]]), return_inverse=True)
        texts = corpus.texts.texts.part_views(rows.document[some], rows.start[some], rows.length[some])
        equal[piece] = equal_letters(plan.exact, form(), texts, index[: len(piece)], index[len(piece) :], plan.workers)
    return equal


def _decide(
    classes: list[Classes], rule: UnitRule, words: np.ndarray, fixed: np.ndarray, keeper: FoundKeeper
) -> tuple[np.ndarray, list[ListedUnits]]:
    """Return a mask of the documents that are removed entirely, and the listed units for each group of classes.

    `fixed` is a mask of the documents that lose nothing: of what they would lose no row is listed.
    """

    def listed_of(part: Classes, gone: np.ndarray | None = None) -> ListedUnits:
        found = listed_units(part, rule, gone)
        return found.take(~(fixed[found.document] & found.cut)) if fixed.any() else found

    listed = [listed_of(part) for part in classes]
    lost, _ = _lost(listed, words)
    gone = removed_whole(rule.least_left(words), words, lost, classes, rule)
    if gone.any():
        listed = [listed_of(part, gone) for part in classes]
    classes.clear()
    return gone, [ListedUnits(*keeper.arrays(one.columns())) for one in listed]


def _lost(listed: Sequence[ListedUnits], words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of words that each document loses, int64, and a mask of the documents that lose a unit."""
    lost, changed = np.zeros(len(words), np.int64), np.zeros(len(words), bool)
    for one in listed:
        np.add.at(lost, one.document[one.cut], one.words[one.cut])
        changed[one.document[one.cut]] = True
    return lost, changed


def _fixed(corpus: Corpus, plan: Plan, changed: np.ndarray) -> np.ndarray:
    """Return a mask of the changed documents whose text cannot be replaced in their record, so that nothing is cut."""
    out = np.zeros(len(corpus), bool)
    for s, source in enumerate(corpus.sources):
        mine = np.flatnonzero(changed & (corpus.source == s))
        rows = corpus.row[mine]
        out[mine] = np.isin(rows, source.fixed_rows(np.sort(rows), plan.text[0]))
    return out


def _counted(parts: Sequence[ListedUnits]) -> dict[str, int]:
    """Return the number of listed units by fate."""
    cut_units = sum(int(part.cut.sum()) for part in parts)
    repeats = sum(int((part.reason == REPEAT).sum()) for part in parts)
    kept = sum(int((~part.cut).sum()) for part in parts)
    return {"cut": cut_units, "repeats": repeats, "repeats_kept": kept}
