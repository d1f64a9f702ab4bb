"""Source and writer of Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quchong.io.arrays import no_rows
from quchong.io.bad_records import bad_rows, sort_by_row
from quchong.io.columnar.columns import Batches
from quchong.io.columnar.file import ColumnFile
from quchong.io.columnar.parquet_pages import group_spans, largest_pages
from quchong.io.files.input_file import reading
from quchong.io.files.location import location_of
from quchong.io.files.streams import FileWriter, closed_on_error, writing
from quchong.io.files.written_form import AS_READ, WrittenForm
from quchong.io.nested.path import root_of
from quchong.io.row_copies import RowCopies, RowSet
from quchong.io.source import Bad, Documents, WantedColumns
from quchong.languages import Message

PAGE_BYTES = 128 << 20
"""Bytes up to which a page is read whatever the record limit is, because some writers make pages of 100 MB."""
_BATCH_BYTES = 16 << 20
_BLOCK_BYTES = 64 << 20  # a larger row group is divided between processes
_COPY_BYTES = 4 << 20  # a batch of rows to be copied, which other work runs beside
_BATCH_ROWS = 1 << 16
_READ_BYTES = 1 << 20  # a column chunk is read piece by piece, not whole: nothing is buffered ahead
_REMOTE_BYTES = 8 << 20
_GROUP_BYTES = 16 << 20  # a row group is written when this much has gathered, whatever the input has
_LONG_BYTES = 256  # values longer on average are written plain: Parquet would give up a dictionary of them anyway


class ParquetFile(ColumnFile):
    """Source of a Parquet file; kept and removed rows are written with its schema, codec and size of row groups."""

    _refused: dict[int, str] | None = None
    """Row groups that `documents` did not read, with the reason; None before it has run."""

    _merged_rows: tuple[int | None] | None = None
    """Rows of a full row group in the files that `agree` was given; None without them."""

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """See Source.documents. All rows of a row group with a page above the limit are bad."""
        if rows is not None:
            yield from super().documents(wanted, bad, rows)
            return
        self._refused = None
        with reading(self._file.path):
            refused = self._too_large([root_of(name) for name in wanted.columns] + list(wanted.columns))
        self._refused, before = {group: why for group, (_, why) in refused.items()}, len(bad)
        yield from super().documents(wanted, bad)
        for lost, why in refused.values() if self.chosen is None or self.chosen(0) else ():
            bad.extend(Bad(self.name, row, None, why, b"") for row in lost)
        if refused:
            sort_by_row(bad, before)
            self._bad_rows = bad_rows(bad, before, self.name)

    def _too_large(self, columns: Sequence[str]) -> dict[int, tuple[range, str]]:
        """Return the row groups that have a page above the limit, by index: their rows and the reason."""
        found: dict[int, tuple[range, str]] = {}
        most, first = max(self._most, PAGE_BYTES), 0
        with self._open() as file:
            counts = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
        with self._file.location.open() as raw:
            pages = largest_pages(raw, columns)
        for group, (count, (size, path)) in enumerate(zip(counts, pages, strict=False)):
            if size > most:
                why = Message(
                    "row group {} has a page of {:,} bytes in column {!r}, but pages larger than {:,} bytes "
                    "are not read (max-record): write the file again with smaller pages",
                    group,
                    size,
                    path,
                    most,
                )
                found[group] = range(first, first + count), why
            first += count
        return found

    @contextmanager
    def _open(self, whole: bool = False) -> Iterator[pq.ParquetFile]:
        """Open the file; with `whole` its columns are read to their ends, otherwise a page at most.

        Of a remote file much is read at once in the first case, because each request waits for its answer, and little in the second.
        """
        remote = self._file.location.quick_digest() is not None
        size = (_REMOTE_BYTES if whole else _REMOTE_BYTES >> 7) if remote else _READ_BYTES
        with (
            self._file.location.native() as raw,
            pq.ParquetFile(raw, buffer_size=size, pre_buffer=False) as file,
        ):
            yield file

    def expected(self) -> int | None:
        """Return the number of records according to the file's footer; None if it cannot be read."""
        try:
            with self._open() as file:
                rows: int = file.metadata.num_rows
                return rows
        except (OSError, UnicodeDecodeError, pa.ArrowException):  # reading says so
            return None

    def _schema(self) -> pa.Schema:
        with self._open() as file:
            return file.schema_arrow

    def _whole_texts(self, keys: Sequence[str]) -> bool:
        with self._open() as file:
            about = file.metadata
            places = [
                index
                for index in range(about.num_columns)
                if about.schema.column(index).path in keys and about.schema.column(index).physical_type == "BYTE_ARRAY"
            ]
            read = [group for group in range(file.num_row_groups) if group not in (self._refused or {})]
            groups = [_chunks(file, group, keys) for group in read] if places else []
            return any(all(_spoken(chunks[index]) for chunks in groups) for index in places)

    def _batches(self, columns: Sequence[str] | None, rows: RowSet | None = None) -> Batches:
        with self._open(whole=True) as file:
            at = 0
            for group in range(file.num_row_groups):
                size = file.metadata.row_group(group).num_rows
                if group in (self._refused or {}):
                    yield at + size, no_rows(_some_of(file.schema_arrow, columns))
                elif rows is None or ((rows >= at) & (rows < at + size)).any():
                    row = at
                    for batch in file.iter_batches(_rows_a_batch(file, group, columns), [group], columns):
                        yield row, batch
                        row += batch.num_rows
                    if row != at + size:
                        raise pa.ArrowInvalid(
                            Message(
                                "row group {} has {} rows, but the footer of the file says {}", group, row - at, size
                            )
                        )
                at += size

    def _chosen_batches(self, columns: Sequence[str]) -> Batches:
        """See ColumnFile; a block is a row group if all of them are small, else a batch, because a group is read from its beginning."""
        if self.chosen is None:
            return self._read(columns)
        with reading(self._file.path):
            counts = self._block_groups()
        if counts is None:
            return super()._chosen_batches(columns)
        ends = np.cumsum(counts)
        some = [number for number, rows in enumerate(counts) if rows and self.chosen(number)]
        return self._read(columns, np.array([ends[number] - 1 for number in some], np.int64))

    def _block_groups(self) -> list[int] | None:
        """Return the number of rows of each row group if the blocks of `chosen` are row groups; None if they are batches."""
        with self._open() as file:
            groups = [file.metadata.row_group(group) for group in range(file.num_row_groups)]
            sizes = [(group.num_rows, group.total_byte_size) for group in groups]
        if len(sizes) < 2 or max(size for _, size in sizes) > _BLOCK_BYTES:
            return None
        return [rows for rows, _ in sizes]

    def _chosen_spans(self) -> list[tuple[int, int]] | None:
        """See ColumnFile; of a row group all columns are hashed, also those that are not read."""
        assert self.chosen is not None
        if (counts := self._block_groups()) is None:
            return None
        with self._file.location.open() as raw:
            groups, footer = group_spans(raw)
        if len(groups) != len(counts):
            return None
        return [*(span for number, span in enumerate(groups) if self.chosen(number)), footer]

    def _writer(self, path: Path, schema: pa.Schema) -> ParquetWriter:
        with self._open() as file:
            rows = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
            refused = self._refused or {}
            first = next((group for group, count in enumerate(rows) if count and group not in refused), None)
            chunks = {} if first is None else _chunks(file, first)
        codec = chunks[0].compression if chunks else "SNAPPY"
        leaves = [chunk.path_in_schema for chunk in chunks.values()]
        short = [chunk.path_in_schema for chunk in chunks.values() if not _long(chunk)]
        old_lists = any(".list.item" in leaf for leaf in leaves)  # written before Arrow 15, or on purpose
        group_rows = max(rows, default=0) or None if self._merged_rows is None else self._merged_rows[0]
        return ParquetWriter(path, schema, codec, group_rows, not old_lists, short, self.written)

    def agree(self, others: Sequence[RowCopies]) -> None:
        """See RowCopies.agree: row groups are as long as the longest of a file that has several; by bytes if none has."""
        counts = [one._group_counts() for one in (self, *others) if isinstance(one, ParquetFile)]
        self._merged_rows = (max((max(some) for some in counts if len(some) > 1), default=0) or None,)

    def _group_counts(self) -> list[int]:
        """Return the number of rows of each row group."""
        with reading(self.path), self._open() as file:
            return [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]


