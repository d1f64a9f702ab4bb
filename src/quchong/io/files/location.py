"""Locations of files and folders: the kinds behind the port `Location`, of which `location_of` chooses one for a path."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from quchong.io.files.addresses import address_of
from quchong.io.files.archives import Archives, is_member
from quchong.io.files.port import FileState as FileState
from quchong.io.files.port import Location as Location
from quchong.io.files.port import ReadOnlyFile
from quchong.io.files.remote_file import RemoteFile
from quchong.outputs import open_beneath


class LocalFile(Location):
    """Location on the local disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def state(self) -> FileState:
        """Return the state of the file or folder now; see Location."""
        return _state_of(self.path.stat())

    def open(self) -> io.RawIOBase:
        """Open the file for reading, unbuffered; see Location."""
        return io.FileIO(self.path)

    def native(self) -> pa.NativeFile:
        """Open the file for Arrow, for reading; see Location."""
        return pa.OSFile(os.fsencode(self.path))

    def below(self, recursive: bool) -> Iterator[Location]:
        """See Location; links to files are followed, links to folders are not."""

        def refuse(error: OSError) -> None:
            raise error

        for base, folders, names in os.walk(self.path, onerror=refuse):
            folders[:] = [name for name in folders if recursive and not name.startswith(".")]
            yield from (LocalFile(Path(base, name)) for name in names if not name.startswith("."))

    def create(self, append: bool = False) -> io.RawIOBase:
        """Open the file for writing, unbuffered; see Location."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return io.FileIO(self.path, "ab" if append else "wb")

    def create_native(self) -> pa.NativeFile:
        """Open the file for writing by Arrow; see Location."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return pa.OSFile(os.fsencode(self.path), "wb")


class FileBeneath(ReadOnlyFile, LocalFile):
    """Regular file beneath an untrusted folder, such as a run folder; it is opened without following links, and never written.

    See `quchong.outputs.open_beneath`.

    Args:
        folder: as the user named it.
        name: of the file, plain and relative, with forward slashes.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder / name)
        self._folder, self._name = folder, name

    def state(self) -> FileState:
        """See Location; raises as `open`."""
        with self.open() as file:
            return _state_of(os.fstat(file.fileno()))

    def open(self) -> io.RawIOBase:
        """Open the file for reading, unbuffered; see Location.

        Raises:
            RunError: it is a link, or no regular file.
        """
        return io.FileIO(open_beneath(self._folder, self._name))


def location_of(place: Path | Location) -> Location:
    """Return the location of a path; a Location is returned unchanged.

    A path that stands for an address is a file of another machine or a member of an archive.

    Raises:
        InputError: what the address needs is not installed.
    """
    if isinstance(place, Location):
        return place
    if (address := address_of(place)) is None:
        return LocalFile(place)
    return ARCHIVES.member(address) if is_member(address) else RemoteFile(address)


ARCHIVES = Archives(location_of)
"""Archives that this process has opened."""


def _state_of(about: os.stat_result) -> FileState:
    is_file, is_folder = stat.S_ISREG(about.st_mode), stat.S_ISDIR(about.st_mode)
    return FileState(about.st_size, about.st_mtime_ns, is_file, is_folder, (about.st_dev, about.st_ino))
