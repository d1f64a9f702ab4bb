"""Location of an index: a folder on this machine, or an address in a database; opened and made alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quchong.decision.frame_models import FrameModels
from quchong.decision.frozen import FrozenStatistics
from quchong.engines.index.settings import Settings
from quchong.engines.index.shared.address import StoreAddress, is_address, parse_address
from quchong.engines.index.shared.shared_index import SharedIndex, make_shared_index
from quchong.engines.index.stored import StoredIndex, make_index
from quchong.errors import UsageError
from quchong.plan.parameters import checked

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


def only_in_folder(stored: Any, what: str, instead: str) -> StoredIndex:
    """Return an open index that is in a folder.

    Args:
        what: what was asked for. instead: what to do with an index in a database.

    Raises:
        UsageError: it is in a database.
    """
    if not isinstance(stored, StoredIndex):
        raise UsageError("{} is for an index in a folder; of one in PostgreSQL {}", what, instead)
    return stored
