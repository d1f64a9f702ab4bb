"""Check of an index: every file is read, and what is damaged is named with what cannot be answered because of it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.answers import Problem
from quchong.engines.index.catalogue import CATALOGUE, Catalogue, UnreadableCatalogue
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.damaged_rows import AT_ONCE, documents, readable_rows
from quchong.engines.index.document_store import GHOST, Row, keys_sum, pairs_of_rows
from quchong.engines.index.finder import id_keys, key_of_digest
from quchong.engines.index.first_stage import FirstStage
from quchong.engines.index.generations import ASIDE, STATISTICS, STATISTICS_COPY, TEMPLATES, is_generation
from quchong.engines.index.opening import DAMAGE, listed_segments, opened_generation
from quchong.engines.index.segment_file import SegmentRecord, damaged_blocks, open_segment
from quchong.engines.index.segments import SegmentPostings
from quchong.engines.index.settings import SETTINGS, NoSettings, Settings, is_index, read_settings
from quchong.engines.index.stored import signature_words
from quchong.engines.index.stored_texts import original_text
from quchong.errors import OutputError, QuchongError, RunError, reason_of
from quchong.languages import Message
from quchong.outputs import OwnFolder, read_beneath
from quchong.outputs.owner import is_locked
from quchong.relation_codes import NAMES

MOST_MISSING = 1 << 16
SHADOW = "shadow"
"""Folder of the second index, within that of the first (`quchong.engines.index.shadow`)."""
_TRIES = 3
_SHOWN = 20
"""Documents or ranges that a message names."""


@dataclass
class Checked:
    """Problems found by the check of an index.

    Attributes:
        problems: what is damaged.
        settings: settings of the index; None if they cannot be read.
        segments: records of the segments that are damaged. columns: True if a column is damaged.
        catalogue: True if the catalogue is damaged.
        lists: segments that the catalogue listed.
    """

    problems: list[Problem] = field(default_factory=list)
    settings: Settings | None = None
    segments: list[SegmentRecord] = field(default_factory=list)
    columns: bool = False
    catalogue: bool = False
    lists: list[SegmentRecord] = field(default_factory=list)

    def add(self, file: str, reason: object, lost: str = "") -> None:
        """Add a problem; the reason is a message, or an error that has one."""
        reason = reason.message if isinstance(reason, QuchongError) else reason
        self.problems.append(Problem(file, reason if isinstance(reason, str) else str(reason), lost))


def verify_folder(folder: Path) -> list[Problem]:
    """Return the faults found in the files of an index; an empty list if there is none. Nothing is written. Cost: reads every file once.

    Raises:
        RunError: the folder is no index, or of another version.
    """
    problems = check_index(folder).problems
    shadow = folder / SHADOW
    return problems + [in_shadow(one) for one in check_index(shadow).problems] if is_index(shadow) else problems


def in_shadow(problem: Problem) -> Problem:
    """Return a problem of the shadow with its file name as seen from the index."""
    return Problem(f"{SHADOW}/{problem.file}", problem.reason, problem.lost)


def check_index(folder: Path) -> Checked:
    """Check an index; once more if a process that writes to it has removed a segment meanwhile.

    Raises:
        RunError: the folder is no index, or of another version.
    """
    for left in reversed(range(_TRIES)):
        found = _check_once(folder)
        if not found.problems or not left or is_locked(folder) is False:
            break
    return found


def _check_once(folder: Path) -> Checked:
    found = Checked()
    if not is_index(folder) and not (folder.is_dir() and kept_settings(folder)):
        read_settings(folder)  # says what it is instead
    try:
        settings = found.settings = read_settings(folder)
    except RunError as error:
        if _is_of_another_version(folder):
            raise
        found.add(
            SETTINGS,
            _reason_of_settings(folder, error),
            Message("nothing is lost after a repair, because there is another copy")
            if kept_settings(folder)
            else _everything(),
        )
        return found
    place = settings.generation
    try:
        inner = opened_generation(folder, settings, writable=False)
    except (QuchongError, OSError) as error:
        found.add(place, reason_of(error), _everything())
        return found
    try:
        try:
            read_settings(inner.path)
        except QuchongError as error:
            found.add(
                f"{place}/{SETTINGS}",
                _reason_of_settings(inner.path, error),
                Message("nothing is lost: the index has another copy"),
            )
        _check_statistics(found, settings, inner)
        if FirstStage.needed(settings.plan):
            for name in FirstStage.damaged(inner, settings.plan):
                found.add(
                    f"{place}/{name}",
                    Message("the file cannot be read"),
                    Message("nothing is lost: the file can be made again from the texts"),
                )
        _check_contents(found, folder, settings, inner)
    finally:
        inner.close()
    return found


def _reason_of_settings(folder: Path, error: QuchongError) -> str:
    """Return why the settings in a folder cannot be read, without advice."""
    if not isinstance(error, NoSettings):
        return reason_of(error)
    there = os.path.lexists(folder / SETTINGS)
    return Message("the file does not have settings") if there else Message("the file of settings is missing")


def _everything() -> Message:
    return Message("no document can be found")


def _is_of_another_version(folder: Path) -> bool:
    """Return True if the settings can be read but are those of another version."""
    try:
        told = json.loads(read_beneath(folder, SETTINGS, 64 << 20))
    except (*DAMAGE, QuchongError):
        return False
    from quchong.engines.index.settings import FORMAT, KIND
    from quchong.text import NORMALISER_VERSION

    if not isinstance(told, dict) or told.get("kind") != KIND:
        return False
    return told.get("format") != FORMAT or told.get("normaliser") != NORMALISER_VERSION


def kept_settings(folder: Path) -> Path | None:
    """Return the generation folder that has an intact copy of the settings; None if there is none.

    Of several it is the oldest: a later one was begun by a process that was stopped, or has the same documents.
    """
    for inner in sorted(one for one in folder.iterdir() if is_generation(one) and not (one / ASIDE).exists()):
        try:
            read_settings(inner)
        except QuchongError:
            continue
        return inner
    return None


def _check_statistics(found: Checked, settings: Settings, inner: OwnFolder) -> None:
    whole = 0
    for name in (STATISTICS, STATISTICS_COPY):
        try:
            FrozenStatistics.load(inner, name).applied(settings.plan.method)
            whole += 1
        except (*DAMAGE, QuchongError) as error:
            lost = Message("nothing can be compared") if name == STATISTICS else ""
            found.add(f"{inner.path.name}/{name}", reason_of(error), lost)
    if whole == 1:
        found.problems[-1] = Problem(
            *_fields(found.problems[-1])[:2], Message("nothing is lost after a repair, because there is another copy")
        )
    if TEMPLATES in inner.names():
        try:
            FrameModels.load(inner, TEMPLATES)
        except (*DAMAGE, QuchongError) as error:
            found.add(
                f"{inner.path.name}/{TEMPLATES}",
                reason_of(error),
                Message("records on one template are no longer recognised as different"),
            )


def _fields(problem: Problem) -> tuple[str, str, str]:
    return problem.file, problem.reason, problem.lost


def _reason(error: BaseException) -> str:
    """Return why a catalogue cannot be read, without the advice to run `verify`."""
    return str(error.reason) if isinstance(error, UnreadableCatalogue) else reason_of(error)


def _check_contents(found: Checked, folder: Path, settings: Settings, inner: OwnFolder) -> None:
    name = f"{settings.generation}/{CATALOGUE}"
    try:
        catalogue = Catalogue(inner.path, writable=False, is_written=lambda: is_locked(folder) is not False)
    except (*DAMAGE, QuchongError) as error:
        found.catalogue = True
        found.add(name, _reason(error), _everything())
        return
    try:
        with catalogue.snapshot():
            before = len(found.problems)
            _check_catalogue(found, name, catalogue, settings)
            found.catalogue = len(found.problems) > before
            _check_segments(found, name, catalogue, settings, inner)
    except (RunError, OutputError, sqlite3.Error) as error:
        found.catalogue = True
        found.add(name, _reason(error), "")
    finally:
        catalogue.close()


def _check_catalogue(found: Checked, name: str, catalogue: Catalogue, settings: Settings) -> None:
    try:
        told = [one for (one,) in catalogue.select("PRAGMA integrity_check")]
        if told != ["ok"]:
            found.add(name, "; ".join(str(one) for one in told[:5]))
    except RunError as error:
        found.add(name, _reason(error))
    rows = Numbers(catalogue, settings.store)
    if rows.bad:
        found.add(
            name,
            Message("documents are damaged: {}", in_ranges(rows.bad)),
            Message("these documents: {}", in_ranges(rows.bad)),
        )
    if rows.undecided:
        found.add(name, Message("the decisions about documents are damaged: {}", in_ranges(rows.undecided)))
    if rows.lost:
        found.add(
            name,
            Message("documents are missing: {}", in_ranges(rows.lost)),
            Message("these documents: {}", in_ranges(rows.lost)),
        )
    _check_pairs(found, name, catalogue, rows.whole)
    _check_keys(found, name, catalogue, settings)


class Numbers:
    """Numbers of the documents of a catalogue, read row by row.

    Attributes:
        whole: numbers of documents that are whole. bad: of those that are damaged or cannot be read. undecided: of those whose fate is.
        lost: numbers that have no document and were not deleted.
    """

    def __init__(self, catalogue: Catalogue, store: str) -> None:
        whole, self.bad, self.undecided = list[int](), list[int](), list[int]()
        for number, row in documents(catalogue):
            if row is None or not is_whole(row, store):
                self.bad.append(number)
                continue
            whole.append(number)
            if row.summed().fate_sum != row.fate_sum:
                self.undecided.append(number)
        self.whole = np.array(whole, np.int64)
        gone = {number for number, row in readable_rows(catalogue, "gone", "number") if row is not None}
        known = {*whole, *self.bad} | gone
        self.lost = missing_numbers(known)
        self.bad += sorted(gone & set(whole))


def missing_numbers(known: Iterable[int]) -> list[int]:
    """Return the missing numbers between 0 and the greatest of `known`, at most 65,536 for each gap."""
    missing: list[int] = []
    following = 0
    for number in sorted(known):
        missing += range(following, min(number, following + MOST_MISSING))
        following = number + 1
    return missing


def is_whole(row: Row, store: str = "text") -> bool:
    """Return True if the unchanging columns of a row match their checksum."""
    try:
        if row.summed().own_sum != row.own_sum or not isinstance(json.loads(row.columns), dict):
            return False
        if store == "text":
            original_text(row)
    except DAMAGE:
        return False
    return (row.id is None) == (row.state == GHOST)


def _check_pairs(found: Checked, name: str, catalogue: Catalogue, whole: np.ndarray) -> None:
    bad: set[int] = set()
    try:
        codec = MeasureCodec(catalogue.note("measures"))
        size = 0 if codec.type is None else codec.type.itemsize
        later = -(1 << 63)
        while rows := catalogue.select(f"SELECT * FROM pairs WHERE later > ? ORDER BY later LIMIT {AT_ONCE}", later):
            later = rows[-1][0]
            rows = [row for row in rows if row[0] != later] + catalogue.select(
                "SELECT * FROM pairs WHERE later = ?", later
            )
            ends = np.array([row[:2] for row in rows], np.int64)
            known: list[bool] = np.isin(ends, whole).all(axis=1).tolist()  # type: ignore[assignment]
            bad |= {
                row[0] for row, there in zip(rows, known, strict=True) if not there or not _is_whole_pair(row, size)
            }
    except (*DAMAGE, RunError) as error:
        found.add(
            name,
            Message("relations of documents cannot be read: {}", reason_of(error)),
            Message("the relations of some documents"),
        )
    if bad:
        found.add(
            name,
            Message("relations are damaged"),
            Message("the relations of these documents: {}", in_ranges(sorted(bad))),
        )


def _is_whole_pair(row: tuple[Any, ...], size: int) -> bool:
    return pairs_of_rows([row])[0].row() == row and len(row[5]) == size and 0 <= row[3] < len(NAMES)


def _check_keys(found: Checked, name: str, catalogue: Catalogue, settings: Settings) -> None:
    bad = [
        number
        for number, row in readable_rows(catalogue, "keys", "number")
        if row is None or keys_sum(row[0], row[1]) != row[2]
    ]
    if bad:
        told = in_ranges(bad)
        found.add(
            name, Message("keys of documents are damaged: {}", told), Message("copies of these documents: {}", told)
        )


def _check_segments(found: Checked, name: str, catalogue: Catalogue, settings: Settings, inner: OwnFolder) -> None:
    place = inner.path.name
    try:
        records = found.lists = listed_segments(catalogue)
    except (RunError, *DAMAGE) as error:
        found.catalogue = True
        found.add(name, _reason(error), _everything())
        return
    for record in records:
        lost = Message("copies of documents {} to {}", record.first, record.end - 1)
        try:
            open_segment(inner, record)
            reason = "".join(
                f"bytes {one.start:,} to {one.end:,}; " for one in damaged_blocks(inner, record)
            ).removesuffix("; ")
        except DAMAGE as error:
            reason = reason_of(error)
        if reason:
            found.segments.append(record)
            found.add(f"{place}/{record.name}", reason, lost)
    if found.segments:
        return
    try:
        postings = SegmentPostings(inner, records, words=signature_words(settings.plan), writable=False)
        for damage in postings.verify():
            found.columns = True
            found.add(
                f"{place}/{damage.name}",
                Message("the checksum of the file is wrong"),
                Message("copies of some documents"),
            )
        if not found.columns and not found.catalogue:
            _check_agreement(found, f"{place}/", catalogue, postings)
    except DAMAGE as error:
        found.columns = True
        found.add(place, reason_of(error), Message("copies of documents"))


def _check_agreement(found: Checked, place: str, catalogue: Catalogue, postings: SegmentPostings) -> None:
    """Check that every document in the segments is found by its id, and by its digest if it is the first of equal texts."""
    sealed, missing = postings.sealed, list[int]()
    if sealed > catalogue.count(
        "SELECT max(n) + 1 FROM (SELECT max(number) AS n FROM documents UNION ALL SELECT max(number) FROM gone)"
    ):
        found.add(
            f"{place}{CATALOGUE}",
            Message("segments have more documents than the catalogue"),
            Message("the newest documents"),
        )
        found.catalogue = True
        return
    for rows in _batches(row for _, row in documents(catalogue) if row is not None and row.number < sealed):
        named = [row for row in rows if row.id is not None]
        missing += _unfound(
            postings, [row.number for row in named], id_keys([row.id for row in named if row.id is not None])
        )
        first = [row for row in rows if row.same == row.number]
        missing += _unfound(postings, [row.number for row in first], key_of_digest(*_digests(first)))
    for number in sorted(set(missing)):
        record = next(one for one in found.lists if one.first <= number < one.end)
        if record not in found.segments:
            found.segments.append(record)
    for record in found.segments:
        some = in_ranges([number for number in missing if record.first <= number < record.end])
        lost = Message("copies of these documents: {}", some)
        found.add(f"{place}{record.name}", Message("the keys of documents {} are missing", some), lost)


def _digests(rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return tuple(np.array([row[k] for row in rows], np.int64).view(np.uint64) for k in (2, 3, 4))  # type: ignore[return-value]


def _unfound(postings: SegmentPostings, numbers: Sequence[int], keys: np.ndarray) -> list[int]:
    """Return the documents `numbers` that are missing in the posting list of their key in `keys`."""
    lists = postings.lookup(keys).lists
    return [
        number for k, number in enumerate(numbers)
        if not (lists.documents[lists.offsets[k] : lists.offsets[k + 1]] == number).any()
    ]  # fmt: skip


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def in_ranges(numbers: Sequence[int]) -> str:
    """Return numbers as text such as `3, 7-9`: the first 20 ranges, then how many numbers there are."""
    ranges: list[list[int]] = []
    for number in sorted(set(numbers)):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    told = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges[:_SHOWN])
    return told if len(ranges) <= _SHOWN else f"{told}, ... ({len(set(numbers)):,})"
