"""Documents of a run that are named by their words, such as a title, where an id is wanted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import QuchongError, UsageError
from quchong.languages import join_names
from quchong.results.run import Run

LOOKED_AT = 200_000
"""Number of documents of a run up to which their rows are searched."""
_SHORTEST = 4
"""Least number of characters of words that are searched within values; whole values may be shorter."""
_SHOWN = 3
"""Number of ids that a message shows."""


def quoted_document(run: Run, words: str) -> UsageError | None:
    """Return the error for words given in place of an id, with the ids of documents that contain them; None if none does.

    A whole value of a column, such as a title, comes before a part of one, such as the text.

    Args:
        run: the run; words: as they were given.
    """
    wanted = words.strip()
    if not wanted or run.manifest.get("counts", {}).get("read", 0) > LOOKED_AT:
        return None
    try:
        found = _ids_with(run, wanted)
    except (
        QuchongError,
        OSError,
        pa.ArrowException,
    ):  # its rows are elsewhere, or not to be read: the id is unknown all the same
        return None
    if not found:
        return None
    if len(found) == 1:
        return UsageError(
            "{!r} is not the id of a document, but {} contains these words: give that id", words, found[0]
        )
    shown = join_names(found[:_SHOWN])
    return UsageError(
        "{!r} is not the id of a document, but {:,} documents contain these words, such as {}: give one of their ids",
        words, len(found), shown,
    )  # fmt: skip


def known_places(run: Run, ids: Sequence[str | int]) -> np.ndarray:
    """Return the row of each document of a run by its id, int64.

    Raises:
        UsageError: no document has one of the ids; it names the documents that have these words, such as a title, if there are some.
    """
    try:
        return run.ids.known_places(ids)
    except UsageError as error:
        raise quoted_among(run, ids) or error from None


def quoted_among(run: Run, ids: Sequence[str | int]) -> UsageError | None:
    """Return the error for the first of `ids` that is no id but words of some documents; None if there is none."""
    for one, place in zip(ids, run.ids.places(ids).tolist(), strict=True):
        if place < 0 and isinstance(one, str) and (quoted := quoted_document(run, one)) is not None:
            return quoted
    return None


def _ids_with(run: Run, words: str) -> list[str]:
    """Return the ids of the documents with a value that is equal to words, else of those with a value that contains them."""
    ids = run.tables["documents"]["id"]
    whole: list[int] = []
    within: list[int] = []
    for removed in (False, True):
        places, rows = run.rows(removed)
        for column in rows.columns:
            if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
                continue
            whole += places[pc.fill_null(pc.equal(column, words), False).to_numpy()].tolist()
            if len(words) >= _SHORTEST:
                within += places[pc.fill_null(pc.match_substring(column, words), False).to_numpy()].tolist()
    return [str(ids[place].as_py()) for place in sorted(set(whole or within))]
