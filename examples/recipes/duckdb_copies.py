"""DuckDB: the copies in the answer of a query as tables, and a function `seen(text)` that asks an index from SQL.

    con = duckdb.connect("press.db")
    copies(con, "SELECT id, text, published AS time FROM articles WHERE year = 2026")
    con.sql("SELECT survivor_id, count(*) FROM removed GROUP BY 1 ORDER BY 2 DESC")

Needs the package duckdb.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pyarrow as pa

import quchong as qc


def copies(con: duckdb.DuckDBPyConnection, query: str, **options: Any) -> qc.Result:
    """Find the copies in the answer of a query; make the views `kept` (its rows), `removed` (the ledger) and `pairs` of them.

    The answer goes over as Arrow, and the views read the tables where they are; they are there as long as the connection.
    """
    result = qc.dedup(con.sql(query).to_arrow_table(), **options)
    for name, table in {"kept": result.kept, "removed": result.ledger.table, "pairs": result.pairs.table}.items():
        con.register(name, table)
    return result


def register_seen(con: duckdb.DuckDBPyConnection, index: qc.Index) -> None:
    """Give SQL the function `seen(text)`: the id of the document of an index that a text is a copy of, NULL if it is new."""

    def seen(texts: pa.ChunkedArray) -> pa.Array:
        told = dict.fromkeys(range(len(texts)))
        given = [place for place, text in enumerate(texts.to_pylist()) if text]
        answers = index.query([{"id": place, "text": texts[place].as_py()} for place in given])
        told |= {int(one.id): str(one.survivor_id) for one in answers if one.survivor_id is not None}
        return pa.array(list(told.values()), pa.string())

    con.create_function("seen", seen, ["VARCHAR"], "VARCHAR", type="arrow", null_handling="special")  # type: ignore[call-overload]
