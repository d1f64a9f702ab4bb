"""Documents deleted from an index, by id or by age, whatever store has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quchong.engines.index.answers import Id
from quchong.engines.index.contents import Contents
from quchong.engines.index.document_store import GHOST, Row, Writer

AT_ONCE = 1_000
"""Documents that are deleted by age in one transaction."""


def delete_documents(index: Contents, ids: Iterable[Id]) -> tuple[int, list[int]]:
    """Delete documents by id, in one transaction; the caller holds the lock of the index.

    Returns:
        How many were there, and the numbers that have no document any more: postings must not give them from now on.
    """
    gone: list[int] = []
    around: set[int] = set()
    deleted: list[int] = []
    asked = list(dict.fromkeys(ids))
    there = index.finder.numbers_of(asked)
    with index.catalogue.transaction() as writer:
        for id in asked:
            number = there.get(id)
            if number is None:
                continue
            deleted.append(number)
            around |= index.fates.neighbours(number)
            gone += _delete_one(index, writer, index.catalogue.rows([number])[number])
        writer.executemany(
            "INSERT INTO gone VALUES (?) ON CONFLICT DO NOTHING", [(number,) for number in dict.fromkeys(gone)]
        )
        index.fates.decide(writer, sorted(around.difference(gone, deleted)), deleted)
    return len(deleted), gone


def _delete_one(index: Contents, writer: Writer, row: Row) -> list[int]:
    """Delete one document; return the numbers whose rows are gone, with those of deleted documents kept only for its sake."""
    copies = "SELECT 1 FROM documents WHERE ({0} = ? AND {0} != number) LIMIT 1"
    if any(index.catalogue.select(copies.format(column), row.number) for column in ("same", "part")):
        ghost = row._replace(id=None, state=GHOST, survivor=None, relation=None, rule=None).summed()
        # Equal documents are found by its keys and compared by its text: it stays for them, without its id and columns.
        writer.execute(
            "UPDATE documents SET id = NULL, state = ?, survivor = NULL, relation = NULL, rule = NULL, own_sum = ?, fate_sum = ? "
            "WHERE number = ?",
            (GHOST, *ghost[-2:], row.number),
        )
        return []
    gone = [row.number]
    writer.execute("DELETE FROM documents WHERE number = ?", (row.number,))
    writer.execute("DELETE FROM pairs WHERE later = ? OR earlier = ?", (row.number, row.number))
    if index.has_tail:
        writer.execute("DELETE FROM keys WHERE number = ?", (row.number,))
    for first in {row.same, row.part} - {row.number}:
        known = index.catalogue.rows([first]).get(first)
        if known is not None and known.state == GHOST:
            gone += _delete_one(index, writer, known)
    return gone


_BEFORE = "FROM documents WHERE coalesce(time, added) < ? AND id IS NOT NULL"
"""Documents whose time, or arrival if they have none, is before a moment."""


def ids_before(index: Contents, before: float) -> Sequence[Id]:
    """Return ids of documents older than the time `before`: some at a time, none if no such document is left."""
    found = index.catalogue.select(f"SELECT id {_BEFORE} LIMIT ?", before, AT_ONCE)
    return [id for (id,) in found]


def count_before(index: Contents, before: float) -> int:
    """Return the number of documents whose time, or arrival if they have none, is before a moment."""
    return index.catalogue.count(f"SELECT count(*) {_BEFORE}", before)
