"""Input files on disk: opening, digests, and checks that a file has not changed since it was read."""

from __future__ import annotations

import hashlib
import io
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputChanged, InputError, Param, reason_of, shell_word
from quchong.outputs import open_beneath

DIGEST_BYTES = 16


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors of reading `path` within the context to an InputError that names the file and a remedy."""
    try:
        yield
    except PermissionError as error:
        raise InputError("{}: no permission to read it; change its mode or run as its owner", path) from error
    except FileNotFoundError as error:
        raise InputError("{}: no such file; check the spelling", path) from error
    except IsADirectoryError as error:
        raise InputError(
            "{} is a folder, not a file; pass the files in it, e.g. {}", path, shell_word(f"{path}/*")
        ) from error
    except (OSError, EOFError, UnicodeDecodeError, pa.ArrowException) as error:  # names that are not UTF-8
        raise InputError(
            "{} cannot be read: {}; is it whole, and what its suffix says? name the format with {}",
            path,
            reason_of(error),
            Param("format", "FORMAT"),
        ) from error


class _Tap(io.RawIOBase):
    """File that passes each piece of bytes that it reads to the function `look`."""

    def __init__(self, file: io.RawIOBase, look: Callable[[bytes], None]) -> None:
        super().__init__()
        self._file, self._look = file, look

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        piece = self._file.read(size)
        assert piece is not None, "regular files never block"
        self._look(piece)
        return piece

    def close(self) -> None:
        self._file.close()
        super().close()


class DiskFile:
    """Input file with its bytes, its stamp (size and modification time) and its digest.

    The digest is computed by a thread while the first pass reads, so that it costs a second core rather than a second read. After a
    pass that stops early, `fingerprint` reads the file once more for it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int] | None = None
        self._digest: str | None = None
        self._pending: Future[str] | None = None
        self._unwanted: threading.Event | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes with the finished digest and without the thread that computes it."""
        taken = self._pending.result() if self._pending else self._digest
        return self.__dict__ | {"_digest": taken, "_pending": None, "_unwanted": None}

    def stamp_and_digest(self) -> tuple[tuple[int, int] | None, str | None]:
        """Return the stamp and the digest from the first pass, for `restore`; waits for a digest that is being computed."""
        return self._stamp, self._pending.result() if self._pending else self._digest

    def restore(self, found: tuple[tuple[int, int] | None, str | None]) -> None:
        """Set the stamp and the digest that another process found, with which the file is compared from now on."""
        self.end_digest()
        self._stamp, self._digest = found

    @classmethod
    def from_path(cls, file: Path | DiskFile) -> DiskFile:
        """Return the file at a path; a DiskFile is returned unchanged."""
        return file if isinstance(file, DiskFile) else cls(file)

    def raw(self) -> io.FileIO:
        """Open the file unbuffered; every read begins here or with `native`. The caller closes it.

        Raises:
            OSError: as the file system has it.
        """
        return io.FileIO(self.path)

    def native(self) -> pa.NativeFile:
        """Open the file for Arrow. The caller closes it.

        Raises:
            OSError: as the file system has it.
        """
        return pa.OSFile(os.fsencode(self.path))

    def file_status(self) -> os.stat_result:
        """Return size, times and kind of the file.

        Raises:
            OSError: as the file system has it.
        """
        return self.path.stat()

    def _now(self) -> tuple[int, int]:
        with reading(self.path):
            stat = self.file_status()
        return stat.st_size, stat.st_mtime_ns

    def remember(self) -> None:
        """Store the size and modification time of the file now, with which `check` compares it; the digest is dropped."""
        self.end_digest()
        self._stamp, self._digest = self._now(), None

    def check(self) -> None:
        """Raise InputChanged if the file has changed since `remember`; the first call without `remember` stores its state."""
        if self._stamp is None:
            self.remember()
        try:
            now = self._now()
        except InputError as error:
            raise InputChanged("{} was there for the first pass and is gone; run again", self.path) from error
        if now != self._stamp:
            raise InputChanged(
                "{} changed between the two passes over it; run again when nothing writes to it", self.path
            )

    def open(self, digest: bool = False) -> io.RawIOBase:
        """Open the file; with `digest` its bytes are hashed while they are read. The caller closes it."""
        if not digest:
            return _Tap(self.raw(), lambda piece: None)
        state, pool = hashlib.blake2b(digest_size=DIGEST_BYTES), ThreadPoolExecutor(1, "quchong-digest")
        last: Future[None] | None = None
        ended = False

        def look(piece: bytes) -> None:
            nonlocal last, ended
            if last is not None:
                last.result()  # one piece in flight bounds the memory
            if piece:
                last = pool.submit(state.update, piece)
            elif not ended:
                ended, self._pending = True, pool.submit(state.hexdigest)
                pool.shutdown(wait=False)

        return _Tap(self.raw(), look)

    def start_digest(self) -> None:
        """Start a thread that hashes the whole file, for readers that do not read it in order."""
        pool = ThreadPoolExecutor(1, "quchong-digest")
        self._unwanted = threading.Event()
        self._pending = pool.submit(self._hash, self._unwanted)
        pool.shutdown(wait=False)

    def end_digest(self) -> None:
        """Stop the thread that hashes the file, after a pass that stopped early, because the digest is not needed."""
        if self._unwanted is not None:
            self._unwanted.set()
        self._unwanted = self._pending = None

    def _hash(self, unwanted: threading.Event | None = None) -> str:
        state, piece = hashlib.blake2b(digest_size=DIGEST_BYTES), memoryview(bytearray(1 << 20))
        with reading(self.path), self.raw() as file:
            while (count := file.readinto(piece)) and not (unwanted is not None and unwanted.is_set()):
                state.update(piece[:count])
        return state.hexdigest()

    def fingerprint(self, name: str) -> dict[str, object]:
        """Return `name`, `bytes` and `blake2b`; waits for a digest that is being computed, or computes it."""
        if self._stamp is None:
            self.remember()
        if self._digest is None:
            self._digest = self._hash() if self._pending is None else self._pending.result()
        assert self._stamp is not None
        return {"name": name, "bytes": self._stamp[0], "blake2b": self._digest}


class FileBeneath(DiskFile):
    """Regular file beneath an untrusted folder, such as a run folder; it is opened without following links.

    See `quchong.outputs.open_beneath`.

    Args:
        folder: as the user named it.
        name: of the file, plain and relative, with forward slashes.
    """

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(folder / name)
        self._folder, self._name = folder, name

    def raw(self) -> io.FileIO:
        """See `DiskFile.raw`.

        Raises:
            RunError: it is a link, or no regular file.
        """
        return io.FileIO(open_beneath(self._folder, self._name))

    def native(self) -> pa.NativeFile:
        """See `DiskFile.native`; raises as `raw`."""
        return pa.PythonFile(self.raw(), mode="r")

    def file_status(self) -> os.stat_result:
        """See `DiskFile.file_status`; raises as `raw`."""
        with self.raw() as file:
            return os.fstat(file.fileno())
