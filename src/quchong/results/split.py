"""An input again, from the files a run split it into."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from quchong.errors import RunError, UsageError
from quchong.io import BAD, KEEP, Bad, Source, Wanted, open_inputs, together
from quchong.io.arrays import no_rows
from quchong.io.merge import Split, weave

_BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the run's rows with rows of this input among them.

    Args:
        kept, removed: its files; None for a side without rows.
        gone: bool, one entry a row of both files: is it in `removed`?
        mine: bool, aligned: is it a row of this input?
    """

    kept: Path | None
    removed: Path | None
    gone: npt.NDArray[np.bool_]
    mine: npt.NDArray[np.bool_]

    def opened(self) -> list[Source | None]:
        """Its files as sources."""
        return [None if path is None else open_inputs([path])[0] for path in (self.kept, self.removed)]

    def place(self) -> np.ndarray:
        """int64, place of each row in its file."""
        return np.where(self.gone, np.cumsum(self.gone), np.cumsum(~self.gone)) - 1

    def tables(self, tables: Sequence[pa.Table | None], wanted: npt.NDArray[np.bool_]) -> pa.Table:
        """The rows of both sides, which hold those wanted and no others, in the order of the input."""
        gone = self.gone[wanted]
        kept = 0 if tables[0] is None else len(tables[0])
        place = np.where(gone, np.cumsum(gone) - 1 + kept, np.cumsum(~gone) - 1)
        return together([table for table in tables if table is not None]).take(pa.array(place))


class SplitSource:
    """An input again, from the files a run split it into; rows go out byte for byte.

    Args:
        name: of the input.
        pieces: where its rows stand, in order; one at least, the first with a file.
        rows: place of each document in the input, ascending.
        known: what run.json says of the input.
    """

    def __init__(self, name: str, pieces: Sequence[Piece], rows: np.ndarray, known: Mapping[str, Any]) -> None:
        self.name, self._pieces, self._rows, self._known = name, pieces, rows, known
        self.suffix = next(side.suffix for side in pieces[0].opened() if side is not None)
        self._ends = np.cumsum([int(piece.mine.sum()) for piece in pieces])

    def expected(self) -> int | None:
        """Documents of the input."""
        return len(self._rows)

    def documents(self, wanted: Wanted, bad: list[Bad]) -> Iterator[pa.RecordBatch]:
        """See Source.documents."""
        found = []
        for piece in self._pieces:
            sides = piece.opened()
            tables = [
                None if side is None else pa.Table.from_batches(list(side.documents(wanted, bad))) for side in sides
            ]
            counts = [int((~piece.gone).sum()), int(piece.gone.sum())]
            if [0 if table is None else len(table) for table in tables] != counts:
                files = " and ".join(str(path) for path in (piece.kept, piece.removed) if path is not None)
                raise RunError(f"{files} are not as the run wrote them: run again")
            whole = pa.concat_tables([table for table in tables if table is not None], promote_options="permissive")
            place = piece.place() + np.where(piece.gone, counts[0], 0)
            found.append(whole.take(pa.array(place[piece.mine])))
        whole = pa.concat_tables(found, promote_options="permissive")
        whole = whole.set_column(0, whole.schema.field("row"), pa.array(self._rows))
        batches = whole.combine_chunks().to_batches(max_chunksize=_BATCH)
        yield from batches or [no_rows(whole.schema)]

    def split(self, fate: npt.NDArray[np.uint8], kept: Path | None, removed: Path | None) -> None:
        """See Source.split."""
        with tempfile.TemporaryDirectory() as folder:
            aside = Path(folder) / f"aside{self.suffix}"
            self._write(fate[self._rows], kept or aside, removed or aside)

    def table_of(self, mask: npt.NDArray[np.bool_]) -> pa.Table:
        """See Source.table_of."""
        found = []
        for piece, asked in zip(self._pieces, self._each(mask[self._rows]), strict=True):
            wanted = np.zeros(len(piece.mine), bool)
            wanted[piece.mine] = asked
            sides = zip(piece.opened(), (~piece.gone, piece.gone), strict=True)
            found.append(
                piece.tables([None if side is None else side.table_of(wanted[of]) for side, of in sides], wanted)
            )
        return together(found)

    def annotate(self, notes: pa.Table, out: Path) -> None:
        """See Source.annotate."""
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{side}{self.suffix}" for side in ("whole", "none")]
            self._write(np.full(len(self._rows), KEEP, np.uint8), *paths)
            open_inputs([paths[0]])[0].annotate(notes.take(pa.array(self._rows)), out)

    def rewrite(self, texts: Mapping[int, str], key: str, out: Path) -> None:
        """See Source.rewrite."""
        raise UsageError("the rows of a saved run are not rewritten: give its files to quchong.passages")

    def fetch(self, rows: Sequence[int], wanted: Wanted) -> pa.Table:
        """See Source.fetch."""
        found = []
        for row in rows:
            at = int(np.searchsorted(self._rows, row))
            number = int(np.searchsorted(self._ends, at, side="right"))
            piece = self._pieces[number]
            here = int(np.flatnonzero(piece.mine)[at - (self._ends[number - 1] if number else 0)])
            side = piece.opened()[int(piece.gone[here])]
            assert side is not None
            one = side.fetch([int(piece.place()[here])], wanted)
            found.append(one.set_column(0, one.schema.field("row"), pa.array([row] * len(one), pa.int64())))
        return pa.concat_tables(found, promote_options="permissive")

    def fingerprint(self) -> dict[str, object]:
        """See Source.fingerprint: of the input, as the run found it."""
        return {name: value for name, value in self._known.items() if name != "path"}

    def _each(self, values: np.ndarray) -> list[np.ndarray]:
        """What is said of each document, by piece."""
        return np.split(values, self._ends[:-1])

    def _write(self, fate: npt.NDArray[np.uint8], kept: Path, removed: Path) -> None:
        """Writes the documents to one side or the other."""
        splits = []
        for piece, mine in zip(self._pieces, self._each(fate), strict=True):
            after = np.full(len(piece.mine), BAD, np.uint8)
            after[piece.mine] = mine
            splits.append(Split(piece.kept, piece.removed, piece.gone, after))
        weave(splits, kept, removed)
