"""Why a file outside of a run folder is not read: it is gone, or it is refused for what it is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from quchong.errors import RunError
from quchong.languages import Message

_KINDS = (
    (stat.S_ISDIR, Message("the path is a folder")),
    (stat.S_ISFIFO, Message("the path is a pipe")),
    (stat.S_ISSOCK, Message("the path is a socket")),
    (stat.S_ISCHR, Message("the path is a device")),
    (stat.S_ISBLK, Message("the path is a device")),
)


def stat_outside(path: Path, name: str, folder: Path) -> os.stat_result:
    """Return the file status of a path outside the run folder that run.json names.

    Args:
        path: of a file or folder; links are followed.
        name: what messages call it: pages are passed on, and hold no path of this machine.
        folder: of the run.

    Raises:
        RunError: nothing is there, or it is refused; says which.
    """
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise refused(name, folder, Message("the path is a broken link")) from error
        raise RunError("{}, from which {} was made, no longer exists: run again", name, folder) from error
    except OSError as error:
        raise refused(name, folder, error.strerror or str(error)) from error
    except ValueError as error:
        raise refused(name, folder, Message("a file cannot have this name")) from error


def check_regular_outside(path: Path, name: str, folder: Path) -> None:
    """Check that a path that a run folder names is that of a regular file, or of a link to one.

    Raises:
        RunError: as `stat_outside`; or it is something else.
    """
    mode = stat_outside(path, name, folder).st_mode
    if not stat.S_ISREG(mode):
        raise refused(name, folder, kind_of(mode))


def kind_of(mode: int) -> Message:
    """Return the kind of a file that is not regular, in words for a message."""
    return next((words for is_kind, words in _KINDS if is_kind(mode)), Message("the path is not a regular file"))


def refused(name: str, folder: Path, why: str) -> RunError:
    """Return the error about a file that a run folder names and that is not read, with the reason."""
    return RunError("{}, from which {} was made, is not read: {}", name, folder, why)
