"""Reader of id, text and columns from CSV records, one by one or a block at once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from quchong.errors import InputError
from quchong.io.documents import BLANK, assemble, join_cells, join_texts, stood_in
from quchong.io.encodings import UTF8, remedy_for
from quchong.io.missing_columns import missing_id, missing_text
from quchong.io.records.csv_fields import fields
from quchong.io.records.lines import BOM, Records
from quchong.io.records.reader import RecordReader, Refused, Values, decoded
from quchong.io.source import WantedColumns
from quchong.languages import Message, several

_PIECE_BYTES = 1 << 20  # Arrow's parser shares a block among its threads in pieces of this size
_ALONE_BYTES = 64 << 20  # a record longer than this is read by itself, to hold it fewer times in memory


class CsvReader(RecordReader):
    """Reader of documents from CSV records.

    CSV has no null: an empty cell is an empty text, a missing id, and null in an extra column; of several text columns the empty
    ones are left out. The fallback column (`WantedColumns.instead`) is used for an empty text.

    Args:
        header: names of the columns
        delimiter: one byte
        shown: the file, for messages
        encoding: of the file; given: True if the user named it

    Raises:
        InputError: a wanted text column (or an id column the user named) is not in the header, or a wanted column is there twice
    """

    def __init__(
        self,
        wanted: WantedColumns,
        source: str,
        header: list[str],
        delimiter: bytes,
        shown: str,
        encoding: str = UTF8,
        given: bool = False,
    ) -> None:
        super().__init__(wanted, source, encoding, given)
        self._delimiter = delimiter
        self._width = len(header)
        self._texts = wanted.text
        if wanted.instead in header and not any(key in header for key in wanted.text):
            self._texts = ()
        for key in self._texts:
            if key not in header:
                raise missing_text(shown, key, header, wanted.instead)
        if wanted.id is not None and wanted.id_required and wanted.id not in header:
            raise missing_id(shown, wanted.id, header)
        for key in wanted.columns:
            if header.count(key) > 1:
                raise InputError("{} has {} columns named {!r}; rename all but one", shown, header.count(key), key)
        self._place = {key: header.index(key) for key in wanted.columns if key in header}

    def at_once(self, records: Records) -> pa.RecordBatch | None:
        """Convert all records of the block to one batch; None if one has to be parsed by itself (see RecordReader.at_once)."""
        block, wanted = records.block, self.wanted
        start, end = int(records.starts[0]), int(records.ends[-1])
        # Arrow takes a lone carriage return for a line end
        if end - start > _ALONE_BYTES or block.count(b"\r", start, end) != block.count(b"\r\n", start, end):
            return None
        if block.startswith(BOM, start):  # Arrow would take it for that of a file
            return None
        longest = int((records.ends - records.starts).max())
        names = [str(place) for place in range(self._width)]
        included = [names[place] for place in self._place.values()]
        try:
            table = pacsv.read_csv(
                pa.BufferReader(memoryview(block)[start:end]),
                read_options=pacsv.ReadOptions(column_names=names, block_size=max(_PIECE_BYTES, longest + 1)),
                parse_options=pacsv.ParseOptions(delimiter=self._delimiter.decode(), newlines_in_values=True),
                convert_options=pacsv.ConvertOptions(
                    include_columns=included,
                    column_types=dict.fromkeys(included, pa.large_string()),
                    strings_can_be_null=False,
                ),
            )
        except pa.ArrowException:  # a bad record, or no thread to be had: one by one it needs none
            return None
        if table.num_rows != len(records):
            return None
        batch = table.combine_chunks().to_batches()[0]
        cells = {key: batch.column(names[place]) for key, place in self._place.items()}
        missing = pa.nulls(len(records), pa.large_string())
        texts = [cells[key] for key in self._texts] or [missing]
        text = texts[0] if len(texts) == 1 else join_texts([_filled(column) for column in texts])
        ids = missing if wanted.id not in cells else _filled(cells[wanted.id])
        if wanted.id_required and ids.null_count:
            return None
        extra = [_filled(cells[name]) if name in cells else missing for name in wanted.extra]
        if wanted.instead is not None:
            text, extra[-1] = stood_in(_filled(text), extra[-1])
            text = pc.fill_null(text, "")
        rows = np.arange(records.row, records.row + len(records), dtype=np.int64)
        return assemble(wanted, rows, ids, text, extra)

    def one(self, raw: bytes) -> Values:
        """Return the values of one record, given without its line ending; see RecordReader.one."""
        wanted, place = self.wanted, self._place
        decoded(raw, remedy_for(UTF8, self.given and self.encoding == UTF8))
        cells = [cell.decode() for cell in fields(raw, self._delimiter)]
        if len(cells) != self._width:
            raise Refused(
                several("{} field, but the header has {}", "{} fields, but the header has {}", len(cells), self._width)
            )
        texts = [cells[place[key]] for key in self._texts]
        text = texts[0] if len(texts) == 1 else join_cells([*filter(None, texts)])
        number = cells[place[wanted.id]] or None if wanted.id in place else None
        if wanted.id_required and wanted.id is not None and number is None:
            raise Refused(Message("{} is empty", wanted.id))
        extra = [cells[place[name]] or None if name in place else None for name in wanted.extra]
        if wanted.instead is not None and text.strip(BLANK):
            extra[-1] = None
        elif wanted.instead is not None and extra[-1] is not None:
            text = ""
        return number, text, extra


def _filled(cells: pa.Array) -> pa.Array:
    """Return the cells with nulls in place of empty ones."""
    return pc.if_else(pc.equal(cells, ""), pa.scalar(None, pa.large_string()), cells)
