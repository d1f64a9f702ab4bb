"""Location of an index: a folder on this machine, or an address in a database; opened and made alike."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.opening import lock_folder
from quchong.engines.index.settings import Settings, read_settings
from quchong.engines.index.shared.address import StoreAddress, is_address, parse_address
from quchong.engines.index.shared.shared_index import SharedIndex, drop_shared_index, make_shared_index
from quchong.engines.index.stored import StoredIndex, make_index
from quchong.errors import Call, QuchongError, UsageError
from quchong.languages import Message
from quchong.plan.parameters import checked
from quchong.plan.plan import Plan

Location = Path | StoreAddress
OpenIndex = StoredIndex | SharedIndex


def location_of(given: str | Path) -> Location:
    """Return the location that a user typed: a text that begins as an address of a database is one, anything else is a folder.

    Nothing that is read from a file is ever taken as an address.

    Raises:
        UsageError: an address that cannot be used, or no name of a folder.
    """
    if is_address(given):
        return parse_address(str(given))
    folder: Path = checked(folder=given)["folder"]
    return folder


def typed(location: Location) -> str | Path:
    """Return a location as a user types it."""
    return location if isinstance(location, Path) else str(location)


def open_stored(location: Location, *, writable: bool, workers: int | None) -> OpenIndex:
    """Open an index, see `StoredIndex` and `SharedIndex`."""
    if isinstance(location, StoreAddress):
        return SharedIndex(location, writable=writable, workers=workers)
    return StoredIndex(location, writable=writable, workers=workers)


def make_stored(
    location: Location, settings: Settings, statistics: FrozenStatistics, templates: FrameModels | None
) -> None:
    """Make an empty index, see `make_index` and `make_shared_index`."""
    if isinstance(location, StoreAddress):
        make_shared_index(location, settings, statistics, templates)
    else:
        make_index(location, settings, statistics, templates)


def remove_made(location: Location) -> None:
    """Remove an index that the caller has made, as far as the system allows, unless another process has opened it for writing."""
    if isinstance(location, Path):
        with suppress(QuchongError, OSError):
            locked = lock_folder(location)
            shutil.rmtree(location, ignore_errors=True)
            if locked is not None:
                os.close(locked)
    else:
        with suppress(QuchongError):
            drop_shared_index(location)


def plan_of(location: Location) -> Plan:
    """Return the plan of an index: how its documents are read; its method may lack its statistics.

    Raises:
        RunError: there is no index.
    """
    if isinstance(location, Path):
        return read_settings(location).plan
    stored = SharedIndex(location, writable=False)
    stored.close()
    return stored.plan


REFIT = (
    "refit",
    Message(
        "export the documents, and make a new index from them with {}",
        Call("fit", "quchong index create --fit"),
    ),
)
VERIFY = ("verify", Message("let the server check its files: pg_amcheck, and data checksums"))
REPAIR = ("repair", Message("restore a backup of the database server, with pg_restore or from its WAL archive"))
BACKUP = (
    "backup",
    Message("use pg_dump, or copy the index to a folder: quchong index create FOLDER --from ADDRESS"),
)
MIGRATE = ("migrate", Message("export the index with the version that created it, then create the index again"))
"""What an index in a database does not do, and what to do instead."""


def only_in_folder(stored: OpenIndex, asked: tuple[str, Message]) -> StoredIndex:
    """Return an open index if it is stored in a folder; raise UsageError with the advice `asked` if it is in a database.

    Raises:
        UsageError: it is in a database; the message says what to do instead.
    """
    if not isinstance(stored, StoredIndex):
        raise _refused(asked)
    return stored


def folder_of(given: str | Path, asked: tuple[str, Message]) -> Path:
    """Return what a user typed as a folder; raise UsageError with the advice `asked` if it is an address of a database.

    Raises:
        UsageError: it is an address; the message says what to do instead.
    """
    location = location_of(given)
    if not isinstance(location, Path):
        raise _refused(asked)
    return location


def _refused(asked: tuple[str, Message]) -> UsageError:
    return UsageError("{} works only for an index in a folder. For an index in PostgreSQL: {}", *asked)
