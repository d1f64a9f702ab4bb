"""The prepared texts of a run, in the batches they came in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.kernels.offsets import prefix_sums


class TextStore:
    """Prepared texts in the batches in which they were read; selecting texts does not copy them."""

    def __init__(self, batches: Sequence[pa.Array]) -> None:
        self.texts = kernels.arrays.texts_of(batches)
        self.batches = [b for b in batches if len(b)]
        self.starts = prefix_sums([len(b) for b in self.batches])

    def __reduce__(self) -> tuple[type[TextStore], tuple[list[pa.Array]]]:
        return TextStore, (self.batches,)  # addresses of texts in memory are valid in this process only

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def bytes(self) -> np.ndarray:
        """Length of each text in bytes, int64."""
        return self.texts.length

    def take(self, index: np.ndarray) -> kernels.arrays.Texts:
        """Return the texts at these indices, in this order, as views for kernels."""
        return self.texts.take(index)

    def text(self, i: int) -> str:
        """Return the text at index `i`."""
        batch = int(np.searchsorted(self.starts, i, side="right")) - 1
        value: str = self.batches[batch][i - int(self.starts[batch])].as_py()
        return value
