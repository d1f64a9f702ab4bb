"""Store of the documents of an index and of their pairs: rows, and what reads them, whatever database has the tables.

Statements are written in the SQL that SQLite and PostgreSQL have in common, with `?` for each value.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from json.encoder import encode_basestring as _quoted
from typing import Any, NamedTuple, Protocol

from quchong.decision.differing import PlainDifference
from quchong.errors import RunError
from quchong.languages import Message
from quchong.work import Damaged

KEPT, REMOVED, GHOST = 0, 1, 2
"""States of a document; a ghost was deleted, and its text stays because equal documents are found by it."""
FORWARD, EDITED, COMPRESSED, UNSCORED = 1, 2, 4, 8
"""Marks of a document: it quotes another one; preparation changed its text; its stored text is compressed; it is not compared."""
MOST_RATIO = 1 << 15
"""Most bytes that one byte of Zstandard stands for: a block of 128 KiB of one byte takes four."""
PAIRS_AT_ONCE = 40
"""Pairs of a document that `pairs_in_order` reads at once."""
READ_AT_ONCE = 4_096
"""Documents that `all_documents` reads at once."""


class DamagedRow(RunError, Damaged):
    """Row of an index that is not as it was stored: an error of a damaged index (exit code 5) wherever it is read.

    Args:
        reason: what is damaged, a message without the place; `quchong.engines.index.opening.naming` adds that.
    """

    def __init__(self, reason: Message) -> None:
        super().__init__(Message("the index is damaged: {}; see quchong index verify", reason))
        self.reason = reason

    def __reduce__(self) -> tuple[type[DamagedRow], tuple[Message]]:
        return DamagedRow, (self.reason,)


class Row(NamedTuple):
    """Document in the catalogue; the fields are the columns of its table.

    SQLite has no sums of its pages. `own_sum` is the CRC-32 of what never changes, `fate_sum` that of what is decided.
    """

    number: int
    id: str | int | None
    high: int
    low: int
    scope: int
    same: int
    part: int
    tokens: int
    singles: int
    marks: int
    time: float | None
    added: float
    state: int
    survivor: int | None
    relation: int | None
    rule: str | None
    columns: str
    size: int
    text: bytes | None
    own_sum: int = 0
    fate_sum: int = 0

    def summed(self) -> Row:
        """Return the row with its checksums computed."""
        return Row(*summed_row(self[: TEXT + 1]))

    def _own(self) -> int:
        return _own_sum(self)

    def check(self) -> None:
        """Raise DamagedRow if the unchanging columns of a row, read with its text, do not match their checksum.

        Cost: some microseconds, and the CRC-32 of the text as it is stored.
        """
        try:
            whole = self._own() == self.own_sum
        except (TypeError, ValueError):  # values of other types than the table has
            whole = False
        if not whole:
            raise damaged_document(self.number)


_STATE, _RULE, TEXT = (Row._fields.index(name) for name in ("state", "rule", "text"))


def _own_sum(row: tuple[Any, ...]) -> int:
    """Return the CRC-32 of the unchanging columns, which are the first of a row."""
    own = repr((*row[:_STATE], *row[_RULE + 1 : TEXT])).encode(errors="surrogatepass")
    return zlib.crc32(row[TEXT] or b"", zlib.crc32(own))


def summed_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a table row: the columns of a document from number to text, followed by their checksums."""
    return (*row, _own_sum(row), fate_sum(row[0], *row[_STATE : _RULE + 1]))


MOST_DIFFERENCES = 256 << 20
"""Most bytes of the differences of a pair."""
_WITHOUT_TEXT = ", ".join("NULL" if name == "text" else name for name in Row._fields)


def damaged_document(number: object) -> DamagedRow:
    """Return the error that a document's row does not match its checksum."""
    return DamagedRow(Message("document {} does not match its stored checksum", number))


def fate_sum(number: int, state: int, survivor: int | None, relation: int | None, rule: str | None) -> int:
    """Return the CRC-32 of the decision on a document: state, survivor, relation and rule."""
    return zlib.crc32(repr((number, state, survivor, relation, rule)).encode())


def keys_sum(number: int, represented: bytes) -> int:
    """Return the CRC-32 of the stored keys of a document."""
    return zlib.crc32(represented, number & 0xFFFFFFFF)


class StoredPair(NamedTuple):
    """Pair of documents with a relation, of which the left one has the smaller id.

    Differences are those of a comparison (`quchong.engines.index.told_later`), or bytes as the catalogue has them
    (`packed_differences`); None if there are none, or were not read.
    """

    left: int
    right: int
    relation: int
    rule: str
    measures: bytes
    differences: Any

    def row(self) -> tuple[Any, ...]:
        """Return the row of its table, which ends with its CRC-32."""
        told = self.differences
        if told is not None and not isinstance(told, bytes):
            told = packed_differences(told.rows())
        row = (max(self[:2]), min(self[:2]), int(self.left > self.right), *self[2:-1], told)
        return (*row, zlib.crc32(repr(row).encode(errors="surrogatepass")))


