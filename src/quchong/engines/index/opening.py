"""Opening of an index: its lock, the folder of its contents, the segments that it lists, and the errors of damaged ones."""

from __future__ import annotations

import json
import os
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quchong.engines.index.catalogue import CATALOGUE, Catalogue
from quchong.engines.index.document_store import DamagedRow
from quchong.engines.index.segment_file import SegmentRecord
from quchong.engines.index.settings import Settings
from quchong.errors import Call, OutputError, RunError, is_of_system, reason_of, shell_word
from quchong.languages import Message
from quchong.outputs import NotOwn, OwnFolder, check_own, is_folder_beneath, is_plain_name, open_folder
from quchong.outputs.owner import lock
from quchong.work import Damaged

DAMAGE = (Damaged, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""Errors to which contents lead that no index has."""
_TRIES, _PAUSE = 40, 0.025
_LOCKED: dict[tuple[int, int], int] = {}
"""Descriptors by which this process locked folders, by device and inode; those that were closed since have another one, or none."""


def lock_folder(folder: Path) -> int | None:
    """Lock the folder of an index for writing; return the descriptor that holds the lock, None on a system without locks.

    Raises:
        OutputError: another process writes to it, it is another user's, or others may write it.
        OSError: an error of the file system.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except PermissionError:
        if os.name == "posix":
            raise
        return None  # Windows opens no folders
    try:
        check_own(folder, descriptor)
    except NotOwn as error:
        os.close(descriptor)
        raise _not_own(folder, folder, error) from error
    about = os.fstat(descriptor)
    place = (about.st_dev, about.st_ino)
    for _ in range(_TRIES):
        if lock(descriptor) is not False:
            _LOCKED[place] = descriptor
            return descriptor
        clock.sleep(_PAUSE)
    os.close(descriptor)
    if _is_own_lock(place):
        raise OutputError(
            "{} is already open for writing in this process: close that Index first, or open this one read-only", folder
        )
    raise OutputError(
        "{} is open for writing in another process: wait until that process ends; if it is quchong serve, send "
        "the documents to it. To search meanwhile, use {}",
        folder,
        Call(f"qc.Index({str(folder)!r}, read_only=True)", f"quchong index query {shell_word(folder)} new.jsonl"),
    )


def _is_own_lock(place: tuple[int, int]) -> bool:
    """Return True if this process has the lock of a folder, given by its device and inode."""
    try:
        about = os.fstat(_LOCKED.get(place, -1))
    except OSError:
        return False
    return (about.st_dev, about.st_ino) == place


def opened_generation(folder: Path, settings: Settings, *, writable: bool) -> OwnFolder:
    """Open the folder with the contents of an index; for writing it must be this user's own.

    Raises:
        RunError: it is missing, or a link.
        OutputError: it is to be written, and is another user's.
    """
    path = folder / settings.generation
    try:
        if writable:
            try:
                return OwnFolder.open_path(path)
            except NotOwn as error:
                raise _not_own(folder, path, error) from error
        if not is_folder_beneath(folder, settings.generation):
            raise RunError(
                "{} is damaged: {} is missing or not a folder; see quchong index verify", folder, settings.generation
            )
        return OwnFolder(path, open_folder(path))
    except FileNotFoundError as error:
        raise RunError(
            "{} is damaged: {} is missing or not a folder; see quchong index verify", folder, settings.generation
        ) from error


def _not_own(index: Path, folder: Path, error: NotOwn) -> OutputError:
    """Return the error for writing to an index with a folder that is not this user's alone; it says how to keep the documents."""
    copied = Message("quchong index backup {} COPY writes a copy that you own", shell_word(index))
    if error.why == "owner":
        remedy = Message("let the owner of the folder give it to your user (chown -R), or use a copy: {}", copied)
        return OutputError("{} belongs to another user, and only the owner may write an index: {}", folder, remedy)
    if error.why == "mode":
        remedy = Message("remove the write permission of other users with chmod -R go-w {}", shell_word(index))
        return OutputError(
            "other users have write permission for {}, but only one user may write an index: {}", folder, remedy
        )
    remedy = Message("replace the link by the folder itself, or use a copy: {}", copied)
    return OutputError("{} is a link, or not a folder: {}", folder, remedy)


def listed_segments(catalogue: Catalogue) -> list[SegmentRecord]:
    """Return the records of the segments that a catalogue lists.

    Raises:
        Damaged: a record is none.
    """
    found = [json.loads(told) for (told,) in catalogue.select("SELECT record FROM segments ORDER BY place")]
    kinds = (str, int, int, int, str)
    for one in found:
        if (
            not isinstance(one, list)
            or [*map(type, one)] != [*kinds]
            or min(one[1:4]) < 0
            or not is_plain_name(one[0])
            or "/" in one[0]
        ):
            raise Damaged(Message("{} lists something other than segments", CATALOGUE))
    return [SegmentRecord(*one) for one in found]


@contextmanager
def readable(folder: object) -> Iterator[None]:
    """Raise errors in the block that damaged contents cause as RunError "damaged index", and disk errors as OutputError."""
    try:
        with naming(folder):
            yield
    except OSError as error:
        if not is_of_system(error):
            raise damaged(folder, error) from error
        raise OutputError("{} cannot be read or written: {}", folder, reason_of(error)) from error
    except DAMAGE as error:
        raise damaged(folder, error) from error


@contextmanager
def naming(folder: object) -> Iterator[None]:
    """Raise DamagedRow in the block as the error of a damaged index with the name of its folder.

    Raises:
        RunError: a row of the index is damaged.
    """
    try:
        yield
    except DamagedRow as error:
        raise RunError("{} is damaged: {}; see quchong index verify", folder, error.reason) from error


def damaged(folder: object, error: BaseException) -> RunError:
    """Return the RunError that says that the index is damaged, from the error that its contents caused."""
    reason = error.reason if isinstance(error, DamagedRow) else reason_of(error)
    return RunError("{} is damaged: {}; see quchong index verify", folder, reason)
