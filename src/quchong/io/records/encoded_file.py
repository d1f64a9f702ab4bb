"""Base of record files in the encodings of text files: found or given, and UTF-16 read as UTF-8."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from quchong.io.encodings import UTF8, Inward, found_in, is_wide, outward
from quchong.io.files.input_file import File, reading
from quchong.io.files.streams import reader
from quchong.io.limits import LARGEST
from quchong.io.records.file import Read, RecordFile
from quchong.io.records.lines import BLOCK_BYTES
from quchong.io.row_copies import RowSet
from quchong.io.source import Bad, Documents, WantedColumns


class EncodedFile(RecordFile):
    """Base of sources whose records are cut as they are in the encoding of their file, and only what is read of them is decoded.

    One in UTF-16 is read as UTF-8 and written as UTF-16, which gives the same bytes.

    Args:
        encoding: by the name `encodings.codec_name` gives; None to find it. The rest as RecordFile.
    """

    FOUND = (*RecordFile.FOUND, "_found")

    def __init__(
        self,
        path: File,
        name: str,
        suffix: str,
        compression: str | None = None,
        block_bytes: int = BLOCK_BYTES,
        most: int = LARGEST,
        encoding: str | None = None,
    ) -> None:
        super().__init__(path, name, suffix, compression, block_bytes, most)
        self._said, self._found = encoding, encoding

    @property
    def encoding(self) -> str:
        """Encoding of the file: the one given, else the one detected."""
        if self._found is None:
            with reading(self._file.path), reader(self._file, self._compression) as read:
                self._found = self._readable(found_in(read))
        return self._found

    def _readable(self, found: str) -> str:
        """Return the encoding by which a file is read in which `found` was detected."""
        return found

    @property
    def _given(self) -> bool:
        """True if the user named the encoding."""
        return self._said is not None

    @property
    def _inner(self) -> str:
        """Encoding of the blocks that `_records` yields: UTF-8 if the file is UTF-16, otherwise the file's."""
        return UTF8 if is_wide(self.encoding) else self.encoding

    def _inward(self, read: Read) -> Read:
        """Return a function that reads the file converted to the encoding `_inner`."""
        return Inward(read, self.encoding) if is_wide(self.encoding) else read

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        if rows is None:
            self._found = self._said
        before = len(bad)
        yield from super().documents(wanted, bad, rows)
        if is_wide(self.encoding):
            bad[before:] = _in_wide_file(bad[before:], self.outward)

    def outward(self, piece: bytes) -> bytes:
        """Convert bytes of blocks to bytes of the file; see RecordForm."""
        return outward(piece, self.encoding)

    def written_bytes(self, sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """See RecordForm: UTF-16 takes at most twice the bytes of UTF-8."""
        sizes = super().written_bytes(sizes)
        return 2 * sizes if is_wide(self.encoding) else sizes

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint; with `encoding` if it is not UTF-8."""
        said = {} if self.encoding == UTF8 else {"encoding": self.encoding}
        return super().fingerprint() | said


def _in_wide_file(bad: Sequence[Bad], outward: Callable[[bytes], bytes]) -> list[Bad]:
    """Return bad records of a UTF-16 file with their original bytes in place of UTF-8."""
    return [
        replace(one, raw=outward(one.raw), reason=one.reason.replace("invalid UTF-8", "invalid UTF-16")) for one in bad
    ]
