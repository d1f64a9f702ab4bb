"""Moves: renames of files from a command's staging folder into its target folder, listed in the file `commit` once the command has decided
on them.

The list has the names of the files; the next command after an interruption makes the remaining moves. The list may come from anybody,
so all names are checked before a file is moved, and files are moved from one opened folder to another.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Sequence, Set
from pathlib import Path

from quchong.errors import OutputError, RunError
from quchong.languages import Message
from quchong.outputs.beneath import is_plain_name, opened_folder, parts_of_name
from quchong.outputs.disk import sync_folder
from quchong.outputs.private_folder import CHECKED, OwnFolder
from quchong.outputs.protocol import COMMIT, NEW

Moves = Callable[[str], bool]
"""Is this a name that the command writes?"""
_MOST_BYTES = 1 << 28
"""Bytes of a list that is read: a million names take less."""


def write_moves(own: OwnFolder, names: Sequence[str]) -> None:
    """Write the list of moves durably into a staging folder, which commits the moves."""
    own.remove(f"{COMMIT}.new")
    with own.open(f"{COMMIT}.new", "xb") as file:
        content = memoryview(json.dumps(names).encode())
        while content:
            content = content[os.write(file.fileno(), content) :]
        os.fsync(file.fileno())
    own.rename(f"{COMMIT}.new", COMMIT)


def make_moves(own: OwnFolder, base: Path, moves: Moves | None) -> None:
    """Move the listed files from a staging folder into `base`, unless already moved; files of the same name are replaced.

    Args:
        own: the staging folder.
        base: the folder they go to.
        moves: which names are of the command's own; None for a command that decides on no moves.

    Raises:
        OutputError: the list is damaged, names what the command does not write, leaves out a staged file, or leads through a link.
            Nothing was moved.
        OSError: as the file system has it.
    """
    names = [(name, parts_of_name(name)) for name in _read_names(own, moves)]
    if not CHECKED:
        _make_by_path(own.path / NEW, base, [name for name, _ in names])
        return
    try:
        with opened_folder(own.descriptor, (NEW,)) as new, opened_folder(base) as target:
            left = [parts for _, parts in names if _is_left(new, parts, own)]
            _check_all_listed(new, {parts for _, parts in names}, own)
            _check_goals(target, left)
            for *above, name in left:
                inside = tuple(above)
                with opened_folder(new, inside) as source, opened_folder(target, inside, make=True) as goal:
                    os.replace(name, name, src_dir_fd=source, dst_dir_fd=goal)
    except FileNotFoundError:
        if NEW in own.names():
            raise
        return  # all were moved
    except RunError as error:
        raise OutputError("{}; nothing is stored in this folder: delete {}", error, own.path) from error
    for folder in {base.joinpath(*parts[:-1]) for parts in left}:
        sync_folder(folder)


def _check_goals(target: int, left: Sequence[tuple[str, ...]]) -> None:
    """Raise RunError if a target of a move is a folder, or is below a link or file.

    Called before the first move, because after an error between moves the list and the staged files would have to be kept.
    """
    for *above, name in left:
        inside = tuple(above)
        with opened_folder(target, inside, make=True) as goal, contextlib.suppress(FileNotFoundError):
            if stat.S_ISDIR(os.stat(name, dir_fd=goal, follow_symlinks=False).st_mode):
                raise RunError("{} is a folder", "/".join([*inside, name]))


def _read_names(own: OwnFolder, moves: Moves | None) -> list[str]:
    """Read the names in the list of moves of a staging folder.

    Raises:
        OutputError: it is no list of names, or one of them is not the command's own.
    """
    try:
        with own.open(COMMIT) as file:
            size = os.fstat(file.fileno()).st_size
            found = json.loads(file.read(min(size, _MOST_BYTES)))
    except (ValueError, RecursionError, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise _unlike(own, error) from error
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise _unlike(own, Message("not a list of file names"))
    seen: set[str] = set()
    for name in found:
        if name in seen:
            raise _unlike(own, Message("{!r} is listed twice", name))
        seen.add(name)
        if not is_plain_name(name) or moves is None or not moves(name):
            raise _unlike(own, Message("this command does not write a file {!r}", name))
    return found


def _unlike(own: OwnFolder, why: Exception | Message) -> OutputError:
    """Return the error that a list of moves in the staging folder `own` was not written by quchong, with the fault `why`."""
    return OutputError(
        "{} differs from what quchong writes ({}), so no file is moved: delete {}", own.path / COMMIT, why, own.path
    )


def _check_all_listed(new: int, names: Set[tuple[str, ...]], own: OwnFolder) -> None:
    """Raise OutputError if a file in the folder `new` is not in the list of moves, because it would be lost.

    Args:
        new: descriptor of the folder `new`.
        names: parts of the listed names.
        own: the staging folder, for the message.

    Raises:
        OutputError: a staged file is not listed; names it.
    """
    folders = {parts[:depth] for parts in names for depth in range(len(parts))}
    for folder in sorted(folders | {()}):
        with contextlib.suppress(FileNotFoundError), opened_folder(new, folder) as opened:
            for name in sorted(os.listdir(opened)):  # noqa: PTH208 - a descriptor
                if (*folder, name) not in names and (*folder, name) not in folders:
                    raise _unlike(own, Message("{!r} is not listed", "/".join((*folder, name))))


def _is_left(new: int, parts: tuple[str, ...], own: OwnFolder) -> bool:
    """Return True if a listed file is still in the folder `new` (a descriptor) and must be moved.

    Raises:
        OutputError: the entry is not a regular file.
    """
    try:
        with opened_folder(new, parts[:-1]) as above:
            mode = os.stat(parts[-1], dir_fd=above, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise OutputError(
            "{} is not a regular file, so no file is moved: delete {}", Path(own.path, NEW, *parts), own.path
        )
    return True


def _make_by_path(new: Path, base: Path, names: Sequence[str]) -> None:
    """Move the listed files from the folder `new` into `base` by their paths, on systems where a folder cannot be opened."""
    for name in names:
        if (new / name).is_file():
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).replace(base / name)
