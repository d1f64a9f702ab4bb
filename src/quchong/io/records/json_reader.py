"""Reader of id, text and columns from JSON lines, one by one or a block at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from quchong.errors import Param
from quchong.io.documents import BLANK, assemble, join_cells, join_texts, stood_in
from quchong.io.encodings import UTF8, remedy_for
from quchong.io.limits import COUNTED_BYTES, LARGEST, too_many_values
from quchong.io.missing_columns import missing_keys, wrapped_records
from quchong.io.nested.arrays import column_at, value_of
from quchong.io.nested.json_types import UnlikeError, wanted_types
from quchong.io.nested.names import names_in_record, nearest_names
from quchong.io.nested.path import ColumnPath, parse_path
from quchong.io.nested.values import KINDS, Mismatched, exists_at, string_of, text_of
from quchong.io.records.json_values import id_of, lacking, parsed, strings_of
from quchong.io.records.lines import Records
from quchong.io.records.reader import RecordReader, Refused, Values
from quchong.io.source import ENCODING_REMEDY, WantedColumns
from quchong.languages import Message

CENSUS = 1000
"""Number of first records without a wanted key, and none with it, after which the key is taken for the user's error."""


_PIECE_BYTES = 1 << 20  # Arrow's parser shares a block among its threads in pieces of this size


_GUESSED = 1 << 20  # types are guessed by lines up to this size: parsing takes many times their bytes
_NAMES = 60  # names of one record that an error may list
_ALONE_BYTES = 64 << 20  # a record longer than this is read by itself: Arrow would hold it three times over


