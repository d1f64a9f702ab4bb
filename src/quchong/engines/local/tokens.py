"""The tokens of a run's documents, kept from reading on where they are few.

Within a batch equal tokens have equal letters; when batches are put together, words of one token and other letters are told apart.
"""

from __future__ import annotations

import numpy as np

from quchong.engines.local.numbering import number_words
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import Form, KeptWords
from quchong.seam import Features, TokenStreams

KEPT_BYTES = 8 << 20
"""Tokens are kept up to so many bytes, 4 a token: a few hundredths of what a run needs whose texts have so many. Of a larger corpus none
are kept, and texts are normalised again where they are looked at."""

NONE_KEPT = -1
"""The bound under which no tokens are kept."""


class TokenKeeper:
    """Takes the tokens of batches, as long as all of them stay within the bound."""

    def __init__(self, bound: int = KEPT_BYTES) -> None:
        self._bound, self._bytes = bound, 0
        self._docs: list[Ragged] = []
        self._singles: list[np.ndarray] = []
        self._words: list[KeptWords] = []

    @property
    def keeping(self) -> bool:
        """Are tokens still asked for?"""
        return self._bytes <= self._bound

    def add(self, features: Features) -> None:
        """Takes in a batch; lets go of all where they have become too many."""
        if features.docs is None or features.words is None or not self.keeping:
            return
        self._bytes += features.docs.tokens.nbytes
        self._docs.append(features.docs)
        self._singles.append(features.singles)
        self._words.append(features.words)
        if not self.keeping:
            self._docs.clear()
            self._singles.clear()
            self._words.clear()

    def streams(self, form: Form) -> TokenStreams | None:
        """The tokens of all batches, in `form`; None where they were too many."""
        if not self.keeping:
            return None
        singles = np.concatenate([np.zeros(0, np.uint32), *self._singles])
        numbering = number_words(self._words)
        self._words.clear()
        if len(self._docs) == 1:
            return TokenStreams(form, self._docs.pop(), singles, numbering.moved)
        tokens = np.empty(self._bytes // 4, np.uint32)
        offsets, at = [np.zeros(1, np.int64)], 0
        self._docs.reverse()
        while self._docs:  # each is let go when it is copied
            docs = self._docs.pop()
            tokens[at : at + len(docs.tokens)] = numbering.renumbered(docs.tokens, len(offsets) - 1)
            offsets.append(docs.offsets[1:] + at)
            at += len(docs.tokens)
        return TokenStreams(form, Ragged(tokens, np.concatenate(offsets)), singles, numbering.moved)
