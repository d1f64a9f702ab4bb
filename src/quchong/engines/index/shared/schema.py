"""Tables of an index in PostgreSQL, in a schema of their own."""

from __future__ import annotations

LAYOUT = "1"
"""Version of the tables."""
PARTITIONS = 8
"""Hash partitions of the postings, by key: in each of them a B-tree of an eighth of the keys."""
_DOCUMENTS = {
    "number": "int8", "id": "json", "high": "int8", "low": "int8", "scope": "int8", "same": "int8", "part": "int8", "tokens": "int8",
    "singles": "int8", "marks": "int4", "time": "float8", "added": "float8", "state": "int4", "survivor": "int8", "relation": "int4",
    "rule": "text", "columns": "text", "size": "int8", "text": "bytea", "own_sum": "int8", "fate_sum": "int8",
}  # fmt: skip
_PAIRS = {
    "later": "int8", "earlier": "int8", "turned": "int4", "relation": "int4", "rule": "text", "measures": "bytea", "differences": "bytea",
    "own_sum": "int8",
}  # fmt: skip
TYPES = {"documents": tuple(_DOCUMENTS.values()), "pairs": tuple(_PAIRS.values()), "gone": ("int8",)}
"""Types of the columns of the tables into which rows are copied."""


def _columns(types: dict[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in types.items())


SCHEMA = (
    # An id keeps its type, so it is JSON; it is found by its key among the postings, and compared after that.
    f"CREATE TABLE documents ({_columns(_DOCUMENTS)}, PRIMARY KEY (number))",
    "CREATE INDEX by_same ON documents (same) WHERE same != number",
    "CREATE INDEX by_part ON documents (part) WHERE part != number",
    "CREATE INDEX kept_of_same ON documents (same) WHERE same != number AND state = 0",
    "CREATE INDEX kept_of_part ON documents (part) WHERE part != number AND state = 0",
    "CREATE INDEX by_survivor ON documents (survivor) WHERE survivor IS NOT NULL",
    "CREATE INDEX by_age ON documents (coalesce(time, added))",
    # Texts are compressed already.
    "ALTER TABLE documents ALTER COLUMN text SET STORAGE EXTERNAL",
    f"CREATE TABLE pairs ({_columns(_PAIRS)}, PRIMARY KEY (later, earlier))",
    "CREATE INDEX by_earlier ON pairs (earlier)",
    "CREATE TABLE gone (number int8 PRIMARY KEY)",
    "CREATE TABLE notes (name text PRIMARY KEY, value text NOT NULL)",
    "CREATE TABLE frozen (name text PRIMARY KEY, value bytea NOT NULL)",
    "CREATE TABLE sizes (number int8 PRIMARY KEY, size float8, reach int8, time float8, scope int8, signature bytea)",
    # One row: the next number of arrival, and whether any posting has another weight than 1. Writers lock it, so that it is their order.
    "CREATE TABLE arrivals (next int8 NOT NULL, weighted boolean NOT NULL)",
    "INSERT INTO arrivals VALUES (0, false)",
    f"INSERT INTO notes VALUES ('layout', '{LAYOUT}')",
    "CREATE TABLE postings (key int8, number int4, weight int4, PRIMARY KEY (key, number)) PARTITION BY HASH (key)",
    *(
        f"CREATE TABLE postings_{k} PARTITION OF postings FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {k})"
        for k in range(PARTITIONS)
    ),
)
"""Statements that make the tables; names are looked up in the schema of the index alone."""
