"""Turns records into documents. A bad record costs only itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from quchong.io.documents import assemble
from quchong.io.records.lines import Records
from quchong.io.source import ENCODING_REMEDY, Bad, Wanted

Values = tuple[str | None, str, Sequence[str | None]]
"""Id, text and extra columns of one record."""


class Refused(Exception):
    """A record that cannot be used; the message is the reason shown to people."""


class RecordReader(ABC):
    """Reads a block at once where it can and record by record where it must; both ways give the same documents."""

    def __init__(self, wanted: Wanted, source: str) -> None:
        self.wanted = wanted
        self.source = source
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

    def batch(self, records: Records, bad: list[Bad]) -> pa.RecordBatch:
        """The documents of one block; bad records go to `bad`."""
        if len(records) and not records.broken and is_utf8(records.block):
            batch = self.at_once(records)
            if batch is not None:
                return batch
        return self.one_by_one(records, range(len(records)), bad)

    def one_by_one(self, records: Records, indices: Iterable[int], bad: list[Bad]) -> pa.RecordBatch:
        """The documents of the records at these indices of the block; bad records go to `bad`."""
        rows: list[int] = []
        ids: list[str | None] = []
        texts: list[bytes] = []  # encoded one by one: a large record need not live as str and in Arrow at once
        extra: list[Sequence[str | None]] = []
        block, broken, one = records.block, records.broken, self.one
        starts, ends = (places.tolist() for places in records.bounds())
        raw, text = b"", ""
        for index in indices:
            raw = block[starts[index] : ends[index]]
            try:
                if index in broken:
                    raise Refused(broken[index])
                number, text, others = one(raw)
            except Refused as refused:
                bad.append(Bad(self.source, records.row + index, records.line_of(index), str(refused), raw))
                continue
            rows.append(records.row + index)
            ids.append(number)
            texts.append(text.encode())
            extra.append(others)
        raw, text = b"", ""  # these may be large too
        columns = [[others[place] for others in extra] for place in range(len(self.wanted.extra))]
        return assemble(
            self.wanted,
            np.array(rows, np.int64),
            pa.array(ids, pa.large_string()),
            pa.array(texts, pa.large_string()),
            [pa.array(column, pa.large_string()) for column in columns],
            not self.text_ids,
        )


def is_utf8(block: bytes) -> bool:
    """Whether all of `block` is UTF-8; some 1 GB/s, half the time of `bytes.decode` and nothing allocated."""
    offsets = pa.py_buffer(np.array([0, len(block)], np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, offsets, pa.py_buffer(block)]).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def decoded(raw: bytes) -> str:
    """`raw` as text.

    Raises:
        Refused: naming the first byte (from 1) that is not UTF-8
    """
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Refused(f"invalid UTF-8 at byte {error.start + 1}; {ENCODING_REMEDY}") from error
