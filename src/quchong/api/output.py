"""Check of parameters that need an output folder."""

from __future__ import annotations

from quchong.errors import Param, UsageError


def only_with_out(**given: bool) -> None:
    """Refuse parameters of writing in a call that writes nothing; each name maps to whether it was given.

    Raises:
        UsageError: a parameter was given; the message names the first.
    """
    for name, was in given.items():
        if was:
            raise UsageError("{} needs a place to write to: name it with {}", Param(name), Param("out"))