WITHOUT_DIFFERENCES = "later, earlier, turned, relation, rule, measures, NULL, 0"
"""Columns of a pair, with nothing in place of its differences and of its sum."""


def pairs_of_rows(rows: Sequence[tuple[Any, ...]]) -> list[StoredPair]:
    """Return pairs from rows of their table, where the later document comes first and `turned` tells which is left."""
    return [
        StoredPair(later, earlier, relation, rule, measures, told)
        if turned
        else StoredPair(earlier, later, relation, rule, measures, told)
        for later, earlier, turned, relation, rule, measures, told, _ in rows
    ]


def packed_differences(told: Sequence[PlainDifference]) -> bytes:
    """Return differences as the catalogue has them: a list of DIFFERENCE in JSON, compressed by zlib."""
    written = (
        f'{{"kind": {_quoted(kind)}, "conflict": {"true" if conflict else "false"}, "left": {_quoted(left)}, "right": {_quoted(right)}, '
        f'"left_start": {a}, "left_end": {b}, "right_start": {c}, "right_end": {d}}}'
        for kind, conflict, left, right, a, b, c, d in told
    )
    return _deflated(f"[{', '.join(written)}]".encode(errors="surrogatepass"))


def _deflated(plain: bytes) -> bytes:
    """Return bytes compressed by zlib, with a small window because it is made faster."""
    window = min(zlib.MAX_WBITS, max(10, (len(plain) + 511).bit_length()))
    writer = zlib.compressobj(1, zlib.DEFLATED, window, min(zlib.DEF_MEM_LEVEL, window - 6))
    return writer.compress(plain) + writer.flush()


def unpacked_differences(packed: bytes) -> list[dict[str, Any]]:
    """Return the list of DIFFERENCE that `packed_differences` packed.

    Raises:
        DamagedRow: the bytes are damaged, or more than a list that was packed can be.
    """
    reader = zlib.decompressobj()
    try:
        plain = reader.decompress(packed, MOST_DIFFERENCES)
        found = None if reader.unconsumed_tail or not reader.eof else json.loads(plain)
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise DamagedRow(Message("the stored differences of a pair are damaged")) from error
    if not isinstance(found, list):
        raise DamagedRow(Message("the stored differences of a pair are damaged"))
    return found


Fate = tuple[int, int | None, int | None, str | None, int]
"""Decided fate of a document: state, survivor, relation, rule, and then its number."""


class Writer(Protocol):
    """Writer of SQL statements within a transaction."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any:
        """Execute a statement with a value for each `?`."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Execute a statement once for each row of values."""
        ...


