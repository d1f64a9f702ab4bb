"""New texts of the rows of a source, held as batches of texts that may be in files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong.engines.local.corpus import Corpus
from quchong.kernels.offsets import prefix_sums
from quchong.text.cut_text import CutText


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """Ranges of old texts of which the new texts of a batch consist.

    Attributes:
        offsets: int64 (texts + 1,), the first run of each text.
        start, end: int64 (runs,), offsets in characters of the old text.
    """

    offsets: np.ndarray
    start: np.ndarray
    end: np.ndarray

    @classmethod
    def from_lists(cls, texts: Sequence[CutText]) -> KeptRuns:
        """Return the ranges of old text in each text, as arrays."""
        offsets = prefix_sums([len(text.runs) for text in texts])
        flat = np.array([run for text in texts for run in text.runs], np.int64).reshape(-1, 2)
        return cls(offsets, flat[:, 0].copy(), flat[:, 1].copy())

    def columns(self) -> list[np.ndarray]:
        """Return the arrays `offsets`, `start` and `end`."""
        return [self.offsets, self.start, self.end]

    def of_text(self, number: int) -> list[tuple[int, int]]:
        """Return the ranges of old text in one text of the batch."""
        mine = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return list(zip(self.start[mine].tolist(), self.end[mine].tolist(), strict=True))


class NewTexts(Mapping[int, str]):
    """New texts of one source by row, each with the ranges of old text in it, made when it is asked for.

    Args:
        place: int64, index of the text of each row; -1 for rows without a new text.
        batches: the texts, large_string.
        runs: the runs of each batch.
    """

    def __init__(self, place: np.ndarray, batches: list[pa.Array], runs: list[KeptRuns]) -> None:
        self._place, self._batches, self._runs = place, batches, runs
        self._starts = prefix_sums([len(batch) for batch in batches])

    @classmethod
    def of_source(
        cls, corpus: Corpus, source: int, documents: np.ndarray, batches: list[pa.Array], runs: list[KeptRuns]
    ) -> NewTexts:
        """Return the new texts of the rows of a source; `documents` are the indices in the corpus of the texts in `batches`, in order."""
        mine = np.flatnonzero(corpus.source[documents] == source)
        rows = corpus.row[documents[mine]]
        place = np.full(int(rows.max(initial=-1)) + 1, -1, np.int64)
        place[rows] = mine
        return cls(place, batches, runs)

    def __getitem__(self, row: int) -> str:
        at = int(self._place[row]) if 0 <= row < len(self._place) else -1
        if at < 0:
            raise KeyError(row)
        batch = int(np.searchsorted(self._starts, at, side="right")) - 1
        number = at - int(self._starts[batch])
        return CutText(self._batches[batch][number].as_py(), self._runs[batch].of_text(number))

    def __contains__(self, row: object) -> bool:
        return isinstance(row, int) and 0 <= row < len(self._place) and bool(self._place[row] >= 0)

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self._place >= 0).tolist())

    def __len__(self) -> int:
        return int((self._place >= 0).sum())
