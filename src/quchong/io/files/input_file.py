"""Input files: digests, and checks that a file has not changed since it was read."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from quchong.errors import InputChanged, InputError, NoSuchFile, Param, Remedy, reason_of, shell_word
from quchong.io.files.location import Location, location_of
from quchong.io.files.similar_path import missing_advice
from quchong.io.files.stores import StoreError

DIGEST_BYTES = 16
Piece = tuple[int, int, str]
"""Offset of the first byte of a piece of a file, offset behind its last one, and digest of these bytes."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Convert errors of reading `path` within the context to an InputError that names the file and a remedy."""
    try:
        yield
    except StoreError as error:
        raise InputError("{}: {}", path, error.message) from None
    except PermissionError as error:
        raise InputError("{}: no permission to read it; change its mode or run as its owner", path) from error
    except FileNotFoundError:
        if str(path).startswith("~"):
            raise NoSuchFile("{}: no such file; ~ is not expanded here: write the full path", path) from None
        raise NoSuchFile("{}: no such file; {}", path, missing_advice(path)) from None
    except IsADirectoryError as error:
        raise InputError(
            "{} is a folder, not a file; give the files in it, such as {}", path, shell_word(f"{path}/*")
        ) from error
    except (OSError, EOFError, UnicodeDecodeError, pa.ArrowException) as error:  # names that are not UTF-8
        raise InputError(
            "{} cannot be read: {}; check that the file is complete and its suffix is right{}",
            path,
            reason_of(error),
            Remedy(", or name the format with {}", Param("format", "FORMAT")),
        ) from error


_HASHED = 1 << 20
"""Bytes that are read and hashed at once."""


def changed_bytes(path: Path) -> InputChanged:
    """Return the error about a file that has other bytes than those that another process has read, but the same size and time."""
    return InputChanged(
        "{} now has other contents, although its size and time are the same; read all parts again with {}",
        path,
        Param("fresh", True),
    )


class _Tap(io.RawIOBase):
    """File that passes each piece of bytes that it reads to the function `look`, an empty one at the end of the file."""

    def __init__(self, file: io.RawIOBase, look: Callable[[bytes], None]) -> None:
        super().__init__()
        self._file, self._look = file, look

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        piece = self._file.read(size)
        assert piece is not None, "regular files never block"
        if piece or size:  # nothing asked for is no end
            self._look(piece)
        return piece

    def close(self) -> None:
        self._file.close()
        super().close()


