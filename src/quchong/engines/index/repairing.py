"""Repair of an index: what is whole is kept in a new generation, and what can be made from it is made anew; the old one stays aside."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.answers import Problem
from quchong.engines.index.catalogue import CATALOGUE, PAGE, Catalogue
from quchong.engines.index.checking import (
    MOST_MISSING,
    SHADOW,
    Checked,
    check_index,
    in_ranges,
    in_shadow,
    is_whole,
    kept_settings,
)
from quchong.engines.index.copying import copy_catalogue, copy_files, copy_one
from quchong.engines.index.damaged_rows import documents, id_of, is_end_readable, readable_rows
from quchong.engines.index.document_store import GHOST, Row
from quchong.engines.index.first_stage import DIGESTS, FILTER
from quchong.engines.index.generations import ASIDE, REPAIRED, STATISTICS, STATISTICS_COPY, TEMPLATES, next_name
from quchong.engines.index.opening import DAMAGE, lock_folder, opened_generation, readable
from quchong.engines.index.settings import Settings, is_index, read_settings
from quchong.engines.index.stored import StoredIndex, make_index
from quchong.errors import OutputError, QuchongError, RunError, reason_of
from quchong.languages import Message, join_names
from quchong.outputs import OwnFolder

AT_ONCE = 1_024
MOST_NAMED = 100
"""Most ids of lost documents that a message names."""
_PAGES = slice(28, 32)
"""Bytes of the first page of a catalogue with its number of pages."""


def repair_folder(folder: Path, workers: int | None = None) -> list[Problem]:
    """Repair an index, see `quchong.Index.repair_folder`.

    Returns:
        What was damaged; `lost` of each is what is lost after the repair, "" for what was made anew.
    """
    if not folder.is_dir():
        read_settings(folder)  # says what it is instead
    locked = lock_folder(folder)
    try:
        shadow = folder / SHADOW
        second = repair_folder(shadow, workers) if is_index(shadow) else []
        # What the second index lacks is added again when the index is opened.
        problems = [in_shadow(replace(one, lost="")) for one in second]
        found = check_index(folder)
        if found.problems:
            with readable(folder):
                left = _repaired(folder, found, workers)
            problems = [*(replace(one, lost="") for one in found.problems), *left, *problems]
        return problems
    except sqlite3.Error as error:
        raise OutputError("{} cannot be written: {}", folder, reason_of(error)) from error
    finally:
        if locked is not None:
            os.close(locked)


def _repaired(folder: Path, found: Checked, workers: int | None) -> list[Problem]:
    """Build a repaired generation and put it into use; return problems that remain."""
    root = OwnFolder.open_path(folder)
    settings = found.settings
    if settings is None:
        kept = kept_settings(folder)
        if kept is None:
            raise RunError("{}: the settings cannot be repaired: copy index.json from a backup", folder)
        settings = read_settings(kept)
        settings.save(root)
        again = check_index(folder)
        if not again.problems:
            return []
        found = again
    try:
        old = opened_generation(folder, settings, writable=False)
    except RunError as error:
        raise RunError(
            "{}: {} is missing, so no document can be saved: restore a backup", folder, settings.generation
        ) from error
    statistics = _statistics(folder, old, settings)
    templates = _templates(folder, old)
    generation = next_name(folder, settings.generation)
    made = folder / f"{REPAIRED}{secrets.token_hex(4)}"
    lost: list[Problem] = []
    try:
        make_index(made, replace(settings, generation=generation), statistics, templates)
        if found.catalogue:
            lost = _from_documents(folder, old, made, settings, workers)
        else:
            _from_catalogue(old, made, replace(settings, generation=generation), found, workers)
        if not found.catalogue:
            inner = opened_generation(made, replace(settings, generation=generation), writable=True)
            for name in {FILTER, DIGESTS}.intersection(old.names()):
                inner.remove(name)
                copy_one(old, inner, name)
            inner.close()
        with contextlib.suppress(FileExistsError), old.open(ASIDE, "xb"):
            pass
        (made / generation).rename(folder / generation)
        replace(settings, generation=generation).save(root)
    finally:
        shutil.rmtree(made, ignore_errors=True)
        old.close()
        root.close()
    aside = Problem(
        settings.generation,
        Message("the damaged contents were moved aside unchanged: delete them when you do not need them any more"),
    )
    return [*lost, aside]


def _statistics(folder: Path, old: OwnFolder, settings: Settings) -> FrozenStatistics:
    """Return the statistics from whichever of the two copies is intact."""
    for name in (STATISTICS, STATISTICS_COPY):
        try:
            found = FrozenStatistics.load(old, name)
            found.applied(settings.plan.method)
        except (*DAMAGE, QuchongError):
            continue
        return found
    raise RunError("{}: the statistics cannot be repaired: copy the file {} from a backup", folder, STATISTICS)


def _templates(folder: Path, old: OwnFolder) -> FrameModels | None:
    """Return the templates; None if there are none."""
    if TEMPLATES not in old.names():
        return None
    try:
        return FrameModels.load(old, TEMPLATES)
    except (*DAMAGE, QuchongError):
        raise RunError(
            "{}: the templates cannot be repaired: copy the file {} from a backup", folder, TEMPLATES
        ) from None


def _from_catalogue(old: OwnFolder, made: Path, settings: Settings, found: Checked, workers: int | None) -> None:
    """Copy an intact catalogue with its intact segments; rebuild the damaged segments from texts."""
    inner = OwnFolder.open_path(made / settings.generation)
    whole = Catalogue(old.path, writable=False)
    try:
        inner.remove(CATALOGUE)
        copy_catalogue(whole, inner.path)
    finally:
        whole.close()
    if not found.segments and not found.columns:
        copy_files(old, inner, found.lists)
        return
    if settings.store != "text":
        raise RunError("the damaged segments cannot be made again, because the index stores no texts: restore a backup")
    catalogue = Catalogue(inner.path, writable=True)
    with catalogue.transaction() as writer:
        writer.execute("DELETE FROM segments")
    catalogue.close()
    stored = StoredIndex(made, writable=True, workers=workers)
    try:
        stored.tidy()
    finally:
        stored.close()


def _from_documents(folder: Path, old: OwnFolder, made: Path, settings: Settings, workers: int | None) -> list[Problem]:
    """Add the readable documents of a damaged catalogue to a new index in order; return the lost ones as problems."""
    if settings.store != "text":
        raise RunError(
            "{}: the catalogue cannot be made again, because the index stores no texts: restore a backup", folder
        )
    name = f"{settings.generation}/{CATALOGUE}"
    lost: list[int] = []
    names: list[str] = []
    last = [-1]
    source, copies = _opened_somehow(old, made)
    stored = StoredIndex(made, writable=True, workers=workers)
    ends = True
    try:
        ends = is_end_readable(source)
        for rows in _whole_documents(source, lost, names, last):
            stored.add_again(rows)
        stored.tidy()
        with stored.catalogue.transaction() as writer:  # documents without an id are numbered on from here
            told = {name: _note(source, name) for name in ("earlier arrivals", "counted")}
            told["earlier arrivals"] = str(int(told["earlier arrivals"] or 0) + last[0] + 1 - stored.next)
            writer.executemany(
                "INSERT INTO notes VALUES (?, ?)", [(name, value) for name, value in told.items() if value is not None]
            )
    finally:
        stored.close()
        source.close()
        if copies is not old:
            copies.close()
    if not stored.next:
        raise _nothing_left(folder)
    if not lost and ends:
        return []
    some = join_names(names[:MOST_NAMED]) or "-"
    if len(names) > MOST_NAMED:
        some = Message("{}, and {:,} more", some, len(names) - MOST_NAMED)
    named = len(lost), in_ranges(lost) or "-", some
    known = (
        Message("{:,} documents could not be read. Their numbers in the order of arrival (from 0): {}. Known "
                "ids: {}", *named)
        if ends
        else Message(
            "{:,} documents could not be read, nor could those added after them. Their numbers in the order of "
            "arrival (from 0): {}. Known ids: {}", *named
        )
    )  # fmt: skip
    again = Message(
        "add these documents again; documents that are still in the index are recognised by their ids and skipped"
    )
    return [Problem(name, known, again)]


def _nothing_left(folder: Path) -> RunError:
    return RunError(
        "{}: no document of the catalogue can be read, so nothing can be saved: restore a backup, or create the "
        "index again",
        folder,
    )


def _note(source: Catalogue, name: str) -> str | None:
    """Return a note of a catalogue that may be damaged; None if it is missing or unreadable."""
    try:
        found = source.note(name)
    except QuchongError:
        return None
    return found if found is not None and found.isdecimal() else None


def _opened_somehow(old: OwnFolder, made: Path) -> tuple[Catalogue, OwnFolder]:
    """Open a damaged catalogue for reading; if its tables cannot be read, a copy with the first page of a new one, which has the tables.

    Pages that a shorter file lacks are empty in the copy, as SQLite reads no file that is shorter than its first page says: documents on
    them are lost, and all others are read.

    Raises:
        RunError: that cannot be read either.
    """
    try:
        return Catalogue(old.path, writable=False), old
    except QuchongError:
        pass
    if CATALOGUE not in old.names():
        raise _nothing_left(made.parent)
    folder = OwnFolder.made(made / "copy")
    fresh = OwnFolder.made(made / "fresh")
    Catalogue(fresh.path, writable=True, make=True).close()
    with (
        _opened_file(old, made.parent) as source,
        folder.open(CATALOGUE, "xb") as target,
        fresh.open(CATALOGUE) as first,
    ):
        shutil.copyfileobj(source, target)
        page = bytearray(first.read(PAGE))
        pages = max(-(-target.tell() // PAGE), first.seek(0, os.SEEK_END) // PAGE)
        page[_PAGES] = pages.to_bytes(4, "big")
        target.truncate(pages * PAGE)
        target.seek(0)
        target.write(page)
    try:
        return Catalogue(folder.path, writable=False), folder
    except RunError:
        folder.close()
        raise _nothing_left(made.parent) from None


def _opened_file(old: OwnFolder, folder: Path) -> BinaryIO:
    """Open the file of a catalogue.

    Raises:
        RunError: it is a link or a folder, of which nothing is kept.
    """
    try:
        return old.open(CATALOGUE)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.EINVAL):
            raise _nothing_left(folder) from error
        raise


def _whole_documents(source: Catalogue, lost: list[int], names: list[str], end: list[int]) -> Iterator[list[Row]]:
    """Yield the intact documents some at a time; numbers of lost ones and other facts are added to the given lists.

    `end` has the last number, of deleted documents too.
    """
    batch: list[Row] = []
    seen: set[str | int] = set()
    last = -1
    gone = {number for number, row in readable_rows(source, "gone", "number") if row is not None}
    end[0] = max(gone, default=-1)
    for number, row in documents(source):
        lost += [missing for missing in range(last + 1, min(number, last + MOST_MISSING)) if missing not in gone]
        last = number
        end[0] = max(end[0], number if row is not None else -1)
        if row is not None and row.state == GHOST and row.id is None:
            continue
        if row is None or not is_whole(row) or row.id in seen or row.id is None:
            if number not in gone:
                lost.append(number)
                id = id_of(source, number) if row is None else row.id
                if isinstance(id, str | int):
                    names.append(repr(id))
            continue
        seen.add(row.id)
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
