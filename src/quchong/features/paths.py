"""Nodes of the corpus tree of CoDet (语料树): weighted paths of words inside a sentence.

Source: Varol 2011. Weights are whole numbers of 1/65536, so that sums do not depend
on their order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import document_frequency, in_batches
from quchong.features.stopwords import Words, tokens_of, words_of
from quchong.features.text_offsets import pieces_of, place_keys
from quchong.kernels.arrays import AnyTexts, FeatureSets, Names, Texts
from quchong.kernels.features import MAX_DEPTH
from quchong.kernels.hashing import COEFFICIENTS, mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import distinct
from quchong.kernels.text import Form

ONE = 1 << 16
"""Integer that represents a weight of 1.0."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths of words inside sentences, stop words left out.

    Args:
        depth: D: words of the longest path.
        stop_words: see `quchong.features.stopwords`; "none" keeps every word.
    """

    depth: int = 4
    stop_words: str = "standard"

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise UsageError("'depth' must be 1 to {}, got {}", MAX_DEPTH, self.depth)
        words_of(self.stop_words, "stop_words")

    def sets(
        self, form: Form, texts: AnyTexts, known: tuple[np.ndarray, np.ndarray, int] | None, workers: int | None = None
    ) -> FeatureSets:
        """Return the paths of each text with the sum of their words' weights.

        Args:
            form: how texts become words.
            texts: prepared texts.
            known: words (uint64 hashes, ascending), their document frequencies, and the number of documents: a word weighs ln((N + 1) /
                df). None: every node weighs 1.
            workers: threads.
        """
        words = Words.from_tokens([], tokens_of(form, words_of(self.stop_words, "stop_words")))

        def made(piece: Texts) -> FeatureSets:
            docs, sentence = self._content_tokens(form, piece, words, workers)
            weight = np.ones(len(docs.tokens), np.uint32) if known is None else _idf(docs.tokens, *known)
            sets = kernels.features.path_sets(docs, sentence, weight, self.depth, workers)
            return sets if known is not None else sets.weighing(np.ones(len(sets.values), np.uint32))

        return in_batches(texts, made)

    def stop_mask(self, form: Form, docs: Names) -> np.ndarray:
        """Return a mask of the tokens that are part of a stop word; no path contains these."""
        stop, _ = Words.from_tokens([], tokens_of(form, words_of(self.stop_words, "stop_words"))).stop_word_masks(docs)
        return stop

    def _content_tokens(self, form: Form, texts: Texts, words: Words, workers: int | None) -> tuple[Names, np.ndarray]:
        """Return the tokens that are no stop words, and the sentence number of each (uint32)."""
        found = kernels.text.names(form, texts, places=True, workers=workers)
        docs = found.docs
        places, offsets = kernels.text.sentence_breaks(texts, workers)
        breaks = place_keys(places, np.diff(offsets))
        sentence = pieces_of(breaks, place_keys(found.start, docs.lengths)) + 1
        stop, _ = words.stop_word_masks(docs)
        kept = prefix_sums(~stop)
        return Names(docs.tokens[~stop], kept[docs.offsets]), sentence[~stop].astype(np.uint32)


def word_values(tokens: np.ndarray) -> np.ndarray:
    """Return hashes of single tokens as shingle sets of width 1 have them, uint64."""
    with np.errstate(over="ignore"):
        return mix64(tokens.astype(np.uint64) * COEFFICIENTS[0])


def _idf(tokens: np.ndarray, features: np.ndarray, counts: np.ndarray, documents: int) -> np.ndarray:
    """Return ln((N + 1) / df) of every token in whole units of 1/65536, at least 1; uint32."""
    words = distinct(tokens)
    frequency = document_frequency(word_values(words), features, counts)
    weight = np.maximum(np.rint(ONE * np.log((documents + 1) / frequency)), 1).astype(np.uint32)
    out: np.ndarray = weight[np.searchsorted(words, tokens)]
    return out