class InputFile:
    """Input file: a location with its stamp (size and version) and its digest, by which a change is noticed.

    The digest is computed by a thread while the first pass reads, so that it costs a second core rather than a second read. After a
    pass that stops early, `fingerprint` reads the file once more for it.
    """

    def __init__(self, place: Path | Location) -> None:
        self.location = location_of(place)
        self._stamp: tuple[int, int] | None = None
        self._digest: str | None = None
        self._pending: Future[str] | None = None
        self._pieces: Future[list[Piece]] | None = None
        self._unwanted: threading.Event | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes with the finished digest and without the thread that computes it."""
        taken = self._pending.result() if self._pending else self._digest
        return self.__dict__ | {"_digest": taken, "_pending": None, "_pieces": None, "_unwanted": None}

    def stamp_and_digest(self) -> tuple[tuple[int, int] | None, str | None]:
        """Return stamp and digest of the first pass, waiting for a digest that is being computed; see `restore`."""
        return self._stamp, self._pending.result() if self._pending else self._digest

    def restore(self, found: tuple[tuple[int, int] | None, str | None]) -> None:
        """Set stamp and digest found by another process, with which the file is compared from now on."""
        self.end_digest()
        self._stamp, self._digest = found

    @classmethod
    def from_path(cls, file: File) -> InputFile:
        """Return the file at a path or location; an InputFile is returned unchanged."""
        return file if isinstance(file, InputFile) else cls(file)

    @property
    def path(self) -> Path:
        """Path of the file, for messages and outputs."""
        return self.location.path

    def _now(self) -> tuple[int, int]:
        with reading(self.path):
            state = self.location.state()
        return state.size, state.version

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
            raise InputChanged("{} existed at the first reading, but no longer exists; run again", self.path) from error
        if now != self._stamp:
            raise InputChanged("{} changed while the run read it; run again when no program writes to it", self.path)

    def open(self, digest: bool = False) -> io.RawIOBase:
        """Open the file; with `digest` its bytes are hashed while they are read. The caller closes it."""
        if not digest:
            return _Tap(self.location.open(), lambda piece: None)
        state, pool = hashlib.blake2b(digest_size=DIGEST_BYTES), ThreadPoolExecutor(1, "quchong-digest")
        last: Future[None] | None = None
        ended = False

        def look(piece: bytes) -> None:
            nonlocal last, ended
            if ended:  # what is written after that is found by `check`
                return
            if last is not None:
                last.result()  # one piece in flight bounds the memory
            if piece:
                last = pool.submit(state.update, piece)
            else:
                ended, self._pending = True, pool.submit(state.hexdigest)
                pool.shutdown(wait=False)

        return _Tap(self.location.open(), look)

    def start_digest(self) -> None:
        """Start a thread that hashes the whole file, for readers that do not read it in order.

        Of a remote file the version that its store gives takes the place of the digest, because not all of its bytes are read.
        """
        if (version := self.location.quick_digest()) is not None:
            self._digest = version
            return
        pool = ThreadPoolExecutor(1, "quchong-digest")
        self._unwanted = threading.Event()
        self._pending = pool.submit(self._hash, self._unwanted)
        pool.shutdown(wait=False)

    def start_pieces(self, spans: Sequence[tuple[int, int]]) -> None:
        """Start a thread that hashes the given spans of the file separately, for readers that read nothing else."""
        if self.location.quick_digest() is None:
            pool = ThreadPoolExecutor(1, "quchong-digest")
            self._unwanted = threading.Event()
            self._pieces = pool.submit(self._hash_pieces, sorted(spans), self._unwanted)
            pool.shutdown(wait=False)

    def pieces(self) -> list[Piece]:
        """Return the hashed spans of `start_pieces`, waiting for them; empty if it was not called, or for a remote file."""
        return [] if self._pieces is None else self._pieces.result()

    def end_digest(self) -> None:
        """Stop the thread that hashes the file, because its digest is not needed."""
        if self._unwanted is not None:
            self._unwanted.set()
        self._unwanted = self._pending = self._pieces = None

    def _hash(self, unwanted: threading.Event | None = None) -> str:
        state, piece = hashlib.blake2b(digest_size=DIGEST_BYTES), memoryview(bytearray(_HASHED))
        with reading(self.path), self.location.open() as file:
            while (count := file.readinto(piece)) and not (unwanted is not None and unwanted.is_set()):
                state.update(piece[:count])
        return state.hexdigest()

    def _hash_pieces(self, spans: Sequence[tuple[int, int]], unwanted: threading.Event | None = None) -> list[Piece]:
        found: list[Piece] = []
        with reading(self.path), self.location.open() as file:
            for start, end in spans:
                state, at = hashlib.blake2b(digest_size=DIGEST_BYTES), start
                file.seek(start)
                while at < end and (piece := file.read(min(end - at, _HASHED))):
                    if unwanted is not None and unwanted.is_set():
                        return []
                    state.update(piece)
                    at += len(piece)
                found.append((start, end, state.hexdigest()))
        return found

    def check_bytes(self, digest: str | None, pieces: Sequence[Piece] = ()) -> None:
        """Raise InputChanged unless the file has this digest and these hashed spans; the file is read for that.

        Nothing is checked without a digest, nor of a remote file whose store gives a version, which the stamp has.
        """
        if digest is None or self.location.quick_digest() is not None:
            return
        self.check()
        wanted = sorted(pieces)
        if self._hash() != digest or self._hash_pieces([(start, end) for start, end, _ in wanted]) != wanted:
            raise changed_bytes(self.path)

    def fingerprint(self, name: str) -> dict[str, object]:
        """Return `name`, `bytes` and `blake2b`; waits for a digest that is being computed, or computes it."""
        if self._stamp is None:
            self.remember()
        if self._digest is None and self._pending is None:
            self._digest = self.location.quick_digest()
        if self._digest is None:
            self._digest = self._hash() if self._pending is None else self._pending.result()
        assert self._stamp is not None
        return {"name": name, "bytes": self._stamp[0], "blake2b": self._digest}


File = Path | Location | InputFile
"""File to read: its path, its location, or one that is being read."""