class JsonReader(RecordReader):
    """Reader of documents from JSON lines.

    Numbers as ids and extra columns become decimal strings, whole floats without ".0"; true and false in extra columns become these
    words, lists and objects become JSON. Of repeated keys in an object the last counts.
    """

    def __init__(
        self,
        wanted: WantedColumns,
        source: str,
        shown: str,
        *,
        whole: bool = True,
        most: int = LARGEST,
        encoding: str = UTF8,
        given: bool = False,
    ) -> None:
        """Make a reader; see the class.

        Args:
            wanted, source, encoding, given: see RecordReader.
            shown: file, for messages.
            whole: True if the records are those of a file from its start, so that a key that none of them has is a user's error.
            most: maximum bytes of a record, which limits the number of its values too.
        """
        super().__init__(wanted, source, encoding, given)
        self.text_ids = wanted.id is None
        self._most = most
        self._types: dict[str, pa.DataType] | None = {}
        paths = {name: parse_path(name) for name in wanted.columns}
        self._paths: dict[str, ColumnPath] = {name: path for name, path in paths.items() if path is not None}
        texts = wanted.text if wanted.instead is None else (*wanted.text, wanted.instead)
        named = Message("{}", Param("text", "KEY"))
        if wanted.instead is not None:
            named = Message("{} or {}", Param("text", "KEY"), Param("html", "KEY"))
        required = [(texts, named)]
        if wanted.id_required and wanted.id is not None:
            required.append(((wanted.id,), Message("{}", Param("id", "KEY"))))
        self._census = [_Census(shown, keys, named) for keys, named in required] if whole else []

    @property
    def settled(self) -> bool:
        """See RecordReader.settled: a record had each key that all records need."""
        return not self._census

    def finish(self) -> None:
        """Raise InputError if no record of the file had a key that all records need."""
        for census in self._census:
            census.close()

    def at_once(self, records: Records) -> pa.RecordBatch | None:
        """Convert all records of the block to one batch; None if one has to be parsed by itself (see RecordReader.at_once)."""
        block, wanted = records.block, self.wanted
        longest = int((records.ends - records.starts).max())
        if (
            longest > _ALONE_BYTES
            or not _one_object_a_line(records)
            or block.find(b"\0") >= 0
            or self._has_too_many_values(records)
        ):
            return None
        table = self._parsed(records, longest)
        if table is None or table.num_rows != len(records):
            return None
        batch = table.combine_chunks().to_batches()[0]
        columns = {key: self._column(batch, key) for key in wanted.columns}
        found = {key: values for key, values in columns.items() if values is not None}
        if len(found) < len(columns):
            return None
        texts = [found[key] for key in wanted.text]
        text = join_texts(texts)
        whole = text.null_count == 0 if len(texts) == 1 else _has_value(texts)
        instead: list[pa.Array] = []
        if wanted.instead is not None:
            pages = found[wanted.instead]
            whole = whole or _has_value([*texts, pages])
            text, pages = stood_in(text if len(texts) == 1 else _nulled(text, texts), pages)
            instead = [pages]
        ids = pa.nulls(len(records), pa.large_string()) if wanted.id is None else strings_of(found[wanted.id])
        numbers = wanted.id is not None and pa.types.is_integer(found[wanted.id].type)
        others = wanted.extra[: len(wanted.extra) - len(instead)]
        extra = [*(strings_of(found[name]) for name in others), *instead]
        usable = whole and ids is not None and not (wanted.id_required and ids.null_count)
        if not usable or any(values is None for values in extra):
            return None
        self._census = []
        rows = np.arange(records.row, records.row + len(records), dtype=np.int64)
        return assemble(wanted, rows, ids, text, extra, numbers)

    def _parsed(self, records: Records, longest: int) -> pa.Table | None:
        """Return the wanted values of all records of a block, parsed at once; None if one has to be parsed by itself."""
        self._guess(records.raw(0))
        if self._types is None:
            return None
        keys = dict.fromkeys([*self.wanted.columns, *self._types])
        schema = pa.schema([(key, self._types.get(key, pa.large_string())) for key in keys])
        try:
            return pj.read_json(
                pa.BufferReader(memoryview(records.block)[records.starts[0] : records.ends[-1]]),
                read_options=pj.ReadOptions(block_size=max(_PIECE_BYTES, longest + 1)),
                parse_options=pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
            )
        except pa.ArrowException:  # a bad record, or no thread to be had: one by one it needs none
            return None

    def _column(self, batch: pa.RecordBatch, name: str) -> pa.Array | None:
        """Return a wanted column of a parsed block, whose values may be within others; None if a record has to be parsed by itself."""
        as_text, own, path = name in self.wanted.text, batch.column(name), self._paths.get(name)
        if path is None:
            if not (as_text and pa.types.is_nested(own.type)):
                return own
            values, wrong = column_at(own, (), name, True)
        else:
            values, wrong = column_at(batch.column(path.root), path.steps, name, as_text)
            if own.null_count < len(own):  # a key that is spelled like the path
                values, own = strings_of(values), strings_of(own)
                values = None if values is None or own is None else pc.coalesce(own, values)
        return None if wrong else values

    def _value(self, item: dict[str, Any], name: str) -> Any:
        """Return a wanted value of a record, which may be within others: of a text a string, or what cannot be one.

        Raises:
            Refused: a value on the way is of another kind than the path wants.
        """
        value, as_text = item.get(name), name in self.wanted.text
        path = self._paths.get(name) if value is None else None
        try:
            if path is not None:
                return value_of(item.get(path.root), path.steps, name, path.is_many, as_text)
            return text_of(value, name) if as_text and isinstance(value, list) else value
        except Mismatched as error:
            raise Refused(error.reason) from error

    def _id(self, item: dict[str, Any]) -> Any:
        """Return the value of a record's id; None if it cannot be reached and need not be there."""
        if self.wanted.id is None:
            return None
        try:
            return self._value(item, self.wanted.id)
        except Refused:
            if self.wanted.id_required:
                raise
            return None

    def _has_too_many_values(self, records: Records) -> bool:
        """Return True if a record of the block has more values than the limit allows."""
        large = np.flatnonzero(records.ends - records.starts >= COUNTED_BYTES)
        bounds = zip(records.starts[large].tolist(), records.ends[large].tolist(), strict=True)
        return any(too_many_values(records.block, self._most, start, end) is not None for start, end in bounds)

    def one(self, raw: bytes) -> Values:
        """Return the values of one record, given without its line ending; see RecordReader.one."""
        wanted = self.wanted
        if (many := too_many_values(raw, self._most)) is not None:
            raise Refused(many)
        item = parsed(raw, remedy_for(UTF8, self.given and self.encoding == UTF8, ENCODING_REMEDY))
        if not isinstance(item, dict):
            raise Refused(Message("not an object"))
        if self._census:
            self._census = [census for census in self._census if not census.settled_by(item)]
        texts: list[str] = []
        for key in wanted.text:
            value = self._value(item, key)
            if isinstance(value, str):
                texts.append(value)
            elif value is not None:
                raise Refused(Message("{} is {}, not a string", key, KINDS[type(value)]))
        spoken = any(text.strip(BLANK) for text in texts)
        instead = None if wanted.instead is None or spoken else self._value(item, wanted.instead)
        if not texts and instead is None and not wanted.textless:
            keys = wanted.text if wanted.instead is None else (*wanted.text, wanted.instead)
            raise Refused(lacking(item, keys))
        if instead is not None and not isinstance(instead, str):
            raise Refused(Message("{} is {}, not a string", wanted.instead, KINDS[type(instead)]))
        named = self._id(item)
        number = None if wanted.id is None else id_of(named, raw, wanted.id)
        self.text_ids = self.text_ids or number is None or isinstance(named, str)
        if wanted.id_required and wanted.id is not None and number is None:
            raise Refused(lacking(item, (wanted.id,)))
        if wanted.instead is None:
            return number, join_cells(texts), [string_of(self._value(item, name)) for name in wanted.extra]
        return (
            number,
            "" if instead is not None else join_cells(texts),
            [*(string_of(self._value(item, name)) for name in wanted.extra[:-1]), instead],
        )

    def _guess(self, line: bytes) -> None:
        """Set the types of id and extra columns to those in the first line of the block; a wrong guess costs time only."""
        if self._paths:
            self._types = None  # without a guess there is no type for the roots
        if len(line) > _GUESSED:
            return
        try:
            item = orjson.loads(line)
        except orjson.JSONDecodeError:
            return
        if not isinstance(item, dict):
            return
        wanted = self.wanted
        if self._paths or any(isinstance(item.get(key), list) for key in wanted.text):
            try:
                self._types = wanted_types(item, wanted.text, wanted.columns, wanted.id)
            except UnlikeError:
                self._types = None
            return
        types = {int: pa.int64(), bool: pa.bool_(), float: pa.float64()}
        guessed = {} if self._types is None else self._types
        for key in wanted.columns:
            kind = type(item.get(key))
            if key not in (*wanted.text, wanted.instead) and item.get(key) is not None:
                plain = key != wanted.id or kind is int  # any other number needs the closer look to be an id
                guessed[key] = types.get(kind, pa.large_string()) if plain else pa.large_string()
        self._types = {key: kind for key, kind in guessed.items() if key in wanted.columns and key not in wanted.text}


