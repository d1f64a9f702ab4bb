"""The steps of staging, the same on every file system: its names, and what whoever comes next makes of what a stop left.

Beside a place PARENT/NAME a hidden folder PARENT/.NAME.quchong-TOKEN holds `owner`, the mark of the process; `new`, what is being
written; and for a moment `old`, what `new` replaces:

    new is whole  ->  PARENT/NAME becomes old  ->  new becomes PARENT/NAME  ->  the folder goes, its mark last

Local disks (`quchong.outputs.staging`) add locks and what must reach the disk; the file systems Spark reaches
(`quchong.engines.spark.folder`) have neither, and know a process by its mark alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from enum import Enum

from quchong.errors import OutputError
from quchong.languages import Message
from quchong.outputs.owner import Mark

SIGN = ".quchong-"
OWNER, NEW, OLD, COMMIT = "owner", "new", "old", "commit"
Busy = Callable[[str, str], Message]
"""What is said of a place that another process is writing: of its owner, and the place."""


def busy_place(owner: str, place: str) -> Message:
    """What is said of the place of an output."""
    return Message("another run ({}) is writing {}: wait for it, or choose another place", owner, place)


_TOKEN = re.compile("[0-9a-f]{8}")
_SHOWN = 50
"""A staging folder is named after its output, by so many characters: at four bytes each the name still fits a file system."""


class Next(Enum):
    """What is to be done with a staging folder whose process has ended, before it goes."""

    MOVE = "make the moves that were decided"
    PLACE = "new takes the place"
    NOTHING = "nothing has happened, or all has"


def prefix_for(name: str) -> str:
    """How the names of staging folders of a place begin."""
    return f".{name[:_SHOWN]}{SIGN}"


def token_of(entry: str, name: str) -> str | None:
    """The token in the name of a staging folder of this place; None for any other entry beside it."""
    token = entry.removeprefix(prefix_for(name))
    return token if token != entry and _TOKEN.fullmatch(token) else None


def after_stop(there: bool, staged: Collection[str]) -> Next:
    """What a stop left to be done.

    Args:
        there: something stands at the place.
        staged: names in the staging folder.
    """
    if COMMIT in staged:
        return Next.MOVE
    return Next.PLACE if half_swapped(staged) and not there else Next.NOTHING


def half_swapped(staged: Collection[str]) -> bool:
    """Are the old and the new both staged? Then one of them has lost its place, and the folder must not go."""
    return {NEW, OLD} <= set(staged)


def clearing(names: Iterable[str]) -> list[str]:
    """In which order a staging folder is cleared: its mark last, so that what a stop leaves of it is known for what it is."""
    return sorted(names, key=lambda name: name == OWNER)


def check_ended(mark: Mark | None, gone: bool | None, place: str, folder: str, busy: Busy = busy_place) -> None:
    """Raises OutputError where the process of a staging folder lives, or nobody here can tell (None)."""
    if gone is None:
        raise OutputError(
            "{} was writing {}, and this machine cannot tell whether it still is: if it is not, delete {}",
            mark,
            place,
            folder,
        )
    if not gone:
        raise OutputError(busy(str(mark) if mark else Message("a process"), place))
