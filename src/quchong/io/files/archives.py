"""Members of zip and tar archives as files, read through the location of the archive."""

from __future__ import annotations

import io
import shutil
import tarfile
import tempfile
import threading
import weakref
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from quchong.errors import InputError
from quchong.io.files.addresses import RemotePath, full_address, path_of
from quchong.io.files.port import FileState, Location, ReadOnlyFile
from quchong.io.files.stores import StoreError
from quchong.languages import Message
from quchong.outputs import spell_path

ZIP, TAR = "zip", "tar"
_SUFFIXES = {
    ".zip": ZIP, ".tar": TAR, ".tar.gz": TAR, ".tgz": TAR, ".tar.bz2": TAR, ".tbz2": TAR, ".tar.xz": TAR, ".txz": TAR,
}  # fmt: skip
_MOST_MEMBERS = 1_000_000


def archive_kind(name: str) -> str | None:
    """Return the kind of an archive by its name, None for other files.

    >>> archive_kind("corpus.tar.gz"), archive_kind("book.xlsx")
    ('tar', None)
    """
    return next((kind for suffix, kind in _SUFFIXES.items() if name.lower().endswith(suffix)), None)


def is_member(address: str) -> bool:
    """Return True for the address of a member of an archive, such as zip://a.jsonl::corpus.zip."""
    return address.lower().startswith((f"{ZIP}://", f"{TAR}://"))


class Archive:
    """Archive that is open for reading, with its regular members by name.

    A compressed tar archive is unpacked to a temporary file once, because its members can be read in their order only. An archive that
    can itself be read from the beginning to the end only, as from a web server without ranges, is copied to a temporary file once.
    """

    def __init__(self, outer: Location, kind: str) -> None:
        self.outer, self.stamp, self._lock = outer, outer.state(), threading.Lock()
        self._zip: zipfile.ZipFile | None = None
        self._tar: io.BufferedReader | None = None
        self.members: dict[str, Any] = {}
        file: Any = io.BufferedReader(outer.open(), 1 << 20) if outer.by_ranges() else outer.open_stream()
        self.close = weakref.finalize(self, _close, (file,))
        try:
            if kind == ZIP:
                self._zip = zipfile.ZipFile(file)
                found: dict[str, Any] = {one.filename: one for one in self._zip.infolist() if not one.is_dir()}
            else:
                self._tar = _uncompressed(file, outer.path.name.lower())
                self.close = weakref.finalize(self, _close, (file, self._tar))
                with tarfile.open(fileobj=self._tar, mode="r:") as listed:
                    found = {one.name.removeprefix("./"): one for one in listed if one.isreg() and one.sparse is None}
        except (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError) as error:
            self.close()
            raise InputError(
                "{} cannot be read as an archive: {}; check that it is complete", outer.path, str(error)
            ) from error
        if len(found) > _MOST_MEMBERS:
            raise InputError(
                "{} contains {:,} files, more than the {:,} that can be read: unpack it",
                outer.path,
                len(found),
                _MOST_MEMBERS,
            )
        self.members = found

    def open(self, name: str) -> io.RawIOBase:
        """Open a member for reading; seeking backwards reads the member again from its beginning.

        Raises:
            FileNotFoundError: no regular file of that name is in the archive.
            StoreError: it is encrypted or packed in an unknown way.
        """
        about = self.members.get(name)
        if about is None:
            raise FileNotFoundError(name)
        if self._zip is None:
            return _Slice(cast("io.BufferedReader", self._tar), about.offset_data, about.size, self._lock)
        if about.flag_bits & 1:
            raise StoreError(Message("the archive is encrypted: unpack it first"))
        try:
            return cast("io.RawIOBase", _ZipMember(self._zip.open(about)))
        except (NotImplementedError, zipfile.BadZipFile) as error:
            raise StoreError(Message("{}: unpack the archive", str(error))) from error

    def state_of(self, name: str) -> FileState:
        """Return the state of a member: it changes with the archive.

        Raises:
            FileNotFoundError: no regular file of that name is in the archive.
        """
        if (about := self.members.get(name)) is None:
            raise FileNotFoundError(name)
        now = self.outer.state()
        size = about.file_size if self._zip is not None else about.size
        return FileState(size, now.version ^ (now.size << 1), True, False)


def _close(files: tuple[io.IOBase, ...]) -> None:
    for file in files:
        file.close()