def _some_of(schema: pa.Schema, columns: Sequence[str] | None) -> pa.Schema:
    return schema if columns is None else pa.schema([schema.field(name) for name in columns])


def _chunks(
    file: pq.ParquetFile, group: int, columns: Sequence[str] | None = None
) -> dict[int, pq.ColumnChunkMetaData]:
    """Return the footer's metadata of the column chunks of a row group, by column index.

    One row is read first: its reader raises an error for a contradictory footer, at which the metadata calls of PyArrow would crash.
    """
    next(file.iter_batches(1, [group], columns), None)
    about = file.metadata.row_group(group)
    paths = [file.metadata.schema.column(index).path for index in range(file.metadata.num_columns)]
    if about.num_columns != len(paths):
        raise pa.ArrowInvalid(
            Message("row group {} has {} columns, but the schema has {}", group, about.num_columns, len(paths))
        )
    return {index: about.column(index) for index, path in enumerate(paths) if columns is None or _is_of(path, columns)}


def _is_of(path: str, columns: Sequence[str]) -> bool:
    return path.split(".")[0] in columns or path in columns


class ParquetWriter(FileWriter):
    """Writer of a Parquet file, row group by row group.

    Args:
        path: file to write; its folder is made
        schema: of the rows, metadata included
        codec: as Parquet names it
        group_rows: most rows of a row group; by bytes alone if None
        named_lists: the values of lists are called "element", as the format has it, instead of "item"
        dictionaries: paths of the columns to try a dictionary for; all if None
        form: another codec, level or size of row groups

    Raises:
        OutputError: on opening, writing or closing
    """

    def __init__(
        self,
        path: Path,
        schema: pa.Schema,
        codec: str = "ZSTD",
        group_rows: int | None = None,
        named_lists: bool = True,
        dictionaries: Sequence[str] | None = None,
        form: WrittenForm = AS_READ,
    ) -> None:
        self._path, self._schema = path, schema
        self._group_rows = group_rows if form.row_group is None else None
        self._is_asked, self._group_bytes = form.row_group is not None, form.row_group or _GROUP_BYTES
        self._gathered: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0
        name = form.codec or ("none" if codec == "UNCOMPRESSED" else codec)
        with writing(path):
            self._raw = location_of(path).create_native()
            with closed_on_error(self._raw):
                self._writer = pq.ParquetWriter(
                    self._raw, schema, compression=name, compression_level=form.level, use_compliant_nested_type=named_lists,
                    use_dictionary=True if dictionaries is None else list(dictionaries),
                )  # fmt: skip

    def write(self, batch: pa.RecordBatch) -> None:
        """Append the rows of a batch; complete row groups are written."""
        while self._group_rows and self._rows + batch.num_rows >= self._group_rows:
            room = self._group_rows - self._rows
            self._gather(batch.slice(0, room))
            self._flush()
            batch = batch.slice(room)
        # Without a size that was asked for, a batch stays whole: it is much smaller than a row group.
        step = batch.num_rows
        if self._is_asked:
            step = self._group_bytes * batch.num_rows // max(batch.nbytes, 1)
        for start in range(0, batch.num_rows, max(step, 1)):
            self._gather(batch.slice(start, max(step, 1)))
            if self._bytes >= self._group_bytes:
                self._flush()

    def _gather(self, batch: pa.RecordBatch) -> None:
        if batch.num_rows:
            self._gathered.append(batch)
            self._rows += batch.num_rows
            self._bytes += batch.nbytes

    def _flush(self) -> None:
        if self._rows:
            table = pa.Table.from_batches(self._gathered, schema=self._schema)
            with writing(self._path):
                self._writer.write_table(table, row_group_size=table.num_rows)
        self._gathered, self._rows, self._bytes = [], 0, 0

    def close(self) -> None:
        """Write the remaining rows and the footer, and close the file."""
        self._flush()
        with writing(self._path):
            try:
                self._writer.close()
            finally:
                self._raw.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:  # the file is not to be used
            self._gathered, self._rows = [], 0
        super().__exit__(kind, error, trace)


