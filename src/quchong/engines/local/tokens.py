"""Tokens of a run's documents, kept in memory from reading on if they are few.

Within a batch equal tokens mean equal words. When batches are concatenated, different words that share a token get different ones.
"""

from __future__ import annotations

import numpy as np

from quchong.engines.local.numbering import number_words
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import Form, KeptWords
from quchong.seam import Features, TokenStreams

KEPT_BYTES = 8 << 20
"""Maximum bytes of tokens that are kept, 4 a token: a few hundredths of the memory of such a run. Of a larger corpus no tokens are kept,
and texts are normalised again when they are compared."""

NONE_KEPT = -1
"""The bound under which no tokens are kept."""


class TokenKeeper:
    """Collector of the tokens of batches; if they exceed the bound in bytes, none are kept."""

    def __init__(self, bound: int = KEPT_BYTES) -> None:
        self._bound, self._bytes = bound, 0
        self._docs: list[Ragged] = []
        self._singles: list[np.ndarray] = []
        self._words: list[KeptWords] = []

    @property
    def keeping(self) -> bool:
        """True while the tokens of all batches are within the bound."""
        return self._bytes <= self._bound

    def add(self, features: Features) -> None:
        """Add the tokens of a batch; if the bound is exceeded, drop all tokens."""
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
        """Return the tokens of all batches, which were made in `form`; None if they exceeded the bound. The collector is then empty."""
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
        while self._docs:  # each batch is freed when it is copied
            docs = self._docs.pop()
            tokens[at : at + len(docs.tokens)] = numbering.renumbered(docs.tokens, len(offsets) - 1)
            offsets.append(docs.offsets[1:] + at)
            at += len(docs.tokens)
        return TokenStreams(form, Ragged(tokens, np.concatenate(offsets)), singles, numbering.moved)
