"""Checks that what a user named as a file is one before it is opened: a pipe that nobody writes waits for ever, a device may never end."""

from __future__ import annotations

import os
import stat

from quchong.errors import InputError


def check_regular(path: str | os.PathLike[str], *, pipes: bool = False) -> None:
    """Raise an error unless the path leads to a regular file; links are followed. What is missing or a folder is left to who opens it.

    Args:
        path: as the user named it.
        pipes: allow a pipe too, as of `<(...)`, for what is read once from its beginning to its end.

    Raises:
        InputError: a pipe, a device or a socket; names it.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - str or path
    except (OSError, ValueError):
        return
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or (pipes and stat.S_ISFIFO(mode)):
        return
    raise InputError("{} is not opened, because it is a pipe, a device or a socket: name a regular file", path)
