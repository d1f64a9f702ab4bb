"""Stores that several processes may share, each with posting lists and documents: tables of PostgreSQL, and values of Redis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

FRONT = 65
"""Documents of a list that a join of keys reads."""


def bigints(values: np.ndarray) -> list[int]:
    return values.view(np.int64).tolist()


class Postgres:
    """One table of postings, whole or in hash partitions by key; one of documents by number."""

    def __init__(self, address: str, partitions: int) -> None:
        import psycopg

        self.db = psycopg.connect(address, autocommit=True, prepare_threshold=1)
        run = self.db.execute
        run("DROP SCHEMA IF EXISTS bench CASCADE")
        run("CREATE SCHEMA bench")
        run("SET search_path TO bench")
        table = "CREATE TABLE postings (key bigint, number integer, weight integer, PRIMARY KEY (key, number))"
        if partitions:
            run(f"{table} PARTITION BY HASH (key)")
            for k in range(partitions):
                run(
                    f"CREATE TABLE postings_{k} PARTITION OF postings FOR VALUES WITH (MODULUS {partitions}, REMAINDER {k})"
                )
        else:
            run(table)
        run("CREATE TABLE documents (number integer PRIMARY KEY, body bytea)")

    def add(self, first: int, keys: np.ndarray, offsets: np.ndarray, bodies: list[bytes]) -> None:
        owner = np.repeat(np.arange(first, first + len(bodies)), np.diff(offsets))
        order = np.argsort(keys.view(np.int64), kind="stable")
        with self.db.transaction(), self.db.cursor() as cursor:
            with cursor.copy("COPY documents FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types(["int4", "bytea"])
                for k, body in enumerate(bodies):
                    copy.write_row((first + k, body))
            rows = np.zeros(
                len(keys),
                [
                    ("n", ">i2"),
                    ("a", ">i4"),
                    ("key", ">i8"),
                    ("b", ">i4"),
                    ("number", ">i4"),
                    ("c", ">i4"),
                    ("weight", ">i4"),
                ],
            )
            rows["n"], rows["a"], rows["b"], rows["c"], rows["weight"] = 3, 8, 4, 4, 1
            rows["key"], rows["number"] = keys.view(np.int64)[order], owner[order]
            head = b"PGCOPY\n\xff\r\n\0" + bytes(8)
            with cursor.copy("COPY postings FROM STDIN (FORMAT BINARY)") as copy:
                copy.write(head + rows.tobytes() + b"\xff\xff")

    def lists(self, keys: np.ndarray) -> Any:
        return self.db.execute(
            "SELECT array_agg(place), array_agg(number) FROM unnest(%b::bigint[]) WITH ORDINALITY AS asked (key, place) "
            "CROSS JOIN LATERAL (SELECT number FROM postings WHERE key = asked.key ORDER BY number LIMIT 65) AS found",
            (bigints(keys),), binary=True,
        ).fetchone()  # fmt: skip

    def bodies(self, numbers: list[int]) -> Any:
        return self.db.execute(
            "SELECT number, body FROM documents WHERE number = ANY(%b::bigint[])", (numbers,), binary=True
        ).fetchall()

    def bytes(self) -> tuple[int, int]:
        sizes = self.db.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relnamespace = 'bench'::regnamespace AND relkind = 'r'"
        ).fetchall()
        total = sum(size for _, size in sizes)
        body = sum(size for name, size in sizes if name == "documents")
        return total - body, body


class Redis:
    """One string for each key, of 4 bytes a document; one string for each document."""

    def __init__(self, address: str) -> None:
        import redis

        self.db = redis.Redis(unix_socket_path=address)
        self.db.flushdb()

    def add(self, first: int, keys: np.ndarray, offsets: np.ndarray, bodies: list[bytes]) -> None:
        owner = np.repeat(np.arange(first, first + len(bodies), dtype="<u4"), np.diff(offsets))
        pipe = self.db.pipeline(transaction=True)
        for key, number in zip(keys.tolist(), owner, strict=True):
            pipe.append(b"k" + key.to_bytes(8, "little"), number.tobytes())
        pipe.mset({f"d{first + k}": body for k, body in enumerate(bodies)})
        pipe.execute()

    def lists(self, keys: np.ndarray) -> Any:
        pipe = self.db.pipeline(transaction=False)
        for key in keys.tolist():
            pipe.getrange(b"k" + key.to_bytes(8, "little"), 0, 4 * FRONT - 1)
        return pipe.execute()

    def bodies(self, numbers: list[int]) -> Any:
        return self.db.mget([f"d{one}" for one in numbers])

    def bytes(self) -> tuple[int, int]:
        body = sum(self.db.memory_usage(name) or 0 for name in itertools.islice(self.db.scan_iter("d*", 1000), 2000))
        return self.db.info("memory")["used_memory"], body