class _Census:
    """Count of the records that have none of the keys, until the first record that has one."""

    def __init__(self, shown: str, keys: tuple[str, ...], named: Message) -> None:
        self._shown, self._keys, self._named = shown, keys, named
        self._lacking = 0
        self._seen: dict[str, None] = {}
        self._list: tuple[str, str] | None = None

    def settled_by(self, item: dict[str, Any]) -> bool:
        found = {_has_key(item, key) for key in self._keys}
        if True in found:
            return True
        if None in found:  # a null or an empty list on the way to it
            return False
        self._lacking += 1
        lists = [key for key, value in item.items() if isinstance(value, list) and value and isinstance(value[0], dict)]
        self._list = next(((key, one) for key in lists for one in self._keys if one in item[key][0]), None)
        nested = bool(lists) or any(map(parse_path, self._keys))
        self._seen.update(dict.fromkeys(names_in_record(item)[:_NAMES] if nested else list(item)[:20]))
        if self._lacking >= CENSUS:
            self.close()
        return False

    def close(self) -> None:
        if self._lacking == 1 and self._list is not None:
            raise wrapped_records(self._shown, *self._list)
        if self._lacking:
            raise missing_keys(
                self._shown, self._keys, self._lacking, nearest_names(self._keys[0], self._seen), self._named
            )


def _has_key(item: dict[str, Any], name: str) -> bool | None:
    """Return True if a record has this key or path, False if not; None if null values leave it open (`exists_at`)."""
    path = parse_path(name)
    return name in item or (path is not None and path.root in item and exists_at(item[path.root], path.steps))


def _one_object_a_line(records: Records) -> bool:
    """Return True if each record begins and ends with a brace, so that parsed rows correspond to lines."""
    octets = np.frombuffer(records.block, np.uint8)
    starts, ends = records.bounds()
    return bool((octets[starts] == ord("{")).all() and (octets[ends - 1] == ord("}")).all())


def _nulled(text: pa.Array, texts: list[pa.Array]) -> pa.Array:
    """Return the joined texts with nulls in rows in which all of `texts` are null."""
    none = np.logical_and.reduce([column.is_null().to_numpy(zero_copy_only=False) for column in texts])
    return pc.if_else(pa.array(none), pa.scalar(None, pa.large_string()), text) if none.any() else text


def _has_value(columns: list[pa.Array]) -> bool:
    """Return True if each row has a value in at least one of the columns."""
    present = np.zeros(len(columns[0]), bool)
    for column in columns:
        present |= column.is_valid().to_numpy(zero_copy_only=False)
    return bool(present.all())