class DocumentStore(ABC):
    """Documents of an index and their pairs, read by any thread and written in transactions.

    The tables are those of docs/index-format.md.
    """

    _measures: str | None = None

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[None]:
        """Let this thread read one unchanging state of the tables in the block; inside its own transaction it sees its own writes."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Writer]:
        """Open a transaction for writing; all that is written in the block is committed at its end, or nothing after an error."""

    @property
    @abstractmethod
    def in_transaction(self) -> bool:
        """True if this thread is in a transaction of its own, which may be rolled back yet."""

    @abstractmethod
    def select(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    @abstractmethod
    def select_in(self, sql: str, numbers: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with `IN ({})` for the list of `numbers`; the order of rows is undefined."""

    @abstractmethod
    def text_ids(self) -> int:
        """Return how many ids are texts; the others are whole numbers."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    def rows(self, numbers: Sequence[int], *, texts: bool = True) -> dict[int, Row]:
        """Return the documents with these numbers, by number; those that are not there are left out.

        Args:
            texts: read their texts too; otherwise they are None.
        """
        if not len(numbers):
            return {}
        columns = "*" if texts else _WITHOUT_TEXT
        return {
            row[0]: Row(*row)
            for row in self.select_in(f"SELECT {columns} FROM documents WHERE number IN ({{}})", numbers)
        }

    def numbered(self, start: int, end: int) -> list[Row]:
        """Return the documents from one number to another, the last excluded, with their texts, by number."""
        return [
            Row(*row)
            for row in self.select(
                "SELECT * FROM documents WHERE number >= ? AND number < ? ORDER BY number", start, end
            )
        ]

    def all_documents(self) -> Iterator[list[Row]]:
        """Yield all documents that have an id in the order of their arrival, some thousand at a time."""
        after = -1
        sql = "SELECT * FROM documents WHERE number > ? AND id IS NOT NULL ORDER BY number LIMIT ?"
        while rows := [Row(*row) for row in self.select(sql, after, READ_AT_ONCE)]:
            yield rows
            after = rows[-1].number

    def pairs_of(self, numbers: Sequence[int], *, differences: bool = True) -> list[StoredPair]:
        """Return the pairs with any of these documents on either side, each once.

        Args:
            differences: read their differences too; otherwise they are None.
        """
        return pairs_of_rows(self._pair_rows("*" if differences else WITHOUT_DIFFERENCES, numbers)[0])

    def few_pairs_of(self, numbers: Sequence[int], most: int) -> list[StoredPair] | None:
        """Return the pairs of `pairs_of` without differences; None if a document has more than `most` pairs on one side."""
        found, are_all = self.first_pairs_of(numbers, most)
        return found if are_all else None

    def first_pairs_of(self, numbers: Sequence[int], most: int) -> tuple[list[StoredPair], bool]:
        """Return at most about `most` pairs of `pairs_of` without differences, and True if these are all.

        They are not all if there are more than `most` with any of these on one side.
        """
        rows, are_all = self._pair_rows(WITHOUT_DIFFERENCES, numbers, most)
        return pairs_of_rows(rows), are_all

    def _pair_rows(
        self, columns: str, numbers: Sequence[int], most: int | None = None
    ) -> tuple[list[tuple[Any, ...]], bool]:
        """Return the rows of pairs with any of the documents on either side, each once, and True if all were read."""
        found: list[tuple[Any, ...]] = []
        inside, limit = set(numbers), "" if most is None else f" LIMIT {most + 1}"
        for side in ("later", "earlier"):
            rows = self.select_in(f"SELECT {columns} FROM pairs WHERE {side} IN ({{}}){limit}", numbers)
            found += rows if side == "later" else [row for row in rows if row[0] not in inside]
            if most is not None and len(rows) > most:
                return found, False
        return found, True

    def pairs_in_order(self, number: int) -> Iterator[list[StoredPair]]:
        """Yield the pairs of a document without their differences, by the number of the other document, some at a time."""
        for side, other, place in (("later", "earlier", 1), ("earlier", "later", 0)):
            after = -1
            sql = f"SELECT {WITHOUT_DIFFERENCES} FROM pairs WHERE {side} = ? AND {other} > ? ORDER BY {other} LIMIT {PAIRS_AT_ONCE}"
            while rows := self.select(sql, number, after):
                yield pairs_of_rows(rows)
                if len(rows) < PAIRS_AT_ONCE:
                    break
                after = rows[-1][place]

    def pairs_among(self, numbers: Sequence[int]) -> list[StoredPair]:
        """Return the pairs of which both documents are among these, each once and without its differences.

        Cost: that of the pairs that the documents have with earlier ones.
        """
        sql = f"SELECT {WITHOUT_DIFFERENCES} FROM pairs WHERE later IN ({{}})"
        inside = set(numbers)
        return pairs_of_rows([row for row in self.select_in(sql, numbers) if row[1] in inside])

    def pairs_with_survivors(self, numbers: Sequence[int]) -> list[StoredPair]:
        """Return the pairs of removed documents with their survivors, without their differences; exact copies have none.

        Cost: one pair is read for each document.
        """
        later, earlier = (f"CASE WHEN d.part {sign} s.part THEN d.part ELSE s.part END" for sign in "><")
        return pairs_of_rows(
            self.select_in(
                f"SELECT {WITHOUT_DIFFERENCES} FROM pairs WHERE (later, earlier) IN (SELECT {later}, {earlier} "
                "FROM documents AS d JOIN documents AS s ON s.number = d.survivor WHERE d.number IN ({}))",
                numbers,
            )
        )

    def write_fates(self, writer: Writer, changes: Sequence[Fate]) -> None:
        """Write the decided fates of documents."""
        writer.executemany(
            "UPDATE documents SET state = ?, survivor = ?, relation = ?, rule = ?, fate_sum = ? WHERE number = ?",
            [(*change[:4], fate_sum(change[4], *change[:4]), change[4]) for change in changes],
        )

    def remembering(self) -> AbstractContextManager[None]:
        """Cache documents inside the block, so that each is read at most once; only this thread may change documents there."""
        return nullcontext()

    def add_rows(self, writer: Writer, rows: Sequence[tuple[Any, ...]]) -> None:
        """Insert the rows of documents."""
        writer.executemany(f"INSERT INTO documents VALUES ({','.join('?' * len(Row._fields))})", rows)

    def count(self, sql: str, *values: Any) -> int:
        """Return the one number that a query gives, 0 if it gives none."""
        found = self.select(sql, *values)
        return int(found[0][0] or 0) if found else 0

    def note(self, name: str) -> str | None:
        """Return a note by its name; None if there is none."""
        found = self.select("SELECT value FROM notes WHERE name = ?", name)
        return found[0][0] if found else None

    def measures_note(self) -> str | None:
        """Return the description of how measures of pairs are stored (`MeasureCodec.describe`); None before the first pair."""
        if self._measures is None:
            found = self.note("measures")
            if self.in_transaction:
                return found
            self._measures = found
        return self._measures
