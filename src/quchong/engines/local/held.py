"""Texts of a run: in memory while they are few beside it, beyond that in a file that is mapped."""

from __future__ import annotations

import mmap
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa

from quchong.errors import OutputError


class TextKeeper:
    """Takes texts batch by batch and gives them back as they are to be held; a context, left when all are taken.

    The file has no name in its folder and goes with the process, however that ends. Its pages are the system's to drop and to read
    again: they are no memory of this process.

    Args:
        folder: of the file; None for the system's temporary folder.
        bound: bytes held in memory; None for no bound.

    Attributes:
        written: bytes in the file.
    """

    def __init__(self, folder: Path | None = None, bound: int | None = None) -> None:
        self._folder, self._held, self.written = folder, 0, 0
        self._bound = bound
        self._file: BinaryIO | None = None

    def __enter__(self) -> TextKeeper:
        return self

    def __exit__(self, *_of_error: object) -> None:
        if self._file is not None:
            self._file.close()  # what is mapped stays

    def keep(self, texts: pa.Array) -> pa.Array:
        """The same texts, in memory or mapped.

        Args:
            texts: large_string, without nulls.

        Raises:
            OutputError: there is no room for the file.
        """
        if not len(texts) or self._bound is None or self._held + texts.nbytes <= self._bound:
            self._held += texts.nbytes
            return texts
        try:
            return self._mapped(texts)
        except OSError as error:
            raise OutputError(
                "{} has no room for the texts of this run, of which {:,} bytes were read so far: {}; write to a "
                "disk with as much room as the input, or name one in TMPDIR",
                self._place(),
                self._held + self.written,
                error.strerror or error,
            ) from error

    def _place(self) -> str:
        return str(self._folder or tempfile.gettempdir())

    def _mapped(self, texts: pa.Array) -> pa.Array:
        if self._file is None:
            self._file = cast("BinaryIO", tempfile.TemporaryFile(dir=self._place(), prefix=".quchong-texts-"))  # noqa: SIM115
        _, places, data = texts.buffers()
        offsets = np.frombuffer(places, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        first, last = int(offsets[0]), int(offsets[-1])
        start, size = self.written, offsets.nbytes + last - first
        self._file.seek(start)
        self._file.write((offsets - first).tobytes())
        if last > first:
            self._file.write(memoryview(data)[first:last])
        self._file.flush()
        self.written = -(-(start + size) // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        self._file.truncate(self.written)
        whole = pa.py_buffer(mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_READ, offset=start))
        return pa.LargeStringArray.from_buffers(len(texts), whole.slice(0, offsets.nbytes), whole.slice(offsets.nbytes))
