"""Inputs of a run as sources, rebuilt from the kept and removed files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import RunError, UsageError
from quchong.io import Bad, FileBeneath, Source, WantedColumns, concat_by_name, open_file
from quchong.io.arrays import no_rows
from quchong.io.files.input_file import File
from quchong.io.formats import suffix_of
from quchong.io.merge import merged, merged_writer, regroup
from quchong.io.row_copies import Block, BlockWriter, Rows, RowSet, Whole
from quchong.io.source import Documents
from quchong.outputs import is_file_beneath
from quchong.plan.sources import Spool
from quchong.runs.noted_rows import plain_copy
from quchong.runs.reader import own_files
from quchong.runs.row_ranges import Stretch

_BATCH = 1 << 16


class SplitSource(Source):
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
        self.name, self._rows, self._gone, self._known = name, rows, gone, known
        self._sides = [open_file(side, encoding=known.get("encoding")) for side in (kept, removed)]
        self.suffix = self.annotated_suffix = self._sides[0].suffix
        self.path: Path | None = None
        self.files = tuple(path for side in self._sides for path in side.files)
        self._place = np.where(gone, np.cumsum(gone), np.cumsum(~gone)) - 1

    def expected(self) -> int | None:
        """Return the number of documents of the input."""
        return len(self._rows)

    def documents(self, wanted: WantedColumns, bad: MutableSequence[Bad], rows: RowSet | None = None) -> Documents:
        """Yield all usable records in order, as batches of `wanted.schema()`; see Source.documents."""
        at = np.arange(len(self._rows)) if rows is None else np.searchsorted(self._rows, rows)
        gone, place = self._gone[at], self._place[at]
        asked = [None if rows is None else place[gone == side] for side in (False, True)]
        sides = [
            pa.Table.from_batches(list(side.documents(wanted, bad, some)))
            for side, some in zip(self._sides, asked, strict=True)
        ]
        counts = [int((~gone).sum()), int(gone.sum())]
        if [len(side) for side in sides] != counts:
            kept, removed = (side.path for side in self._sides)
            assert kept is not None and removed is not None
            raise RunError("{} and {} differ from what the run wrote: run again", kept, removed.name)
        whole = pa.concat_tables(sides, promote_options="permissive")
        whole = whole.take(pa.array(np.where(gone, np.cumsum(gone) + counts[0], np.cumsum(~gone)) - 1))
        whole = whole.set_column(0, whole.schema.field("row"), pa.array(self._rows[at]))
        yield from whole.combine_chunks().to_batches(max_chunksize=_BATCH) or [no_rows(whole.schema)]

    def records(self, rows: RowSet | None = None) -> Iterator[tuple[npt.NDArray[np.int64], Block]]:
        """See Source.records; rows that the run could not read are left out."""
        for where, _, block in merged(self._sides, self._gone):
            yield self._rows[where], block

    def writer(self, path: Path, notes: pa.Schema | None = None) -> BlockWriter:
        """Open a writer of a file like that of the source; see Source.writer."""
        self._sides[1].agree(self._sides[:1])
        return merged_writer(self._sides[1], path, notes)

    def check(self, records: int | None = None, seen: int | None = None) -> None:
        """Do nothing, because `records` finds files that are not as the run wrote them."""

    def table_from(self, values: list[Any]) -> pa.Table:
        """Return records, as `Block.values` gives them, as a table; see Source.table_from."""
        return self._sides[0].table_from(values)

    def whole_records(self, rows: Rows) -> Iterator[Whole]:
        """Return an empty iterator, because a run writes its bad records elsewhere."""
        return iter(())

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """Return the selected records as a table, in order; see Source.table_of."""
        wanted = mask[self._rows]
        sides = [side.table_of(wanted[self._gone == gone]) for gone, side in enumerate(self._sides)]
        gone = self._gone[wanted]
        place = np.where(gone, np.cumsum(gone) - 1 + len(sides[0]), np.cumsum(~gone) - 1)
        return concat_by_name(sides).take(pa.array(place))

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path, without: RowSet | None = None) -> None:
        """Raise UsageError: the rows of a saved run cannot be rewritten; see Source.rewrite."""
        raise UsageError(
            "the rows of a saved run cannot be rewritten: give the paths of its row files to quchong.passages"
        )

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: of the input, as the run found it."""
        return {name: value for name, value in self._known.items() if name != "path"}


def put_together(
    folder: Path, found: Sequence[Stretch], inputs: Sequence[Mapping[str, Any]], source: np.ndarray, rows: np.ndarray,
    added: list[str],
) -> list[SplitSource]:  # fmt: skip
    """Rebuild the inputs of a run from rows stored in parts; each is copied to two temporary files.

    Args:
        folder: folder of the run.
        found: its parts.
        inputs: entries of run.json about the inputs, in order.
        source, rows: number of the input of each document, and its row there.
        added: columns that the run added to kept rows, which the inputs have not.

    Raises:
        RunError: files have changed since the run wrote them.
    """
    aside = Spool()
    # Rows of all parts in order. A part may span two inputs, so rows are regrouped by input, kept and removed ones
    # apart.
    removed = np.concatenate([stretch.gone for stretch in found]).astype(bool)
    order = np.concatenate([stretch.documents for stretch in found])
    there = [file for stretch in found for file in (stretch.removed, stretch.kept) if is_file_beneath(folder, file)]
    if not there or (np.diff(source[order]) < 0).any():
        raise RunError("the parts of {} differ from what the run wrote: run again", folder)
    ends = suffix_of(there[0]) or Path(there[0]).suffix
    paths = [[aside.folder / f"{number}.{side}{ends}" for number in range(len(inputs))] for side in ("kept", "removed")]
    for side, of in enumerate((~removed, removed)):
        files = [((stretch.kept, stretch.removed)[side], stretch.counts[side]) for stretch in found]
        files = [(file, count) for file, count in files if count or file in there]
        counts = np.bincount(source[order[of]], minlength=len(inputs)).tolist()
        with own_files(folder, [file for file, _ in files]) as own:
            targets = list(zip(paths[side], counts, strict=True))
            read: list[tuple[File, int]] = list(zip(own, [count for _, count in files], strict=True))
            like: File = FileBeneath(folder, there[0])
            encoding = inputs[0].get("encoding")
            if added and not side:
                read = [
                    (plain_copy(file, added, aside.folder, encoding), count)
                    for file, (_, count) in zip(own, files, strict=True)
                ]
                like = read[0][0]
            regroup(read, targets, like, encoding)
    # Row numbers and fates of each input, in the order of its rows.
    out = []
    for number, entry in enumerate(inputs):
        mine = source[order] == number
        kept, gone = (side[number] for side in paths)
        out.append(SplitSource(entry["name"], kept, gone, rows[order[mine]], removed[mine], entry, aside))
    return out
