"""Values of a column of a run's rows, by which pairs are grouped."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from quchong.errors import Param, QuchongError, UsageError, meant
from quchong.io.arrays import as_strings
from quchong.languages import join_names
from quchong.pages.address import sites
from quchong.results.run import Run

SITE, URL = "site", "url"


def values_of(run: Run, column: str | None, *, needed: bool = True) -> list[str | None] | None:
    """Return the value of every document in a column, as text.

    A site is the value of column `site`, else the registrable domain of `url`.

    Args:
        column: name of the column, or None. needed: True to raise an error if the rows lack it; never raised for `site`.

    Returns:
        One value per document, None if missing; None for all if `column` is None or the rows have no such column.

    Raises:
        UsageError: the rows do not have a column that is needed.
    """
    if column is None:
        return None
    try:
        sides = [side for side in (run.rows(False), run.rows(True)) if len(side[0])]
    except QuchongError:
        if column == SITE:
            return None
        raise
    known = {name for _, table in sides for name in table.column_names if not pa.types.is_nested(table[name].type)}
    if column not in known and not (column == SITE and URL in known):
        if column == SITE or not needed:
            return None
        raise UsageError(
            "{}: the rows do not have this column; they have {}{}",
            Param("by", column),
            join_names(sorted(known)),
            meant(column, sorted(known)),
        )
    out: list[str | None] = [None] * len(run.ids)
    for places, table in sides:
        for place, value in zip(places.tolist(), _column(table, column), strict=True):
            out[place] = value
    return out


def _column(table: pa.Table, column: str) -> Sequence[str | None]:
    def column_text(name: str) -> pa.Array:
        if table.column_names.count(name) != 1 or pa.types.is_nested(table[name].type):
            return pa.nulls(len(table), pa.large_string())
        return as_strings(table[name]).cast(pa.large_string())

    told: list[str | None] = (
        sites(column_text(SITE), column_text(URL)) if column == SITE else column_text(column)
    ).to_pylist()
    return told
