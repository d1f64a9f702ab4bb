"""What the functions that may write have in common."""

from __future__ import annotations

from quchong.errors import Param, UsageError


def only_with_out(**given: bool) -> None:
    """Refuses parameters that say how to write where nothing is written: each with whether it was given.

    Raises:
        UsageError: names the first that was.
    """
    for name, was in given.items():
        if was:
            raise UsageError("{} needs a place to write to: name it with {}", Param(name), Param("out"))
