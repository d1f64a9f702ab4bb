"""Files on other machines: states, ranges of bytes, and blocks that are read before they are asked for."""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from quchong.io.files.addresses import RemotePath
from quchong.io.files.port import FileState, Location
from quchong.io.files.stores import CutShort, StoreError, open_store, store_call
from quchong.languages import Message

WINDOW = 64 << 20
"""Most bytes that are read ahead, over all files of a call."""
_BLOCK = 4 << 20
_READERS = 8
_SMALL = 1 << 16
_SMALL_TOTAL = 16 << 20
_BEGINNING = 1 << 10
_VERSIONS = (
    "ETag", "etag", "md5", "Content-MD5", "content_md5", "blob_id", "version_id", "VersionId", "generation", "LastModified",
    "Last-Modified", "last_modified", "mtime", "updated", "created", "time",
)  # fmt: skip
"""Properties of a file in fsspec of which each that is there is part of its version."""

_window: ContextVar[int] = ContextVar("window", default=WINDOW)


@contextmanager
def reading_ahead(most: int) -> Iterator[None]:
    """Limit read-ahead inside the block to `most` bytes per file, and at most WINDOW."""
    before = _window.set(max(min(most, WINDOW), 1 << 20))
    try:
        yield
    finally:
        _window.reset(before)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_READERS, "quchong-remote")


class _SmallReads:
    """Cache of small byte ranges, such as Parquet footers; the oldest are dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...]) -> bytes | None:
        """Return the cached bytes of a range; None if it is not cached."""
        with self._lock:
            return self._kept.get(key)

    def store_range(self, key: tuple[Any, ...], value: bytes) -> None:
        """Store the bytes of a range in the cache."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = value
                self._bytes += len(value)
            while self._bytes > _SMALL_TOTAL:
                self._bytes -= len(self._kept.popitem(last=False)[1])


_small = _SmallReads()


