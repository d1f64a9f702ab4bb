"""Turns records into documents. A bad record costs only itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence

import numpy as np
import pyarrow as pa

from quchong.io.documents import assemble
from quchong.io.encodings import UTF8, in_utf8, strays
from quchong.io.records.lines import Positions, Records
from quchong.io.source import ENCODING_REMEDY, Bad, Wanted
from quchong.languages import Message

PIECE = 1 << 14
"""Records read one by one whose values are objects of Python at the same time."""
Values = tuple[str | None, str, Sequence[str | None]]
"""Id, text and extra columns of one record."""


class Refused(Exception):
    """A record that cannot be used; the message is the reason shown to people."""

    @property
    def reason(self) -> str:
        """A message of `quchong.languages`, or words as they stand."""
        reason: str = self.args[0]
        return reason


class RecordReader(ABC):
    """Reads a block at once where it can and record by record where it must; both ways give the same documents.

    Args:
        wanted: see Source.documents
        source: name of the source
        encoding: of the file; `at_once` and `one` are given records in UTF-8, bad ones stay as they stand in the file
    """

    def __init__(self, wanted: Wanted, source: str, encoding: str = UTF8) -> None:
        self.wanted = wanted
        self.source = source
        self.encoding = encoding
        self.text_ids = True
        """Did an id come as text, in the records read one by one? A format with types begins with False."""

    @abstractmethod
    def at_once(self, records: Records) -> pa.RecordBatch | None:
        """All records of the block as one batch; None when any of them is bad or needs a closer look."""

    @abstractmethod
    def one(self, raw: bytes) -> Values:
        """The values of one record, given without its line ending.

        Raises:
            Refused: the record is bad
        """

    def finish(self) -> None:  # noqa: B027 - nothing to do for most
        """After the last block: raises InputError when the file as a whole lacks what is wanted."""

    def batch(self, records: Records, bad: MutableSequence[Bad]) -> pa.RecordBatch:
        """The documents of one block; bad records go to `bad`."""
        if len(records) and not records.broken:
            read = recoded(records, self.encoding)
            batch = None if read is None else self.at_once(read)
            if batch is not None:
                return batch
            del read
        return self.one_by_one(records, range(len(records)), bad)

    def one_by_one(self, records: Records, indices: Sequence[int], bad: MutableSequence[Bad]) -> pa.RecordBatch:
        """The documents of the records at these indices of the block; bad records go to `bad`."""
        bounds = records.bounds()
        # of half a million small records in a block the objects of Python would take ten times the block
        starts = range(0, max(len(indices), 1), PIECE)
        pieces = [self._piece(records, indices[start : start + PIECE], bounds, bad) for start in starts]
        rows = np.concatenate([numbers for numbers, _ in pieces])
        columns = [
            pa.concat_arrays(some) if len(some) > 1 else some[0] for some in zip(*(c for _, c in pieces), strict=True)
        ]
        del pieces
        return assemble(self.wanted, rows, columns[0], columns[1], columns[2:], not self.text_ids)

    def _piece(
        self, records: Records, indices: Sequence[int], bounds: tuple[Positions, Positions], bad: MutableSequence[Bad]
    ) -> tuple[Positions, list[pa.Array]]:
        """Rows of the documents among some records of a block, and their ids, texts and extra columns."""
        rows: list[int] = []
        ids: list[str | None] = []
        texts: list[bytes] = []  # encoded one by one: a large record need not live as str and in Arrow at once
        extra: list[Sequence[str | None]] = []
        block, broken, one = records.block, records.broken, self.one
        here = np.asarray(indices, np.int64)
        raw, text = b"", ""
        for index, start, end in zip(indices, bounds[0][here].tolist(), bounds[1][here].tolist(), strict=True):
            if index in records.cut:
                head = records.cut[index][1]
                bad.append(Bad(self.source, records.row + index, records.line_of(index), broken[index], head))
                continue
            raw = block[start:end]
            try:
                if index in broken:
                    raise Refused(broken[index])
                number, text, others = one(raw if self.encoding == UTF8 else _recoded(raw, self.encoding))
            except Refused as refused:
                bad.append(Bad(self.source, records.row + index, records.line_of(index), refused.reason, raw))
                continue
            rows.append(records.row + index)
            ids.append(number)
            texts.append(text.encode())
            extra.append(others)
        raw, text = b"", ""  # these may be large too
        columns = [[others[place] for others in extra] for place in range(len(self.wanted.extra))]
        return np.array(rows, np.int64), [pa.array(column, pa.large_string()) for column in (ids, texts, *columns)]


def recoded(records: Records, encoding: str) -> Records | None:
    """The records in UTF-8; None where some of them cannot be read in their encoding, or may be UTF-8 already."""
    if encoding == UTF8:
        return records if is_utf8(records.block) else None
    start, end = int(records.starts[0]), int(records.ends[-1])
    if strays(records.block[start:end]):
        return None
    try:
        texts = [
            records.block[start:end].decode(encoding).encode()
            for start, end in zip(records.starts.tolist(), records.ends.tolist(), strict=True)
        ]
    except UnicodeDecodeError:
        return None
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = np.append(0, ends)[:-1]
    return Records(b"".join(texts), starts, ends, records.lines, records.row)


def _recoded(raw: bytes, encoding: str) -> bytes:
    text, wrong = in_utf8(raw, encoding)
    if wrong:
        raise Refused(wrong)
    return text


def is_utf8(block: bytes) -> bool:
    """Whether all of `block` is UTF-8; some 1 GB/s, half the time of `bytes.decode` and nothing allocated."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(block)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def decoded(raw: bytes, remedy: str = ENCODING_REMEDY) -> str:
    """`raw` as text.

    Raises:
        Refused: naming the first byte (from 1) that is not UTF-8
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Refused(Message("invalid UTF-8 at byte {}; {}", error.start + 1, remedy)) from error
