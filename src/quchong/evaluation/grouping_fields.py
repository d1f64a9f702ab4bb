"""Values of a column of a run's rows, by which pairs are grouped."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from quchong.errors import Param, QuchongError, UsageError
from quchong.io.arrays import as_strings
from quchong.languages import COMMA, listed
from quchong.pages.address import sites

SITE, URL = "site", "url"
Rows = Callable[[bool], tuple[np.ndarray, pa.Table]]
"""Function that returns the kept rows (False) or the removed rows (True): row indices of their documents, and the rows."""


def values_of(rows: Rows, documents: int, column: str | None, *, needed: bool = True) -> list[str | None] | None:
    """Return the value of every document in a column, as text.

    A site is the value of column `site`, else the registrable domain of `url`.

    Args:
        rows: the rows of the run; documents: their number, with references.
        column: name of the column, or None. needed: True to raise an error if the rows lack it; never raised for `site`.

    Returns:
        One value per document, None if missing; None for all if `column` is None or the rows have no such column.

    Raises:
        UsageError: the rows do not have a column that is needed.
    """
    if column is None:
        return None
    try:
        sides = [side for side in (rows(False), rows(True)) if len(side[0])]
    except QuchongError:
        if column == SITE:
            return None
        raise
    known = {name for _, table in sides for name in table.column_names if not pa.types.is_nested(table[name].type)}
    if column not in known and not (column == SITE and URL in known):
        if column == SITE or not needed:
            return None
        raise UsageError(
            "{}: the rows have no such column; they have {}", Param("by", column), listed(sorted(known), COMMA)
        )
    out: list[str | None] = [None] * documents
    for places, table in sides:
        for place, value in zip(places.tolist(), _column(table, column), strict=True):
            out[place] = value
    return out


def _column(table: pa.Table, column: str) -> Sequence[str | None]:
    def of(name: str) -> pa.Array:
        if table.column_names.count(name) != 1 or pa.types.is_nested(table[name].type):
            return pa.nulls(len(table), pa.large_string())
        return as_strings(table[name]).cast(pa.large_string())

    told: list[str | None] = (sites(of(SITE), of(URL)) if column == SITE else of(column)).to_pylist()
    return told
