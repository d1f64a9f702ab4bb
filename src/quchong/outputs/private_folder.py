"""Folders of this user alone, and files in them, opened so that no other user can replace them.

A folder for work or staging has a name that others can guess, and may be in a folder that others may write. Owner and mode are
therefore read from the opened folder, never from its path. Files in it are opened relative to the opened folder without following
links, so the path cannot be changed between check and use.

Windows has none of these calls: there a folder is reached by its path, and who may write it is left to the system.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from pathlib import Path
from typing import BinaryIO, cast

from quchong.errors import OutputError


class NotOwn(OutputError):
    """A folder that is not this user's alone.

    Attributes:
        why: "owner" (it is another user's), "mode" (others may write it) or "link" (it is a link, or no folder).
    """

    def __init__(self, why: str, template: str, *values: object) -> None:
        super().__init__(template, *values)
        self.why = why


CHECKED = os.name == "posix" and os.open in os.supports_dir_fd
"""True where the platform opens folders, and files beneath an opened folder."""
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_MODES = {"rb": os.O_RDONLY, "xb": os.O_WRONLY | os.O_CREAT | os.O_EXCL, "r+b": os.O_RDWR}


def open_own_folder(path: Path) -> int:
    """Open an existing folder that belongs to this user and that nobody else may write; return its descriptor.

    Root is treated as any other user: it opens only its own folders.

    Args:
        path: path of the folder. Its last part must be no link; the folders above may be links.

    Returns:
        The descriptor, which the caller must close; -1 if the platform opens no folders (Windows), and nothing was checked.

    Raises:
        FileNotFoundError: the folder does not exist.
        NotOwn: it is a link or no folder, belongs to another user, or others may write it; the message has a remedy.
        OSError: an error of the file system.
    """
    folder = open_folder(path)
    if folder < 0:
        return folder
    try:
        check_own(path, folder)
    except BaseException:
        os.close(folder)
        raise
    return folder


def check_own(path: Path, folder: int) -> None:
    """Raise NotOwn if an opened folder is another user's, or others may write it.

    Args:
        path: its path, for the message.
        folder: its descriptor; nothing is checked on a platform that opens no folders.
    """
    if not CHECKED:
        return
    about = os.fstat(folder)
    _check_owner(path, about)
    if about.st_mode & _OTHERS:
        raise NotOwn(
            "mode",
            "{} may be written by other users (mode {}), so what is in it may be theirs: delete it, or, if you know that it is "
            "all yours, take their right away with: chmod go-w",
            path,
            f"{stat.S_IMODE(about.st_mode):04o}",
        )


def make_own_folder(path: Path) -> int:
    """Make a folder of mode 0700, open it and return its descriptor, as `open_own_folder` does; missing folders above are made.

    Raises:
        FileExistsError: the path exists.
        OutputError: another user replaced the folder after it was made.
        OSError: an error of the file system.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700)
    if not CHECKED:
        return -1
    folder = os.open(path, os.O_RDONLY | _FOLDER)
    try:
        _check_owner(path, os.fstat(folder))
        if os.fstat(folder).st_mode & _OTHERS:  # not the one that was made, or a file system that keeps no modes
            os.fchmod(folder, 0o700)
        if os.listdir(folder):  # noqa: PTH208 - by descriptor
            raise _others(path)
    except BaseException:
        os.close(folder)
        raise
    return folder


def open_folder(path: Path) -> int:
    """Open a folder of any user for reading, and return its descriptor; its last part must be no link.

    Raises:
        FileNotFoundError: the folder does not exist.
        OutputError: the path is a link or no folder.
        OSError: an error of the file system.
    """
    if not CHECKED:
        if not path.is_dir() or path.is_symlink():
            path.lstat()  # raises where there is nothing
            raise _no_folder(path)
        return -1
    try:
        return os.open(path, os.O_RDONLY | _FOLDER)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK} and os.path.lexists(path):
            raise _no_folder(path) from error
        raise


