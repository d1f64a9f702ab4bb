"""Values of a run in files: arrays and tables with the layout they have in memory, so that they are mapped and not parsed.

A file consists of a mark; its parts (`quchong.work.value_parts`), each on a boundary of 64 bytes; the structure that refers to them
(`quchong.work.tree`), with the offsets of the parts, as JSON; and the length of that JSON with a digest of all bytes before it. A file
whose digest does not agree, for instance after a power cut, is treated as missing.

The digest shows whether a file is complete. It has no key, so it does not show who wrote the file: all contents are checked before
they are used, and objects are checked by their kind (`quchong.work.tree.Kind`) before any kernel reads them. Nothing in a file is ever
called, imported or evaluated.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import IO, Any, NoReturn

from quchong.errors import reason_of
from quchong.languages import Message
from quchong.outputs import OwnFolder
from quchong.work.tree import NO_KINDS, Decoder, Encoder, Kinds, Outside
from quchong.work.value_parts import PIECE, Damaged, Laid, Mapped, Unencodable, cut

MARK = f"quchong value 2 {sys.byteorder}\n".encode()
"""First bytes of every file: format and byte order. Files of another format are refused."""
_LENGTH, _DIGEST = 8, 16
_TAIL = _LENGTH + _DIGEST


def write_value(
    folder: OwnFolder, name: str, value: Any, kinds: Kinds = NO_KINDS, outside: Mapping[int, tuple[str, int]] | None = None,
    *, permissions: int = 0o600,
) -> int:  # fmt: skip
    """Write a value to a file atomically: to a temporary file in the same folder, then rename.

    Args:
        folder: folder of the file.
        name: name of the file; a file of that name is replaced.
        value: numbers, strings, lists, tuples, dictionaries, NumPy arrays of plain types, Arrow arrays and tables, and objects of `kinds`.
        kinds: classes whose objects the value may contain.
        outside: name and number, by `id`, of objects that are referred to and not written.
        permissions: permissions of the file, less the umask.

    Returns:
        Number of bytes of the file.

    Raises:
        OSError: there is no room, or no permission; at most a file with the suffix `.part` is left.
        Unencodable: the value contains an object that cannot be stored; nothing is written.

    Cost: one copy to the file, and the digest at about 1 GB/s, in parallel on a second thread if the file is large.
    """
    laid = _laid_out(value, kinds, outside or {})
    part = f"{name}.part"
    folder.remove(part)
    with (
        folder.open(part, "xb", permissions) as file,
        ThreadPoolExecutor(1) if laid.size > PIECE else nullcontext() as beside,
    ):
        digest = beside.submit(_digest, laid.pieces) if beside else None
        for piece in laid.pieces:
            file.write(piece)
        file.write(digest.result() if digest else _digest(laid.pieces))
    folder.rename(part, name)
    return laid.size + _DIGEST


def _laid_out(value: Any, kinds: Kinds, outside: Mapping[int, tuple[str, int]]) -> Laid:
    """Return the file content of a value, without the digest.

    Raises:
        Unencodable: the value contains an object that cannot be stored.
    """
    laid = Laid()
    laid.add(MARK)
    try:
        node = Encoder(laid, kinds, outside).node(value)
        laid.align()
        tail = json.dumps({"parts": laid.parts, "value": node}, separators=(",", ":"), allow_nan=False).encode()
    except (RecursionError, ValueError) as error:  # an int of more digits than Python writes
        raise Unencodable(f"a value that JSON does not hold: {error}") from error
    laid.add(tail)
    laid.add(len(tail).to_bytes(_LENGTH, sys.byteorder))
    return laid


def send_value(stream: IO[bytes], value: Any, kinds: Kinds = NO_KINDS) -> None:
    """Write a value to a pipe between processes of a run: its length, then its content without a digest.

    Raises:
        OSError: the other process has ended.
        Unencodable: the value contains an object that cannot be sent; nothing is written.
    """
    laid = _laid_out(value, kinds, {})
    stream.write(laid.size.to_bytes(_LENGTH, sys.byteorder))
    for piece in laid.pieces:
        stream.write(piece)
    stream.flush()


def receive_value(stream: IO[bytes], kinds: Kinds = NO_KINDS) -> Any:
    """Return the next value that another process of this run sent by `send_value`; its arrays are read-only.

    Raises:
        EOFError: the other process has ended.
    """
    size = int.from_bytes(head, sys.byteorder) if len(head := stream.read(_LENGTH)) == _LENGTH else 0
    data = memoryview(stream.read(size)) if size else memoryview(b"")
    if not size or len(data) < size:
        raise EOFError
    end = size - _LENGTH
    start = end - int.from_bytes(data[end:], sys.byteorder)
    tail = json.loads(bytes(data[start:end]))
    return Decoder(Mapped(data[:start], tail["parts"], None), kinds, None, True).value(tail["value"])


def read_value(
    folder: OwnFolder, name: str, kinds: Kinds = NO_KINDS, outside: Outside | None = None, *, own: bool = False
) -> Any:
    """Return the value of a file, its arrays mapped and read-only.

    Args:
        folder: folder of the file.
        name: name of the file. It may be removed afterwards; mapped contents remain usable.
        kinds: classes whose objects may be made.
        outside: returns the object for a name and a number.
        own: True if this process has just written the file, so that nothing need be checked.

    Raises:
        Damaged: the file is incomplete, of another format, or contains data that no run writes.
        OSError: the file cannot be read, or is a link or no regular file.

    Cost: the digest reads the file once, about 1 GB/s, and the check of Arrow arrays reads them once; nothing where it is `own`. Memory
        is taken for the structure alone, a few times its JSON.
    """
    with folder.open(name) as file:
        size = os.fstat(file.fileno()).st_size
        if size < len(MARK) + _TAIL:
            raise Damaged(Message("{} is incomplete", name))
        mapped = memoryview(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ))
    if mapped[: len(MARK)] != MARK:
        raise Damaged(Message("{} does not begin with the mark of its file type", name))
    end = size - _TAIL
    start = end - int.from_bytes(mapped[end : end + _LENGTH], sys.byteorder)
    if start < len(MARK):
        raise Damaged(Message("{} is incomplete", name))
    try:  # checks of what it holds need no digest: they take nothing on trust
        with ThreadPoolExecutor(1) if not own and size > PIECE else nullcontext() as beside:
            digest = beside.submit(_digest, cut(mapped[: size - _DIGEST])) if beside else None
            tail = json.loads(bytes(mapped[start:end]), parse_constant=_refused)
            found = Mapped(mapped[:start], tail["parts"], None if own else kinds.check)
            value = Decoder(found, kinds, outside, own).value(tail["value"])
    except Exception as error:  # of whatever the values of a damaged file lead to
        raise Damaged(Message("{} cannot be read: {}", name, reason_of(error))) from error
    if not own:
        taken = digest.result() if digest else _digest(cut(mapped[: size - _DIGEST]))
        if taken != mapped[size - _DIGEST :]:
            raise Damaged(Message("{} is incomplete", name))
    return value


def _refused(constant: str) -> NoReturn:
    raise Damaged(f"{constant}, which no run writes")


def _digest(pieces: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()