def _spoken(column: pq.ColumnChunkMetaData) -> bool:
    """Return True if the chunk's statistics prove that no value is null or blank: the least value starts with more than a space."""
    if (
        column.physical_type != "BYTE_ARRAY"
    ):  # PyArrow ends the process over statistics of another type than the column's
        return False
    statistics = column.statistics
    if statistics is None or not statistics.has_null_count or statistics.null_count or not statistics.has_min_max:
        return False
    try:
        least = statistics.min
    except UnicodeDecodeError:
        return False
    return isinstance(least, str) and least[:1] > " "


def _long(column: pq.ColumnChunkMetaData) -> bool:
    """Return True if the values of the column chunk are long and mostly different, so that a dictionary does not pay.

    Repeated values would take few bytes in a chunk with a dictionary.
    """
    size: int = column.total_uncompressed_size
    values: int = column.num_values
    return size > _LONG_BYTES * max(values, 1)


def _rows_a_batch(file: pq.ParquetFile, group: int, columns: Sequence[str] | None) -> int:
    """Return the number of rows of a batch of the intended bytes, from the size of the whole row group in the footer.

    If only some columns are read, the batches are smaller than intended, because the sizes of columns would cost reading a page
    of each (see `_chunks`).
    """
    about = file.metadata.row_group(group)
    most = _COPY_BYTES if columns is None else _BATCH_BYTES
    return int(min(max(most * about.num_rows // max(about.total_byte_size, 1), 1), _BATCH_ROWS))
