"""Protocol of staging, the same on every file system: names of files, and recovery after an interruption.

The output PARENT/NAME is written in a hidden folder PARENT/.NAME.quchong-TOKEN. This contains `owner`, the record of the process;
`new`, the output; and for a moment `old`, which `new` replaces:

    new is complete  ->  PARENT/NAME becomes old  ->  new becomes PARENT/NAME  ->  the folder is removed, its owner record last

Local disks (`quchong.outputs.staging`) add locks and flushing to the disk. The file systems of Spark
(`quchong.engines.spark.folder`) have neither, and recognise a process by its owner record alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from enum import Enum

from quchong.errors import OutputError
from quchong.languages import Message
from quchong.outputs.owner import Mark
from quchong.patterns import lazy_pattern

SIGN = ".quchong-"
OWNER, NEW, OLD, COMMIT = "owner", "new", "old", "commit"
Busy = Callable[[str, str], Message]
"""Function that returns the message about an output that another process is writing, from its owner and its path."""


def busy_place(owner: str, place: str) -> Message:
    """Return the message about an output that another run is writing."""
    return Message("another run ({}) is writing {}: wait until it ends, or choose another place", owner, place)


_TOKEN = lazy_pattern("[0-9a-f]{8}")
_SHOWN = 50
"""Most characters of an output's name in the name of its staging folder; at four bytes each the name still fits a file system."""


class Next(Enum):
    """Action that completes the staging folder of an ended process, before the folder is removed."""

    MOVE = "make the moves that were decided"
    PLACE = "new takes the place"
    NOTHING = "nothing has happened, or all has"


def prefix_for(name: str) -> str:
    """Return the prefix of the names of an output's staging folders."""
    return f".{name[:_SHOWN]}{SIGN}"


def token_of(entry: str, name: str) -> str | None:
    """Return the random part (token) of the name `entry` if it is the name of a staging folder of the output `name`, else None."""
    token = entry.removeprefix(prefix_for(name))
    return token if token != entry and _TOKEN.fullmatch(token) else None


def after_stop(there: bool, staged: Collection[str]) -> Next:
    """Return the action that completes an output whose process was interrupted: make its listed moves, move `new` into place, or nothing.

    Args:
        there: True if the output exists.
        staged: names in the staging folder.
    """
    if COMMIT in staged:
        return Next.MOVE
    return Next.PLACE if half_swapped(staged) and not there else Next.NOTHING


def half_swapped(staged: Collection[str]) -> bool:
    """Return True if a staging folder has both `new` and `old`, so that the output is missing; it must then not be removed."""
    return {NEW, OLD} <= set(staged)


def clearing(names: Iterable[str]) -> list[str]:
    """Return the names in a staging folder in order of removal, the owner record last."""
    return sorted(names, key=lambda name: name == OWNER)


def check_ended(mark: Mark | None, gone: bool | None, place: str, folder: str, busy: Busy = busy_place) -> None:
    """Raise OutputError if the process that owns a staging folder is alive (`gone` False), or if that is unknown (`gone` None)."""
    if gone is None:
        raise OutputError(
            "{} was writing {}, and this machine cannot find out whether that process still runs: if it has ended, "
            "delete {}",
            mark,
            place,
            folder,
        )
    if not gone:
        raise OutputError(busy(str(mark) if mark else Message("a process"), place))