class RemoteFile(Location):
    """File or folder on another machine, read by ranges; a failed request is repeated.

    Args:
        address: shown address, see `addresses.shown_address`.
        about: properties of the file as the store listed them; None to ask for them.

    Attributes:
        sequence: the files that are read one after another with this one, see `ReadAhead`.
    """

    def __init__(self, address: str, about: Mapping[str, Any] | None = None) -> None:
        self.path: Path = RemotePath(address)
        self.address = address
        self.files, self.name = open_store(address)
        self._listed = None if about is None else _state(about)
        self._last: FileState | None = self._listed
        self._about = dict(about or {})
        self._handles: list[Any] = []
        self.sequence: ReadAhead | None = None
        self.window = _window.get()
        self._direct: bool | None = None  # whether ranges are read by `direct_ranges`; None: not known yet

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_handles": [], "sequence": None}

    def info(self) -> dict[str, Any]:
        """Return the properties of the file as fsspec gives them, asked for now."""
        return dict(store_call(self._ask))

    def _ask(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.files.info(self.name)
        return found

    def state(self) -> FileState:
        """See Location; the version is a number made of the ETag, digests and times that the store gives."""
        if self._listed is not None:  # asked for a moment ago, by the list
            found, self._listed = self._listed, None
            return found
        self._about = self.info()
        self._last = _state(self._about)
        return self._last

    @property
    def last_state(self) -> FileState:
        """State of the file as it was last requested."""
        return self._last or self.state()

    def by_ranges(self) -> bool:
        """Return True if the file can be read by ranges and has a known size; otherwise it must be copied to be read twice."""
        about = self._about or self.info()
        if about.get("size") is None or about.get("partial") is False:
            return False
        return not self.address.lower().startswith("http") or about["size"] < 2 or store_call(self._answers_ranges)

    def _answers_ranges(self) -> bool:
        """Ask a web server for its second byte, and read no more if it sends the whole file."""
        with self.files.open(self.name, "rb", block_size=1 << 16, cache_type="none", size=self._about["size"]) as file:
            file.seek(1)
            try:
                found = file.read(1)
            except ValueError:  # by which fsspec says so
                return False
            if not found:
                raise CutShort(0, 1)
            return True

    def is_page(self) -> bool:
        """Return True if a web server says that it sends a web page (text/html), and the bytes begin as one."""
        about = self._about or self.info()
        if not str(about.get("mimetype") or "").lower().startswith("text/html"):
            return False

        def beginning() -> bytes:
            with self.files.open(self.name, "rb", block_size=0) as file:
                return bytes(file.read(_BEGINNING))

        return store_call(beginning).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")

    def fetch(self, start: int, size: int) -> bytes:
        """Return `size` bytes from `start`; the end of the file cuts them.

        Raises:
            StoreError: see `Retries.call`
        """
        size = min(size, self.last_state.size - start)
        if size <= 0:
            return b""
        key = (self.address, self.last_state.version, start, size)
        if (kept := _small.get(key)) is not None:
            return kept
        found = store_call(lambda: self._range(start, size))
        if size <= _SMALL:
            _small.store_range(key, found)
        return found

    def _range(self, start: int, size: int) -> bytes:
        if size > _SMALL and self._direct is not False:
            # Its HTTP client and event loop take a tenth of the start of a run, most of which read no store.
            from quchong.io.files.direct_ranges import direct_range, may_be_direct

            self._direct = may_be_direct(self.files) if self._direct is None else self._direct
            whole = direct_range(self.files, self.name, start, size) if self._direct else None
            if whole is not None:
                return whole
            self._direct = False
        if hasattr(self.files, "_cat_file"):
            found = self.files.cat_file(self.name, start=start, end=start + size)
        else:
            handle = self._handles.pop() if self._handles else self.files.open(self.name, "rb", cache_type="none")
            handle.seek(start)
            found = handle.read(size)
            self._handles.append(handle)
        if len(found) != size:
            raise CutShort(len(found), size)
        return bytes(found)

    def open(self) -> io.RawIOBase:
        """See Location; reading from the beginning on reads ahead."""
        return RemoteReader(self)

    def native(self) -> pa.NativeFile:
        """Open the file for Arrow, for reading; see Location."""
        return pa.PythonFile(RemoteReader(self, ahead=False), mode="r")

    def open_stream(self) -> BinaryIO:
        """See Location. The file is fetched to a temporary file first, again from the beginning if the connection fails."""

        def fetch() -> BinaryIO:
            size = (self._about or self.info()).get("size")
            copy = tempfile.TemporaryFile(prefix="quchong-")  # noqa: SIM115 - the caller closes it
            try:
                with self.files.open(
                    self.name, "rb", **({"block_size": 0} if self.address.startswith("http") else {})
                ) as content:
                    shutil.copyfileobj(content, copy, 1 << 20)
                if size is not None and size != copy.tell():
                    raise CutShort(copy.tell(), size)
            except BaseException:
                copy.close()
                raise
            copy.seek(0)
            return cast("BinaryIO", copy)

        return store_call(fetch)

    def quick_digest(self) -> str | None:
        """See Location: a digest of the size and version that the store gives."""
        state = self.last_state
        words = f"{state.size} {state.version}".encode()
        return "version-" + hashlib.blake2b(words, digest_size=12).hexdigest() if state.version else None

    def below(self, recursive: bool) -> Iterator[Location]:
        """Yield the files of a folder, without hidden ones; see Location."""
        yield from self.list_files(f"{self.name.rstrip('/')}/", recursive)

    def list_files(self, folder: str, recursive: bool, hidden: bool = False) -> Iterator[RemoteFile]:
        """Yield the files of a folder of the store, by its name there; with `hidden` also those whose names begin with a dot."""
        found = store_call(lambda: self.files.find(folder, maxdepth=None if recursive else 1, detail=True))
        for name, about in sorted(found.items()):
            parts = name[len(folder) :].split("/")
            if (
                about.get("type") == "file"
                and parts != [""]
                and (hidden or not any(part.startswith(".") for part in parts))
            ):
                yield self.sibling(name, about)

    def sibling(self, name: str, about: Mapping[str, Any]) -> RemoteFile:
        """Return another file of the same store, by its name there."""
        begin = self.address.split("://", 1)[0]
        address = name if "://" in name else f"{begin}://{name.lstrip('/')}"
        if begin.lower() in ("sftp", "ssh"):
            address = f"{begin}://{self.address.split('://', 1)[1].split('/', 1)[0]}/{name.lstrip('/')}"
        return RemoteFile(address, about)

    def create(self, append: bool = False) -> io.RawIOBase:
        """Raise StoreError: runs are made on this machine and sent whole."""
        raise StoreError(Message("this address does not allow files to be written one by one"))

    def create_native(self) -> pa.NativeFile:
        """Raise StoreError, see `create`."""
        raise StoreError(Message("this address does not allow files to be written one by one"))


def _state(about: Mapping[str, Any]) -> FileState:
    told = [f"{name}={about[name]}" for name in _VERSIONS if about.get(name) is not None]
    version = int.from_bytes(hashlib.blake2b("\n".join(told).encode(), digest_size=7).digest(), "big") if told else 0
    is_file = about.get("type", "file") == "file"
    return FileState(int(about.get("size") or 0), version, is_file, about.get("type") == "directory")


class ReadAhead:
    """Reader of files in order that fetches the blocks after the requested one in advance, also those of following files.

    Args:
        files: in the order in which they are read.
        window: most bytes that are read ahead.
    """

    def __init__(self, files: list[RemoteFile], window: int) -> None:
        self._files, self._window = files, window
        self._block = min(_BLOCK, max(window // 4, 1 << 18))
        self._places = {id(file): place for place, file in enumerate(files)}
        self._waiting: dict[tuple[int, int], Future[bytes]] = {}
        self._lock = threading.Lock()

    def read(self, file: RemoteFile, offset: int) -> bytes:
        """Return the bytes from `offset` to the end of its block; empty at the end of the file."""
        at = self._places[id(file)], offset // self._block
        with self._lock:
            wanted = self._plan(*at)
            for key in [key for key in self._waiting if key not in wanted]:
                self._waiting.pop(key).cancel()
            for key in wanted:
                if key not in self._waiting:
                    self._waiting[key] = _pool().submit(self._files[key[0]].fetch, key[1] * self._block, self._block)
            found = self._waiting.get(at)
        return b"" if found is None else found.result()[offset - at[1] * self._block :]

    def window_bytes(self) -> int:
        """Return the number of bytes of blocks that are being fetched or wait to be read."""
        sizes = {number: file.last_state.size for number, file in enumerate(self._files)}
        with self._lock:
            return sum(min(self._block, sizes[number] - block * self._block) for number, block in self._waiting)

    def clear(self) -> None:
        """Drop the fetched blocks that nobody asked for."""
        with self._lock:
            for one in self._waiting.values():
                one.cancel()
            self._waiting.clear()

    def _plan(self, place: int, block: int) -> list[tuple[int, int]]:
        """Return the blocks from this one on that the window of fetched blocks has room for."""
        plan: list[tuple[int, int]] = []
        left = self._window
        for number in range(place, len(self._files)):
            size = self._files[number].last_state.size
            while block * self._block < size:
                left -= min(self._block, size - block * self._block)
                if left < 0 and plan:
                    return plan
                plan.append((number, block))
                block += 1
            block = 0
            if len(plan) >= 4 * _READERS:
                break
        return plan


class RemoteReader(io.RawIOBase):
    """Reader of a remote file; with `ahead` it fetches the following bytes in advance."""

    def __init__(self, file: RemoteFile, ahead: bool = True) -> None:
        super().__init__()
        self._file, self._at = file, 0
        self._ahead = (file.sequence or ReadAhead([file], file.window)) if ahead else None
        self._begun = False
        self._part, self._part_at = b"", 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move to an offset and return it."""
        base = (0, self._at, self._file.last_state.size)[whence]
        self._at = max(base + offset, 0)
        return self._at

    def size(self) -> int:
        """Return the bytes of the file."""
        return self._file.last_state.size

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, fewer than `size` only at the end of the file."""
        size = min(size if size >= 0 else self._file.last_state.size, max(self._file.last_state.size - self._at, 0))
        if self._ahead is None or (not self._begun and size < _SMALL):
            found = self._file.fetch(self._at, size)
            self._at += len(found)
            return found
        self._begun = True
        pieces: list[bytes] = []
        while size > 0:
            start = self._at - self._part_at
            if not 0 <= start < len(self._part):
                self._part, self._part_at, start = self._ahead.read(self._file, self._at), self._at, 0
            piece = self._part[start : start + size]
            if not piece:
                break
            pieces.append(piece)
            size -= len(piece)
            self._at += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def readinto(self, buffer: Any, /) -> int:
        """Read into a buffer and return the number of bytes."""
        view = memoryview(buffer).cast("B")
        found = self.read(len(view))
        view[: len(found)] = found
        return len(found)

    def close(self) -> None:
        """Close the reader; what was read ahead is dropped if the file was not read to its end."""
        if not self.closed and self._ahead is not None and self._begun and self._at < self._file.last_state.size:
            self._ahead.clear()
        self._part = b""
        super().close()


def prefetch_beginnings(files: list[RemoteFile]) -> None:
    """Fetch the first bytes of non-empty remote files, several at once; an error is raised when the file is read."""

    def begin(file: RemoteFile) -> None:
        with suppress(OSError):
            file.fetch(0, 8)

    list(_pool().map(begin, files))
