"""Hints of texts: which may have page furniture or source code, read once by a kernel for all questions about the same pairs."""

from __future__ import annotations

import numpy as np

from quchong.differences.furniture import FOOT, HEAD, HINTS, LONGEST
from quchong.differences.source_code import may_have_code
from quchong.kernels.arrays import Texts
from quchong.kernels.differences import CODED, TextHints, text_hints
from quchong.kernels.sorting import among
from quchong.seam import Documents


def hints_of(texts: Texts) -> TextHints:
    """Return for each text what it may contain by a quick test: furniture in a line, at the head or foot, or source code."""
    return text_hints(texts, HINTS, line=LONGEST, head=HEAD, foot=FOOT, workers=1)


class HintedDocuments:
    """Documents with the hints of their texts (`TextHints`); the hints asked for last are cached.

    Args:
        documents: all documents.
    """

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self._known: np.ndarray | None = None
        self._hints = TextHints(np.zeros(0, np.uint8), np.zeros(0, np.uint32))

    def hints(self, some: np.ndarray) -> TextHints:
        """Return the hints of some documents, given by distinct ascending indices."""
        if self._known is None or not np.array_equal(some, self._known):
            self._known, self._hints = some, hints_of(self.documents.texts.take(some))
        return self._hints

    def may_have_code(self, some: np.ndarray) -> np.ndarray:
        """Return a mask over the documents `some` (distinct ascending indices): True for one that may be source code."""
        if self._known is not None and among(some, self._known).all():
            mask: np.ndarray = (self._hints.hints[self._known.searchsorted(some)] & CODED) != 0
            return mask
        return may_have_code(self.documents.texts.take(some))
