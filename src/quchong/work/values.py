"""Values of a run in files: arrays and tables as they lie in memory, so that they are mapped and not read.

A file is the buffers of its arrays, each on a boundary of 64 bytes; a pickle of all else, which names buffers by number; the places
of both as JSON; and the length of that JSON with a digest of everything before it. A file is taken as a whole or not at all: one
whose digest does not agree, after a power cut for instance, is as good as none.

Only classes of quchong, NumPy and Arrow are made while reading, and no function is called but those that NumPy and Arrow rebuild
their arrays with.
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO

_ALIGNED = 64
_DIGEST = 16
_TAIL = 8 + _DIGEST
_PIECE = 16 << 20
Outside = Callable[[Any], Any]
_BUILDERS = {
    ("builtins", "set"), ("builtins", "frozenset"), ("builtins", "complex"), ("builtins", "slice"), ("builtins", "range"),
    ("builtins", "bytearray"), ("builtins", "object"), ("collections", "OrderedDict"), ("copyreg", "_reconstructor"),
    ("datetime", "datetime"), ("datetime", "date"), ("datetime", "timedelta"), ("datetime", "timezone"), ("decimal", "Decimal"),
    ("pathlib", "PosixPath"), ("pathlib", "WindowsPath"), ("pathlib", "PurePosixPath"), ("functools", "partial"),
    ("quchong.languages.message", "_made"), ("_codecs", "encode"), ("re", "_compile"), ("types", "MappingProxyType"),
}  # fmt: skip
_HOMES = ("quchong", "numpy")
_REBUILD = {"_reconstruct", "_frombuffer", "scalar"}
"""Functions of NumPy by which arrays and scalars are rebuilt."""


class Damaged(ValueError):
    """A file of a value that is not whole, or not one."""


class _Writer(pickle.Pickler):
    def __init__(self, to: BinaryIO, outside: Mapping[int, Any], buffers: list[memoryview]) -> None:
        super().__init__(to, protocol=5, buffer_callback=lambda buffer: self._take(buffer))
        self._outside, self._buffers = outside, buffers

    def _take(self, buffer: pickle.PickleBuffer) -> bool:
        self._buffers.append(buffer.raw())
        return False

    def persistent_id(self, obj: Any) -> Any:
        return self._outside.get(id(obj))


class _Reader(pickle.Unpickler):
    def __init__(self, data: io.BytesIO, buffers: list[memoryview], outside: Outside | None) -> None:
        super().__init__(data, buffers=buffers)
        self._outside = outside

    def persistent_load(self, pid: Any) -> Any:
        if self._outside is None:
            raise Damaged(f"names {pid!r}, which is not there")
        return self._outside(pid)

    def find_class(self, module: str, name: str) -> Any:
        top = module.partition(".")[0]
        if (module, name) in _BUILDERS or module == "pyarrow.lib" or (top == "numpy" and name in _REBUILD):
            return super().find_class(module, name)
        found = super().find_class(module, name) if top in _HOMES else None
        if isinstance(found, type) and found.__module__.partition(".")[0] in _HOMES:
            return found
        raise Damaged(f"holds {module}.{name}, which no run writes")


class _Laid:
    """Pieces of a file in their order, and how far they reach."""

    def __init__(self) -> None:
        self.pieces: list[bytes | memoryview] = []
        self.size = 0

    def add(self, data: bytes | memoryview) -> tuple[int, int]:
        """Where the data will stand."""
        start, whole = self.size, memoryview(data).cast("B") if len(data) else memoryview(b"")
        self.pieces += _pieces(whole)
        self.size += len(whole)
        return start, len(whole)

    def align(self) -> None:
        self.add(bytes(-self.size % _ALIGNED))


def write_value(path: Path, value: Any, outside: Mapping[int, Any] | None = None) -> int:
    """Writes a value beside its place and gives it the name when it is whole.

    Args:
        path: of the file; what stands there is replaced.
        value: anything of data classes, dictionaries, NumPy arrays and Arrow arrays or tables.
        outside: by `id`, objects that are not written but named, by what is given for them.

    Returns:
        Bytes of the file.

    Raises:
        OSError: no room, or no right to write. Nothing is left then but a file with `.part` behind its name.
        pickle.PicklingError, TypeError, AttributeError: the value cannot be written.

    Cost: one copy to the file, and beside it, where it is large on a thread of its own, the digest: about 1 GB/s.
    """
    buffers: list[memoryview] = []
    frame = io.BytesIO()
    _Writer(frame, outside or {}, buffers).dump(value)
    part = path.with_name(path.name + ".part")
    laid, places = _Laid(), []
    for buffer in buffers:
        laid.align()
        places.append(laid.add(buffer))
    laid.align()
    tail = json.dumps({"buffers": places, "pickle": laid.add(frame.getbuffer())}).encode()
    laid.add(tail)
    laid.add(len(tail).to_bytes(8, sys.byteorder))
    with part.open("wb") as file, ThreadPoolExecutor(1) if laid.size > _PIECE else nullcontext() as beside:
        digest = beside.submit(_digest, laid.pieces) if beside else None
        for piece in laid.pieces:
            file.write(piece)
        file.write(digest.result() if digest else _digest(laid.pieces))
    part.replace(path)
    return laid.size + _DIGEST


def read_value(path: Path, outside: Outside | None = None, *, own: bool = False) -> Any:
    """The value of a file, its arrays mapped and not to be written to.

    Args:
        path: of the file. It may be removed afterwards; what is mapped stays.
        outside: gives the object that stands for a name.
        own: this process has just written it whole, so that its digest need not be looked at.

    Raises:
        Damaged: not whole, not such a file, or it holds what no run writes.
        OSError: it cannot be read.

    Cost: the digest reads the file once, about 1 GB/s; nothing where it is `own`.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < _TAIL:
            raise Damaged(f"{path} is not whole")
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    if not own and _digest(_pieces(mapped[: size - _DIGEST])) != mapped[size - _DIGEST :]:
        raise Damaged(f"{path} is not whole")
    length = int.from_bytes(mapped[size - _TAIL : size - _DIGEST], sys.byteorder)
    try:
        tail = json.loads(bytes(mapped[size - _TAIL - length : size - _TAIL]))
        buffers = [mapped[start : start + n] for start, n in tail["buffers"]]
        start, n = tail["pickle"]
        return _Reader(io.BytesIO(mapped[start : start + n]), buffers, outside).load()
    except Damaged:
        raise
    except Exception as error:
        raise Damaged(f"{path} cannot be read: {error}") from error


def _pieces(data: memoryview) -> list[memoryview]:
    return [data[at : at + _PIECE] for at in range(0, len(data), _PIECE)]


def _digest(pieces: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def remove(path: Path) -> None:
    """Removes a file that may be there."""
    with suppress(FileNotFoundError):
        path.unlink()