def open_own_file(folder: int, path: Path, mode: str = "rb", permissions: int = 0o600) -> BinaryIO:
    """Open a regular file in an opened folder without following a link.

    Args:
        folder: descriptor of the folder, from `open_own_folder`; -1 opens by path alone.
        path: path of the file; only its last part is looked up, in `folder`.
        mode: "rb"; "r+b", to lock or change an existing file; "xb", to write a new one.
        permissions: permissions of a new file, less the umask.

    Raises:
        OSError: there is no such file; errno ELOOP or EINVAL: it is a link or no regular file; other errors of the file system.
    """
    beneath = folder >= 0
    if not beneath and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    descriptor = os.open(
        path.name if beneath else path, _MODES[mode] | _FILE, permissions, dir_fd=folder if beneath else None
    )
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file", str(path))
        return cast("BinaryIO", os.fdopen(descriptor, "wb" if mode == "xb" else mode))
    except BaseException:
        os.close(descriptor)
        raise


class OwnFolder:
    """Opened folder of this user alone, with the operations on its files.

    Args:
        path: path of the folder, for messages and for platforms that open no folders.
        descriptor: descriptor from `open_own_folder` or `make_own_folder`; closed with this object.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self.descriptor = path, descriptor
        self._closed = weakref.finalize(self, os.close, descriptor) if descriptor >= 0 else None

    @classmethod
    def open_path(cls, path: Path) -> OwnFolder:
        """Open the folder, see `open_own_folder`."""
        return cls(path, open_own_folder(path))

    @classmethod
    def made(cls, path: Path) -> OwnFolder:
        """Make and open the folder, see `make_own_folder`."""
        return cls(path, make_own_folder(path))

    def close(self) -> None:
        """Close the folder; files opened in it stay open."""
        if self._closed is not None:
            self._closed()

    def names(self) -> list[str]:
        """Return the names of all entries of the folder, sorted."""
        return sorted(os.listdir(self.path if self.descriptor < 0 else self.descriptor))  # noqa: PTH208 - by descriptor

    def open(self, name: str, mode: str = "rb", permissions: int = 0o600) -> BinaryIO:
        """Open a file, see `open_own_file`."""
        return open_own_file(self.descriptor, self.path / _entry_name(name), mode, permissions)

    def remove(self, name: str) -> None:
        """Remove a file, or a link itself, if it is there."""
        try:
            if self.descriptor < 0:
                (self.path / _entry_name(name)).unlink()
            else:
                os.unlink(_entry_name(name), dir_fd=self.descriptor)
        except FileNotFoundError:
            pass

    def rename(self, name: str, new: str) -> None:
        """Rename a file; an existing file of that name is replaced."""
        if self.descriptor < 0:
            (self.path / _entry_name(name)).replace(self.path / _entry_name(new))
        else:
            beneath = self.descriptor
            os.replace(_entry_name(name), _entry_name(new), src_dir_fd=beneath, dst_dir_fd=beneath)

    def link(self, name: str, new: str) -> None:
        """Give a file a second name.

        Raises:
            FileExistsError: something has that name.
            OSError: as the file system has it, which may know no second names.
        """
        if self.descriptor < 0:
            os.link(self.path / _entry_name(name), self.path / _entry_name(new))
        else:
            beneath = self.descriptor
            os.link(_entry_name(name), _entry_name(new), src_dir_fd=beneath, dst_dir_fd=beneath, follow_symlinks=False)


def _entry_name(name: str) -> str:
    """Return the name if it is the name of an entry of a folder and not a path.

    Raises:
        ValueError: the name is a path, or empty.
    """
    if name in {"", os.curdir, os.pardir} or "/" in name or "\0" in name or os.path.basename(name) != name:  # noqa: PTH119
        raise ValueError(f"{name!r} is no name of a file in a folder")
    return name


def _check_owner(path: Path, about: os.stat_result) -> None:
    """Raise OutputError if the opened folder belongs to another user."""
    if about.st_uid != os.geteuid():
        raise _others(path)


def _others(path: Path) -> NotOwn:
    return NotOwn(
        "owner", "{} is another user's, and is not used: delete it, or choose another place for the output", path
    )


def _no_folder(path: Path) -> NotOwn:
    return NotOwn(
        "link", "{} is a link, or no folder, and is not used: delete it, or choose another place for the output", path
    )
