"""Copies of an index that is in use: its catalogue at one moment, with the files that it lists."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from quchong.engines.index.catalogue import CATALOGUE, PAGE, Catalogue
from quchong.engines.index.first_stage import DIGESTS, FILTER
from quchong.engines.index.generations import STATISTICS, STATISTICS_COPY, TEMPLATES
from quchong.engines.index.opening import listed_segments
from quchong.engines.index.placing import COPIED, named_when_complete
from quchong.engines.index.segment_file import SegmentRecord, sync_names
from quchong.engines.index.stored import StoredIndex
from quchong.errors import OutputError, reason_of
from quchong.outputs import OwnFolder

COLUMN = ".column"
"""Ending of the files with one row a document."""
_PIECE = 1 << 20


def copy_index(stored: StoredIndex, new: Path, shadow: StoredIndex | None = None, shadow_name: str = "") -> None:
    """Copy an open index to a new folder, durably; documents may be added and deleted meanwhile, unless it has a shadow.

    The folder gets its name when it is complete (`quchong.engines.index.placing`).

    Raises:
        OutputError: the folder exists, or cannot be written; then nothing is left of it.
    """
    with named_when_complete(new, COPIED) as hidden:
        try:
            _copy(stored, hidden, shadow, shadow_name)
        except (OSError, sqlite3.Error) as error:
            raise OutputError("{} cannot be written: {}", hidden, reason_of(error)) from error


def _copy(stored: StoredIndex, new: Path, shadow: StoredIndex | None = None, shadow_name: str = "") -> None:
    """Make the folder of a copy, with all its files; the file of settings comes last."""
    root = OwnFolder.made(new)
    inner = OwnFolder.made(new / stored.settings.generation)
    try:
        with stored.settled(), nullcontext() if shadow is None else stored.lock:
            if shadow is not None:
                _copy(shadow, new / shadow_name)
            for name in (FILTER, DIGESTS):  # before the catalogue: what they lack is passed again
                if name in stored.contents_folder.names():
                    copy_one(stored.contents_folder, inner, name)
            copy_catalogue(stored.catalogue, inner.path)
            made = Catalogue(inner.path, writable=True)
            try:
                records = listed_segments(made)
            finally:
                made.close()
            copy_files(stored.contents_folder, inner, records, *frozen_files(stored.contents_folder))
        stored.settings.save(inner)
        stored.settings.save(root)
    finally:
        inner.close()
        root.close()


def frozen_files(folder: OwnFolder) -> list[str]:
    """Return the names of the files of statistics and templates in a generation."""
    return [name for name in folder.names() if name in (STATISTICS, STATISTICS_COPY, TEMPLATES)]


def copy_catalogue(catalogue: Catalogue, folder: Path) -> None:
    """Copy a catalogue as it is at one moment into a folder; those who write it meanwhile do not wait.

    Raises:
        sqlite3.Error: it is damaged, or there is no room.
    """
    made = sqlite3.connect(folder / CATALOGUE, isolation_level=None)
    try:
        made.execute(f"PRAGMA page_size={PAGE}")
        made.execute("PRAGMA synchronous=FULL")
        catalogue.reader.backup(made)
    finally:
        made.close()


def copy_files(old: OwnFolder, new: OwnFolder, records: Sequence[SegmentRecord], *more: str) -> None:
    """Copy the segments of these records, the columns, and `more` files of an index from one folder to another, durably."""
    names = [name for name in old.names() if name.endswith(COLUMN)]
    for name in [*(record.name for record in records), *names, *more]:
        copy_one(old, new, name)
    sync_names(new)


def copy_one(old: OwnFolder, new: OwnFolder, name: str) -> None:
    """Copy a file from one folder to another, and flush it to the disk."""
    with old.open(name) as source, new.open(name, "xb") as target:
        shutil.copyfileobj(source, target, _PIECE)
        target.flush()
        os.fsync(target.fileno())
