"""Ids of an open index for messages and completion: as many as are looked at, however many documents there are."""

from __future__ import annotations

from quchong.api.opened_index import OpenedIndex
from quchong.engines.index.answers import Id
from quchong.engines.index.opening import readable
from quchong.languages import Message
from quchong.runs.unknown_ids import LOOKED_AT


def advice_on_id(index: OpenedIndex, id: Id) -> Message:
    """Return what to do about an id that no document of an index has: the id that was meant, or a few of those that there are."""
    with readable(index.folder):
        return index._open.advice_on_id(id)


def first_ids(index: OpenedIndex) -> list[Id]:
    """Return the ids of the first LOOKED_AT documents of an index, in the order of their arrival."""
    with readable(index.folder):
        return index._open.ids(LOOKED_AT)
