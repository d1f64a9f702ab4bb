"""Files of segments: packed postings with a sum of every block, written durably, mapped and never changed. Layout: docs/index-format.md."""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from quchong.engines.index.columns import ColumnSums
from quchong.errors import reason_of
from quchong.kernels.segments import SegmentInfo, segment_info
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.work.value_parts import Damaged

MARK = b"quchong segment 1\n".ljust(64, b"\0")
"""First bytes of every file: format and version. Numbers are little-endian."""
BLOCK = 1 << 16
"""Bytes of the packed postings that have one CRC-32."""
SUFFIX = ".segment"
_DIGEST = 16
_TAIL = 8


class SegmentRecord(NamedTuple):
    """Entry of a segment in the catalogue.

    Attributes:
        name: name of the file.
        first: number of its first document. documents: number of its documents, those deleted included.
        bytes: size of the file.
        digest: BLAKE2b of 16 bytes, in hexadecimal, of all of the file but the packed postings: of their sums, that is.
    """

    name: str
    first: int
    documents: int
    bytes: int
    digest: str

    @property
    def end(self) -> int:
        """Number after that of the last document."""
        return self.first + self.documents


class Segment(NamedTuple):
    """Opened segment: its record, the mapped postings (uint8), and the checksums of its columns and blocks."""

    record: SegmentRecord
    packed: np.ndarray
    info: SegmentInfo
    columns: tuple[ColumnSums, ...]
    sums: np.ndarray


class Damage(NamedTuple):
    """Damaged part of an index: the name of the file and the byte range; the whole file if the range is unknown."""

    name: str
    start: int
    end: int


def write_segment(folder: OwnFolder, name: str, pieces: Iterable[np.ndarray], columns: Sequence[ColumnSums]) -> Segment:
    """Write a segment durably under a hidden name, rename it, and return it opened.

    Args:
        pieces: packed postings, uint8, in pieces of any length.
        columns: sums of the rows of its documents.

    Raises:
        OSError: there is no room, or no permission; nothing is left.
    """
    part = f".{name}.part"
    folder.remove(part)
    try:
        with folder.open(part, "xb") as file:
            size, digest = _write(file, pieces, columns)
            os.fsync(file.fileno())
        folder.rename(part, name)
    except BaseException:  # a full disk has no room for what is of no use
        folder.remove(part)
        raise
    sync_names(folder)
    return _read(folder, name, size, digest)


def _write(file: BinaryIO, pieces: Iterable[np.ndarray], columns: Sequence[ColumnSums]) -> tuple[int, str]:
    """Write the parts of a segment to a file; return its size and digest."""
    digest = hashlib.blake2b(MARK, digest_size=_DIGEST)
    file.write(MARK)
    sums: list[int] = []
    packed = filled = 0
    for piece in pieces:
        file.write(piece.data)
        packed += len(piece)
        start = 0
        while start < len(piece):  # a block may begin in one piece and end in another
            end = min(len(piece), start + BLOCK - filled)
            if filled:
                sums[-1] = zlib.crc32(piece[start:end].data, sums[-1])
            else:
                sums.append(zlib.crc32(piece[start:end].data))
            filled = (filled + end - start) % BLOCK
            start = end
    about = json.dumps({"packed": packed, "columns": columns}, separators=(",", ":")).encode()
    for data in (np.array(sums, "<u4").tobytes(), about, len(about).to_bytes(_TAIL, "little")):
        file.write(data)
        digest.update(data)
    file.flush()
    return file.tell(), digest.hexdigest()


def sync_names(folder: OwnFolder) -> None:
    """Flush the names of a folder to the disk; on Windows the system does so by itself."""
    if folder.descriptor >= 0:
        os.fsync(folder.descriptor)


def open_segment(folder: OwnFolder, record: SegmentRecord) -> Segment:
    """Map a segment. Cost: independent of its size but for the sums of blocks, 4 bytes for every 64 KiB.

    Raises:
        Damaged: the file is not that of the record, or is incomplete; packed postings are not read (`damaged_blocks`).
        OSError: the file cannot be read, or is a link or no regular file.
    """
    made = _read(folder, record.name, record.bytes, record.digest)
    if (made.info.first, made.info.documents) != (record.first, record.documents):
        raise Damaged(Message("{} does not have the documents that the catalogue lists", record.name))
    return made


def _read(folder: OwnFolder, name: str, size: int, digest: str) -> Segment:
    with folder.open(name) as file:
        if os.fstat(file.fileno()).st_size != size or size < len(MARK) + _TAIL:
            raise Damaged(Message("{} is incomplete", name))
        mapped = np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ), np.uint8)
    try:
        packed, columns, sums = _checked_parts(mapped, digest)
        info = segment_info(packed)
    except Exception as error:  # of whatever the values of a damaged file lead to
        raise Damaged(Message("{} cannot be read: {}", name, reason_of(error))) from error
    return Segment(SegmentRecord(name, info.first, info.documents, size, digest), packed, info, columns, sums)


def _checked_parts(mapped: np.ndarray, digest: str) -> tuple[np.ndarray, tuple[ColumnSums, ...], np.ndarray]:
    """Return the packed postings, the sums of columns and those of blocks, after checking their digest."""
    end = len(mapped) - _TAIL
    start = end - int.from_bytes(mapped[end:].tobytes(), "little")
    if not len(MARK) <= start <= end:
        raise Damaged(Message("the end of the file is damaged"))
    about: Any = json.loads(mapped[start:end].tobytes())
    packed = about["packed"]
    if type(packed) is not int or not 0 <= packed <= start - len(MARK):
        raise Damaged(Message("the contents are damaged, or belong to another kind of file"))
    table = mapped[len(MARK) + packed : start]
    made = hashlib.blake2b(mapped[: len(MARK)].tobytes() + mapped[len(MARK) + packed :].tobytes(), digest_size=_DIGEST)
    if made.hexdigest() != digest or mapped[: len(MARK)].tobytes() != MARK:
        raise Damaged(Message("the file is not the one that was written"))
    if len(table) != 4 * -(-packed // BLOCK):
        raise Damaged(Message("the contents are damaged, or belong to another kind of file"))
    columns = tuple(ColumnSums(first, documents, tuple(sums)) for first, documents, sums in about["columns"])
    return mapped[len(MARK) : len(MARK) + packed], columns, np.frombuffer(table.tobytes(), "<u4")


def damaged_blocks(folder: OwnFolder, record: SegmentRecord) -> list[Damage]:
    """Return the damaged blocks of a segment; the whole file if its sums are damaged. Cost: reads the file once."""
    whole = [Damage(record.name, 0, record.bytes)]
    try:
        with folder.open(record.name) as file:
            size = os.fstat(file.fileno()).st_size
            if size != record.bytes:
                return whole
            mapped = np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ), np.uint8)
        packed, _, sums = _checked_parts(mapped, record.digest)
    except Exception:  # of whatever the values of a damaged file lead to
        return whole
    found = []
    for k, wanted in enumerate(sums.tolist()):
        block = packed[k * BLOCK : (k + 1) * BLOCK]
        if zlib.crc32(block.data) != wanted:
            start = len(MARK) + k * BLOCK
            found.append(Damage(record.name, start, start + len(block)))
    return found
