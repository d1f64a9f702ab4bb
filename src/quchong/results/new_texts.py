"""New texts of the rows of a source, held as batches of texts that may be in files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from quchong.engines.local.corpus import Corpus
from quchong.kernels.offsets import prefix_sums


class NewTexts(Mapping[int, str]):
    """New texts by row of one source; a text is made when it is asked for.

    Args:
        place: int64, index of the text of each row; -1 for rows without a new text.
        batches: the texts, large_string.
    """

    def __init__(self, place: np.ndarray, batches: list[pa.Array]) -> None:
        self._place, self._batches = place, batches
        self._starts = prefix_sums([len(batch) for batch in batches])

    @classmethod
    def of_source(cls, corpus: Corpus, source: int, documents: np.ndarray, batches: list[pa.Array]) -> NewTexts:
        """Return the new texts of the rows of a source; `documents` are the indices in the corpus of the texts in `batches`, in order."""
        mine = np.flatnonzero(corpus.source[documents] == source)
        rows = corpus.row[documents[mine]]
        place = np.full(int(rows.max(initial=-1)) + 1, -1, np.int64)
        place[rows] = mine
        return cls(place, batches)

    def __getitem__(self, row: int) -> str:
        at = int(self._place[row]) if 0 <= row < len(self._place) else -1
        if at < 0:
            raise KeyError(row)
        batch = int(np.searchsorted(self._starts, at, side="right")) - 1
        value: str = self._batches[batch][at - int(self._starts[batch])].as_py()
        return value

    def __contains__(self, row: object) -> bool:
        return isinstance(row, int) and 0 <= row < len(self._place) and bool(self._place[row] >= 0)

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self._place >= 0).tolist())

    def __len__(self) -> int:
        return int((self._place >= 0).sum())
