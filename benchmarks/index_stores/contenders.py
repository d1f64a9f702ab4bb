"""Stores that can hold the catalogue of an index, behind one interface: SQLite in several layouts, LMDB, RocksDB, sorted files."""

from __future__ import annotations

import os
import sqlite3
import struct
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from rows import Row

FIXED = struct.Struct("<QQiiddBB")
"""Digest, sizes, times, state and class of a row of the stores that keep bytes."""


class Contender(Protocol):
    """A store of rows: added in batches, each of which is safe when `add` returns."""

    def add(self, rows: list[Row]) -> None: ...
    def by_id(self, id: str) -> int | None: ...
    def by_digest(self, high: int, low: int) -> int | None: ...
    def texts(self, numbers: list[int]) -> list[bytes]: ...
    def close(self) -> None: ...


class Sqlite:
    """SQLite in WAL mode. Texts lie in the row or in a table of their own; digests and ids have an index or none."""

    def __init__(  # noqa: PLR0913 - settings that are compared
        self, folder: Path, *, page: int = 4096, cache_mb: int = 64, sync: str = "FULL", digest: bool = True, id_index: bool = True,
        apart: bool = False, checkpoint: int = 1000, mmap_mb: int = 0, hashed: bool = False,
    ) -> None:  # fmt: skip
        self.apart, self.hashed, self.digest = apart, hashed, digest
        self.db = sqlite3.connect(folder / "catalogue.sqlite", isolation_level=None)
        for pragma in (f"page_size={page}", "journal_mode=WAL", f"synchronous={sync}", f"cache_size={-1024 * cache_mb}",
                       f"wal_autocheckpoint={checkpoint}", f"mmap_size={mmap_mb << 20}"):  # fmt: skip
            self.db.execute(f"PRAGMA {pragma}").fetchall()
        text = "" if apart else ", text BLOB"
        word = ", word INTEGER" if hashed else ""
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS documents(number INTEGER PRIMARY KEY, id TEXT, high INTEGER, low INTEGER, tokens INTEGER, "
            f"singles INTEGER, time REAL, added REAL, state INTEGER, class INTEGER{word}{text})"
        )
        if apart:
            self.db.execute("CREATE TABLE IF NOT EXISTS texts(number INTEGER PRIMARY KEY, text BLOB)")
        if hashed:
            self.db.execute("CREATE INDEX IF NOT EXISTS ids ON documents(word)")
        elif id_index:
            self.db.execute("CREATE UNIQUE INDEX IF NOT EXISTS ids ON documents(id)")
        if digest:
            self.db.execute("CREATE INDEX IF NOT EXISTS digests ON documents(high, low)")

    def add(self, rows: list[Row]) -> None:
        values: list[Any] = [r[:10] for r in rows] if self.apart else rows
        if self.hashed:
            values = [(*r[:10], id_word(r.id), r.text) for r in rows]
        width = len(values[0])
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany(f"INSERT INTO documents VALUES({','.join('?' * width)})", values)
        if self.apart:
            self.db.executemany("INSERT INTO texts VALUES(?,?)", [(r.number, r.text) for r in rows])
        self.db.execute("COMMIT")

    def by_id(self, id: str) -> int | None:
        if self.hashed:
            found = self.db.execute("SELECT number FROM documents WHERE word=? AND id=?", (id_word(id), id)).fetchone()
        else:
            found = self.db.execute("SELECT number FROM documents WHERE id=?", (id,)).fetchone()
        return found and found[0]

    def by_digest(self, high: int, low: int) -> int | None:
        found = self.db.execute("SELECT number FROM documents WHERE high=? AND low=?", (high, low)).fetchone()
        return found and found[0]

    def texts(self, numbers: list[int]) -> list[bytes]:
        marks, table = ",".join("?" * len(numbers)), "texts" if self.apart else "documents"
        return [t for (t,) in self.db.execute(f"SELECT text FROM {table} WHERE number IN ({marks})", numbers)]

    def close(self) -> None:
        self.db.close()


def id_word(id: str) -> int:
    """Return a 63-bit word of an id (here: its own hexadecimal end, mixed already)."""
    return int(id[-16:], 16) >> 1


class Lmdb:
    """LMDB: documents by number (appended), ids and digests in two more trees; a commit is synced."""

    def __init__(self, folder: Path, *, sync: str = "FULL") -> None:
        import lmdb

        self.env = lmdb.open(str(folder / "lmdb"), map_size=1 << 36, max_dbs=3, sync=sync == "FULL", readahead=False)
        self.documents = self.env.open_db(b"documents")
        self.ids = self.env.open_db(b"ids")
        self.digests = self.env.open_db(b"digests")

    def add(self, rows: list[Row]) -> None:
        with self.env.begin(write=True) as txn:
            for r in rows:
                key = struct.pack(">Q", r.number)
                txn.put(key, packed(r), db=self.documents, append=True)
                txn.put(r.id.encode(), key, db=self.ids)
                txn.put(struct.pack(">qq", r.high, r.low), key, db=self.digests)

    def _get(self, key: bytes, db: Any) -> int | None:
        with self.env.begin() as txn:
            found = txn.get(key, db=db)
        return None if found is None else int.from_bytes(found, "big")

    def by_id(self, id: str) -> int | None:
        return self._get(id.encode(), self.ids)

    def by_digest(self, high: int, low: int) -> int | None:
        return self._get(struct.pack(">qq", high, low), self.digests)

    def texts(self, numbers: list[int]) -> list[bytes]:
        with self.env.begin() as txn:
            return [text_of(txn.get(struct.pack(">Q", n), db=self.documents)) for n in numbers]

    def close(self) -> None:
        self.env.close()


