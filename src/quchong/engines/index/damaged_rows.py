"""Rows of a catalogue that may be damaged, read one by one: those that can be read, and the numbers of the others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from quchong.engines.index.catalogue import Catalogue
from quchong.engines.index.document_store import Row
from quchong.engines.index.opening import DAMAGE, listed_segments
from quchong.errors import RunError

AT_ONCE = 512
_GREATEST = "SELECT max(number) FROM documents", "SELECT max(number) FROM gone", "SELECT max(later) FROM pairs"
"""Statements that return the greatest number of a document in each table that has such numbers."""


def documents(catalogue: Catalogue) -> Iterator[tuple[int, Row | None]]:
    """Yield number and row of each document of a damaged catalogue; the row is None if it cannot be read."""
    for number, row in readable_rows(catalogue, "documents", "number"):
        yield number, None if row is None else Row(*row)


def readable_rows(catalogue: Catalogue, table: str, key: str) -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """Yield the rows of a table by its key, a whole number from 0, in ascending order; None for one on a page that cannot be read.

    Where the end of a table cannot be read, numbers are tried beyond the last one that is known to have been given, and told only if one
    after them can be read: nobody knows whether there were more. A row whose key is not in order is on a damaged page, and is left out:
    its number is unknown, and a later row shows that one is missing.

    Cost: one statement for 512 rows, and one for each number on damaged pages.
    """
    after, last, known = -1, last_number(catalogue), known_number(catalogue)
    unsure: list[int] = []
    while True:
        rows: list[tuple[Any, ...]] | None = None
        with contextlib.suppress(RunError):
            rows = catalogue.select(f"SELECT * FROM {table} WHERE {key} > ? ORDER BY {key} LIMIT {AT_ONCE}", after)
        if rows == []:
            return
        if rows and (ordered := _ascending(rows, after)):
            yield from ((before, None) for before in unsure)
            unsure.clear()
            yield from ((row[0], row) for row in ordered)
            after = ordered[-1][0]
            continue
        end = min(last, after + AT_ONCE)  # number by number: what is damaged is skipped
        for number in range(after + 1, end + 1):
            try:
                one = [
                    row
                    for row in catalogue.select(f"SELECT * FROM {table} WHERE {key} = ?", number)
                    if row[0] == number
                ]
            except RunError:
                if number <= known:
                    yield number, None
                else:
                    unsure.append(number)
            else:
                for row in one:
                    yield from ((before, None) for before in unsure)
                    unsure.clear()
                    yield number, row
        after = end
        if after >= last:
            return


def _ascending(rows: list[tuple[Any, ...]], after: int) -> list[tuple[Any, ...]]:
    """Return the rows whose keys ascend from `after` on; rows out of order, which damage can produce, are left out."""
    found: list[tuple[Any, ...]] = []
    for k, row in enumerate(rows):
        key = row[0]
        following = rows[k + 1][0] if k + 1 < len(rows) else None
        if type(key) is int and key > after and not (type(following) is int and after < following < key):
            found.append(row)
            after = key
    return found


def id_of(catalogue: Catalogue, number: int) -> str | int | None:
    """Return the id of a document, even if its text is on a page that cannot be read; None if none can be read."""
    with contextlib.suppress(RunError, *DAMAGE):
        for found, id in catalogue.select("SELECT number, id FROM documents WHERE number = ?", number):
            if found == number and isinstance(id, str | int):
                return id
    return None


def known_number(catalogue: Catalogue) -> int:
    """Return the greatest document number that a damaged catalogue shows to have been used; -1 if it shows none."""
    found = [-1]
    for sql in _GREATEST:
        with contextlib.suppress(RunError, *DAMAGE):
            found += [int(number) for (number,) in catalogue.select(sql) if number is not None]
    with contextlib.suppress(RunError, *DAMAGE):
        found += [record.end - 1 for record in listed_segments(catalogue)]
    return max(found)


def is_end_readable(catalogue: Catalogue) -> bool:
    """Return True if the number of the newest document of a catalogue can be read."""
    try:
        catalogue.select(_GREATEST[0])
    except RunError:
        return False
    return True


def last_number(catalogue: Catalogue) -> int:
    """Return an upper bound of the document numbers in a damaged catalogue."""
    found = [0]
    for sql in _GREATEST:
        try:
            found.append(catalogue.count(sql))
        except RunError:
            found.append(max(found) + 1)
    try:
        found += [record.end + (1 << 15) for record in listed_segments(catalogue)[-1:]]
    except (RunError, *DAMAGE):
        pass
    pages = catalogue.path.stat().st_size
    return min(max(found), pages)  # a document takes more than a byte
