"""Check that rows of a run folder are those of the documents they are read for, by their ids.

A run finds a document's row by its number in a file of kept or removed rows. Where somebody sorted that file since, another document
stands there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import InputChanged
from quchong.io import WantedColumns, open_file
from quchong.io.files.location import Location
from quchong.runs.reader import encoding_of
from quchong.runs.row_ranges import Stretch

_RENAMED = r"~[1-9][0-9]*\z"
"""End of an id that was given anew because it repeats (`quchong.engines.local.ids`)."""


def without_number(ids: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return ids, large_string, as the input had them: without the number ~2, ~3, ... of an id that repeats."""
    return pc.replace_substring_regex(ids, _RENAMED, "")


def check_row_ids(
    expected: pa.Array | pa.ChunkedArray, found: pa.Array | pa.ChunkedArray, file: Path, rows: np.ndarray
) -> None:
    """Raise InputChanged unless each row has the id of its document, or none.

    Args:
        expected: ids of the documents in the run's tables, strings or whole numbers.
        found: ids of the rows, as many; null or empty where a row has none, and the run made one up.
        file: named in the message.
        rows: int64, number of each row in the file, from 0.

    Cost: some 20 ns a row.
    """
    own, theirs = expected.cast(pa.large_string()), found.cast(pa.large_string())
    equal = pc.equal(own, theirs)
    if pc.all(equal, skip_nulls=False).as_py():  # nearly always
        return
    same = pc.or_(equal, pc.equal(without_number(own), theirs))
    same = pc.or_kleene(same, pc.equal(theirs, ""))
    wrong = np.flatnonzero(~pc.fill_null(same, True).to_numpy(zero_copy_only=False))
    if len(wrong):
        first = int(wrong[0])
        raise InputChanged(
            "{}: row {:,} has the id {!r}, but the run wrote {!r}",
            file, int(rows[first]) + 1, theirs[first].as_py(), own[first].as_py(),
        )  # fmt: skip


def check_stretch(
    folder: Path, manifest: Mapping[str, Any], documents: pa.Table, stretch: Stretch, files: Sequence[Location]
) -> None:
    """Raise InputChanged unless the kept and removed rows of a stretch have the ids of their documents.

    Args:
        files: those of `stretch` that exist, kept before removed.

    Cost: that of reading the files; runs whose ids were made up, and lists of paths, are not read.
    """
    column = manifest.get("id")
    if column is None:
        return
    config = manifest["config"]
    wanted = WantedColumns(tuple(config["text"]), column, instead=config.get("html"), textless=True)
    ids = documents["id"].take(pa.array(stretch.documents))
    for file in files:
        if file.path.suffix == ".txt":
            continue
        removed = file.path == folder / stretch.removed
        mine = ids.filter(pa.array(stretch.gone == removed))
        for batch in open_file(file, encoding=encoding_of(manifest, stretch.kept)).documents(wanted, []):
            rows = batch["row"].to_numpy()
            rows = rows[rows < len(mine)]  # more rows than the run wrote are told of by who copies them
            check_row_ids(mine.take(pa.array(rows)), batch["id"].slice(0, len(rows)), file.path, rows)
