"""Inputs of a run as sources, rebuilt from the kept and removed files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import RunError, UsageError
from quchong.io import REMOVE, Bad, FileBeneath, WantedColumns, open_file, together
from quchong.io.arrays import no_rows
from quchong.io.files.input_file import File, InputFile
from quchong.io.merge import regroup, restore_rows
from quchong.io.source import Rows, Whole
from quchong.outputs import is_file_beneath
from quchong.plan.sources import Spool
from quchong.runs.reader import own_files
from quchong.runs.row_ranges import Stretch

_BATCH = 1 << 16


class SplitSource:
    """Input of a run, read from its kept and removed rows in their original order; rows are written byte for byte.

    Args:
        name: name of the input.
        kept, removed: its files in the run folder.
        rows: row number of each document in the input, ascending.
        gone: mask of the documents that are in `removed`.
        known: entry of run.json about the input.
        folder: temporary folder of the files, removed with the source; None if they are in the run folder.
    """

    def __init__(
        self, name: str, kept: File, removed: File, rows: np.ndarray, gone: np.ndarray, known: Mapping[str, Any],
        folder: Spool | None = None,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._sides = InputFile.from_path(kept), InputFile.from_path(removed)
        self.name, self._rows, self._gone, self._known = name, rows, gone, known
        self._encoding = known.get("encoding")
        self._opened = [open_file(side, encoding=self._encoding) for side in self._sides]
        self.suffix = self.annotated_suffix = self._opened[0].suffix
        self.path: Path | None = None
        self.files = tuple(path for source in self._opened for path in source.files)
        self._place = np.where(gone, np.cumsum(gone), np.cumsum(~gone)) - 1

    def expected(self) -> int | None:
        """Return the number of documents of the input."""
        return len(self._rows)

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        sides = [pa.Table.from_batches(list(side.documents(wanted, bad))) for side in self._opened]
        counts = [int((~self._gone).sum()), int(self._gone.sum())]
        if [len(side) for side in sides] != counts:
            kept, removed = (side.path for side in self._sides)
            raise RunError("{} and {} are not as the run wrote them: run again", kept, removed.name)
        whole = pa.concat_tables(sides, promote_options="permissive")
        whole = whole.take(pa.array(self._place + np.where(self._gone, counts[0], 0)))
        whole = whole.set_column(0, whole.schema.field("row"), pa.array(self._rows))
        batches = whole.combine_chunks().to_batches(max_chunksize=_BATCH)
        yield from batches or [no_rows(whole.schema)]

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        with tempfile.TemporaryDirectory() as folder:
            aside = Path(folder) / f"aside{self.suffix}"
            restore_rows(
                *self._sides, self._gone, fate[self._rows] == REMOVE, kept or aside, removed or aside, self._encoding
            )

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Return an empty iterator, because a run writes its bad records elsewhere."""
        return iter(())

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        wanted = mask[self._rows]
        sides = [side.table_of(wanted[self._gone == gone]) for gone, side in enumerate(self._opened)]
        gone = self._gone[wanted]
        place = np.where(gone, np.cumsum(gone) - 1 + len(sides[0]), np.cumsum(~gone) - 1)
        return together(sides).take(pa.array(place))

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{side}{self.suffix}" for side in ("whole", "none")]
            restore_rows(*self._sides, self._gone, np.zeros(len(self._gone), bool), paths[0], paths[1], self._encoding)
            open_file(paths[0], encoding=self._encoding).annotate(notes.take(pa.array(self._rows)), out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite."""
        raise UsageError("the rows of a saved run are not rewritten: give its files to quchong.passages")

    def fetch(self, rows: Sequence[int], wanted: WantedColumns) -> pa.Table:
        """See Source.fetch."""
        found = []
        for row in rows:
            at = int(np.searchsorted(self._rows, row))
            one = self._opened[int(self._gone[at])].fetch([int(self._place[at])], wanted)
            found.append(one.set_column(0, one.schema.field("row"), pa.array([row] * len(one), pa.int64())))
        return pa.concat_tables(found, promote_options="permissive")

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: of the input, as the run found it."""
        return {name: value for name, value in self._known.items() if name != "path"}


def put_together(
    folder: Path, found: Sequence[Stretch], inputs: Sequence[Mapping[str, Any]], source: np.ndarray, rows: np.ndarray
) -> list[SplitSource]:
    """Rebuild the inputs of a run whose rows are stored in parts; each input is copied to two temporary files, which
    are removed with the last source.

    Args:
        folder: folder of the run.
        found: its parts.
        inputs: entries of run.json about the inputs, in order.
        source, rows: number of the input of each document, and its row there.

    Raises:
        RunError: files have changed since the run wrote them.
    """
    aside = Spool()
    # Rows of all parts in order. A part may span two inputs, so rows are regrouped by input, kept and removed ones
    # apart.
    removed = np.concatenate([stretch.gone for stretch in found]).astype(bool)
    order = np.concatenate([stretch.documents for stretch in found])
    there = [file for stretch in found for file in (stretch.kept, stretch.removed) if is_file_beneath(folder, file)]
    if not there or (np.diff(source[order]) < 0).any():
        raise RunError("the parts of {} are not as the run wrote them: run again", folder)
    ends = Path(there[0]).suffix
    paths = [[aside.folder / f"{number}.{side}{ends}" for number in range(len(inputs))] for side in ("kept", "removed")]
    for side, of in enumerate((~removed, removed)):
        files = [((stretch.kept, stretch.removed)[side], stretch.counts[side]) for stretch in found]
        files = [(file, count) for file, count in files if count or file in there]
        counts = np.bincount(source[order[of]], minlength=len(inputs)).tolist()
        with own_files(folder, [file for file, _ in files]) as own:
            targets = list(zip(paths[side], counts, strict=True))
            regroup(list(zip(own, [count for _, count in files], strict=True)), targets, FileBeneath(folder, there[0]))
    # Row numbers and fates of each input, in the order of its rows.
    out = []
    for number, entry in enumerate(inputs):
        mine = source[order] == number
        kept, gone = (side[number] for side in paths)
        out.append(SplitSource(entry["name"], kept, gone, rows[order[mine]], removed[mine], entry, aside))
    return out
