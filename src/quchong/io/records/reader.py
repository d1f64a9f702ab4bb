"""Conversion of records to documents; a bad record affects no other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence

import numpy as np
import pyarrow as pa

from quchong.io.documents import assemble
from quchong.io.encodings import UTF8, in_utf8, strays
from quchong.io.records.lines import Positions, Records
from quchong.io.source import ENCODING_REMEDY, Bad, WantedColumns
from quchong.languages import Message

PIECE = 1 << 14
"""Maximum records whose values are Python objects at the same time, if records are read one by one."""
Values = tuple[str | None, str, Sequence[str | None]]
"""Id, text and extra columns of one record."""


class Refused(Exception):
    """Error: a record cannot be used; the message is the reason shown to people."""

    @property
    def reason(self) -> str:
        """Reason why the record cannot be used: a Message that can be translated, or plain text."""
        reason: str = self.args[0]
        return reason


class RecordReader(ABC):
    """Reader that converts a block at once if possible and record by record otherwise, with the same documents as result.

    Args:
        wanted: see Source.documents
        source: name of the source
        given: True if the user named the encoding
        encoding: of the file; `at_once` and `one` are given records in UTF-8, bad records keep their bytes in the file
    """

    def __init__(self, wanted: WantedColumns, source: str, encoding: str = UTF8, given: bool = False) -> None:
        self.wanted = wanted
        self.given = given
        self.source = source
        self.encoding = encoding
        self.text_ids = True
        """True if an id was text in the records that were read one by one; a format with types begins with False."""

    @abstractmethod
    def at_once(self, records: Records) -> pa.RecordBatch | None:
        """Convert all records of the block to one batch; None if a record is bad or has to be parsed by itself."""

    @abstractmethod
    def one(self, raw: bytes) -> Values:
        """Return the values of one record, which is given without its line ending.

        Raises:
            Refused: the record is bad
        """

    @property
    def settled(self) -> bool:
        """True if `finish` cannot raise any more, whatever the unread blocks contain."""
        return True

    def finish(self) -> None:  # noqa: B027 - nothing to do for most
        """Raise InputError after the last block if the file as a whole lacks a wanted column."""

    def batch(self, records: Records, bad: MutableSequence[Bad]) -> pa.RecordBatch:
        """Return the documents of one block; bad records are added to `bad`."""
        if len(records) and not records.broken:
            read = recoded(records, self.encoding)
            batch = None if read is None else self.at_once(read)
            if batch is not None:
                return batch
            del read
        return self.one_by_one(records, range(len(records)), bad)

    def one_by_one(self, records: Records, indices: Sequence[int], bad: MutableSequence[Bad]) -> pa.RecordBatch:
        """Return the documents of the records at these indices of the block; bad records are added to `bad`."""
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
        """Return the rows of the documents among some records of a block, and their ids, texts and extra columns."""
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
                number, text, others = one(raw if self.encoding == UTF8 else _recoded(raw, self.encoding, self.given))
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
    """Convert records to UTF-8; return None if a record is invalid in the encoding, or may be UTF-8 already."""
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


def _recoded(raw: bytes, encoding: str, given: bool) -> bytes:
    text, wrong = in_utf8(raw, encoding, given)
    if wrong:
        raise Refused(wrong)
    return text


def is_utf8(block: bytes) -> bool:
    """Return True if `block` is valid UTF-8. Cost: some 1 GB/s, half the time of `bytes.decode`, without a copy."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(block)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def decoded(raw: bytes, remedy: str = ENCODING_REMEDY) -> str:
    """Decode UTF-8 bytes to text; `remedy` is added to the message of an error.

    Raises:
        Refused: the bytes are not UTF-8; the message has the first invalid byte (from 1)
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Refused(Message("invalid UTF-8 at byte {}; {}", error.start + 1, remedy)) from error
