"""Winnowing anchors: few keys for each document, among them one in every shared passage that is long enough."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.text import Form
from quchong.seam import Features, Keys

WORDED = 0.5
"""Share of the anchors of a text in words, not in single characters, that the count filter expects in a copy."""


@dataclass(frozen=True, slots=True)
class Anchors:
    """Parameters of winnowing: shingle width and window lengths.

    Texts below `long_tokens` tokens take the least hash of every `short_window` shingles, longer ones of every `long_window`. The windows
    are nested (a minimum of the long one is one of the short one), so that short and long texts become candidates. Source: Schleimer 2003;
    widths and windows measured by this project (docs/methods/hybrid.md).
    """

    ngram: int = 5
    short_window: int = 4
    long_window: int = 16
    long_tokens: int = 200

    def features(self, form: Form, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return digest, lengths and anchors of a batch of texts; with `keep` the tokens too."""
        f = kernels.text.fingerprints(
            form, texts, ngram=self.ngram, short_window=self.short_window, long_window=self.long_window,
            long_tokens=self.long_tokens, keep=keep, workers=workers,
        )  # fmt: skip
        return Features(f.tokens, f.singles, f.high, f.low, f.offsets, f.anchors, f.docs, f.words)

    def keys(self, features: Features) -> Keys:
        """Return anchors as keys, with shingles and window of each document for the count filter.

        A text that repeats itself has few distinct shingles: its size is that of a text with twice as many anchors as it has, if that
        is less.
        """
        if len(features.tokens) == 1:
            return self._keys_of_one(features)
        tokens = features.tokens.astype(np.int64)
        shingled = tokens >= self.ngram
        size = np.where(shingled, tokens - self.ngram + 1, np.minimum(tokens, 1)).astype(np.uint32)
        # A wrong letter breaks the shingles of a whole word: of words fewer anchors stay than of characters at the same noise.
        worded = (2 * features.singles.astype(np.int64) < tokens) & shingled
        if np.count_nonzero(worded):
            size = np.where(worded, np.ceil(WORDED * size), size).astype(np.uint32)
        window = np.where(tokens >= self.long_tokens, self.long_window, self.short_window).astype(np.uint32)
        size = np.minimum(size, (features.offsets[1:] - features.offsets[:-1]) * (window + 1)).astype(np.uint32)
        return Keys(features.values, features.offsets, size, window)

    def _keys_of_one(self, features: Features) -> Keys:
        """Return the keys of a single document, as `keys` does, computed on Python values."""
        tokens = int(features.tokens[0])
        shingled = tokens >= self.ngram
        size = tokens - self.ngram + 1 if shingled else min(tokens, 1)
        if shingled and 2 * int(features.singles[0]) < tokens:
            size = ceil(WORDED * size)
        window = self.long_window if tokens >= self.long_tokens else self.short_window
        size = min(size, int(features.offsets[1] - features.offsets[0]) * (window + 1))
        return Keys(features.values, features.offsets, np.array([size], np.uint32), np.array([window], np.uint32))
