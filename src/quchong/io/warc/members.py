"""Decompression of the members of a WARC one at a time: gzip members, zstd and lz4 frames."""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO, Protocol

import pyarrow as pa

from quchong.languages import Message

PIECE = 1 << 16
_WINDOW = 1 << 20

PACKINGS = {".gz": "gzip", ".zst": "zstd", ".lz4": "lz4"}
MARK = b"WARC/"
MAGIC = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f\xfd", "lz4": b"\x04\x22\x4d\x18"}
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""First bytes of a WARC that contains a zstd dictionary."""


class Damage(Exception):
    """Error: bytes cannot be decompressed; the message is the reason, for people."""


class Unread(Exception):
    """Error: the compression of a file cannot be read at all; the message is the reason."""


class Member(Protocol):
    """Compressed member of a file, read forward; `end` is the offset of its end, known when `read` has returned no bytes."""

    end: int

    @property
    def at(self) -> int:
        """Offset up to which the file is read."""
        ...

    def read(self, size: int) -> bytes:
        """Return at most `size` decompressed bytes; none at the end of the member.

        Raises:
            Damage: the bytes cannot be decompressed, or the file ends before the member does
        """
        ...

    def skip(self, size: int) -> int:
        """Skip at most `size` decompressed bytes, and return how many were skipped."""
        ...


class PlainMember:
    """Rest of an uncompressed file as one member."""

    def __init__(self, file: BinaryIO, at: int, size: int) -> None:
        self._file, self.at, self.end = file, at, size

    def read(self, size: int) -> bytes:
        """Return at most `size` decompressed bytes; none at the end of the member (see Member)."""
        self._file.seek(self.at)
        piece = self._file.read(size)
        self.at += len(piece)
        return piece

    def skip(self, size: int) -> int:
        """Skip at most `size` decompressed bytes, and return how many were skipped; see Member."""
        step = min(size, self.end - self.at)
        self.at += step
        return step


class Gzip:
    """Gzip member, whose checksum is checked at its end."""

    def __init__(self, file: BinaryIO, at: int) -> None:
        self._file, self.at = file, at
        self._unpack = zlib.decompressobj(31)
        self._waiting = b""
        self.end = at

    def read(self, size: int) -> bytes:
        """Return at most `size` decompressed bytes; none at the end of the member (see Member)."""
        while not self._unpack.eof:
            piece = self._waiting
            if not piece:
                self._file.seek(self.at)
                piece = self._file.read(PIECE)
                self.at += len(piece)
                if not piece:
                    raise Damage(Message("the file ends inside a gzip member: it is incomplete, so get the file again"))
            try:
                out = self._unpack.decompress(piece, size)
            except zlib.error as error:
                raise Damage(f"damaged gzip: {str(error).split(': ')[-1]}") from error
            self._waiting = self._unpack.unconsumed_tail
            if self._unpack.eof:
                self.end = self.at - len(self._unpack.unused_data)
            if out:
                return out
        return b""

    def skip(self, size: int) -> int:
        """Skip at most `size` decompressed bytes, and return how many were skipped; see Member."""
        return len(self.read(min(size, _WINDOW)))


class _Slice(io.RawIOBase):
    """File object over a byte range of another file."""

    def __init__(self, file: BinaryIO, at: int, end: int) -> None:
        super().__init__()
        self._file, self.at, self._end = file, at, end

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        self._file.seek(self.at)
        most = self._end - self.at
        piece = self._file.read(most if size < 0 else min(size, most))
        self.at += len(piece)
        return piece


class Framed:
    """Zstd or lz4 frame; its end is found from the sizes of its blocks, and Arrow decompresses it."""

    def __init__(self, file: BinaryIO, at: int, packing: str) -> None:
        self.end = (_zstd_end if packing == "zstd" else _lz4_end)(file, at)
        self._slice = _Slice(file, at, self.end)
        self._bytes = pa.CompressedInputStream(pa.PythonFile(self._slice, mode="r"), packing)

    @property
    def at(self) -> int:
        """Offset up to which the file is read."""
        return self._slice.at

    def read(self, size: int) -> bytes:
        """Return at most `size` decompressed bytes; none at the end of the member (see Member)."""
        try:
            out: bytes = self._bytes.read(size)
        except (OSError, pa.ArrowException) as error:
            raise Damage(f"damaged frame: {error}") from error
        return out

    def skip(self, size: int) -> int:
        """Skip at most `size` decompressed bytes, and return how many were skipped; see Member."""
        return len(self.read(min(size, _WINDOW)))


def _exactly(file: BinaryIO, size: int) -> bytes:
    found = file.read(size)
    if len(found) < size:
        raise Damage(Message("the file ends inside a compressed frame: it is incomplete, so get the file again"))
    return found


def _zstd_end(file: BinaryIO, at: int) -> int:
    """Return the end offset of the zstd frame that begins at `at` (RFC 8878, section 3.1.1)."""
    file.seek(at + 4)
    about = _exactly(file, 1)[0]
    single = about >> 5 & 1
    sizes = ((single, 2, 4, 8)[about >> 6], (0, 1, 2, 4)[about & 3])
    place = at + 5 + (1 - single) + sum(sizes)
    while True:
        file.seek(place)
        head = int.from_bytes(_exactly(file, 3), "little")
        place += 3 + (1 if head >> 1 & 3 == 1 else head >> 3)
        if head & 1:
            break
    return _checked_offset(file, place + (4 if about >> 2 & 1 else 0))


def _lz4_end(file: BinaryIO, at: int) -> int:
    """Return the end offset of the lz4 frame that begins at `at` (LZ4 Frame Format 1.6)."""
    file.seek(at + 4)
    about = _exactly(file, 1)[0]
    place = at + 7 + (8 if about >> 3 & 1 else 0) + (4 if about & 1 else 0)
    while True:
        file.seek(place)
        size = int.from_bytes(_exactly(file, 4), "little") & 0x7FFFFFFF
        place += 4
        if not size:
            return _checked_offset(file, place + (4 if about >> 2 & 1 else 0))
        place += size + (4 if about >> 4 & 1 else 0)


def _checked_offset(file: BinaryIO, place: int) -> int:
    if place > file.seek(0, io.SEEK_END):
        raise Damage(Message("the file ends inside a compressed frame: it is incomplete, so get the file again"))
    return place
