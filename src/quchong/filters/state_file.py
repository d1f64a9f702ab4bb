"""State files of filters: versioned, checksummed, written atomically.

Layout, all numbers little endian: 8 bytes `QCFILTER`; uint32 version; uint32 length of the header; the header, JSON
with kind, settings, numbers and the type and length of each section; the sections, arrays one after another; blake2b
of 128 bits over all before it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from quchong.errors import InputError, OutputError, Param, reason_of
from quchong.languages import Message
from quchong.outputs import check_regular, staged_file

MAGIC = b"QCFILTER"
VERSION = 1
_DIGEST = 16
_MAX_HEADER = 1 << 20
_TYPES = ("<u8", "<u4")


@dataclass(frozen=True, slots=True)
class State:
    """State of a filter: its kind, its parameters, a few numbers, and arrays of uint64 or uint32."""

    kind: str
    settings: dict[str, Any]
    numbers: dict[str, Any]
    sections: Sequence[np.ndarray]


def write_state(state: State, path: str | os.PathLike[str], *, of_index: bool = False) -> None:
    """Write a state atomically: to a temporary file, flushed and then renamed; `of_index` as of `quchong.outputs.staged_file`.

    Raises:
        OutputError: the place cannot be written, or a file of that name is no state.
    """
    arrays = [np.ascontiguousarray(a, a.dtype.newbyteorder("<")) for a in state.sections]
    header = json.dumps(
        {
            "kind": state.kind,
            "settings": state.settings,
            "numbers": state.numbers,
            "sections": [[a.dtype.str, len(a)] for a in arrays],
        },
        sort_keys=True,
    ).encode()
    _check_replaceable(Path(path))
    remedy = Message("make room or give another place")
    with staged_file(path, remedy, of_index=of_index) as place, place.open("wb") as file:
        checksum = hashlib.blake2b(digest_size=_DIGEST)
        front = MAGIC + VERSION.to_bytes(4, "little") + len(header).to_bytes(4, "little") + header
        pieces: list[Any] = [front, *(a.view(np.uint8).data for a in arrays)]
        for piece in pieces:
            checksum.update(piece)
            file.write(piece)
        file.write(checksum.digest())


def _check_replaceable(place: Path) -> None:
    """Raise OutputError if an existing file of that name is no state file."""
    try:
        check_regular(place)
        with place.open("rb") as file:
            begun = file.read(len(MAGIC))
    except OSError:
        return
    except InputError as error:
        raise OutputError("{}, so it is not replaced: choose another place", error.message) from error
    if begun and begun != MAGIC:
        raise OutputError(
            "{} exists but is not a filter state of quchong, so it is not replaced: choose another place", place
        )


def read_state(path: str | os.PathLike[str]) -> State:
    """Read a state file and verify its checksum.

    Raises:
        InputError: the file does not exist, is no state file, is of a later version, or is damaged.
    """
    place = Path(path)
    try:
        check_regular(place)
        with place.open("rb") as file:
            return _read(file, place, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise InputError("the filter state {} cannot be read: {}; check the path", place, reason_of(error)) from error


def _read(file: BinaryIO, place: Path, size: int) -> State:
    checksum = hashlib.blake2b(digest_size=_DIGEST)

    def take(count: int) -> bytearray:
        if file.tell() + count > size - _DIGEST:
            raise _damaged(place, Message("the file is incomplete"))
        piece = bytearray(count)
        if file.readinto(piece) != count:  # type: ignore[attr-defined]
            raise _damaged(place, Message("the file is incomplete"))
        checksum.update(piece)
        return piece

    if size < len(MAGIC) or file.read(len(MAGIC)) != MAGIC:
        raise InputError(
            "{} is not a filter state of quchong; give another place with {}", place, Param("state", "FILE")
        )
    checksum.update(MAGIC)
    version = int.from_bytes(take(4), "little")
    if version != VERSION:
        raise InputError(
            "{} is a filter state of version {}, but this quchong reads version {}: start again with another "
            "state file",
            place,
            version,
            VERSION,
        )
    length = int.from_bytes(take(4), "little")
    if length > _MAX_HEADER:
        raise _damaged(place, Message("the header of the file cannot be understood"))
    try:
        header = json.loads(take(length))
        shapes = [(kind, int(count)) for kind, count in header["sections"]]
        kind, settings, numbers = str(header["kind"]), dict(header["settings"]), dict(header["numbers"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _damaged(place, Message("the header of the file cannot be understood")) from error
    if any(dtype not in _TYPES or count < 0 for dtype, count in shapes):
        raise _damaged(place, Message("the header of the file cannot be understood"))
    sections = [np.frombuffer(take(count * np.dtype(dtype).itemsize), dtype) for dtype, count in shapes]
    if file.read(_DIGEST + 1) != checksum.digest():
        raise _damaged(place, Message("the checksum of the file differs"))
    return State(kind, settings, numbers, sections)


def _damaged(place: Path, why: str) -> InputError:
    return InputError("the filter state {} is damaged: {}; restore a copy, or delete it to start again", place, why)
