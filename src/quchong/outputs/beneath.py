"""Files below a folder, opened step by step without following links.

Anybody may have made a run folder. The folder itself is opened by the path that the user named. Files below it are opened from the
opened folder, one part of the name after the other, and no step follows a link. A file is checked after it is opened, so that it
cannot be replaced between check and use.

Windows has none of these calls: there the parts of the name are checked before the file is opened.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from quchong.errors import RunError
from quchong.outputs.private_folder import CHECKED

_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _FLAGS | getattr(os, "O_DIRECTORY", 0)
_BENEATH = getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | _FLAGS | _BENEATH | getattr(os, "O_NONBLOCK", 0)
_HOLLOW = 1 << 28
"""Files with fewer bytes are read even if the disk stores few of them."""
_LINKS = {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}


def parts_of_name(name: str) -> tuple[str, ...]:
    """Return the parts of a plain relative name such as `kept/part-00000.jsonl`: no `..`, no `.`, nothing empty or absolute.

    Raises:
        ValueError: the name is not plain, or cannot be the name of a file.
    """
    parts = tuple(name.split("/"))
    try:
        os.fsencode(name)
    except UnicodeEncodeError as error:
        raise ValueError(f"{name!r} is no plain name of a file") from error
    dots = any(part in {"", os.curdir, os.pardir} for part in parts)
    if dots or "\0" in name or (os.name == "nt" and ("\\" in name or ":" in name)):
        raise ValueError(f"{name!r} is no plain name of a file")
    return parts


def is_plain_name(name: str) -> bool:
    """Return True if this is a plain relative name, see `parts_of_name`."""
    try:
        parts_of_name(name)
    except ValueError:
        return False
    return True


def open_beneath(folder: Path, name: str) -> int:
    """Open a regular file below a folder for reading; return its descriptor, which the caller must close.

    Args:
        folder: path of the folder as the user named it; may contain links.
        name: plain relative name, with forward slashes.

    Raises:
        RunError: the name is not plain, a part of it is a link, or the file is not regular; the message names it and a remedy.
        FileNotFoundError: there is no such file.
        OSError: an error of the file system.
    """
    parts = _name_parts(folder, name)
    if not CHECKED:
        return _open_looked_at(folder, parts)
    with opened_folder(folder, parts[:-1]) as above:
        try:
            descriptor = os.open(parts[-1], _FILE, dir_fd=above)
        except OSError as error:
            raise _refused_or(error, folder / name) from error
    try:
        # Check the opened file, not its path, which may have changed since.
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise _no_file(folder / name)
        if is_hollow(about):
            raise RunError(
                "the size of {} is {:,} bytes, but the file is almost empty, so no run wrote it",
                folder / name,
                about.st_size,
            )
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextlib.contextmanager
def opened_folder(folder: Path | int, parts: tuple[str, ...] = (), *, make: bool = False) -> Iterator[int]:
    """Open a folder, or one below it, during the block; yield its descriptor.

    Args:
        folder: a path, or the descriptor of an opened one, which stays open.
        parts: parts of the name of the folder below.
        make: if True, missing folders are made.

    Raises:
        RunError: a part is a link or a file.
        OSError: an error of the file system.
    """
    at = os.dup(folder) if isinstance(folder, int) else os.open(folder, _FOLDER)
    try:
        for depth, part in enumerate(parts, 1):
            try:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=at)
                inner = os.open(part, _FOLDER | _BENEATH, dir_fd=at)
            except OSError as error:
                above = PurePosixPath(*parts[:depth])
                raise _refused_or(error, above if isinstance(folder, int) else folder / above) from error
            os.close(at)
            at = inner
        yield at
    finally:
        os.close(at)


def is_hollow(about: os.stat_result) -> bool:
    """Return True if a file claims far more bytes than the disk stores (sparse, or in /proc), so that reading might not end.

    Files that a file system compresses are not meant.
    """
    held = getattr(about, "st_blocks", None)
    return held is not None and about.st_size > _HOLLOW and about.st_size > 1000 * 512 * held


def read_beneath(folder: Path, name: str, most: int) -> bytes:
    """Return the bytes of a file below a folder.

    Raises:
        RunError: as `open_beneath`, or the file has more than `most` bytes.
        OSError: an error of the file system.
    """
    with os.fdopen(open_beneath(folder, name), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= most:
            return file.read(size)
    raise RunError("{} has {:,} bytes, more than a run writes: restore a copy of it", folder / name, size)


def copy_beneath(folder: Path, new: Path, within: str = "") -> None:
    """Copy all files of a folder and its subfolders into an existing folder, except hidden ones.

    Raises:
        RunError: a file is a link, or not regular.
        OSError: an error of the file system.
    """
    for entry in names_beneath(folder, within):
        name = f"{within}/{entry}" if within else entry
        if entry.startswith("."):
            continue
        if is_folder_beneath(folder, name):
            (new / name).mkdir()
            copy_beneath(folder, new, name)
            continue
        with os.fdopen(open_beneath(folder, name), "rb") as source, (new / name).open("xb") as target:
            shutil.copyfileobj(source, target, 1 << 20)


def remove_beneath(folder: Path, name: str) -> None:
    """Remove a file below a folder; a link is removed itself.

    Raises:
        RunError: a folder on its path is a link.
        OSError: the file does not exist, or cannot be removed.
    """
    parts = _name_parts(folder, name)
    if not CHECKED:
        _check_ways(folder, parts[:-1])
        folder.joinpath(*parts).unlink()
        return
    with opened_folder(folder, parts[:-1]) as above:
        os.unlink(parts[-1], dir_fd=above)


def stands_beneath(folder: Path, name: str) -> bool:
    """Return True if anything named `name` exists below a folder; False if a part of the path is no folder."""
    return _mode(folder, name) is not None


def is_folder_beneath(folder: Path, name: str) -> bool:
    """Return True if `name`, a path relative to `folder`, is a folder; False if it is missing or a link, or behind a link."""
    mode = _mode(folder, name)
    return mode is not None and stat.S_ISDIR(mode)


def is_file_beneath(folder: Path, name: str) -> bool:
    """Return True if the name is a regular file below a folder, and no link."""
    mode = _mode(folder, name)
    return mode is not None and stat.S_ISREG(mode)


def names_beneath(folder: Path, name: str) -> list[str]:
    """Return the sorted names of the entries of a folder below a folder, or of itself (""); empty if it does not exist.

    Raises:
        RunError: the folder, or a folder on its path, is a link.
    """
    parts = _name_parts(folder, name) if name else ()
    try:
        if not CHECKED:
            _check_ways(folder, parts)
            return sorted(entry.name for entry in folder.joinpath(*parts).iterdir())
        with opened_folder(folder, parts) as opened:
            return sorted(os.listdir(opened))  # noqa: PTH208 - by descriptor
    except OSError:
        return []


def _mode(folder: Path, name: str) -> int | None:
    """Return the mode of an entry below a folder without following links, or None if it does not exist."""
    try:
        parts = _name_parts(folder, name)
        if not CHECKED:
            _check_ways(folder, parts[:-1])
            return folder.joinpath(*parts).lstat().st_mode
        with opened_folder(folder, parts[:-1]) as above:
            return os.stat(parts[-1], dir_fd=above, follow_symlinks=False).st_mode
    except (OSError, ValueError, RunError):
        return None


def _name_parts(folder: Path, name: str) -> tuple[str, ...]:
    try:
        return parts_of_name(name)
    except ValueError as error:
        raise RunError("{} names a file outside its folder, {!r}, so no run wrote it", folder, name) from error


def _open_looked_at(folder: Path, parts: tuple[str, ...]) -> int:
    """Open a file on a platform that cannot open folders; its path is checked before."""
    _check_ways(folder, parts)
    path = folder.joinpath(*parts)
    if not path.is_file():
        path.lstat()  # raises where there is nothing
        raise _no_file(path)
    return os.open(path, _FILE)


def _check_ways(folder: Path, parts: tuple[str, ...]) -> None:
    for depth in range(1, len(parts) + 1):
        if (place := folder.joinpath(*parts[:depth])).is_symlink():
            raise _no_file(place)


def _refused_or(error: OSError, path: Path | PurePosixPath) -> Exception:
    """Return the exception for an entry that cannot be opened: RunError for a link or device, else the error itself."""
    if error.errno in _LINKS or error.errno in {
        errno.ENXIO,
        errno.ENODEV,
    }:  # a link, a socket, a device that is not there
        return _no_file(path)
    return error


def _no_file(path: Path | PurePosixPath) -> RunError:
    return RunError(
        "{} is not opened, because it is a link, or not a regular file: the files of a run must be in its folder", path
    )