def _uncompressed(file: Any, name: str) -> io.BufferedReader:
    """Return a tar archive without its compression."""
    if name.endswith(".tar"):
        return cast("io.BufferedReader", file)
    import bz2
    import gzip
    import lzma

    kinds: dict[str, Callable[[Any], Any]] = {"gz": gzip.GzipFile, "z2": bz2.BZ2File, "xz": lzma.LZMAFile}
    unpacked = tempfile.TemporaryFile(prefix="quchong-")  # noqa: SIM115 - lives as long as the archive
    try:
        packed = kinds.get(name[-2:], gzip.GzipFile)
        with gzip.GzipFile(fileobj=file) if packed is gzip.GzipFile else packed(file) as content:
            shutil.copyfileobj(content, unpacked, 1 << 20)
    except lzma.LZMAError as error:
        raise InputError("{} cannot be read as an archive: {}; check that it is complete", name, str(error)) from error
    unpacked.seek(0)
    return cast("io.BufferedReader", unpacked)


class _Raw(io.RawIOBase):
    """Base class of readers of a member: `readinto` by `read`."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer).cast("B")
        found = self.read(len(view)) or b""
        view[: len(found)] = found
        return len(found)


class _ZipMember(_Raw):
    """Member of a zip archive; damaged data is an OSError."""

    def __init__(self, member: Any) -> None:
        super().__init__()
        self._member = member

    def read(self, size: int = -1, /) -> bytes:
        try:
            found: bytes = self._member.read(None if size < 0 else size)
        except (zipfile.BadZipFile, EOFError) as error:
            raise OSError(str(error)) from error
        except Exception as error:  # of the codec, each of which has its own
            if isinstance(error, OSError):
                raise
            raise OSError(f"{type(error).__name__}: {error}") from error
        return found

    def tell(self) -> int:
        return int(self._member.tell())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return int(self._member.seek(offset, whence))

    def close(self) -> None:
        self._member.close()
        super().close()


class _Slice(_Raw):
    """Member of a tar archive: a range of its file."""

    def __init__(self, file: io.BufferedReader, start: int, size: int, lock: threading.Lock) -> None:
        super().__init__()
        self._file, self._start, self._size, self._lock, self._at = file, start, size, lock, 0

    def read(self, size: int = -1, /) -> bytes:
        left = max(self._size - self._at, 0)
        with self._lock:
            self._file.seek(self._start + self._at)
            found = self._file.read(left if size < 0 else min(size, left))
        self._at += len(found)
        if not found and left and size:
            raise OSError("the archive ends within this file")
        return found

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = max((0, self._at, self._size)[whence] + offset, 0)
        return self._at


class Member(ReadOnlyFile):
    """Regular file in an archive. It is never written, and nothing is unpacked under a name that the archive gives.

    Args:
        address: such as zip://a.jsonl::s3://bucket/corpus.zip.
        archive: function that returns the open archive.
        name: of the member.

    Attributes:
        name: of the member in the archive.
    """

    def __init__(self, address: str, archive: Callable[[], Archive], name: str) -> None:
        self.path: Path = RemotePath(address)
        self._archive, self.name = archive, name

    def state(self) -> FileState:
        """Return the state of the file or folder now; see Location."""
        return self._archive().state_of(self.name)

    def open(self) -> io.RawIOBase:
        """Open the file for reading, unbuffered; see Location."""
        return self._archive().open(self.name)


class Archives:
    """Open archives of this process, each once for each version of its file.

    Args:
        locate: function that returns the location of a path, which may be an archive in an archive.
    """

    def __init__(self, locate: Callable[[Path], Location]) -> None:
        self._locate = locate
        self._open: weakref.WeakValueDictionary[str, Archive] = weakref.WeakValueDictionary()
        self._lock = threading.RLock()

    def open(self, place: Path, kind: str) -> Archive:
        """Return the archive at a path."""
        key = f"{kind} {place}"
        with self._lock:
            found = self._open.get(key)
            if found is not None and _same(found.stamp, found.outer.state()):
                return found
            made = Archive(self._locate(place), kind)
            self._open[key] = made
            return made

    def member(self, address: str) -> Member:
        """Return the member of an archive that an address names.

        Raises:
            InputError: the address names no archive.
        """
        inner, sign, outer = full_address(address).partition("::")
        kind, _, name = inner.partition("://")
        if not sign or not outer or not name:
            raise InputError(
                "{}: after the name of the member, write the name of the archive, such as {}",
                address,
                f"{kind}://{name or 'a.jsonl'}::corpus.{kind}",
            )
        place = path_of(outer)
        archive: list[Archive] = []

        def open_archive() -> Archive:
            if not archive:
                archive.append(self.open(place, kind.lower()))
            return archive[0]

        return Member(address, open_archive, name)

    def members(self, place: Path, kind: str) -> Iterator[Member]:
        """Yield the members of an archive in the order of their names, without hidden ones."""
        archive = self.open(place, kind)
        for name in sorted(archive.members):
            if not any(part.startswith((".", "__MACOSX")) for part in name.split("/")):
                yield Member(f"{kind}://{spell_path(name)}::{place}", lambda: archive, name)


def _same(one: FileState, other: FileState) -> bool:
    return (one.size, one.version) == (other.size, other.version)