def packed(row: Row) -> bytes:
    """Return a row as bytes: fixed fields, length of the id, id, text."""
    id = row.id.encode()
    head = FIXED.pack(
        row.high & (2**64 - 1), row.low & (2**64 - 1), row.tokens, row.singles, row.time, row.added, row.state, row.kind
    )
    return head + len(id).to_bytes(2, "little") + id + row.text


def text_of(value: bytes) -> bytes:
    """Return the text of a packed row."""
    at = FIXED.size
    return value[at + 2 + int.from_bytes(value[at : at + 2], "little") :]


class Rocks:
    """RocksDB (rocksdict): one key space with a letter before each key, Bloom filters of 10 bits, batches synced or not."""

    def __init__(self, folder: Path, *, sync: str = "FULL", cache_mb: int = 64) -> None:
        import rocksdict

        options = rocksdict.Options(raw_mode=True)
        options.create_if_missing(True)
        options.set_compression_type(rocksdict.DBCompressionType.none())
        options.set_write_buffer_size(64 << 20)
        options.increase_parallelism(2)
        table = rocksdict.BlockBasedOptions()
        table.set_bloom_filter(10, False)
        table.set_block_cache(rocksdict.Cache(cache_mb << 20))
        options.set_block_based_table_factory(table)
        self.batch = rocksdict.WriteBatch
        self.db = rocksdict.Rdict(str(folder / "rocks"), options)
        self.writing = rocksdict.WriteOptions()
        self.writing.sync = sync == "FULL"

    def add(self, rows: list[Row]) -> None:
        batch = self.batch(raw_mode=True)
        for r in rows:
            key = struct.pack(">Q", r.number)
            batch.put(b"n" + key, packed(r))
            batch.put(b"i" + r.id.encode(), key)
            batch.put(b"d" + struct.pack(">qq", r.high, r.low), key)
        self.db.write(batch, self.writing)

    def _get(self, key: bytes) -> int | None:
        found = self.db.get(key)
        return None if found is None else int.from_bytes(found, "big")

    def by_id(self, id: str) -> int | None:
        return self._get(b"i" + id.encode())

    def by_digest(self, high: int, low: int) -> int | None:
        return self._get(b"d" + struct.pack(">qq", high, low))

    def texts(self, numbers: list[int]) -> list[bytes]:
        return [text_of(value) for value in self.db.get([b"n" + struct.pack(">Q", n) for n in numbers])]

    def close(self) -> None:
        self.db.close()


class SortedFiles:
    """The limit: packed rows appended to one file, and runs of sorted (word, number) of a million rows, mapped; no log, no checks."""

    RUN = 1_000_000

    def __init__(self, folder: Path, *, sync: str = "FULL") -> None:
        self.folder, self.sync = folder, sync == "FULL"
        self.file = (folder / "rows").open("ab+")
        self.ends = np.fromfile(folder / "ends", np.int64).tolist() if (folder / "ends").exists() else []
        self.new: dict[str, list[int]] = {"ids": [], "digests": []}
        self.found = {name: [np.load(p, mmap_mode="r") for p in sorted(folder.glob(f"{name}.*"))] for name in self.new}
        self.latest: dict[str, dict[int, int]] = {name: {} for name in self.new}

    def add(self, rows: list[Row]) -> None:
        end = self.ends[-1] if self.ends else 0
        values = [packed(r) for r in rows]
        for r, value in zip(rows, values, strict=True):
            end += len(value)
            self.ends.append(end)
            self.latest["ids"][id_word(r.id)] = r.number
            self.latest["digests"][r.high] = r.number
        self.file.write(b"".join(values))
        self.file.flush()
        if self.sync:
            os.fdatasync(self.file.fileno())
        if len(self.latest["ids"]) >= self.RUN:
            self._seal()

    def _seal(self) -> None:
        for name, table in self.latest.items():
            run = np.empty((2, len(table)), np.int64)
            keys, numbers = np.fromiter(table, np.int64, len(table)), np.fromiter(table.values(), np.int64, len(table))
            order = np.argsort(keys)
            run[0], run[1] = keys[order], numbers[order]
            path = self.folder / f"{name}.{len(self.found[name]):04}"
            with path.open("wb") as file:
                np.save(file, run)
            self.found[name].append(np.load(path, mmap_mode="r"))
            table.clear()

    def _search(self, name: str, word: int) -> int | None:
        if word in self.latest[name]:
            return self.latest[name][word]
        for keys, numbers in self.found[name]:
            at = int(keys.searchsorted(word))
            if at < len(keys) and keys[at] == word:
                return int(numbers[at])
        return None

    def by_id(self, id: str) -> int | None:
        return self._search("ids", id_word(id))

    def by_digest(self, high: int, low: int) -> int | None:
        return self._search("digests", high)

    def texts(self, numbers: list[int]) -> list[bytes]:
        out = []
        for n in numbers:
            start = self.ends[n - 1] if n else 0
            out.append(text_of(os.pread(self.file.fileno(), self.ends[n] - start, start)))
        return out

    def close(self) -> None:
        self._seal()
        np.array(self.ends, np.int64).tofile(self.folder / "ends")
        self.file.close()
