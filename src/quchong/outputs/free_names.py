"""Names for folders that a message suggests: free ones, and those that are there already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

_MOST = 1000


def free_name(stem: str, start: str = "") -> str:
    """Return a name at which nothing is yet: the stem, or the stem and a number, with / at the end.

    >>> free_name("a-name-that-nothing-has")
    'a-name-that-nothing-has/'
    """
    return f"{next((name for name in _names(stem, start) if not Path(name).exists()), Path(start, stem))}/"


def free_file(path: Path) -> str:
    """Return a name beside a file at which nothing is yet: its stem with a number, and its suffix.

    >>> free_file(Path("a-name-that-nothing-has.csv"))
    'a-name-that-nothing-has2.csv'
    """
    names = (path.with_name(f"{path.stem}{number}{path.suffix}") for number in range(2, _MOST))
    return str(next((name for name in names if not os.path.lexists(name)), path))


def name_that_is(stem: str, holds: Callable[[Path], bool]) -> str | None:
    """Return the first of the names that `free_name` passes over whose folder `holds` accepts, with / at the end; None without one."""
    for name in _names(stem, ""):
        if not Path(name).exists():
            return None
        if holds(Path(name)):
            return f"{name}/"
    return None


def _names(stem: str, start: str) -> Iterator[str]:
    return (str(Path(start, stem if number == 1 else f"{stem}{number}")) for number in range(1, _MOST))
